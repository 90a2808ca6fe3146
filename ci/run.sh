#!/usr/bin/env bash
# The one entry to everything that is checked:
#   bash ci/run.sh demo    install what is missing, build, hunt in a small trace
#   bash ci/run.sh test    install, build, run all tests and the checks of the sources
#   bash ci/run.sh asan    the tests under the address and undefined behaviour sanitizers
#   bash ci/run.sh tsan    the tests that use threads under the thread sanitizer
#   bash ci/run.sh tidy    clang-format and clang-tidy
#   bash ci/run.sh fuzz    long campaigns: the same folder for any -j, interrupted and resumed; the control
#   bash ci/run.sh canary  a bug planted in the engine is found by fuzzing
#   bash ci/run.sh bench   the benchmarks
#   bash ci/run.sh maps    the maps of the public traces, corpus/maps/ (minutes; needs the traces, see README)
#   bash ci/run.sh test-record  the recorder's tests (minutes; installs PyTorch from the distribution)
#   bash ci/run.sh all     test, asan, tsan, tidy, canary, fuzz
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build pkg-config python3 python3-jsonschema libtbb-dev libboost-dev nlohmann-json3-dev libfmt-dev libcli11-dev libpugixml-dev
  libssl-dev zlib1g-dev libzstd-dev tao-pegtl-dev libgmp-dev libmpfr-dev libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev libgraphviz-dev)
jobs=$(nproc)

# Installs the packages named that are not there yet.
install_missing() {
  local missing=() package as_root=()
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "missing packages, and neither root nor sudo: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Builds a preset; a compiler cache is used where there is one.
build() {
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset "$1" "${launcher[@]}" "${@:2}"
  cmake --build --preset "$1" -j "$jobs"
}

demo() {
  install_missing "${packages[@]}"
  build release -DPOTHOLE_TESTS=OFF
  echo
  echo '$ pothole hunt corpus/seeds/five-operators.log'
  local status=0
  build/release/pothole hunt corpus/seeds/five-operators.log || status=$?
  # 1 says that a hole was found, which is what this trace is there for.
  [ "$status" -eq 1 ] || { echo "the demo found no hole: exit $status" >&2; exit 1; }
}

# Runs the tests of a preset. ctest counts skipped tests without saying why; the reasons follow its summary.
run_tests() {
  local status=0
  ctest --preset "$1" -j "$jobs" || status=$?
  awk '/^[0-9]+\/[0-9]+ Testing: / { test = $3 }
       /: Skipped$/ { getline reason; print "skipped " test ": " reason }' "build/$1/Testing/Temporary/LastTest.log"
  return "$status"
}

test_all() {
  install_missing "${packages[@]}"
  python3 ci/tidy_test.py
  python3 ci/tidy.py
  build release -DPOTHOLE_TESTS=ON
  run_tests release
}

asan() {
  install_missing "${packages[@]}"
  build asan-ubsan
  run_tests asan-ubsan
}

tsan() {
  install_missing "${packages[@]}"
  build tsan
  run_tests tsan
}

tidy() {
  install_missing "${packages[@]}" clang-format clang-tidy
  git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
  cmake --preset dev
  git ls-files 'engine/*.cpp' 'generators/*.cpp' 'corpus/*.cpp' 'properties/*.cpp' 'shrinker/*.cpp' 'cli/*.cpp' | xargs -P "$jobs" -n 4 clang-tidy --quiet \
    --extra-arg=-Wno-unknown-warning-option -p build/dev
}

# A folder that goes when the script ends; the trap reads it then, when no local variable is left.
scratch=
make_scratch() {
  [ -n "$scratch" ] || scratch=$(mktemp -d)
  trap 'rm -r "$scratch"' EXIT
}

# 20,000 cases of everything three times, and 100,000 of the control, which must show nothing.
fuzz() {
  make_scratch
  install_missing "${packages[@]}"
  build release -DPOTHOLE_TESTS=OFF
  local folder=$scratch/fuzz pothole=build/release/pothole status
  mkdir "$folder"
  local campaign=("$pothole" fuzz --cases 20000 --seed 1 --policy DTR --policy LRU --quiet)
  "${campaign[@]}" -j1 --out "$folder/one" > "$folder/one.txt" || [ $? -eq 1 ]
  "${campaign[@]}" -j2 --out "$folder/two" > "$folder/two.txt" || [ $? -eq 1 ]
  diff -r "$folder/one" "$folder/two"
  # Interrupted once it has found something: 20,000 cases are far from over then, however fast the machine.
  "${campaign[@]}" --out "$folder/cut" > /dev/null &
  local campaign_pid=$!
  until compgen -G "$folder/cut/*[0-9a-f].json" > /dev/null; do
    kill -0 "$campaign_pid" || exit 1
    sleep 0.01
  done
  kill -INT "$campaign_pid"
  status=0
  wait "$campaign_pid" || status=$?
  [ "$status" -eq 130 ] || { echo "the campaign was not interrupted" >&2; exit 1; }
  "${campaign[@]}" --out "$folder/cut" --resume > /dev/null || [ $? -eq 1 ]
  diff -r "$folder/one" "$folder/cut"
  cat "$folder/one.txt"
  "$pothole" fuzz --property witness-replay --cases 100000 --seed 2 --max-steps 5000 --out "$folder/control" --quiet
  echo "fuzz: the same folders, and the control shows nothing"
}

# The planted bug must be found within 100 cases, and the same cases must be clean without it.
canary() {
  make_scratch
  install_missing "${packages[@]}"
  build canary
  build release -DPOTHOLE_TESTS=OFF
  local folder=$scratch/canary status
  mkdir "$folder"
  local campaign=(fuzz --generator random --property resident,witness-replay --cases 100 --seed 1 --quiet)
  status=0
  build/canary/pothole "${campaign[@]}" --out "$folder/planted" || status=$?
  [ "$status" -eq 3 ] || { echo "the planted bug was not found: exit $status" >&2; exit 1; }
  build/release/pothole "${campaign[@]}" --out "$folder/clean"
  echo "canary: the planted bug is found, and nothing without it"
}

bench() {
  install_missing "${packages[@]}"
  build release -DPOTHOLE_TESTS=ON
  local found=0 program
  for program in build/release/tests/*_bench; do
    [ -x "$program" ] || continue
    found=1
    "$program"
  done
  [ "$found" -eq 1 ] || { echo "no benchmarks were built" >&2; exit 1; }
}

# Arguments: the folder of the traces, and names of some of them.
maps() {
  install_missing "${packages[@]}"
  build release -DPOTHOLE_TESTS=ON
  python3 ci/maps.py "$@"
  POTHOLE_LONG=1 build/release/tests/pothole_tests --gtest_filter='*SlowModelOnPublicTraces*:*EveryPolicyOnPublicMaps*'
}

# The distribution's PyTorch belongs to the distribution's Python, whatever comes first in PATH.
test_record() {
  install_missing "${packages[@]}" python3-torch python3-torchvision
  build release -DPOTHOLE_TESTS=OFF
  /usr/bin/python3 -c 'import torch, torchvision'
  POTHOLE=$PWD/build/release/pothole /usr/bin/python3 -m unittest discover -v -s tests/record -p '*_test.py'
}

case "${1:-}" in
  demo) demo ;;
  test) test_all ;;
  test-record) test_record ;;
  asan) asan ;;
  tsan) tsan ;;
  tidy) tidy ;;
  fuzz) fuzz ;;
  canary) canary ;;
  bench) bench ;;
  maps) maps "${@:2}" ;;
  all)
    test_all
    asan
    tsan
    tidy
    canary
    fuzz
    ;;
  *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
