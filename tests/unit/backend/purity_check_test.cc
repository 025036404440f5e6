#include "croq/backend/purity_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "croq/base/files.h"
#include "croq/model/device.h"
#include "croq/operators/operator.h"
#include "croq/process/siblings.h"
#include "operators/cases.h"
#include "support/processes.h"
#include "support/python.h"

namespace croq::backend {
namespace {

using croq::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kSource = CROQ_SOURCE_DIR;

class PurityCheckTest : public ::testing::Test {
 protected:
  SourceReader::Options Options() const {
    SourceReader::Options options;
    options.python.python = croq::testing::AnyPython();
    options.python.supervisor = process::FindSibling("croq-supervisor").value();
    options.python.worker_folder = kSource / "python";
    options.python.environment["PYTHONDONTWRITEBYTECODE"] = "1";
    options.scratch = folder_.path() / "scratch";
    return options;
  }

  tune::RuleVerdict Check(const std::string& source, int iteration = 1) {
    const auto verdict = check_.Check("k.py", source, iteration);
    EXPECT_TRUE(verdict) << verdict.error().message;
    return verdict.value_or(tune::RuleVerdict{});
  }

  TemporaryFolder folder_;
  contract::Contract contract_ =
      contract::LoadContract(kSource / "contracts" / "triton.toml").value();
  PurityCheck check_{Options(), contract_};
};

TEST_F(PurityCheckTest, SaysTheFirstRejectAndKeepsEveryFinding) {
  const tune::RuleVerdict verdict =
      Check("import torch\n\n\ndef kernel_fn(a, b):\n    x = torch.mm(a, b)\n    return a @ b\n");
  EXPECT_FALSE(verdict.accepted);
  EXPECT_THAT(verdict.reason, HasSubstr("E113 at line 4: 'kernel_fn' launches no kernel"));
  EXPECT_THAT(verdict.log, HasSubstr("k.py:5:9: reject E102"));
  EXPECT_THAT(verdict.log, HasSubstr("k.py:6:12: reject E101"));
  EXPECT_THAT(verdict.log, HasSubstr("\n    mend: "));
}

TEST_F(PurityCheckTest, TheBaselineMayCallTorch) {
  const char* source = "import torch\n\n\ndef kernel_fn(a, b):\n    return torch.mm(a, b)\n";
  EXPECT_TRUE(Check(source, 0).accepted);
  EXPECT_FALSE(Check(source, 1).accepted);
}

TEST_F(PurityCheckTest, WhatTheParserRefusesBreaksTheRule) {
  const tune::RuleVerdict verdict = Check("def f(:\n");
  EXPECT_FALSE(verdict.accepted);
  EXPECT_THAT(verdict.reason, HasSubstr("E001 at line 1: syntax error"));
}

/// Every script that croq writes: each variant of each operator, and each iter000.
TEST_F(PurityCheckTest, CroqsOwnScriptsKeepTheRule) {
  const DeviceFacts device = OfflineDevice(90).value();
  std::set<std::string> shapes;
  for (const operators::Case& each : operators::kCases) {
    SCOPED_TRACE(each.shape + ": " + each.config);
    const ShapeKey shape = ParseShapeKey(each.shape).value();
    const auto factory =
        operators::MakeFactory(shape, device, contract_, kSource / "python" / "operators").value();
    const operators::Script script = factory->Render(ParseConfig(each.config).value()).value();
    const tune::RuleVerdict verdict = Check(script.source);
    EXPECT_TRUE(verdict.accepted) << verdict.log;
    EXPECT_THAT(verdict.suspicions, IsEmpty());
    if (!shapes.insert(each.shape).second)
      continue;
    const tune::RuleVerdict baseline = Check(factory->BaselineScript().value().source, 0);
    EXPECT_TRUE(baseline.accepted) << baseline.log;
    EXPECT_FALSE(Check(factory->BaselineScript().value().source, 1).accepted);
  }
}

}  // namespace
}  // namespace croq::backend
