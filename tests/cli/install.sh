#!/usr/bin/env bash
# What `cmake --install` brings for people: a program that reports from any folder, its man page and its completion.
# usage: install.sh <build folder>
set -uo pipefail
build=$(realpath "$1")
# shellcheck source=tests/cli/checks.sh
. "$(dirname "$0")/checks.sh"
cmake --install "$build" --component program --prefix "$work/prefix" >log 2>&1
check "it is installed" grep -q 'bin/perp$' log
PATH=$work/prefix/bin:$PATH share=$work/prefix/share
export XDG_CACHE_HOME=$work/cache
mkdir elsewhere && cd elsewhere || exit 1

perp report --preset quick --only O1 >../out 2>../err; got=$?
check "perp report goes through in a folder of its own (got $got)" [ "$got" -eq 0 ]
check "… into perp-report" grep -q "O1" perp-report/REPORT.md
check "… and nowhere else" [ "$(ls -A)" = perp-report ]
check "… figures, too" [ -s "$(find perp-report/figures -name 'orthogonality-*.svg' | head -n 1)" ]
# Whose templates it reads: its own, though the checkout is there.
mv "$share/perpendicular/pages" ../aside
perp report --preset quick --only O1 >../out 2>../err; got=$?
check "without its templates it does not go through (got $got)" [ "$got" -ne 0 ]
check "… and names them" grep -qF "$share/perpendicular" ../err
mv ../aside "$share/perpendicular/pages"

page=$(find "$share" -name perp.1.gz)
check "the man page has each word" [ "$(gzip -cd "$page" | grep -c '^\.SH PERP ')" -eq "$(perp --help | grep -cE '^  [a-z-]+  ' | awk '{print $1 - 1}')" ]
check "… and the options of report" grep -q '^\.B \\-\\-preset' <(gzip -cd "$page")
if command -v groff >/dev/null; then
  gzip -cd "$page" | groff -man -Tutf8 -ww -z >../out 2>&1
  check "… in markup without a warning" [ ! -s ../out ]
fi

complete() {  # complete <expected> word…: what the last word is completed to
  local expected=$1; shift
  check "'$*' is completed to $expected" [ "$(bash --norc -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perp "$1"
    echo "${COMPREPLY[*]}"' - "$share/bash-completion/completions/perp" "$@")" = "$expected" ]
}
complete inspect perp insp
complete inspect perp help insp
complete --preset perp report --pre
complete quick perp report --preset q
finish
