#!/usr/bin/env bash
# Every test that needs an NVIDIA GPU, from an unpacked package (or a build) on a GPU machine.
#
#   run_all.sh [PART]...      all parts, or these: doctor runner brought tune scripts faults kills
#
# doctor   croq doctor for the device
# runner   the runner's own tests
# brought  brought kernels through workers and runner: right, broken, timed (brought.py)
# tune     a short session of each shape, with a kernel kept at the end
# scripts  every stored script by hand: VERIFY: PASS and a TFLOPS line (after tune, same OUT)
# faults   kernels that break, each in a copy of croq (faults.py); workers that abort, flood, hang
# kills    SIGKILL at random moments (kill_resume.py)
#
# CROQ_PYTHON  python3 with torch and Triton        DEVICE  cuda:0
# CROQ         the program (else found from here)   OUT     ./croq-gpu-tests, kept
# SHAPES       of tune, blanks between              TIME    30s, of each session in tune
# KILLS        10                                   FAULT_TRIALS  40, of each session in faults
#
# No network is used. The last line is a summary; exit 1 where a test failed.
set -uo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TESTS=$(dirname "$HERE")
ROOT=$(dirname "$TESTS")
readonly ALL_PARTS=(doctor runner brought tune scripts faults kills)
DEVICE=${DEVICE:-cuda:0}
OUT=${OUT:-$PWD/croq-gpu-tests}
TIME=${TIME:-30s}
KILLS=${KILLS:-10}
FAULT_TRIALS=${FAULT_TRIALS:-40}
SHAPES=${SHAPES:-matmul_f16fp32_4096x4096x4096 matmul_nt_bf16fp32_64x8192x8192 matmul_f16fp32_1000x2000x3000}

passed=0
failed=0
skipped=0
failures=()

pass() { printf 'PASS  %s\n' "$1"; passed=$((passed + 1)); }
skip() { printf 'SKIP  %s: %s\n' "$1" "$2"; skipped=$((skipped + 1)); }
fail() {
  printf 'FAIL  %s: %s\n' "$1" "$2"
  failed=$((failed + 1))
  failures+=("$1")
}

# check NAME COMMAND...: by its exit status; 77 means skipped.
check() {
  local name=$1 status=0
  shift
  printf -- '----  %s\n' "$name"
  "$@" || status=$?
  case $status in
    0) pass "$name" ;;
    77) skip "$name" "see above" ;;
    *) fail "$name" "exit $status" ;;
  esac
}

first_file() {
  local path
  for path in "$@"; do
    if [[ -n $path && -f $path ]]; then
      printf '%s\n' "$path"
      return
    fi
  done
}

has_gpu() { compgen -G '/dev/nvidia[0-9]*' >/dev/null || nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }

part_doctor() { check "doctor $DEVICE" "$CROQ" doctor --device "$DEVICE"; }

part_runner() {
  local name program runner
  runner=$(first_file "$ROOT/libexec/croq/croq-runner" "$(dirname "$CROQ")/croq-runner")
  for name in runner_gpu_test runner_process_gpu_test; do
    program=$(first_file "$HERE/$name" "$(dirname "$CROQ")/$name")
    if [[ -z $program ]]; then
      skip "$name" "it is not in this package"
    else
      check "$name" env CROQ_RUNNER="$runner" CROQ_CUBLAS="$(library cublas)" \
        CROQ_CUBLAS_LT="$(library cublas_lt)" "$program" --gtest_brief=1
    fi
  done
}

part_brought() {
  check brought env CROQ_RUNNER="$(first_file "$ROOT/libexec/croq/croq-runner" \
    "$(dirname "$CROQ")/croq-runner")" "$PYTHON" "$HERE/brought.py"
}

# library NAME: its path as the interpreter's torch would open it.
library() {
  local worker
  worker=$(dirname "$(first_file "$ROOT/share/croq/python/croq_worker/__main__.py" \
    "$ROOT/python/croq_worker/__main__.py")")
  PYTHONPATH=$(dirname "$worker") "$PYTHON" -m croq_worker versions |
    "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin).get(sys.argv[1]) or "")' "$1"
}

part_tune() {
  local shape
  for shape in $SHAPES; do
    check "tune $shape" "$CROQ" tune "$shape" --device "$DEVICE" --time "$TIME" --out "$OUT"
  done
}

part_scripts() {
  local script said found=0
  while IFS= read -r script; do
    found=1
    said=$("$PYTHON" "$script" 2>&1)
    printf '%s\n' "$said" | sed 's/^/      /'
    if grep -q '^VERIFY: PASS$' <<<"$said" && grep -Eq '^TFLOPS: [0-9.]+ +time_ms: [0-9.]+' <<<"$said"
    then
      pass "script ${script#"$OUT"/}"
    else
      fail "script ${script#"$OUT"/}" "no VERIFY: PASS and TFLOPS line"
    fi
  done < <(find "$OUT/tuning" -path '*/srcs/*' -name 'iter*.py' 2>/dev/null | grep -v _offline/ | sort)
  if ((found == 0)); then skip scripts "no stored scripts below $OUT; run the part tune first"; fi
}

part_faults() {
  local fault
  while IFS= read -r fault; do
    check "fault: $fault" "$PYTHON" "$HERE/faults.py" --croq "$CROQ" --device "$DEVICE" \
      --trials "$FAULT_TRIALS" --only "$fault"
  done < <("$PYTHON" "$HERE/faults.py" --list)
  check "faults of compile workers" env CROQ_TEST_DEVICE="$DEVICE" CROQ_BINARY="$CROQ" \
    "$PYTHON" "$TESTS/faults/test_compile_faults.py"
}

part_kills() {
  if [[ ! -f $TESTS/crash/kill_resume.py ]]; then
    skip kills "kill_resume.py is not in this package"
    return
  fi
  check "kills: $KILLS" "$PYTHON" "$TESTS/crash/kill_resume.py" --croq "$CROQ" --device "$DEVICE" \
    --kills "$KILLS" --trials-per-round 60 --workers "$(nproc)" --longest 25
}

summary() {
  local name
  for name in ${failures[@]+"${failures[@]}"}; do printf 'failed: %s\n' "$name"; done
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  ((failed == 0))
}

main() {
  local part
  if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    sed -n '2,/^set /{s/^# \{0,1\}//;/^set /d;p}' "$0"
    return 0
  fi
  local parts=("$@")
  ((${#parts[@]})) || parts=("${ALL_PARTS[@]}")
  for part in "${parts[@]}"; do
    if [[ " ${ALL_PARTS[*]} " != *" $part "* ]]; then
      printf 'run_all.sh: no part %s; there are: %s\n' "$part" "${ALL_PARTS[*]}" >&2
      return 2
    fi
  done
  CROQ=$(first_file "${CROQ:-}" "$ROOT/bin/croq" "$ROOT/croq" "$ROOT/build/release/croq")
  PYTHON=$(command -v "${CROQ_PYTHON:-$(first_file "$ROOT/.venv/bin/python")}" || command -v python3)
  if [[ -z $CROQ || -z $PYTHON ]]; then
    printf 'run_all.sh: no croq beside these tests (CROQ names one), or no python3\n' >&2
    return 2
  fi
  export CROQ_PYTHON=$PYTHON PYTHONDONTWRITEBYTECODE=1
  for part in "${parts[@]}"; do
    if has_gpu; then "part_$part"; else skip "$part" "no NVIDIA GPU here"; fi
  done
  summary
}

main "$@"
