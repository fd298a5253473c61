#!/usr/bin/env bash
# The renderer where it is stopped, and where there is no room for temporary files.
# usage: render.sh <perp> <source folder>
set -uo pipefail
perp=$(realpath "$1") source=$(realpath "$2")
. "$source/tests/cli/checks.sh"
render=$(word_of "$perp" render)

copy "$source/tests/reports/fixture/." .
copy "$source"/reports/pages/{html,style.gp} pages/
rendered() { "$render" --results results --templates pages --sections studies --out "$1" 2>err; }
check "a report" rendered plain

# A sentence or a figure that quotes another study is left out where that study was not measured; the page in a browser is not asked for.
program paged/pandoc <<<'echo "<!DOCTYPE html></html>"'
for study in learning capacity inspect; do
  mkdir -p "alone/$study"; cp "$source/reports/published/$study"/* "alone/$study/"
  PATH=$work/paged:$PATH "$render" --results alone --templates "$source/reports/pages" --sections "$source/studies" --out "of-$study" 2>err; got=$?
  check "a report of $study alone (got $got)" [ $got -eq 0 ]; rm -r alone
done

program=$render
for option in --results --templates --sections --out --at; do refuse "$option: the name of a folder is empty" "$option" ''; done
refuse "--address 'https://a b': expected https://HOST/…" --results results --address 'https://a b'
refuse "nope" --results nope --templates pages
check "… and no such folder is made" [ ! -e nope ]
cp -r pages bare; sed -i 's/^# //' bare/report.md
refuse "REPORT.md: its template in bare has no heading; expected a first line '# …'" --results results --templates bare --sections studies
check "--version" [ "$("$render" --version | head -n 1)" = "$(sed -n 's/^version: /perp render /p' "$source/CITATION.cff")" ]

# In another checkout, which has templates of its own.
mkdir -p clone/reports; cp -r pages clone/reports/; cp -r studies clone/
in_clone() { ( cd clone && "$render" --results ../results --out "../$1" "${@:2}" 2>err ); cat clone/err; }
whose="with the program's own pages and sections, of $source; for those of this folder: --templates"
check "another checkout: whose templates these are" [ "$(in_clone others | grep -cF -- "$whose reports/pages --sections studies")" -eq 1 ]
check "… but not where they are named" eval '! in_clone named --templates reports/pages --sections studies | grep -F "$whose"'

# gnuplot or pandoc that does not end, or writes without end.
endless() {  # endless <tool> <what it does>
  local tool=$1
  program "endless/$tool" <<<"exec $2"
  PATH=$work/endless:$PATH PERP_TOOL_SECONDS=1 timeout 60 "$render" --results results --templates pages --sections studies --out endless/out 2>err; code=$?
  check "$tool: $2: exit 1 (got $code)" [ "$code" -eq 1 ]
  check "… and one line says so" eval '[ "$(wc -l <err)" -eq 1 ] && grep -q "$tool was stopped after \(1 s (\|256 MB of output\)" err'
  check "… and nothing is written" [ -z "$(ls -A endless/out 2>/dev/null)" ]
  rm -r endless
}
endless pandoc "sleep 600"
endless gnuplot yes
check "limits that are none are refused" eval '! PERP_TOOL_SECONDS=soon rendered none && grep -q "PERP_TOOL_SECONDS=.soon.: expected" err'

# Stopped while pandoc, or gnuplot, is at work. What bash puts into the background ignores QUIT.
mkdir stubs tmp
for at in gnuplot/{TERM,HUP,QUIT,KILL} pandoc/TERM; do
  tool=${at%/*} signal=${at#*/}
  rm -f started
  program "stubs/$tool" <<<"touch started; exec sleep 60"
  PATH=$work/stubs:$PATH TMPDIR=$work/tmp setsid env --default-signal=QUIT "$render" --results results --templates pages --sections studies \
    --out stopped 2>/dev/null & pid=$!
  for _ in $(seq 200); do [ -e started ] && break; sleep 0.05; done
  check "$tool is at work" [ -e started ]
  kill "-$signal" -- "-$pid"
  wait "$pid" 2>/dev/null; code=$?
  check "$signal while $tool is at work ends it (got $code)" [ "$code" -eq "$([[ $signal =~ TERM|HUP ]] && echo 1 || echo $((128 + $(kill -l $signal))))" ]
  check "$signal while $tool is at work leaves no temporary file" [ -z "$(ls -A tmp)" ]
  check "… and no half of a report" [ -z "$(ls -A stopped 2>/dev/null)" ]
  rm "stubs/$tool"
done

# One run at a time in a folder: the first waits in gnuplot for a file, go.
unset PERP_ALONE
printf '#!/bin/sh\n[ -e "%s/go" ] || touch "%s/started"; until [ -e "%s/go" ]; do sleep 0.05; done\nexec %s "$@"\n' "$work" "$work" "$work" \
  "$(command -v gnuplot)" >stubs/gnuplot; chmod +x stubs/gnuplot
until_true() { local tries; for ((tries = 0; tries < 400; tries++)); do "$@" 2>/dev/null && return; sleep 0.05; done; return 1; }
begin() { rm -f started go; PATH=$work/stubs:$PATH setsid "$render" --results results --templates pages --sections studies --out shared 2>/dev/null &
  first=$!; until_true [ -e started ]; }
second() { rm -f err; "$render" --results results --templates pages --sections studies --out "${1:-shared}" 2>err & second=$!; }
begin; second
check "who waits says so" until_true grep -q "^perp render: shared is in use by .*; waiting until it has ended$" err
check "… and for whom" grep -q "process $first (.* render --results" err
check "… and has not begun" [ -z "$(ls -A shared)" ]
touch go
check "both are done" wait "$first" "$second"
check "… one after the other, with the same bytes" diff --recursive --brief plain shared
check "… in a folder without a file of ours" [ "$(ls -A shared)" = "$(ls -A plain)" ]
begin; second other
check "another folder waits for nobody" wait "$second"
kill -- "-$first"; wait "$first" 2>/dev/null
begin; second
until_true grep -q waiting err
kill -KILL -- "-$first"; wait "$first" 2>/dev/null
check "a run that was killed keeps nobody out" wait "$second"
rm -rf shared; begin; second
until_true grep -q waiting err
rm -rf shared; mkdir shared
exec 9<shared; flock 9
touch go; wait "$first" 2>/dev/null
check "in a folder that was made anew, too, one at a time" until_true eval '[ "$(grep -c "in use by" err)" -eq 2 ]'
exec 9>&-
check "… and then it is done" wait "$second"
check "who holds the folder lets its own programs in" env PERP_ALONE="$(realpath shared)" timeout 20 flock shared "$render" \
  --results results --templates pages --sections studies --out shared 2>err

export TMPDIR=/nonexistent
check "without a folder for temporary files" rendered elsewhere
check "… the same bytes" diff --recursive --brief plain elsewhere
unset TMPDIR
if [ "$(id -u)" -eq 0 ] && mkdir full && mount -t tmpfs -o size=4k tmpfs full 2>/dev/null; then
  trap 'umount "$work/full"; rm -rf "$work"' EXIT
  head -c 100k /dev/zero >full/filler 2>/dev/null
  export TMPDIR=$work/full
  check "with a full one" rendered full_one
  check "… the same bytes" diff --recursive --brief plain full_one
  unset TMPDIR
else echo "skipped: a full folder needs root and a mount of tmpfs"; fi
finish
