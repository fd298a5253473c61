#!/usr/bin/env bash
# The library's tests and a quick report for arm64: compiled here by clang against Debian's packages for arm64, which lie in a folder of
# their own (dpkg's architecture stays as it is), run by qemu, and compared with the report of x86-64, number by number after its kind.
# Takes hours, and is no part of CI.
# usage: arm64.sh <build> <jobs> [<studies>]
#   <studies>: those of the report, for example "orthogonality order"; all unless said otherwise
set -euo pipefail
export LC_ALL=C
. "$(dirname "$0")/../../scripts/usage" 2 3 0 "$@"
cd "$(dirname "$0")/../.."
scripts/deps deps deps-test deps-arm64
jobs=$2 studies=${3:-}
mkdir -p "$1/arm64"
build=$(realpath "$1/arm64") native=$(realpath "$1")
root=$build/root libraries=$root/usr/lib/aarch64-linux-gnu

# What packages.txt has as libraries, with what they need, as apt would bring it to an empty machine for arm64.
if [ ! -e "$build/root.done" ]; then
  mkdir -p "$build"/apt/{state/lists,cache/archives}/partial
  : >"$build/apt/status"
  apt() {
    apt-get -o Dir::State="$build/apt/state" -o Dir::State::status="$build/apt/status" -o Dir::Cache="$build/apt/cache" \
      -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1 "$@" >"$build/apt/log"
  }
  mapfile -t wanted < <(sed -nE 's/^deps(-test)? ((lib|nlohmann|zlib).*)/\2/p' packages.txt)
  apt update
  apt install --yes --no-install-recommends --download-only libc6-dev "libstdc++-$(g++ -dumpversion)-dev" "${wanted[@]}"
  for package in "$build"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
  # Links are of a machine whose root this is; those of the alternatives a package makes when it is configured.
  find "$root" -lname '/*' | while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done
  for name in {blas,lapack}.so{,.3} openblas.so.0; do ln -sf "openblas-pthread/lib$name" "$libraries/lib$name"; done
  touch "$build/root.done"
fi

# Programs restart themselves and start others, which the kernel hands to qemu in a world of this script's own (Linux 6.7).
emulated() {  # emulated <command> [<argument>…]
  # shellcheck disable=SC2016
  QEMU_LD_PREFIX=$root unshare --map-root-user --mount bash -euc '
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    printf "%s" ":perp-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$(command -v qemu-aarch64):P" \
      >/proc/sys/fs/binfmt_misc/register
    exec "$@"' arm64 "$@"
}

only=(); for what in LIBRARY INCLUDE PACKAGE; do only+=("-DCMAKE_FIND_ROOT_PATH_MODE_$what=ONLY"); done
cmake -S . -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_CXX_COMPILER_TARGET=aarch64-linux-gnu -DCMAKE_SYSROOT="$root" -DCMAKE_FIND_ROOT_PATH="$root" "${only[@]}" \
  -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DPERP_NATIVE=OFF -DPERP_WERROR=ON >"$build/log"
floors=$(ls lib/perp)
programs=$(dirname studies/*/chapter.md | xargs -n 1 basename)
# shellcheck disable=SC2046,SC2086
emulated cmake --build "$build" -j "$jobs" --target $(printf 'test_%s ' $floors) $programs perp
scripts/compile "$native" "$jobs" "" $programs perp

# One thread for BLAS, as ctest has it: a test does not restart itself.
export PERP_TOOL_SECONDS=600 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 BLIS_NUM_THREADS=1 MKL_NUM_THREADS=1
# What qemu starts in place of a program that does not start is a process, where the kernel has an error.
declare -A only_of=([io]='--run_test=!io_process/a_program_that_cannot_be_run')
for floor in $floors; do emulated "$build/test_$floor" ${only_of[$floor]:+"${only_of[$floor]}"}; done
report() {  # report <folder> <command> [<word>…]
  local out=$1; shift
  "$@" report --preset quick --pages no --threads "$jobs" --kept "$out/kept" --out "$out/report" ${studies:+--studies "$studies"}
}
report "$build/native" "$native/perp"
report "$build/emulated" emulated "$build/perp"
"$native/perp" verify --preset quick --published "$build/native/report" --fresh "$build/emulated/report" ${studies:+--studies "$studies"} |
  tee "$build/verify.log"
echo "tests of $(wc -w <<<"$floors") floors passed; quick report of ${studies:-all studies}: $(tail -n 1 "$build/verify.log")" |
  tests/trust "$native" "arm64 in an emulator: tests of the library, and a quick report beside that of x86-64" tests/cli/arm64.sh
