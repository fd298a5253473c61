#!/usr/bin/env bash
# Whether two builds of one commit are the same bytes: in folders of other names and lengths, at other times, in another time
# zone and locale, and as root by another user for one of them. No part of CI: it compiles the programs twice.
# usage: same_binary.sh [build] [target]…
set -euo pipefail
export LC_ALL=C
. "$(dirname "$0")/../../scripts/usage" 0 9999 1 "$@"
source=$(realpath "$(dirname "$0")/../..")
build=$(realpath -m "${1:-$source/build}"); shift || true
targets=("$@")
command="tests/cli/same_binary.sh${*:+ build $*}"
[ $# -gt 0 ] || targets=(orthogonality distance capacity order learning anatomy inspect perp)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
commit=$(git -C "$source" rev-parse --short=12 HEAD)

one() {  # one <folder> <command that runs what follows>…
  local folder=$1; shift
  mkdir -p "$folder"
  git -C "$source" archive HEAD | tar -x -C "$folder"
  if [ "$(id -u)" -eq 0 ] && [ $# -gt 0 ]; then chown -R 65534:65534 "$folder"; fi
  "$@" cmake -S "$folder" -B "$folder/build" -G Ninja -DPERP_TESTS=OFF >"$work/log" 2>&1 &&
    "$@" cmake --build "$folder/build" --target "${targets[@]}" >>"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; echo "same_binary: a build failed" >&2; exit 1; }
}
other=(env TZ=Pacific/Kiritimati LANG=C.UTF-8 HOME=/nonexistent)
[ "$(id -u)" -ne 0 ] || other+=(setpriv --reuid=65534 --regid=65534 --clear-groups)
one "$work/first"
one "$work/second/folder with a longer name/tree" "${other[@]}"

same=0 others=()
for target in "${targets[@]}"; do
  program=$(cd "$work/first/build" && find . -type f -name "$target" -perm -u+x | head -n 1)
  if cmp -s "$work/first/build/$program" "$work/second/folder with a longer name/tree/build/$program"; then same=$((same + 1)); else
    others+=("$target")
    cmp "$work/first/build/$program" "$work/second/folder with a longer name/tree/build/$program" >&2 || true
  fi
done
result="$same of ${#targets[@]} programs are the same bytes${others[*]:+; others: ${others[*]}}"
echo "$result."  | PERP_COMMIT=$commit "$source/tests/trust" "$build" "two builds of one commit, in other folders, by other users" "$command"
echo "same_binary: $result"
[ ${#others[@]} -eq 0 ]
