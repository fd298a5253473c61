#!/usr/bin/env bash
# The whole chain as people run it: quick study on words learned from a small text, results.json against its schema,
# report rendered and looked at in a browser, one claim alone, a run without words.
# usage: report.sh <study program> <perp> <source folder>
set -uo pipefail
study=$(realpath "$1") perp=$(realpath "$2") source=$(realpath "$3")
. "$source/tests/cli/checks.sh"
render=$(word_of "$perp" render)
# Debian's own interpreter, the one that has the package, whatever else comes first in PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
report() {  # report <folder> options…: study and renderer into <folder>
  local out=$1; shift
  "$study" --preset quick --build build --out "$out/orthogonality" "$@" 2>err || { cat err; return 1; }
  "$render" --results "$out" --templates "$source/reports/pages" --sections "$source/studies" --out "$out" --single 2>err || { cat err; return 1; }
}

sentences >text.txt

check "report on a given text" report first --corpus text.txt
for claim in O1 O2 O3 O4 O5 O6; do check "the chapter has $claim" grep -q "^## $claim " first/chapters/orthogonality.md; done
check "the ledger has a row per claim" [ "$(wc -l <first/ledger.csv)" -eq 7 ]
check "no placeholder is left" bash -c "! grep -rq '{{' first --include='*.md'"
check "each figure of the report is there" bash -c '
  for file in $(grep -ohE "figures/[a-z0-9-]+\.svg" first/REPORT.md first/chapters/*.md | sort -u); do [ -s "first/$file" ] || exit 1; done'
check "the page has it all" bash -c '
  for claim in o1 o2 o3 o4 o5 o6; do grep -q "<h3 id=\"$claim\">" first/report.html && grep -q "<h2 id=\"$claim\">" first/site/orthogonality.html || exit 1; done'
# Scripts have such signs of their own.
check "no maths is left as text in the page" bash -c "! sed 's/<script>.*<.script>//; /<script/,/<.script>/d' first/report.html | grep -qE '\\$\`|\`\\$|\\\\(frac|operatorname|sqrt)[^<]*</p>'"
check "every link leads somewhere" "$python" "$source/tests/project/links.py" first
# Nothing is beside the copy: a link that leaves the folder finds no file.
mkdir alone && cp -R first/site alone/
check "the site is complete in itself" "$python" "$source/tests/project/links.py" alone/site
for page in first/site first/report.html; do check "$page in a browser" "$python" "$source/tests/cli/html.py" "$page"; done
check "one claim alone" report one --corpus none --only O5
check "… has that section only" [ "$(grep -c '^## O' one/chapters/orthogonality.md)" -eq 1 ]
check "without words" report none --corpus none
check "… its commands say so" grep -q -e "--only O4 .* --corpus none" none/chapters/orthogonality.md

awk 'BEGIN { srand(3); for (i = 0; i < 400; ++i) { line = "w" i; for (j = 0; j < 64; ++j) line = line " " rand() - 0.3; print line } }' >given.txt
check "word vectors of one's own" report given --words given.txt --only O4

results=("$source"/tests/reports/fixture/results/*/results.json */orthogonality/results.json)
for file in "$source"/reports/published/*/results.json; do [ -e "$file" ] && results+=("$file"); done
check "results.json against its schema" "$python" "$source/tests/reports/schema.py" "$source/docs/schema/results.schema.json" "${results[@]}"

if [ -e "$source/reports/published/site" ]; then
  check "the published site in a browser" "$python" "$source/tests/cli/html.py" "$source/reports/published/site"
  check "… is below five megabytes" [ "$(du -sb "$source/reports/published/site" | cut -f1)" -lt 5000000 ]
  check "… its first page below 300 kB" [ "$(wc -c <"$source/reports/published/site/index.html")" -lt 300000 ]
  mkdir published && cp -R "$source/reports/published/site" published/
  check "… complete in itself" "$python" "$source/tests/project/links.py" published/site
  for result in why-add sqrt-d orthogonal number-format rope-base; do
    check "… $result.html is there, and the first page leads to it" grep -q "href=\"$result.html\"" published/site/index.html
    check "… with question, answer, figure, instrument and how to cite" bash -c 'for part in "<h1>" "<strong>" "<figure" "<form class=\"instrument\"" "How to cite"; do tr "\n" " " <"published/site/$0.html" | grep -q "$part" || exit 1; done' "$result"
  done
fi
copy "$source/tests/reports/fixture" .; copy "$source"/reports/pages/{html,style.gp} fixture/pages/
printf '<!-- perpendicular:begin -->\n<!-- perpendicular:end -->\n' >behind.md; ln -s behind.md README.md
check "a README that is a link is written" "$render" --results fixture/results --templates fixture/pages --sections fixture/studies --out rendered --readme README.md
check "… and stays one" [ -L README.md ]
check "… what it leads to is new" grep -q "(rendered/REPORT.md" behind.md
finish
