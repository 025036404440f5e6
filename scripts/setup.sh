# shellcheck shell=bash
# Makes a Debian 12 or 13 machine ready to build croq. Sourced by quickstart.sh and test.sh, which
# set ROOT. Each step first looks whether there is anything to do, so a second run costs little.

# Tested together. numpy: Triton 3.6's interpreter, which checks numbers where there is no GPU, does
# not work with 2.4.
readonly TORCH_PIN='torch==2.13.0'
readonly TRITON_PIN='triton==3.6.0'
readonly NUMPY_PIN='numpy<2.4'

# Needed to build: compiler, cmake, ninja; the libraries, all linked in; what the tests use.
# Needed to run: python3 with venv; on a GPU also its headers, for Triton compiles its launcher.
readonly DEBIAN_PACKAGES=(
  g++ cmake ninja-build
  libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libsqlite3-dev
  libxxhash-dev
  libgtest-dev libgmock-dev librapidcheck-dev
  python3 python3-venv python3-dev
)

readonly SETUP_LOG="$ROOT/build/setup.log"

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# Runs a command with its output in the log; shows the end of it where the command fails.
# logged WHAT-TO-DO-IF-IT-FAILS COMMAND...
logged() {
  local remedy=$1
  shift
  mkdir -p "$(dirname "$SETUP_LOG")"
  printf '\n$ %s\n' "$*" >>"$SETUP_LOG"
  if ! "$@" >>"$SETUP_LOG" 2>&1 </dev/null; then
    tail -n 30 "$SETUP_LOG" >&2
    fail "'$*' failed (all of it: $SETUP_LOG). $remedy"
  fi
}

# The Debian packages that are not installed, one a line.
missing_packages() {
  local installed package
  # shellcheck disable=SC2016 # dpkg-query's own variables
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${DEBIAN_PACKAGES[@]}" 2>/dev/null || true)
  for package in "${DEBIAN_PACKAGES[@]}"; do
    grep -qx "$package installed" <<<"$installed" || printf '%s\n' "$package"
  done
}

install_debian_packages() {
  if ! command -v dpkg-query >/dev/null; then
    local tool
    for tool in g++ cmake ninja python3; do
      command -v "$tool" >/dev/null ||
        fail "this is not Debian and there is no $tool: install what Debian calls ${DEBIAN_PACKAGES[*]} and start again."
    done
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} > 0)) || return 0
  local -a as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "Debian packages are missing and this is neither root nor a machine with sudo. As root: apt-get install ${missing[*]}"
    as_root=(sudo)
    say "installing needs root; sudo may ask for your password"
    sudo -v || fail "sudo refused. As root: apt-get install ${missing[*]}"
  fi
  say "installing Debian packages: ${missing[*]}"
  logged "Check the network and /etc/apt/sources.list." "${as_root[@]}" apt-get update
  logged "Install them by hand (apt-get install ${missing[*]}) and start again." \
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# True where the environment's own interpreter has the pinned packages.
has_pinned_packages() {
  "$ROOT/.venv/bin/python" - "$TORCH_PIN" "$TRITON_PIN" "$NUMPY_PIN" <<'PYTHON' 2>/dev/null
import importlib.metadata
import re
import sys

for pin in sys.argv[1:]:
    name, relation, wanted = re.fullmatch(r"(\w+)(==|<)(.+)", pin).groups()
    have = importlib.metadata.version(name).split("+")[0]
    parts = [int(part) for part in have.split(".")[:2]]
    if relation == "==" and have != wanted:
        sys.exit(1)
    if relation == "<" and parts >= [int(part) for part in wanted.split(".")]:
        sys.exit(1)
PYTHON
}

# .venv with the pinned torch, Triton and numpy; nothing where CROQ_PYTHON names another interpreter.
make_environment() {
  if [[ -n ${CROQ_PYTHON:-} ]]; then
    [[ -x $CROQ_PYTHON ]] ||
      fail "CROQ_PYTHON is '$CROQ_PYTHON', which cannot be run; name a Python that has torch and Triton, or unset it."
    return 0
  fi
  local venv=$ROOT/.venv
  local stamp=$venv/.croq-setup
  local pins="$TORCH_PIN $TRITON_PIN $NUMPY_PIN"
  if [[ -x $venv/bin/python && -f $stamp && $(<"$stamp") == "$pins" ]]; then
    return 0
  fi
  if ! "$venv/bin/python" -c '' 2>/dev/null; then
    local python=/usr/bin/python3
    [[ -x $python ]] || python=$(command -v python3) || fail "there is no python3; install it and start again."
    say "making .venv"
    rm -rf "$venv"
    logged "Install the venv module of $python (Debian: python3-venv)." "$python" -m venv "$venv"
  fi
  if ! has_pinned_packages; then
    say "installing $TORCH_PIN, $TRITON_PIN and $NUMPY_PIN in .venv (a large download)"
    local -a pip=("$venv/bin/python" -m pip install --disable-pip-version-check --no-input)
    local remedy="Check the network, pip's configuration and the free disk (torch for CUDA takes 8 GB)."
    logged "$remedy" "${pip[@]}" "$TORCH_PIN" "$NUMPY_PIN"
    # By itself: torch names the Triton that its own compiler needs, croq the one it was tested with.
    logged "$remedy" "${pip[@]}" --no-deps "$TRITON_PIN"
  fi
  printf '%s' "$pins" >"$stamp"
}

# The folder of cuda.h in the Triton of an interpreter; nothing where it has none.
cuda_include_of() {
  "$1" - <<'PYTHON' 2>/dev/null || true
import importlib.util
import pathlib

spec = importlib.util.find_spec("triton")
if spec is not None and spec.origin is not None:
    folder = pathlib.Path(spec.origin).parent / "backends" / "nvidia" / "include"
    if (folder / "cuda.h").is_file():
        print(folder)
PYTHON
}

# configure PRESET: once; ninja sees to it again when a build file changes.
configure() {
  local preset=$1
  [[ -f $ROOT/build/$preset/build.ninja ]] && return 0
  local -a arguments=(--preset "$preset")
  if [[ -n ${CROQ_PYTHON:-} ]]; then
    local include
    include=$(cuda_include_of "$CROQ_PYTHON")
    [[ -n $include ]] && arguments+=("-DCROQ_CUDA_INCLUDE=$include")
  fi
  say "configuring build/$preset"
  (cd "$ROOT" && logged "If a Debian package is missing, install it and start again." cmake "${arguments[@]}")
}

# build PRESET [TARGET...]: on a terminal ninja shows how far it is.
build() {
  local preset=$1
  shift
  local -a command=(ninja -C "$ROOT/build/$preset" "$@")
  [[ -x $ROOT/build/$preset/croq ]] || say "building build/$preset (some minutes, the first time)"
  if [[ -t 2 ]]; then
    "${command[@]}" >&2 || fail "the build failed; the error stands above. If build/$preset is damaged, remove it and start again."
  else
    logged "If build/$preset is damaged, remove it and start again." "${command[@]}"
  fi
}
