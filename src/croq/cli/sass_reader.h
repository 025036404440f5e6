#pragma once

#include <filesystem>
#include <string>

#include "croq/base/result.h"
#include "croq/cli/install_layout.h"
#include "croq/contract/contract.h"
#include "croq/profile/sass_mix.h"

namespace croq::cli {

/// Takes cubins apart with the nvdisasm that Triton's package brings along, or the one on PATH.
class SassReader {
 public:
  /// A sentence where there is none.
  static Result<SassReader> Find(const InstallLayout& layout, const contract::Contract& contract);

  /// All kernels of an iteration's cubins together.
  Result<profile::SassMix> Read(const std::filesystem::path& cubin) const;

 private:
  SassReader(std::filesystem::path program, InstallLayout layout)
      : program_(std::move(program)), layout_(std::move(layout)) {}

  std::filesystem::path program_;
  InstallLayout layout_;
};

}  // namespace croq::cli
