#!/usr/bin/env bash
# Whether the compiler makes vector code of every loop in tests/support/vectorised.cpp. Skipped where it is not g++ for x86-64.
# usage: vectorised.sh <compiler>
set -uo pipefail
compiler=$1 source=$(realpath "$(dirname "$0")/../support/vectorised.cpp")
{ "$compiler" --version | grep -q 'Free Software' && [[ $("$compiler" -dumpmachine) == x86_64-* ]]; } || { echo "skipped: no g++ for x86-64"; exit 77; }
failed=0
for level in v3 v4; do  # AVX2, and with masks
  said=$("$compiler" -std=c++20 -O3 -march=x86-64-$level -fopt-info-vec-optimized -I "$(dirname "$source")/../../lib" -c "$source" -o /dev/null 2>&1) ||
    { echo "$said"; exit 1; }
  while IFS=: read -r line text; do
    grep -q "$source:$line:.*loop vectorized" <<<"$said" || { echo "not vectorised at x86-64-$level, line $line: $text"; failed=1; }
  done <<<"$(grep -n ' for (' "$source")"
done
exit $failed
