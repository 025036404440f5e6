#!/usr/bin/env bash
# From a fresh Debian 12 or 13 to a tuned kernel: installs what is missing, builds croq, tunes.
#
#   ./quickstart.sh                        tune one matmul on the GPU, or offline where there is none
#   ./quickstart.sh SHAPE_KEY [OPTION...]  arguments go to croq tune
#   ./quickstart.sh --build-only           set up and build, no more
#
# CROQ_PYTHON names a Python that already has torch and Triton; then no .venv is made.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/setup.sh
source "$ROOT/scripts/setup.sh"

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '2,/^set /{s/^# \{0,1\}//;/^set /d;p}' "$0"
  exit 0
fi

install_debian_packages
make_environment
configure release
build release croq

if [[ ${1:-} == --build-only ]]; then
  say "built: $ROOT/build/release/croq"
  exit 0
fi
if (($# == 0)); then
  set -- matmul_f16fp32_4096x4096x4096 --device auto --time 60s
fi
exec "$ROOT/build/release/croq" tune "$@"
