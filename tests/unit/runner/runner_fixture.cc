#include "runner_fixture.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "croq/protocol/messages.h"

namespace croq::runner {

using nlohmann::json;

namespace {

constexpr std::int64_t kSize = 64;
constexpr std::int64_t kBytes = kSize * kSize * 2;

}  // namespace

RunnerOnFake::RunnerOnFake() {
  std::string name = (std::filesystem::temp_directory_path() / "croq-runner-XXXXXX").string();
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
}

RunnerOnFake::~RunnerOnFake() {
  runner_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void RunnerOnFake::Start() {
  runner_ = std::make_unique<croq::testing::RunnerProcess>(
      std::map<std::string, std::string>{{"CROQ_LIBCUDA", CROQ_FAKE_LIBCUDA},
                                         {"CROQ_LIBNVML", (folder_ / "none.so").string()},
                                         {"CROQ_FAKE_CUDA_LOG", (folder_ / "log").string()}});
  const auto hello = runner_->Receive();
  ASSERT_TRUE(hello);
  ASSERT_EQ((*hello)["cuda"], true) << *hello;
}

json RunnerOnFake::Open() {
  return runner_->Ask(protocol::WithId(protocol::Encode(OpenRequest{0}), 1)).value_or(json());
}

json RunnerOnFake::Prepare() {
  PrepareRequest request;
  request.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
  request.max_abs_tolerance = 1e-3;
  return runner_->Ask(protocol::WithId(protocol::Encode(request), 2)).value_or(json());
}

void RunnerOnFake::StartPrepared() {
  Start();
  ASSERT_EQ(Open()["type"], "open_reply");
  const json prepared = Prepare();
  ASSERT_EQ(prepared["type"], "prepare_reply") << prepared;
  prepared_lines_ = 0;
  prepared_lines_ = LogLines().size();
}

LaunchPlan RunnerOnFake::Plan(const std::string& description) {
  const auto path = folder_ / ("k" + std::to_string(cubins_++) + ".cubin");
  std::ofstream(path) << "kernel k params=8,8,8,4,8,8 " << description << "\n";
  CompiledKernel kernel;
  kernel.cubin_path = path;
  kernel.entry = "k";
  LaunchStep step;
  step.grid = {4, 1, 1};
  step.arguments = {PointerArgument{0, 0}, PointerArgument{1, 0}, PointerArgument{2, 0},
                    ScalarArgument{"i32", kSize, 0}};
  return {{kernel}, {{"a", kBytes, false}, {"b", kBytes, false}, {"c", kBytes, false}}, {step}};
}

TrialRequest RunnerOnFake::Trial(const std::string& description) {
  TrialRequest request;
  request.plan = Plan(description);
  return request;
}

std::optional<json> RunnerOnFake::RunTrial(const TrialRequest& request) {
  return runner_->Ask(protocol::WithId(protocol::Encode(request), 3));
}

std::vector<std::string> RunnerOnFake::LogLines() const {
  std::ifstream file(folder_ / "log");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(prepared_lines_, lines.size())));
  return lines;
}

}  // namespace croq::runner
