#!/usr/bin/env bash
set -euo pipefail
CDPATH= cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../../../.."   # the folder that holds tuning/
SRC=tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py
export PATH='/opt/my env'\''s/bin':'/opt/nvidia/nsight-compute/2025.3.1':"$PATH"
export PYTHONPATH="${PYTHONPATH:-}" LC_ALL=C

ncu --target-processes all \
    --set full \
    --export tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.ncu-rep \
    --force-overwrite \
    python3 tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py

ncu --import tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.ncu-rep \
    --csv --page raw \
    > tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.csv
