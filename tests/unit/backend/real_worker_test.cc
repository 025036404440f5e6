#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "croq/backend/compile_pool.h"
#include "croq/backend/source_reader.h"
#include "croq/base/files.h"
#include "croq/process/run.h"
#include "croq/process/siblings.h"
#include "support/processes.h"
#include "support/python.h"

namespace croq::backend {
namespace {

using croq::testing::TemporaryFolder;
using Seconds = std::chrono::seconds;
using ::testing::HasSubstr;

constexpr const char* kKernelSource = R"(import triton
import triton.language as tl

raise SystemExit("the compile worker ran host code")


@triton.jit
def add_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=mask) + 1, mask=mask)


@triton.jit
def wrong_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.store(y_ptr, no_such_name)
)";

/// The real python/croq_worker and Triton.
class RealWorkerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workers_.python = croq::testing::TritonPython();
    if (workers_.python.empty())
      GTEST_SKIP() << "no interpreter with Triton (CROQ_PYTHON)";
    workers_.worker_folder = std::string(CROQ_SOURCE_DIR) + "/python";
    workers_.supervisor = process::FindSibling("croq-supervisor").value();
    source_ = folder_.path() / "kernels.py";
    ASSERT_TRUE(WriteFileAtomic(source_, kKernelSource));
  }

  CompileJob Job(const std::string& kernel) {
    CompileJob job;
    job.source_path = source_.string();
    job.kernel = kernel;
    job.parameters = {{"x_ptr", "*fp32", true, {}},
                      {"y_ptr", "*fp32", true, {}},
                      {"n", "i32", false, {}},
                      {"BLOCK", "constexpr", false, {}}};
    job.parameters[3].value.integer = 256;
    job.options = {{"num_warps", 4}, {"num_stages", 2}, {"num_ctas", 1}};
    job.compute_capability = 90;
    return job;
  }

  TemporaryFolder folder_;
  PythonWorkers workers_;
  std::filesystem::path source_;
};

/// `REG:47 STACK:0 ...` of the wheel's cuobjdump for the cubin's only kernel.
void ExpectSameAsCuobjdump(const std::filesystem::path& python, const CompiledKernel& kernel,
                           const std::filesystem::path& supervisor) {
  process::RunOptions where;
  where.argv = {python.string(), "-c",
                "import triton, os; print(os.path.join(os.path.dirname(triton.__file__), "
                "'backends/nvidia/bin/cuobjdump'), end='')"};
  where.environment = process::CurrentEnvironment();
  where.supervisor = supervisor;
  process::RunOptions dump = where;
  dump.argv = {process::RunToCompletion(where).value().output, "-res-usage", kernel.cubin_path};
  const std::string text = process::RunToCompletion(dump).value().output;
  const std::size_t at = text.find("REG:");
  ASSERT_NE(at, std::string::npos) << text;
  int registers = 0;
  int stack = 0;
  ASSERT_EQ(std::sscanf(text.c_str() + at, "REG:%d STACK:%d", &registers, &stack), 2) << text;
  EXPECT_EQ(kernel.registers, registers);
  EXPECT_EQ(kernel.local_bytes, stack);
}

TEST_F(RealWorkerTest, CompilesAKernelAndNamesWhatIsWrongWithAnother) {
  CompilePoolOptions options;
  options.python = workers_;
  options.work_folder = folder_.path() / "work";
  auto pool = CompilePool::Start(options);
  ASSERT_TRUE(pool) << pool.error().message;
  ASSERT_TRUE((*pool)->Submit(1, Job("add_kernel")));
  auto built = (*pool)->Next(Seconds(100));
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_TRUE(*built);
  ASSERT_EQ((*built)->outcome, Outcome::kCorrect) << (*built)->reason;
  ExpectSameAsCuobjdump(workers_.python, (*built)->kernel, workers_.supervisor);

  ASSERT_TRUE((*pool)->Submit(2, Job("wrong_kernel")));
  built = (*pool)->Next(Seconds(100));
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_TRUE(*built);
  EXPECT_EQ((*built)->outcome, Outcome::kCompile);
  EXPECT_THAT((*built)->reason, HasSubstr("no_such_name"));
  EXPECT_EQ((*pool)->Replacements(), 0);
}

TEST_F(RealWorkerTest, ParsesASource) {
  SourceReader reader({workers_, folder_.path() / "scratch", 1, std::chrono::seconds(60)});
  const auto parsed = reader.Read(source_);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_TRUE(parsed->tree) << parsed->message;
}

}  // namespace
}  // namespace croq::backend
