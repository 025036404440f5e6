#include "croq_runner/plan_loader.h"

#include <fmt/format.h>

#include <utility>

#include "croq/base/files.h"

namespace croq::runner {
namespace {

/// Up to here a kernel may use dynamic shared memory without asking.
constexpr std::int64_t kSharedWithoutOptIn = 48 << 10;
/// Larger clusters are not portable between devices and must be asked for.
constexpr int kPortableClusterBlocks = 8;

Ran<void> CheckLimits(const CompiledKernel& kernel, const DeviceFacts& device) {
  if (kernel.shared_bytes > device.shared_bytes_per_block) {
    return Refusal(fmt::format("kernel {} needs {} bytes of shared memory a block; {} allows {}",
                               kernel.entry, kernel.shared_bytes, device.name,
                               device.shared_bytes_per_block));
  }
  if (kernel.shared_bytes < 0)
    return Refusal("negative shared memory in the kernel's metadata");
  return {};
}

Ran<void> CheckThreads(const Driver& driver, CUfunction function, const CompiledKernel& kernel) {
  int limit = 0;
  CROQ_TRY(Checked(
      driver, driver.FuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function),
      "reading the kernel's limit of threads"));
  if (32 * kernel.num_warps > limit) {
    return Refusal(
        fmt::format("kernel {} is launched with {} threads a block; its registers allow {}",
                    kernel.entry, 32 * kernel.num_warps, limit));
  }
  return {};
}

Ran<void> Configure(const Driver& driver, CUfunction function, const CompiledKernel& kernel) {
  if (kernel.shared_bytes > kSharedWithoutOptIn) {
    CROQ_TRY(
        Checked(driver,
                driver.FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                        static_cast<int>(kernel.shared_bytes)),
                fmt::format("asking for {} bytes of shared memory", kernel.shared_bytes)));
    CROQ_TRY(Checked(driver, driver.FuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_SHARED),
                     "preferring shared memory to cache"));
  }
  if (kernel.num_ctas > kPortableClusterBlocks) {
    CROQ_TRY(Checked(
        driver,
        driver.FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        fmt::format("asking for clusters of {} blocks", kernel.num_ctas)));
  }
  return {};
}

/// Triton wrote truth values as one byte, then as four; the slot serves both.
bool SizesAgree(std::size_t ours, std::size_t theirs) {
  return ours == theirs || (ours == 1 && theirs <= 8);
}

}  // namespace

Ran<LoadedKernel> LoadKernel(const Driver& driver, const CompiledKernel& kernel,
                             const DeviceFacts& device) {
  CROQ_TRY(CheckLimits(kernel, device));
  Result<std::string> image = ReadFile(kernel.cubin_path);
  if (!image)
    return Refusal("the cubin can't be read: " + image.error().message);
  LoadedKernel loaded;
  Result<Module> module = Module::Load(driver, image->c_str(), kernel.cubin_path);
  if (!module)
    return tl::unexpected<Fault>(FaultOf(driver, nullptr, module.error()));
  loaded.module = std::move(*module);
  CROQ_TRY(Checked(
      driver, driver.ModuleGetFunction(&loaded.function, loaded.module.get(), kernel.entry.c_str()),
      fmt::format("finding {} in {}", kernel.entry, kernel.cubin_path)));
  CROQ_TRY(CheckThreads(driver, loaded.function, kernel));
  CROQ_TRY(Configure(driver, loaded.function, kernel));
  return loaded;
}

Ran<void> CheckParameters(const Driver& driver, CUfunction function, const ArgumentBlock& block) {
  if (driver.FuncGetParamInfo == nullptr)
    return {};
  std::vector<std::size_t> declared;
  while (true) {
    std::size_t offset = 0;
    std::size_t size = 0;
    const CUresult result = driver.FuncGetParamInfo(function, declared.size(), &offset, &size);
    if (result == CUDA_ERROR_INVALID_VALUE)
      break;
    CROQ_TRY(Checked(driver, result, "reading the kernel's parameters"));
    declared.push_back(size);
  }
  if (declared.size() != block.count()) {
    return Refusal(fmt::format("the kernel has {} parameters, the plan passes {}", declared.size(),
                               block.count()));
  }
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (!SizesAgree(block.size(i), declared[i])) {
      return Refusal(fmt::format("parameter {} of the kernel has {} bytes, the plan passes {}", i,
                                 declared[i], block.size(i)));
    }
  }
  return {};
}

}  // namespace croq::runner
