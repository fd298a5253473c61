#!/usr/bin/env bash
# README's two commands, PRESET=quick, on a machine that holds nothing: debootstrap makes one, git and make are all that is
# installed by hand. Asks for root, takes up to an hour, and is no part of CI.
# usage: fresh.sh bookworm|trixie g++|clang++ root|reader [build]
#   g++ is Debian's own (12 on bookworm, 14 on trixie), and so is clang++ (14, 19). root: in a clone of root's. reader: an
#   ordinary user who may only read the checkout and builds elsewhere; root has installed the packages before.
set -euo pipefail
export LC_ALL=C
. "$(dirname "$0")/../../scripts/usage" 3 4 0 "$@"
name=fresh suite=$1 compiler=$2 who=$3
[[ $suite =~ ^(bookworm|trixie)$ && $compiler =~ ^(g\+\+|clang\+\+)$ && $who =~ ^(root|reader)$ ]] || { usage >&2; exit 2; }
source_folder=$(realpath "$(dirname "$0")/../..")
build=$(realpath -m "${4:-$source_folder/build}")
. "$source_folder/tests/cli/fresh_machine.sh"
fresh_machine "$compiler.$who"
bundle
size() { inside "dpkg-query -W -f='\${Installed-Size}\n'" | awk '{sum += $1} END {print sum}'; }
before=$(size)
by_hand="git make"
flags=
if [ "$compiler" = clang++ ]; then by_hand+=" clang" flags=" CMAKE_FLAGS=-DCMAKE_CXX_COMPILER=clang++"; fi
timed "apt-get update && apt-get install -y --no-install-recommends ca-certificates $by_hand"
at_first=$(size)
if [ "$who" = root ]; then
  timed "$clone && cd /root/perpendicular && make reports PRESET=quick$flags"; reports=$seconds
  timed "cd /root/perpendicular && make test$flags"; tests=$seconds
else
  timed "$clone && mv /root/perpendicular /opt/ && chmod -R a-w /opt/perpendicular &&
    cd /opt/perpendicular && make deps-test && useradd --create-home reader"
  elsewhere="BUILD=/home/reader/build OUT=/home/reader/out"
  timed "$(as_reader /opt/perpendicular "make reports PRESET=quick $elsewhere$flags")"; reports=$seconds
  timed "$(as_reader /opt/perpendicular "make test $elsewhere$flags")"; tests=$seconds
fi
commit=$(git -C "$source_folder" rev-parse --short=12 HEAD)
version=$(inside "$compiler -dumpversion")
tests_run=$(grep -oE '[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)
result="reports in $reports s, tests in $tests s, $((($(size) - before) / 1024)) MiB; $tests_run"
echo "$result" | PERP_COMMIT=$commit "$source_folder/tests/trust" "$build" "clean machine: $suite, $compiler, $who" tests/cli/fresh.sh
echo "$suite, $compiler $version, $who: $result (of which by hand: $(((at_first - before) / 1024)) MiB)"
rm -rf "$machine"
