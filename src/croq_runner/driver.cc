#include "croq_runner/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

namespace croq::runner {
namespace {

constexpr const char* kDefaultLibrary = "libcuda.so.1";

/// Null where the library has no such symbol.
template <typename Function>
void ResolveIfThere(void* library, const char* symbol, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, symbol));
}

Status ResolveAll(void* library, const std::string& path, CudaApi* api) {
  std::string missing;
#define CROQ_CUDA_RESOLVE(member, prototype, symbol) ResolveIfThere(library, symbol, &api->member);
#define CROQ_CUDA_RESOLVE_OR_NOTE(member, prototype, symbol) \
  CROQ_CUDA_RESOLVE(member, prototype, symbol)               \
  if (api->member == nullptr) missing += missing.empty() ? symbol : std::string(", ") + symbol;
  CROQ_CUDA_REQUIRED(CROQ_CUDA_RESOLVE_OR_NOTE)
  CROQ_CUDA_OPTIONAL(CROQ_CUDA_RESOLVE)
#undef CROQ_CUDA_RESOLVE_OR_NOTE
#undef CROQ_CUDA_RESOLVE
  if (missing.empty()) return {};
  return Failure(fmt::format("{} lacks {}; croq needs a driver of CUDA 12 or newer: update it",
                             path, missing));
}

}  // namespace

Result<std::unique_ptr<Driver>> Driver::Open() {
  const char* chosen = std::getenv("CROQ_LIBCUDA");
  const std::string path = chosen != nullptr && *chosen != '\0' ? chosen : kDefaultLibrary;
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* why = ::dlerror();
    return Failure(fmt::format("the CUDA driver library {} could not be opened ({}); install the "
                               "NVIDIA driver, or use an offline device",
                               path, why != nullptr ? why : "no reason given"));
  }
  std::unique_ptr<Driver> driver(new Driver());
  CROQ_TRY(ResolveAll(library, path, driver.get()));
  CROQ_TRY(driver->Check(driver->Init(0), "cuInit"));
  CROQ_TRY(driver->Check(driver->DriverGetVersion(&driver->version_), "cuDriverGetVersion"));
  return driver;
}

std::string Driver::Describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (GetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) {
    return fmt::format("CUDA error {}", static_cast<int>(result));
  }
  if (GetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

Status Driver::Check(CUresult result, std::string_view what) const {
  if (result == CUDA_SUCCESS) return {};
  return Failure(fmt::format("{}: {}", what, Describe(result)));
}

bool Driver::IsSticky(CUresult result) {
  switch (static_cast<int>(result)) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case 226:  // CUDA_ERROR_CONTAINED, from CUDA 12.9
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case 721:  // CUDA_ERROR_TENSOR_MEMORY_LEAK, from CUDA 12.8
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

}  // namespace croq::runner
