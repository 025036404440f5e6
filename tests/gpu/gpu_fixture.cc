#include "gpu/gpu_fixture.h"

#include <glob.h>

#include <cstdlib>
#include <utility>

namespace croq::runner {
namespace {

std::string FirstMatch(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    glob_t found{};
    std::string path;
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0 && found.gl_pathc > 0) {
      path = found.gl_pathv[0];
    }
    ::globfree(&found);
    if (!path.empty()) return path;
  }
  return {};
}

std::string FindLibrary(const char* variable, const std::string& name) {
  const char* chosen = std::getenv(variable);
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::vector<std::string> patterns;
  for (const char* root : {CROQ_SOURCE_DIR "/.venv/lib", "/usr/local/lib", "/usr/lib", "/opt/*/lib",
                           "/opt/*/envs/*/lib"}) {
    for (const char* packages : {"site-packages", "dist-packages"}) {
      for (const char* folder : {"cu13", "cublas", "cu12"}) {
        patterns.push_back(std::string(root) + "/python3*/" + packages + "/nvidia/" + folder +
                           "/lib/" + name + ".so.1?");
      }
    }
  }
  patterns.push_back("/usr/local/cuda/lib64/" + name + ".so.1?");
  return FirstMatch(patterns);
}

double ContractTolerance(DType dtype) {
  switch (dtype) {
    case DType::kF16Fp32:
      return 1e-3;
    case DType::kBf16Fp32:
      return 1e-2;
    case DType::kF32:
      return 1e-4;
    case DType::kTf32Fp32:
      return 3e-3;
    case DType::kE4m3Fp32:
      return 1e-2;
    case DType::kE4m3Fp16Fp32:
      return 5e-3;
  }
  return 0;
}

}  // namespace

std::unique_ptr<GpuTest::State> GpuTest::state_;
std::string GpuTest::problem_;

void GpuTest::SetUpTestSuite() {
  auto state = std::make_unique<State>();
  auto driver = Driver::Open();
  if (!driver) {
    problem_ = driver.error().message;
    return;
  }
  state->driver = std::move(*driver);
  auto context = Context::Create(*state->driver, 0);
  if (!context) {
    problem_ = context.error().message;
    return;
  }
  state->context.emplace(std::move(*context));
  auto stream = Stream::Create(*state->driver);
  auto facts = ReadDeviceFacts(*state->driver, 0);
  ASSERT_TRUE(stream) << stream.error().message;
  ASSERT_TRUE(facts) << facts.error().message;
  state->stream = std::move(*stream);
  state->facts = *facts;
  state_ = std::move(state);
}

void GpuTest::TearDownTestSuite() { state_.reset(); }

void GpuTest::SetUp() {
  if (state_ == nullptr) GTEST_SKIP() << "no GPU: " << problem_;
}

BaselineLibraries GpuTest::FindLibraries() {
  return {FindLibrary("CROQ_CUBLAS", "libcublas"), FindLibrary("CROQ_CUBLAS_LT", "libcublasLt")};
}

PrepareRequest GpuTest::Request(const std::string& shape) {
  PrepareRequest request;
  auto parsed = ParseShapeKey(shape);
  EXPECT_TRUE(parsed) << shape;
  request.shape = *parsed;
  request.seed = 20260101;
  request.max_abs_tolerance = ContractTolerance(request.shape.dtype);
  request.libraries = FindLibraries();
  return request;
}

std::unique_ptr<Operands> GpuTest::MakeOperands(const PrepareRequest& request) {
  auto operands = Operands::Create(driver(), request, facts());
  EXPECT_TRUE(operands) << operands.error().message;
  return operands ? std::move(*operands) : nullptr;
}

std::vector<unsigned char> GpuTest::Download(CUdeviceptr from, std::int64_t bytes) {
  std::vector<unsigned char> data(static_cast<std::size_t>(bytes));
  EXPECT_EQ(driver().CtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(driver().MemcpyDtoH(data.data(), from, data.size()), CUDA_SUCCESS);
  return data;
}

void GpuTest::Upload(CUdeviceptr to, const std::vector<unsigned char>& bytes) {
  EXPECT_EQ(driver().MemcpyHtoD(to, bytes.data(), bytes.size()), CUDA_SUCCESS);
  EXPECT_EQ(driver().CtxSynchronize(), CUDA_SUCCESS);
}

}  // namespace croq::runner
