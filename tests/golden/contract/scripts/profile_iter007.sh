#!/usr/bin/env bash
set -euo pipefail
CDPATH= cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../../../.."   # the folder that holds tuning/
SRC=tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py
export PATH='/opt/my env'\''s/bin':'/opt/nvidia/nsight-compute/2025.3.1':"$PATH"
export PYTHONPATH="${PYTHONPATH:-}" LC_ALL=C

ncu() {   # one launch of the right kernel, clocks left alone; figures in base units
  if [[ " $* " == *" --import "* ]]; then
    command ncu "$@" --print-units base
  else
    command ncu --kernel-name-base function --launch-skip 3 --launch-count 1 --clock-control none --kernel-name 'regex:^(matmul_kernel)(_[0-9][0-9A-Za-z_]*)?$' "$@"
  fi
}

ncu --target-processes all \
    --set full \
    --export tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.ncu-rep \
    --force-overwrite \
    python3 tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py

ncu --import tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.ncu-rep \
    --csv --page raw \
    > tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.csv

# NVIDIA's own rules about the same launch
ncu --import tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.ncu-rep \
    --csv --page details \
    > tuning/sm90_NVIDIA_H200/triton/perf/matmul_f16fp32_4096x4096x4096/croq/ncu_iter007.details.csv
