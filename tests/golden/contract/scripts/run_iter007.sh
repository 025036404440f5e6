#!/usr/bin/env bash
set -euo pipefail
CDPATH= cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../../../.."   # the folder that holds tuning/
SRC=tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py
export PATH='/opt/my env'\''s/bin':'/opt/nvidia/nsight-compute/2025.3.1':"$PATH"
export PYTHONPATH="${PYTHONPATH:-}" LC_ALL=C

export PYTHONPATH="${PYTHONPATH}:$(pwd)"
python3 tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py \
    2>&1 | tee tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/timing_iter007.txt
