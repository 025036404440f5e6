#include "croq/tune/cubin_store.h"

#include <filesystem>

namespace croq::tune {

void CubinStore::Hold(const LaunchPlan& plan) {
  for (const CompiledKernel& kernel : plan.kernels) ++holders_[kernel.cubin_path];
}

void CubinStore::Release(const LaunchPlan& plan) {
  for (const CompiledKernel& kernel : plan.kernels) {
    const auto found = holders_.find(kernel.cubin_path);
    if (found == holders_.end() || --found->second > 0) continue;
    holders_.erase(found);
    std::error_code ignored;
    std::filesystem::remove(kernel.cubin_path, ignored);
  }
}

}  // namespace croq::tune
