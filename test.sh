#!/usr/bin/env bash
# Every test that needs no GPU, after the set-up where it is missing. Ends on ctest's summary.
#
#   ./test.sh            all of the release build
#   ./test.sh --asan     the unit tests under the address and undefined-behaviour sanitizers
#   ./test.sh -R NAME    any other arguments go to ctest
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/setup.sh
source "$ROOT/scripts/setup.sh"

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '2,/^set /{s/^# \{0,1\}//;/^set /d;p}' "$0"
  exit 0
fi

preset=release
if [[ ${1:-} == --asan ]]; then
  preset=asan
  shift
  set -- -L unit "$@"
fi

install_debian_packages
make_environment
configure "$preset"
build "$preset"

cd "$ROOT"
exec ctest --preset "$preset" --parallel "$(nproc)" "$@"
