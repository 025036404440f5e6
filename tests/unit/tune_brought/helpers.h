#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/source/names.h"
#include "croq/tune/brought/host_steps.h"
#include "support/parsed.h"

namespace croq::tune {

inline const contract::Contract& BroughtContract() {
  static const contract::Contract contract =
      contract::LoadContract(std::filesystem::path(CROQ_SOURCE_DIR) / "contracts" / "triton.toml")
          .value();
  return contract;
}

/// Of this process alone: ctest runs a program's tests side by side.
inline std::filesystem::path TestFolder() {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) /
                                       ("croq_brought_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  return folder;
}

/// Real trees without a worker. Sources that say "refuse me" are refused.
class FakeTreeReader : public TreeReader {
 public:
  Result<ReadTree> Read(const std::string& path, std::string bytes) override {
    ReadTree read;
    if (bytes.find("refuse me") != std::string::npos) {
      read.message = "it is no Python";
      read.line = 3;
    } else {
      read.tree.emplace(testing::Parsed(bytes, path));
    }
    return read;
  }
};

/// A softmax whose autotuner has two configurations; `rest` comes behind it.
inline std::string Softmax(const std::string& configs =
                               "triton.Config({'BLOCK': 64, 'FAST': True}, num_warps=4), "
                               "triton.Config({'BLOCK': 128, 'FAST': False}, num_warps=8)",
                           const std::string& table_rest = "", const std::string& rest = "") {
  return "import torch\nimport triton\nimport triton.language as tl\n"
         "CROQ = {'entry': 'softmax', 'operator': 'softmax', 'dtype': 'f16fp32', "
         "'dims': {'M': 1024, 'N': 2048}, "
         "'inputs': {'x': {'shape': ['M', 'N'], 'dtype': 'float16'}}, "
         "'outputs': {'y': {'shape': ['M', 'N'], 'dtype': 'float16'}}, "
         "'reference': 'ref', 'bytes': '4*M*N'" + table_rest + "}\n"
         "PARTS = 4\n"
         "def ref(x):\n    return torch.softmax(x, -1)\n"
         "@triton.autotune(configs=[" + configs + "], key=['N'])\n"
         "@triton.jit\n"
         "def kernel(x, y, N, BLOCK: tl.constexpr, FAST: tl.constexpr):\n"
         "    tl.store(y, tl.load(x))\n"
         "def softmax(x):\n    y = torch.empty_like(x)\n"
         "    kernel[(x.shape[0],)](x, y, x.shape[1])\n    return y\n" + rest;
}

}  // namespace croq::tune
