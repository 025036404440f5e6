// Writes candidates as the engine would make them, for candidates_test.py to hold against Triton
// itself: scripts, and the messages and plans that go with them.
//   operators_dump_candidates FOLDER             the fixed cases below
//   operators_dump_candidates FOLDER N SEED KEY  N random configurations of one shape
//   operators_dump_candidates FOLDER FILE        those of the file's lines: shape key, a tab, text
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "croq/base/files.h"
#include "croq/contract/contract.h"
#include "croq/operators/operator.h"
#include "croq/protocol/messages.h"
#include "operators/cases.h"

namespace croq::operators {
namespace {

using nlohmann::json;

protocol::CapturedPlan Uncompiled(const std::vector<CompileJob>& jobs, LaunchPlan plan) {
  protocol::CapturedPlan captured;
  for (const CompileJob& job : jobs) {
    captured.kernels.push_back({job.kernel, job.parameters, job.options});
  }
  captured.buffers = std::move(plan.buffers);
  captured.steps = std::move(plan.steps);
  return captured;
}

Status Write(const std::filesystem::path& path, const std::string& text) {
  return WriteFileAtomic(path, text);
}

Result<json> DumpCandidate(const CandidateFactory& factory, const ShapeKey& shape,
                           const DeviceFacts& device, const Config& config,
                           const std::filesystem::path& folder, int number) {
  const auto script_path = folder / fmt::format("case{:03}.py", number);
  const auto twin_path = folder / fmt::format("case{:03}_twin.py", number);
  CROQ_ASSIGN(const Script script, factory.Render(config));
  CROQ_ASSIGN(const Twin twin, factory.MakeTwin(config));
  CROQ_TRY(Write(script_path, script.source));
  CROQ_TRY(Write(twin_path, twin.source));
  const std::vector<CompileJob> jobs = factory.Jobs(config, script_path);
  json compiles = json::array();
  for (const CompileJob& job : jobs) {
    compiles.push_back(Encode(protocol::CompileRequest{job, folder.string()}));
  }
  protocol::CaptureReply expected;
  expected.ok = true;
  expected.returned = "c";
  expected.plan =
      Uncompiled(jobs, factory.Plan(config, std::vector<CompiledKernel>(jobs.size())));
  protocol::InterpretRequest interpret;
  interpret.source = twin_path.string();
  interpret.entry = "kernel_fn";
  interpret.shape = twin.shape;
  interpret.max_abs_tolerance = twin.tolerance;
  const std::optional<std::string> reason = factory.Space().reject(config);
  return json{
      {"name", fmt::format("{} {}", shape.text, config.Text())},
      {"script", script_path.string()},
      {"tag", script.tag},
      {"rejected", reason.value_or("")},
      {"triton_config", factory.TritonConfig(config)},
      {"compile", std::move(compiles)},
      {"capture", Encode(protocol::CaptureRequest{script_path.string(), "kernel_fn", shape, device,
                                                  60, {}})},
      {"captured", Encode(expected)},
      {"interpret", Encode(interpret)}};
}

Result<json> Dump(const std::filesystem::path& folder, const std::vector<Case>& cases) {
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(CROQ_SOURCE_DIR "/contracts", "triton"));
  CROQ_ASSIGN(const DeviceFacts device, OfflineDevice(90));
  json list = json::array();
  for (const Case& one : cases) {
    CROQ_ASSIGN(const ShapeKey shape, ParseShapeKey(one.shape));
    CROQ_ASSIGN(const auto factory,
                MakeFactory(shape, device, contract, CROQ_SOURCE_DIR "/python/operators"));
    CROQ_ASSIGN(const Config config, ParseConfig(one.config));
    const int number = static_cast<int>(list.size());
    CROQ_ASSIGN(json dumped, DumpCandidate(*factory, shape, device, config, folder, number));
    list.push_back(std::move(dumped));
  }
  return list;
}

Result<std::vector<Case>> RandomCases(int count, unsigned seed, const std::string& key) {
  CROQ_ASSIGN(const contract::Contract contract,
              contract::FindContract(CROQ_SOURCE_DIR "/contracts", "triton"));
  CROQ_ASSIGN(const DeviceFacts device, OfflineDevice(90));
  CROQ_ASSIGN(const ShapeKey shape, ParseShapeKey(key));
  CROQ_ASSIGN(const auto factory,
              MakeFactory(shape, device, contract, CROQ_SOURCE_DIR "/python/operators"));
  std::mt19937 random(seed);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < count) {
    const Config config = RandomConfig(factory->Space(), [&](std::size_t end) {
      return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
    });
    if (!factory->Space().reject(config)) cases.push_back({key, config.Text()});
  }
  return cases;
}

Result<std::vector<Case>> CasesOf(const std::filesystem::path& file) {
  CROQ_ASSIGN(const std::string text, ReadFile(file));
  std::istringstream lines(text);
  std::vector<Case> cases;
  for (Case one; std::getline(lines, one.shape, '\t') && std::getline(lines, one.config);) {
    cases.push_back(one);
  }
  return cases;
}

Status Run(int argc, char** argv) {
  if (argc < 2 || argc == 4 || argc > 5) {
    return UsageFailure("arguments: FOLDER [FILE | N SEED SHAPE_KEY]");
  }
  const std::filesystem::path folder = argv[1];
  std::vector<Case> cases(std::begin(kCases), std::end(kCases));
  if (argc == 3) {
    CROQ_ASSIGN(cases, CasesOf(argv[2]));
  }
  if (argc == 5) {
    CROQ_ASSIGN(cases, RandomCases(std::atoi(argv[2]), static_cast<unsigned>(std::atoi(argv[3])),
                                   argv[4]));
  }
  CROQ_ASSIGN(const json list, Dump(folder, cases));
  return Write(folder / "cases.json", list.dump(1));
}

}  // namespace
}  // namespace croq::operators

int main(int argc, char** argv) {
  const croq::Status status = croq::operators::Run(argc, argv);
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status ? 0 : 1;
}
