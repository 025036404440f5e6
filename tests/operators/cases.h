#pragma once

#include <string>

#include "croq/model/config.h"
#include "croq/model/search_space.h"

/// Candidates that the tests of this module are run on.
namespace croq::operators {

struct Case {
  std::string shape;
  std::string config;
};

/// Every variant for both operators and all dtypes; ragged shapes, dimensions of 1 and primes.
inline const Case kCases[] = {
    // The forms that were fastest on an H200.
    {"matmul_nt_f16fp32_4096x4096x4096",
     "persistent BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=1 "
     "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=0 num_warps=8 num_stages=3"},
    {"matmul_f16fp32_4096x4096x4096",
     "descriptor BLOCK_M=128 BLOCK_N=256 BLOCK_K=32 GROUP_M=8 EPILOGUE_SPLIT=1 num_warps=8 "
     "num_stages=6"},
    {"matmul_nt_f16fp32_1024x1024x1024",
     "descriptor BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 GROUP_M=4 EPILOGUE_SPLIT=2 num_warps=4 "
     "num_stages=4"},
    {"matmul_nt_bf16fp32_64x8192x8192",
     "descriptor BLOCK_M=64 BLOCK_N=64 BLOCK_K=128 GROUP_M=1 EPILOGUE_SPLIT=1 num_warps=4 "
     "num_stages=5"},
    {"matmul_nt_f16fp32_8192x8192x8192",
     "persistent BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=1 FLATTEN=0 "
     "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=1 num_warps=4 num_stages=3"},
    {"matmul_nt_f16fp32_16384x16384x512",
     "persistent_host BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=32 EPILOGUE_SPLIT=1 FLATTEN=1 "
     "PROGRAMS_PER_SM=1 num_warps=8 num_stages=3"},
    {"matmul_f16fp32_8192x8192x8192",
     "persistent_host BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=16 EPILOGUE_SPLIT=4 FLATTEN=1 "
     "PROGRAMS_PER_SM=2 num_warps=4 num_stages=3"},
    {"matmul_nt_tf32fp32_1000x2000x3000",
     "persistent_host BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=0 "
     "PROGRAMS_PER_SM=2 num_warps=4 num_stages=3"},
    {"matmul_bf16fp32_100x1000x1000",
     "skinny BLOCK_M=128 BLOCK_N=64 BLOCK_K=64 GROUP_M=1 num_warps=4 num_stages=3"},
    {"matmul_nt_tf32fp32_1x4096x4096",
     "skinny BLOCK_M=16 BLOCK_N=64 BLOCK_K=64 GROUP_M=1 num_warps=4 num_stages=4"},
    // Pointer loads with every lever.
    {"matmul_f16fp32_4096x4096x4096",
     "tiled BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=2 num_warps=8 "
     "num_stages=4 num_ctas=1"},
    {"matmul_f16fp32_4096x4096x4096",
     "tiled BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 GROUP_M=8 EVICT_A=evict_last EVICT_B=evict_first "
     "EPILOGUE_SPLIT=2 num_warps=8 num_stages=1 num_ctas=1"},
    {"matmul_nt_bf16fp32_2048x8192x4096",
     "tiled BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=4 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 num_warps=8 num_stages=3 num_ctas=2"},
    {"matmul_bf16fp32_4096x4096x4096",
     "persistent_pointer BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=1 "
     "PROGRAMS_PER_SM=1 num_warps=8 num_stages=3 num_ctas=1"},
    {"matmul_nt_f16fp32_16x8192x8192",
     "tiled BLOCK_M=16 BLOCK_N=64 BLOCK_K=128 GROUP_M=1 EPILOGUE_SPLIT=1 num_warps=4 "
     "num_stages=5 num_ctas=1"},
    // Clusters and two programs an SM.
    {"matmul_f16fp32_4096x4096x4096",
     "persistent BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=1 FLATTEN=0 "
     "PROGRAMS_PER_SM=2 WARP_SPECIALIZE=0 num_warps=4 num_stages=3"},
    {"matmul_nt_f16fp32_16x8192x8192",
     "skinny BLOCK_M=16 BLOCK_N=64 BLOCK_K=256 GROUP_M=1 num_warps=4 num_stages=5"},
    // K in parts.
    {"matmul_nt_f16fp32_256x8192x8192",
     "split_k_descriptor BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=2 SPLIT_K=2 num_warps=8 "
     "num_stages=4"},
    {"matmul_bf16fp32_64x8192x8192",
     "split_k BLOCK_M=64 BLOCK_N=128 BLOCK_K=128 GROUP_M=1 SPLIT_K=4 num_warps=4 num_stages=3"},
    {"matmul_tf32fp32_200x1000x3000",
     "split_k_descriptor BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 GROUP_M=4 SPLIT_K=8 num_warps=4 "
     "num_stages=4"},
    {"matmul_nt_tf32fp32_257x1031x2049",
     "split_k BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 GROUP_M=4 SPLIT_K=16 num_warps=4 num_stages=4"},
    {"matmul_f32_127x1x1031",
     "split_k BLOCK_M=32 BLOCK_N=32 BLOCK_K=32 GROUP_M=4 SPLIT_K=4 num_warps=4 num_stages=2"},
    {"matmul_nt_f32_1x4096x4096",
     "split_k_descriptor BLOCK_M=16 BLOCK_N=32 BLOCK_K=64 GROUP_M=1 SPLIT_K=2 num_warps=4 "
     "num_stages=2"},
    // The last wave shared out.
    {"matmul_nt_f16fp32_256x8192x8192",
     "stream_k BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=2 EPILOGUE_SPLIT=1 PROGRAMS_PER_SM=1 "
     "num_warps=8 num_stages=3"},
    {"matmul_bf16fp32_1000x2000x3000",
     "stream_k BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=4 EPILOGUE_SPLIT=2 PROGRAMS_PER_SM=2 "
     "num_warps=4 num_stages=2"},
    {"matmul_nt_tf32fp32_2048x2048x2048",
     "stream_k BLOCK_M=128 BLOCK_N=64 BLOCK_K=32 GROUP_M=8 EPILOGUE_SPLIT=1 PROGRAMS_PER_SM=1 "
     "num_warps=4 num_stages=4"},
    {"matmul_f32_500x1000x1000",
     "stream_k BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 GROUP_M=4 EPILOGUE_SPLIT=2 PROGRAMS_PER_SM=2 "
     "num_warps=8 num_stages=3"},
    // f32 and tf32.
    {"matmul_f32_1024x1024x1024",
     "tiled BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 GROUP_M=8 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 num_warps=8 num_stages=3 num_ctas=1"},
    {"matmul_nt_f32_2048x2048x512",
     "persistent BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=1 "
     "PROGRAMS_PER_SM=1 num_warps=8 num_stages=3"},
    {"matmul_tf32fp32_2048x2048x2048",
     "descriptor BLOCK_M=128 BLOCK_N=128 BLOCK_K=32 GROUP_M=8 EPILOGUE_SPLIT=2 num_warps=8 "
     "num_stages=3"},
    {"matmul_nt_tf32fp32_4096x4096x4096",
     "persistent BLOCK_M=128 BLOCK_N=128 BLOCK_K=32 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=0 "
     "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=0 num_warps=8 num_stages=3"},
    {"matmul_tf32fp32_4096x4096x4096",
     "persistent_pointer BLOCK_M=128 BLOCK_N=64 BLOCK_K=32 GROUP_M=8 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 FLATTEN=0 PROGRAMS_PER_SM=1 num_warps=4 num_stages=4 num_ctas=1"},
    // FP8 with a scale a tensor; the pointer variants share their loop.
    {"matmul_nt_e4m3fp32_8192x8192x8192",
     "persistent_host BLOCK_M=128 BLOCK_N=256 BLOCK_K=128 GROUP_M=8 EPILOGUE_SPLIT=4 FLATTEN=1 "
     "PROGRAMS_PER_SM=1 num_warps=8 num_stages=3"},
    {"matmul_nt_e4m3fp32_2000x2000x3008",
     "persistent BLOCK_M=128 BLOCK_N=128 BLOCK_K=128 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=0 "
     "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=0 num_warps=8 num_stages=3"},
    {"matmul_nt_e4m3fp32_8192x8192x8192",
     "persistent BLOCK_M=128 BLOCK_N=128 BLOCK_K=128 GROUP_M=8 EPILOGUE_SPLIT=1 FLATTEN=0 "
     "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=1 num_warps=4 num_stages=3"},
    {"matmul_nt_e4m3fp32_1000x2000x3008",
     "descriptor BLOCK_M=64 BLOCK_N=128 BLOCK_K=128 GROUP_M=4 EPILOGUE_SPLIT=2 num_warps=4 "
     "num_stages=4"},
    {"matmul_nt_e4m3fp32_17x2000x3008",
     "skinny BLOCK_M=32 BLOCK_N=64 BLOCK_K=128 GROUP_M=1 num_warps=4 num_stages=4"},
    {"matmul_nt_e4m3fp32_1000x2000x3008",
     "tiled BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=2 num_warps=4 "
     "num_stages=3 num_ctas=1"},
    {"matmul_nt_e4m3fp32_200x1008x3008",
     "split_k_descriptor BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 GROUP_M=4 SPLIT_K=8 num_warps=4 "
     "num_stages=4"},
    {"matmul_nt_e4m3fp32_256x8192x8192",
     "stream_k BLOCK_M=128 BLOCK_N=256 BLOCK_K=128 GROUP_M=2 EPILOGUE_SPLIT=2 PROGRAMS_PER_SM=1 "
     "num_warps=8 num_stages=3"},
    // FP8 with a scale a block.
    {"blockscale_gemm_e4m3fp16fp32_4096x4096x4096",
     "persistent_host BLOCK_M=128 BLOCK_N=128 BLOCK_K=128 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=1 "
     "PROGRAMS_PER_SM=1 num_warps=8 num_stages=3"},
    {"blockscale_gemm_e4m3fp16fp32_2000x2000x3008",
     "persistent BLOCK_M=64 BLOCK_N=256 BLOCK_K=128 GROUP_M=8 EPILOGUE_SPLIT=1 FLATTEN=0 "
     "PROGRAMS_PER_SM=1 WARP_SPECIALIZE=0 num_warps=8 num_stages=3"},
    {"blockscale_gemm_e4m3fp16fp32_17x2000x3008",
     "tiled BLOCK_M=32 BLOCK_N=128 BLOCK_K=128 GROUP_M=1 EPILOGUE_SPLIT=1 num_warps=4 "
     "num_stages=3 num_ctas=1"},
    {"blockscale_gemm_e4m3fp16fp32_2000x4000x3008",
     "persistent_pointer BLOCK_M=128 BLOCK_N=256 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=2 FLATTEN=0 "
     "PROGRAMS_PER_SM=1 num_warps=8 num_stages=3 num_ctas=1"},
    // Ragged, with rows that TMA can take.
    {"matmul_f16fp32_1000x2000x3000",
     "tiled BLOCK_M=64 BLOCK_N=128 BLOCK_K=64 GROUP_M=4 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=2 num_warps=4 num_stages=3 num_ctas=1"},
    {"matmul_f16fp32_1000x2000x3000",
     "descriptor BLOCK_M=128 BLOCK_N=128 BLOCK_K=64 GROUP_M=4 EPILOGUE_SPLIT=2 num_warps=8 "
     "num_stages=3"},
    {"matmul_nt_f16fp32_1000x2000x3000",
     "persistent BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 GROUP_M=8 EPILOGUE_SPLIT=1 FLATTEN=1 "
     "PROGRAMS_PER_SM=2 WARP_SPECIALIZE=0 num_warps=4 num_stages=3"},
    {"matmul_nt_bf16fp32_1000x2000x3000",
     "persistent_pointer BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 GROUP_M=8 EVICT_A=none "
     "EVICT_B=evict_last EPILOGUE_SPLIT=2 FLATTEN=1 PROGRAMS_PER_SM=1 num_warps=4 num_stages=3 "
     "num_ctas=1"},
    // Ragged in every way, with dimensions of 1 and primes.
    {"matmul_f16fp32_1x1x1",
     "tiled BLOCK_M=16 BLOCK_N=32 BLOCK_K=32 GROUP_M=1 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 num_warps=4 num_stages=2 num_ctas=1"},
    {"matmul_nt_bf16fp32_1x4096x33",
     "tiled BLOCK_M=16 BLOCK_N=32 BLOCK_K=64 GROUP_M=1 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 num_warps=4 num_stages=2 num_ctas=1"},
    {"matmul_f32_8191x1x41",
     "persistent_pointer BLOCK_M=32 BLOCK_N=32 BLOCK_K=32 GROUP_M=8 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 FLATTEN=0 PROGRAMS_PER_SM=1 num_warps=4 num_stages=3 num_ctas=1"},
    {"matmul_nt_tf32fp32_1031x2053x1",
     "persistent_pointer BLOCK_M=64 BLOCK_N=64 BLOCK_K=32 GROUP_M=16 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=2 FLATTEN=1 PROGRAMS_PER_SM=2 num_warps=4 num_stages=2 num_ctas=1"},
    {"matmul_f16fp32_1031x1033x1039",
     "tiled BLOCK_M=64 BLOCK_N=64 BLOCK_K=64 GROUP_M=8 EVICT_A=evict_last EVICT_B=evict_last "
     "EPILOGUE_SPLIT=2 num_warps=4 num_stages=4 num_ctas=1"},
    {"matmul_nt_f16fp32_40x2147483647x8",
     "tiled BLOCK_M=64 BLOCK_N=256 BLOCK_K=32 GROUP_M=1 EVICT_A=none EVICT_B=none "
     "EPILOGUE_SPLIT=1 num_warps=4 num_stages=2 num_ctas=1"},
};

/// One value of each lever of one variant; `pick(end)` chooses from [0, end).
template <typename Pick>
Config RandomConfig(const SearchSpace& space, Pick pick) {
  const VariantSpace& variant = space.variants[pick(space.variants.size())];
  Config config;
  config.variant = variant.variant;
  for (const Lever& lever : variant.levers) {
    config.values[lever.name] = lever.values[pick(lever.values.size())];
  }
  return config;
}

}  // namespace croq::operators
