#!/usr/bin/env bash
set -euo pipefail
CDPATH= cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../../../.."   # the folder that holds tuning/
SRC=tuning/sm90_NVIDIA_H200/triton/srcs/matmul_f16fp32_4096x4096x4096/croq/iter007_tiled_128x256x64.py
export PATH='/opt/my env'\''s/bin':'/opt/nvidia/nsight-compute/2025.3.1':"$PATH"
export PYTHONPATH="${PYTHONPATH:-}" LC_ALL=C

python3 -c "import ast; ast.parse(open('$SRC').read()); print('parse OK')"
python3 -c "
import importlib.util, sys
spec = importlib.util.spec_from_file_location('kernel', '$SRC')
mod = importlib.util.module_from_spec(spec); spec.loader.exec_module(mod)
print('import OK')
"
