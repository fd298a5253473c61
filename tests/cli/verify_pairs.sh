#!/usr/bin/env bash
# Quick reports with every BLAS and kernel that this machine can run: each must verify against each other one. Takes a
# minute a BLAS, so it is run by hand, after a change to what is allowed to move (reports/render/verify.hpp).
# usage: verify_pairs.sh <build folder> [folder that keeps the reports]
set -uo pipefail
. "$(dirname "$0")/../../scripts/usage" 1 2 2 "$@"
build=$(realpath "$1") kept=$(realpath -m "${2:-$(mktemp -d)}")
# A trained run moves as with another seed (CONTRIBUTING.md), so `learning` says nothing here.
studies="orthogonality distance capacity order anatomy"

has() { grep -qw "$1" /proc/cpuinfo; }
shopt -s nullglob
openblas=(/usr/lib/*/openblas-pthread) blis=(/usr/lib/*/blis-pthread) atlas=(/usr/lib/*/atlas)
reference=(/usr/lib/*/blas/libblas.so.3) lapack=(/usr/lib/*/lapack)

# name, then what the environment must say
backends=()
add() { backends+=("$*"); }
if [ ${#openblas[@]} -gt 0 ]; then
  for core in Prescott Nehalem; do add "openblas-$core" "LD_LIBRARY_PATH=${openblas[0]}" "OPENBLAS_CORETYPE=$core"; done
  has avx && add openblas-Sandybridge "LD_LIBRARY_PATH=${openblas[0]}" OPENBLAS_CORETYPE=Sandybridge
  has avx2 && for core in Haswell Zen; do add "openblas-$core" "LD_LIBRARY_PATH=${openblas[0]}" "OPENBLAS_CORETYPE=$core"; done
  has avx512dq && add openblas-SkylakeX "LD_LIBRARY_PATH=${openblas[0]}" OPENBLAS_CORETYPE=SkylakeX
fi
# BLIS takes a number for its kernels, which changes between versions; a name counts as 0.
blis_number() {
  python3 -c 'import ctypes, sys
library = ctypes.CDLL(sys.argv[1]); library.bli_arch_string.restype = ctypes.c_char_p
print([library.bli_arch_string(i).decode() for i in range(20)].index(sys.argv[2]))' "${blis[0]}/libblis.so.4" "$1"
}
if [ ${#blis[@]} -gt 0 ]; then
  add blis-as-picked "LD_LIBRARY_PATH=${blis[0]}"
  has avx2 && add blis-haswell "LD_LIBRARY_PATH=${blis[0]}" "BLIS_ARCH_TYPE=$(blis_number haswell)"
  has avx512dq && add blis-skx "LD_LIBRARY_PATH=${blis[0]}" "BLIS_ARCH_TYPE=$(blis_number skx)"
fi
[ ${#atlas[@]} -gt 0 ] && add atlas "LD_LIBRARY_PATH=${atlas[0]}"
[ ${#reference[@]} -gt 0 ] && [ ${#lapack[@]} -gt 0 ] &&
  add reference "LD_LIBRARY_PATH=$(dirname "${reference[0]}"):${lapack[0]}"

names=()
for backend in "${backends[@]}"; do
  read -ra words <<<"$backend"
  name=${words[0]}
  if ! env "${words[@]:1}" "$build/perp" report --kept "$kept/cells/$name" --out "$kept/$name" --studies "$studies" \
    --preset quick --corpus none >"$kept.log" 2>&1; then
    echo "FAILED: a report with $name:"
    tail -3 "$kept.log"
    exit 1
  fi
  names+=("$name")
  echo "measured: $name, $(sed -n 's/^ *"\(name\|kernel\)": "\(.*\)",*/\2/p' "$kept/$name/distance/run.json" | tr '\n' ' ')"
done

failures=0 pairs=0
for a in "${names[@]}"; do
  for b in "${names[@]}"; do
    [ "$a" = "$b" ] && continue
    pairs=$((pairs + 1))
    "$build/perp" verify --published "$kept/$a" --fresh "$kept/$b" >"$kept.log" 2>&1 && continue
    failures=$((failures + 1))
    echo "FAILED: $b against $a"
    sed -n '/^Moved beyond/,/^$/p' "$kept.log"
  done
done
rm -f "$kept.log"
[ $# -gt 1 ] || rm -rf "$kept"
echo "$pairs pairs, $failures failed"
[ "$failures" -eq 0 ]
