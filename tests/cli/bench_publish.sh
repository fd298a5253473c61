#!/usr/bin/env bash
# What is published of make bench, from a page made up for it: no folders, no host; what make publish keeps.
# usage: bench_publish.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
host=$(hostname)

page() {  # page <folder> <when> <seconds of the one row that moves>
  mkdir -p "$1/bench" "$1/figures"
  cat >"$1/BENCHMARKS.md" <<EOF
# Which BLAS, on this machine

| openblas-pthread | /usr/lib/x86\\_64-linux-gnu/openblas-pthread/libblas.so.3 | /home/somebody/blas/liblapack.so.3.11.0 |

See [results.csv](bench/results.csv), figures/bench-curve.svg.

\`\`\`
perp bench --preset full
\`\`\`
EOF
  echo '<svg/>' >"$1/figures/bench-curve.svg"
  printf 'what,value\nprocessor,A processor\nwhen,%s\ncommit,abc\nload average before,1\n' "$2" >"$1/bench/machine.csv"
  {
    echo backend,lapack,operation,type,shape,threads,through,geometric,spread,rounds,path
    echo openblas-pthread,as_shipped,gemm,f32,64x64x64,1,bare,0.001,0.01,5,/usr/lib/openblas-pthread/libblas.so.3
    echo "openblas-pthread,as_shipped,gemm,f32,128x128x128,1,bare,$3,0.01,5,/usr/lib/openblas-pthread/libblas.so.3"
    echo atlas,alone,gemm,f32,64x64x64,1,bare,,,0,/usr/lib/atlas/libblas.so.3
  } >"$1/bench/results.csv"
}
publish() { timeout 60 "$source_folder/scripts/bench-publish" "$build" "$1" published >said 2>err; }
page one 2026-01-01 0.002
check "publishes" publish one
check "no folder of the system" bash -c "! grep -rE '/(usr|home)/' published"
check "but the library's name" grep -q 'openblas-pthread | libblas.so.3 | liblapack.so.3.11.0 ' published/BENCHMARKS.md
check "links stay" grep -q '(bench/results.csv), figures/bench-curve.svg' published/BENCHMARKS.md
check "the picture" [ -s published/figures/bench-curve.svg ]
check "again" publish one
page two 2026-02-01 0.004
echo '{"schema":1}' >published/bench/history.jsonl
check "a second run" publish two
check "… takes the place of the first" grep -q ',0.004,' published/bench/results.csv
check "… and a history of earlier versions stays" [ "$(cat published/bench/history.jsonl)" = '{"schema":1}' ]
check "no host name in it" bash -c "! grep -rqwF -- '$host' published"

exec 9<published; flock 9
publish two 9<&- & other=$!
sleep 1
check "waits for whoever publishes there" eval 'kill -0 "$other" && grep -qE "^bench-publish: published is in use; waiting until that has ended$" err'
exec 9<&-; wait "$other"; code=$?
check "… and then goes on (got $code)" [ "$code" -eq 0 ]
mkdir -p copied/{studies,docs,reports/pages}; : >copied/studies/CMakeLists.txt
"$source_folder/scripts/bench-publish" "$build" two copied/docs >said 2>err; code=$?
check "no place among sources (got $code)" eval '[ "$code" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "is what reports are made of" err && [ -z "$(ls copied/docs)" ]'
# Killed at each of its steps: the next run ends what was begun.
for tool in rm mv cp find mkdir; do
  mkdir -p stubs
  printf '#!/bin/bash\necho >>"$STEPS"\n[ "$(wc -l <"$STEPS")" -ne "$KILL" ] || { kill -KILL $PPID; exit; }\nexec %s "$@"\n' "$(command -v "$tool")" >"stubs/$tool"
  chmod +x "stubs/$tool"
done
page third 2026-02-15 0.003
killed() {  # killed <step>
  : >steps
  STEPS=$PWD/steps KILL=$1 PATH=$PWD/stubs:$PATH "$source_folder/scripts/bench-publish" "$build" third published >said 2>err
  [ $? -eq 137 ]
} 2>/dev/null
step=0
cp -r published whole
while killed $((step + 1)); do
  step=$((step + 1))
  check "killed at step $step: the next one is whole" eval 'publish third && (cd published && sha256sum -c --strict --quiet BENCHMARKS.md.sha256)'
  rm -rf published; cp -r whole published
done
check "kills landed ($step)" [ "$step" -ge 8 ]
rm -rf published; mv whole published

# What is somebody's stays.
cp -r published whole
echo precious >published/bench/mine.csv; echo precious >published/figures/bench-mine.svg
rm two/figures/bench-curve.svg; echo '<svg/>' >two/figures/bench-other.svg
check "beside other files" publish two
check "… they stay" [ "$(cat published/bench/mine.csv published/figures/bench-mine.svg | uniq)" = precious ]
check "… a picture of the run before goes" eval '[ ! -e published/figures/bench-curve.svg ] && [ -e published/figures/bench-other.svg ]'
check "… and the list has what is there" eval '(cd published && sha256sum -c --strict --quiet BENCHMARKS.md.sha256 2>/dev/null) && [ "$(grep -c "  " published/BENCHMARKS.md.sha256)" -eq 4 ]'
check "… under the heading that perp reads" grep -qF "\"$(head -n 1 published/BENCHMARKS.md.sha256)\\n\"" "$source_folder/lib/perp/io/written.cpp"
rm -rf published; mv whole published

refused() {  # refused <part of the message> <folder> [<exit code>]: nothing changes
  cp -a published before
  publish "$2"; local got=$?
  check "refused (got $got): $1" [ "$got/$(grep -c -- "$1" err)" = "${3:-2}/1" ]
  check "… and nothing changed" diff -r --no-dereference before published
  rm -rf before
}
refused "no page in none" none 1
page named 2026-03-01 0.002; echo "Measured on $host by hand." >>named/BENCHMARKS.md
refused "names this machine" named
page placed 2026-03-01 0.002; echo 'See /home/somebody/notes.' >>placed/BENCHMARKS.md
refused "a folder in BENCHMARKS.md" placed

page piped 2026-03-01 0.002; mkfifo piped/figures/bench-pipe.svg
refused "piped/figures/bench-pipe.svg is no plain file" piped

page lines 2026-03-01 0.002; : >lines/bench/$'a\nb.csv'
refused "expected names without line breaks and backslashes" lines

page large 2026-03-01 0.002; head -c 9000 /dev/zero | tee large/bench/{x,y}.csv >/dev/null
for limit in 1 4; do
  cp -a published before
  (ulimit -f $limit; publish large); got=$?
  check "files of $limit KiB at most: one line (got $got)" eval '[ "$got $(wc -l <err)" = "1 1" ] && grep -q "^bench-publish: " err'
  check "… and nothing changed" diff -r --no-dereference before published
  rm -rf before
done

page edited 2026-03-01 0.002
cp -r published unchanged
echo mine >>published/BENCHMARKS.md
refused "published/BENCHMARKS.md was changed after perp wrote it (published/BENCHMARKS.md.sha256); move it away" edited
again() { rm -rf published; cp -a unchanged published; }
list=published/BENCHMARKS.md.sha256
again; echo mine >victim; mkdir vic
for name in ../victim "$PWD/victim" bench/../../victim; do
  echo "$(sha256sum <victim | cut -c1-64)  $name" >>"$list"
  refused "$list, line [0-9]: expected a line of sha256sum" edited
  check "… and $name stays" [ "$(cat victim)" = mine ]
  again
done
echo mine >"$list"; refused "$list is no list of what perp wrote" edited
: >"$list"; refused "$list is no list of what perp wrote" edited
again; rm "$list"; ln -s nowhere "$list"; refused "$list is no list of what perp wrote" edited
again; rm published/BENCHMARKS.md; ln -s nowhere published/BENCHMARKS.md; refused "published/BENCHMARKS.md was changed after perp wrote it" edited
rm "$list"; refused "published/BENCHMARKS.md is there, and not as an earlier run wrote it" edited
again; rm -r published/figures; ln -s ../vic published/figures; refused "published/figures is a symbolic link" edited
again; rm -r published/bench "$list" published/BENCHMARKS.md; ln -s ../vic published/bench; refused "published/bench is a symbolic link" edited
check "… and is not filled" [ -z "$(ls vic)" ]
again; mkdir published/.bench.new; echo precious >published/.bench.new/notes.md; refused "published/.bench.new is not of an earlier run" edited
for place in victim/new victim; do
  "$source_folder/scripts/bench-publish" "$build" edited "$place" >said 2>err; got=$?
  check "a file where a folder goes, $place (got $got)" [ "$got/$(wc -l <err)/$(cat victim)" = "$([ $place = victim ] && echo 2 || echo 1)/1/mine" ]
done
again; mv published real; ln -s real published; publish edited; check "a link is refused (got $?)" grep -q "published is a symbolic link" err
check "… and nothing is left in it" diff -r unchanged real
rm published; mv real published
for to in edited edited/inner; do
  "$source_folder/scripts/bench-publish" "$build" edited "$to" >said 2>err; got=$?
  check "$to is refused (got $got)" [ "$got/$(grep -c "lie in each other" err)/$(echo edited/inner*)" = "2/1/edited/inner*" ]
done
check "a slash behind a name" "$source_folder/scripts/bench-publish" "$build" edited/ published/
again; rm -rf real vic; mv unchanged kept; rm -rf published; mv kept published

# ---- make publish keeps the page, and takes none from the report's folder ----------------------------------------------------
mkdir -p report/figures report/bench; echo '# Report' >report/REPORT.md; echo stray >report/BENCHMARKS.md; echo stray >report/bench/results.csv
mkdir -p report/order; echo '{"preset": "full"}' >report/order/results.json
cp -r published kept
"$source_folder/scripts/publish" "$build" report published full --moved yes >said 2>err; got=$?
check "make publish (got $got)" [ "$got" -eq 0 ]
check "… publishes the report" [ -s published/REPORT.md ]
check "… and keeps the bench's page, tables and pictures" bash -c 'for f in $(cd kept && find . -type f); do cmp -s "kept/$f" "published/$f" || exit 1; done'
finish
