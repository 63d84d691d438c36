# SPDX-License-Identifier: Apache-2.0
# What the scripts in tools/ share: where the repository is, how packages are installed, how shoal is built.
# Sourced, not run.
# shellcheck shell=bash disable=SC2034

set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$repository"

# The packages of Debian 12 and Ubuntu 24.04, by what needs them.
packages_build=(cmake ninja-build g++ pkg-config libhdf5-dev zlib1g-dev libtomlplusplus-dev libfmt-dev libcli11-dev
  libfftw3-dev libkissfft-dev libcgns-dev)
packages_test=(libgtest-dev libgmock-dev gfortran python3-numpy python3-h5py dpkg-dev file libopenmpi-dev openmpi-bin)
packages_python=(python3-dev python3-venv)
packages_plot=(python3-numpy python3-h5py python3-matplotlib)
packages_benchmark=(libbenchmark-dev)

# The Python that apt's modules belong to; another one may come first on PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Threads of g++'s OpenMP that wait for each other spin so many times before they sleep. Left alone they spin for long,
# which slows a run tenfold when other work shares the cores; this many are as fast on idle ones.
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}

say() { printf '\n==> %s\n' "$*"; }
stop() {
  printf '\nerror: %s\n' "$*" >&2
  exit 1
}

# seconds COMMAND...: runs it, and sets `taken` to the seconds that it took.
seconds() {
  local start=$EPOCHREALTIME
  "$@"
  taken=$(awk "BEGIN {printf \"%.1f\", $EPOCHREALTIME - $start}")
}

# result_header COMMAND: the head of a result file (docs/benchmarks.md) of a script that measures without a GPU.
result_header() {
  cat <<END
# schema: 1
# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads
# driver: none
# compiler: GNU $(g++ -dumpfullversion), Release
# commit: $(git describe --always --abbrev=12 --dirty --match '' 2>/dev/null || echo "${SHOAL_COMMIT:-unknown}")
# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)
# command: $1
END
}

# The comment block at the head of the calling script, as its help.
print_help() { sed -n '3,/^$/{s/^# \{0,1\}//;p}' "$0"; }

system_name() {
  (
    ID=unknown VERSION_ID='' PRETTY_NAME=
    [ -r /etc/os-release ] && . /etc/os-release
    case $1 in
      id) echo "$ID:$VERSION_ID" ;;
      *) echo "${PRETTY_NAME:-this system}" ;;
    esac
  )
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# install_packages PACKAGE...: installs those that are missing, through apt; needs root or sudo only if there are any.
install_packages() {
  [ -z "${SHOAL_SKIP_PACKAGES:-}" ] || return 0
  local package wanted=() missing=() as_root=()
  mapfile -t wanted < <(printf '%s\n' "$@" | sort -u)
  case $(system_name id) in
    debian:12 | ubuntu:24.04) ;;
    *)
      stop "packages can be installed on Debian 12 and Ubuntu 24.04 only, and this is $(system_name pretty).
Install what these Debian packages hold:
  ${wanted[*]}
then run again with SHOAL_SKIP_PACKAGES=1."
      ;;
  esac
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "packages: all there"
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || stop "these packages are missing, and there is neither root nor sudo to install them:
  ${missing[*]}"
    as_root=(sudo)
  fi
  say "packages: installing ${missing[*]}"
  "${as_root[@]}" apt-get update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
}

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name --format=csv,noheader >/dev/null 2>&1; }

# Options that say how to compile the CUDA methods: for CUDAARCHS if set, for the first GPU, or, where there is none, quickly
# for 90, as code that a driver translates when it runs (nothing runs it here, and each architecture costs minutes).
cuda_options() {
  if [ -n "${CUDAARCHS:-}" ]; then
    echo "-DCMAKE_CUDA_ARCHITECTURES=$CUDAARCHS"
  elif has_gpu; then
    echo "-DCMAKE_CUDA_ARCHITECTURES=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)"
  else
    printf '%s\n' -DCMAKE_CUDA_ARCHITECTURES=90-virtual -DSHOAL_QUICK_CUDA=ON
  fi
}

# build_shoal FOLDER [CMAKE OPTION...]: configures and builds with all cores; CUDA as the variable SHOAL_CUDA says. Builds
# the targets in build_targets, or everything where that is empty.
build_targets=()
build_shoal() {
  local folder=$1 launchers=() cuda=()
  shift
  mapfile -t cuda < <(cuda_options)
  if command -v ccache >/dev/null; then
    launchers=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache
      -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON) # ccache does not keep what was compiled with one
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 # so that a checkout finds what another one compiled
  fi
  say "configure: $folder (SHOAL_CUDA=${SHOAL_CUDA:-AUTO})"
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSHOAL_CUDA="${SHOAL_CUDA:-AUTO}" \
    "${cuda[@]}" -DSHOAL_WERROR="${SHOAL_WERROR:-OFF}" "${launchers[@]}" "$@"
  say "build: $folder with $(nproc) cores"
  cmake --build "$folder" --parallel "$(nproc)" "${build_targets[@]/#/--target=}"
}

# python_environment FOLDER LIST: a virtual environment with what a list of requirements names, made anew when that list
# changed. Sets python_options, which build_shoal takes.
python_environment() {
  local folder=$PWD/$1 list=$2
  if ! cmp -s "$list" "$folder/requirements.txt"; then
    say "Python: $list into $folder"
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$list" ||
      stop "pip could not install what $list names."
    cp "$list" "$folder/requirements.txt"
  fi
  python_options=(-DSHOAL_PYTHON=ON -DPython_EXECUTABLE="$folder/bin/python")
}

# run_tests FOLDER [OPTION OF ctest...]: runs the tests of a build and ends with "N passed, N failed, N skipped".
# Fails if a test failed or none ran. All tests, without options, are started without those of CUDA methods where there is
# no GPU: thousands, each of which would only skip.
run_tests() {
  local folder=$1 report status=0 passed skipped failed left_out=0
  shift
  report=$PWD/$folder/tests.xml
  rm -f "$report"
  if [ $# -eq 0 ] && ! has_gpu; then
    set -- --label-exclude '_cuda$'
    left_out=$(ctest --test-dir "$folder" --show-only --label-regex '_cuda$' | sed -n 's/^Total Tests: //p')
    say "$left_out tests of CUDA methods are skipped: there is no GPU"
  fi
  say "tests"
  # Tests that run side by side need the cores that spinning threads would take.
  GOMP_SPINCOUNT=0 ctest --test-dir "$folder" --parallel "$(nproc)" --output-on-failure --no-tests=error \
    --output-junit "$report" "$@" || status=$?
  [ -s "$report" ] || stop "ctest ran no test (exit status $status)"
  passed=$(grep -c '<testcase .*status="run"' "$report" || true)
  skipped=$(grep -c '<skipped' "$report" || true)
  failed=$(($(grep -c '<testcase ' "$report" || true) - passed - skipped))
  printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$((skipped + left_out))"
  [ "$status" -eq 0 ] && [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
}
