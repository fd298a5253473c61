#!/usr/bin/env bash
# The example of docs/adding-a-claim.md, as it stands there: measured, rendered with its template and its figure.
# usage: example.sh <example program> <perp> <source folder>
set -uo pipefail
study=$(realpath "$1") perp=$(realpath "$2") source=$(realpath "$3")
. "$source/tests/cli/checks.sh"
render=$(word_of "$perp" render)
block() { "$source/tests/example/block" "$source/docs/adding-a-claim.md" "$1"; }

mkdir -p pages studies/example
copy "$source"/reports/pages/{html,style.gp} pages/
printf '# A report\n\n{{ledger}}\n\n{{chapter example}}\n' >pages/report.md
printf '# Example\n\n{{section X1}}\n' >studies/example/chapter.md
block x1.md >studies/example/x1.md
block x1-cosines.gp >studies/example/x1-cosines.gp
check "no block of another name" bash -c "! $source/tests/example/block $source/docs/adding-a-claim.md X2.md 2>/dev/null"
check "the page takes at most 160 lines" bash -c "[ \$(wc -l <'$source/docs/adding-a-claim.md') -le 160 ]"
check "… and CONTRIBUTING.md 60" bash -c "[ \$(wc -l <'$source/CONTRIBUTING.md') -le 60 ]"
check "the claim is measured" bash -c "'$study' --preset quick --build build --out out/example 2>err || { cat err; exit 1; }"
check "… and rendered" bash -c "'$render' --results out --templates pages --sections studies --out out 2>err || { cat err; exit 1; }"
check "the section gives the verdict" grep -q '^\*\*Answer\.\*\* \*\*True\*\*\. The mean square cosine is 0\.0' out/chapters/example.md
check "… and the theory" grep -q 'Theory says 0\.00195' out/chapters/example.md
check "no placeholder is left" bash -c "! grep -q '{{' out/REPORT.md out/chapters/example.md"
check "the figure is drawn" [ -s out/figures/example-x1-cosines.svg ]
check "the table is there" [ "$(head -1 out/example/x1_cosines.csv)" = d,mean_square,low,high,law,draws ]
finish
