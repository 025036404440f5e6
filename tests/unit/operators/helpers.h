#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "croq/contract/contract.h"
#include "croq/operators/matmul_config.h"
#include "croq/operators/operator.h"

namespace croq::operators {

inline std::filesystem::path SourceDir() { return CROQ_SOURCE_DIR; }

/// The value, or a failure of the test that shows the error.
template <typename T>
T Must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return *std::move(result);
}

inline contract::Contract Triton() {
  return Must(contract::LoadContract(SourceDir() / "contracts" / "triton.toml"));
}

inline DeviceFacts H200() { return Must(OfflineDevice(90)); }

inline MatmulProblem Problem(const std::string& key) { return {Must(ParseShapeKey(key)), H200()}; }

inline std::unique_ptr<CandidateFactory> Factory(const std::string& key) {
  return Must(MakeFactory(Must(ParseShapeKey(key)), H200(), Triton(),
                          SourceDir() / "python" / "operators"));
}

/// `text` with some levers set to other values: "BLOCK_M=64 num_warps=4".
inline Config Configured(const std::string& text, const std::string& changes = "") {
  Config config = Must(ParseConfig(text));
  const Config changed = Must(ParseConfig("x " + changes));
  for (const auto& [lever, value] : changed.values) config.values.insert_or_assign(lever, value);
  return config;
}

inline constexpr const char* kTiled =
    "tiled BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EVICT_A=none EVICT_B=none "
    "EPILOGUE_SPLIT=1 num_warps=8 num_stages=3 num_ctas=1";
inline constexpr const char* kDescriptor =
    "descriptor BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=1 num_warps=8 "
    "num_stages=3";
inline constexpr const char* kPersistent =
    "persistent BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=1 FLATTEN=0 "
    "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=0 num_warps=8 num_stages=3";
inline constexpr const char* kPersistentHost =
    "persistent_host BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=16 EPILOGUE_SPLIT=4 FLATTEN=1 "
    "PROGRAMS_PER_SM=2 num_warps=4 num_stages=3";
inline constexpr const char* kSkinny =
    "skinny BLOCK_M=16 BLOCK_N=64 BLOCK_K=256 GROUP_M=1 num_warps=4 num_stages=5";

inline constexpr const char* kSplitK =
    "split_k BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=2 SPLIT_K=2 num_warps=8 num_stages=3";
inline constexpr const char* kSplitKDescriptor =
    "split_k_descriptor BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=2 SPLIT_K=2 num_warps=8 "
    "num_stages=4";

inline constexpr const char* kStreamK =
    "stream_k BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=2 EPILOGUE_SPLIT=1 PROGRAMS_PER_SM=1 "
    "num_warps=8 num_stages=3";

/// Few tiles and a long K.
inline constexpr const char* kThin = "matmul_nt_f16fp32_256x8192x8192";
inline constexpr const char* kSquare = "matmul_f16fp32_4096x4096x4096";

}  // namespace croq::operators
