#!/usr/bin/env bash
# What is somebody's stays: a report, a page, a model's folder and references are written into folders that hold other files,
# links, files of the same names, and files that were changed since.
# usage: places.sh <build folder>
set -uo pipefail
build=$1 studies=order
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
program=$build/perp
one() { "$build/perp" report --only O4 --preset quick --corpus none --kept "${kept:-kept}" --out "$@" 2>err; }  # one <out> options…
nothing() { local kept=kept.none; one "$@"; }  # as one, where nothing was measured before
holds() { [ "$(cat "$1" 2>/dev/null)" = precious ]; }
put() { local file; for file in "$@"; do mkdir -p "$(dirname "$file")"; echo precious >"$file"; done; }
stay() { local file; for file in "$@"; do check "… $file stays" holds "$file"; done; }
table 300 12 1 >words.txt; table 40 12 2 >positions.txt

# ---- a report in a folder that has other files ------------------------------------------------------------------------------
others="t/chapters/notes.md t/site/blog.html t/site/figures/mine.svg t/site/scripts/mine.gp t/site/tables/mine.csv t/site/tables/sub/mine.csv
t/figures/mine.gp t/figures/orthogonality-mine.svg t/report.html t/orthogonality/mine.csv"
# shellcheck disable=SC2086  # names, one after the other
put $others
check "a report beside other files" one t
# shellcheck disable=SC2086
stay $others
check "… once more, by render" "$program" render --results t 2>err
# shellcheck disable=SC2086
stay $others
for list in t/*.sha256 t/*/*.sha256; do check "$list fits" eval '(cd "$(dirname $list)" && sha256sum --strict -c --quiet "$(basename $list)" 2>/dev/null)'; done
check "… they name the report, the study and nothing of others" eval '[ "$(ls t/*.sha256 t/*/*.sha256 | xargs)" = "t/REPORT.md.sha256 t/orthogonality/results.json.sha256" ] && ! grep -qE "mine|notes|blog|report.html" t/*.sha256 t/*/*.sha256'

cp -r t older
mkdir www; put www/blog.html
rm -r t/site; ln -s ../www t/site
refused "'t/site' is a symbolic link" one t --fresh
check "… nothing was written there" [ "$(ls www)" = blog.html ]
stay www/blog.html

# ---- what reports are made of -----------------------------------------------------------------------------------------------
mkdir checkout; echo mine >checkout/readme.md; copy "$source_folder/reports/pages" "$source_folder/studies" checkout
mkdir kept.none
refused "is what reports are made of" nothing checkout --templates checkout/pages --sections checkout/studies
check "… before anything is measured" [ -z "$(find kept.none -name '*.cell')" ]
refused "is what reports are made of" env -C checkout "$program" report --only O4 --preset quick --corpus none --kept ../kept.none --out .
check "… and in a copy of the checkout" [ -z "$(find kept.none -name '*.cell')" ]
refused "is what reports are made of" "$program" render --results older --out checkout --templates checkout/pages --sections checkout/studies
check "… its scripts are there" diff -r "$source_folder/studies" checkout/studies

# ---- files of the same names ------------------------------------------------------------------------------------------------
for file in REPORT.md site/figures/orthogonality-o4-heat.svg orthogonality/run.json; do
  rm -rf u; put "u/$file"
  refused "u/$file': it is there, and not written by an earlier run" nothing u
  check "… before anything is measured" [ -z "$(find kept.none -name '*.cell')" ]
  stay "u/$file"
done
rm -rf u; put u/orthogonality/o4_largest.csv
refused "u/orthogonality/o4_largest.csv': it is there, and not written by an earlier run" nothing u
check "… a table, before anything is measured" [ -z "$(find kept.none -name '*.cell')" ]
stay u/orthogonality/o4_largest.csv
cp -r older u2
for file in REPORT.md chapters/orthogonality.md site/index.html orthogonality/o4_words.csv; do
  [ -e "u2/$file" ] || file=$(cd u2 && ls orthogonality/o*.csv | head -n 1)
  cp "u2/$file" before; echo mine >>"u2/$file"; cp "u2/$file" changed
  refused "u2/$file' was changed after perp wrote it" nothing u2
  check "… and stays" cmp -s changed "u2/$file"
  cp before "u2/$file"
done
check "… before anything is measured" [ -z "$(find kept.none -name '*.cell')" ]
check "the same report again" one u2
check "… the same bytes" same older u2
rm u2/*.sha256 u2/*/*.sha256
refused "': it is there, and not written by an earlier run" one u2
check "… nothing has changed" same older u2
rm -r u2; cp -r older u2

# ---- tables and results of two runs -----------------------------------------------------------------------------------------
table=$(cd u2/orthogonality && find . -name 'o4*.csv' | sort | head -n 1); table=${table#./}
sed -n '1p;$p' "u2/orthogonality/$table" >swapped && cat swapped >"u2/orthogonality/$table"
refused "u2/orthogonality/$table': is not the table that results.json beside it was written with" "$program" render --results u2 --out pages
check "… and nothing is written" [ ! -e pages/REPORT.md ]
rm "u2/orthogonality/$table"
check "measured again it is whole" eval 'one u2 && same older u2'

# ---- links, sources, a published report -----------------------------------------------------------------------------------------------
mkdir listed; ln -s ../older/REPORT.md.sha256 listed/REPORT.md.sha256
refused "'listed/REPORT.md.sha256' is a symbolic link" nothing listed
refused "is what reports are made of" "$build/perp" report --only O4 --preset quick --corpus none --kept kept.none --out "$source_folder/docs/new" --pages no
refused "is what reports are made of" "$program" render --results older --out "$source_folder/lib/new" --templates "$source_folder/reports/pages"
# A copy of a checkout, which the program knows nothing of.
mkdir -p checkout/{reports,studies,docs}; copy "$source_folder/reports/pages" checkout/reports; : >checkout/studies/CMakeLists.txt
refused "is what reports are made of" nothing checkout/docs/new
check "… a report beside them is one" "$program" render --results older --out checkout/reports/out 2>err
mkdir -p checkout/build; cp "$build/studies/orthogonality" checkout/build
refused "is what reports are made of" env -C checkout "$build/studies/orthogonality" --only O4 --preset quick --build kept.none --out ..
refused "is what reports are made of" checkout/build/orthogonality --only O4 --preset quick --build kept.none --out "$work"
check "… nor is a folder around it one" [ ! -e results.json ]
refused "'a\\x0ab' holds a control character" nothing $'a\nb'
refused "is what reports are made of" "$program" report --only O4 --preset quick --corpus none --kept checkout/docs --out left
refused "is what reports are made of" "$build/studies/orthogonality" --only O4 --preset quick --build checkout/docs --out left
refused "'\\xe2\\x80\\xaea' holds a control character" nothing $'\u202ea'
# The same of those who write no report.
refused "is what reports are made of" "$program" rope --references checkout/docs/new
refused "is what reports are made of" "$build/studies/orthogonality" --only O4 --preset quick --build kept.none --out checkout/docs/new
refused "is what reports are made of" "$program" inspect words.txt positions.txt --preset quick --kept kept.none --out checkout/docs/new
if [ -x "$build/perp-bench" ]; then
  refused "is what reports are made of" "$program" bench --preset quick --kept kept.none --out checkout/docs/new
  refused "is what reports are made of" "$program" bench --again --out checkout/docs/new
fi
check "… and no folder is made" [ -z "$(find checkout -name new)" ]
# What would be missing in the end is said in the beginning.
refused "cannot read 'nowhere/report.md'" nothing missing --templates nowhere
refused "PERP_TOOL_SECONDS='0': expected seconds" env PERP_TOOL_SECONDS=0 "$program" report --only O4 --preset quick --corpus none --kept kept.none --out missing
refused "gnuplot is not installed" env PATH=/nonexistent "$program" report --only O4 --preset quick --corpus none --kept kept.none --out missing
check "… before anything is measured" eval '[ ! -e missing ] && [ -z "$(find kept.none -name "*.cell")" ]'
mkdir -p waits; mkfifo waits/libblas.so.3
refused "no libblas.so.3 in $work/waits" timeout 20 "$program" report --only O4 --preset quick --corpus none --kept kept.none --out missing --blas "x=$work/waits"
[ ! -x "$build/perp-bench" ] || refused "$work/waits holds no libblas.so.3" timeout 20 "$program" bench --preset quick --kept kept.none --out missing --backends "x=$work/waits"
ln -s nowhere kept.link
check "no place for cells" eval '! kept=kept.link one missing && [ "$(cat err)" = "perp report: cannot create the folder '"'kept.link'"': it is a symbolic link that leads to nothing; choose another path" ]'
check "… and no empty folder is left" [ ! -e missing ]
refused "readme.md: has no <!--" "$program" render --results older --out left/empty/report --readme checkout/readme.md
check "… no empty folder is left" [ ! -e left ]
check "… and no folder is made" eval '[ -z "$(find "$source_folder"/{docs,studies,lib} -name new)" ]'
if [ -x "$build/perp-bench" ]; then
  put b/BENCHMARKS.md
  refused "b/BENCHMARKS.md': it is there, and not written by an earlier run" "$program" bench --preset quick --kept kept.none --out b
  stay b/BENCHMARKS.md
  for file in results.csv peers.csv; do
    rm -r b; put "b/bench/$file"
    refused "b/bench/$file': it is there, and not written by an earlier run" "$program" bench --preset quick --kept kept.none --out b
  done
  check "… before anything is measured" [ ! -e kept.none/bench ]
  rm -r b
  for file in rows.txt answer.jsonl mine; do
    put "kept.own/bench/out/$file"
    refused "'kept.own/bench/out' holds what no perp bench wrote; expected it to be moved away" "$program" bench --preset quick --kept kept.own --out b
    refused "'kept.own/bench/out' holds what no perp bench wrote" "$build/perp-bench" --out kept.own/bench/out --preset quick
    stay "kept.own/bench/out/$file"
    rm -r kept.own
  done
  mkdir kept.own aside; ln -s ../aside kept.own/bench
  refused "'kept.own/bench' is a symbolic link" "$program" bench --preset quick --kept kept.own --out b
  refused "'kept.own/bench' is a symbolic link" "$program" blas-check --kept kept.own
  check "… and nothing is written there" [ -z "$(ls aside)" ]
else echo "skipped: perp bench is not built"; fi

cp -r older shown; : >shown/run.json.sha256
for command in "report --only O4 --preset quick --corpus none --kept kept.none --out shown" "render --results older --out shown" \
  "inspect words.txt positions.txt --preset quick --kept kept.none --out shown/inspect"; do
  # shellcheck disable=SC2086  # words, one after the other
  refused "shown' is a published report; expected another folder" "$program" $command
done
refused "shown' is a published report" "$program" rope --references shown/references
refused "shown' is a published report" "$build/studies/orthogonality" --only O4 --preset quick --build kept.none --out shown/orthogonality
check "… before anything is measured" [ -z "$(find kept.none -name '*.cell')" ]
rm shown/run.json.sha256; check "… and as it was" same older shown
: >shown/run.json.sha256; check "its pages may be rendered again" "$program" render --results shown 2>err

mkdir linked else; ln -s ../else linked/orthogonality
refused "'linked/orthogonality' is a symbolic link" nothing linked
check "… nothing was written there" [ -z "$(ls else)" ]
for link in site/tables chapters/rules.md figures/orthogonality-o4-heat.svg; do
  mkdir -p "early/$(dirname $link)"; ln -s "$work/else" early/$link
  refused "early/$link'" nothing early
  check "… before anything is measured" [ "$(find early else -type f | wc -l)" -eq 0 ]
  rm -r early
done
mkdir -p weak/orthogonality; printf '{\n  "schema": "mine"\n}\n' >weak/orthogonality/results.json
refused "results.json': it is there, and not written by an earlier run" nothing weak
printf 'study,claim,verdict,mine\n' >weak/ledger.csv; rm -r weak/orthogonality; put weak/REPORT.md
refused "REPORT.md': it is there, and not written by an earlier run" nothing weak
stay weak/REPORT.md

# ---- a model's folder, references, the folder of verify ---------------------------------------------------------------------
model() { "$program" inspect --positions positions.txt --preset quick --kept kept "$@"; }
for file in results.json run.json timings.json; do
  put "d/$file"
  refused "d/$file': it is there, and not written by an earlier run" model --out d
  refused "d/$file': it is there, and not written by an earlier run" "$program" inspect words.txt positions.txt --out d
  stay "d/$file"
  rm -r d
done
mkdir d; cp words.txt d/results.json
refused "d/results.json': it is there" model --words d/results.json --out d
check "… the input stays" cmp -s words.txt d/results.json
rm -r d; put d/figures
refused "'d/figures': it is there and no folder" model --words words.txt --out d
check "… before anything is measured" [ "$(find d -type f | wc -l)" -eq 1 ]
rm -r d; put d/notes.md d/figures/mine.svg
check "a model" model --out d 2>err
check "… again" model --out d 2>err
stay d/notes.md d/figures/mine.svg

put r/llama_3_1_8b.json
refused "r/llama_3_1_8b.json': it is there, and not written by an earlier run" "$program" rope --references r
stay r/llama_3_1_8b.json
check "… and nothing else is written" [ "$(ls r)" = llama_3_1_8b.json ]
put r2/notes.md
refused "--references 'r2': holds 'notes.md', which no run before wrote; expected a folder of its own" "$program" rope --references r2
check "… and nothing is written" [ "$(ls r2)" = notes.md ]
check "references" "$program" rope --references r3
put r3/.perp-11795-0.tmp
check "… with what a killed run left" "$program" rope --references r3
check "… which goes" [ ! -e r3/.perp-11795-0.tmp ]
check "… again" "$program" rope --references r3

# ---- what is saved while a report is drawn ----------------------------------------------------------------------------------
# pandoc begins when the README has been read.
real=$(command -v pandoc || true)
if [ -n "$real" ]; then
  program typing/pandoc <<<"[ -e typed ] || { touch typed; echo typed >>'$work/mine.md'; }; exec $real \"\$@\""
  printf '# Mine\n\n<!-- perpendicular:begin -->\nold\n<!-- perpendicular:end -->\nend\n' >mine.md
  check "a README that is edited meanwhile" env PATH="$work/typing:$PATH" "$program" render --results older --out drawn --readme mine.md 2>err
  check "… keeps what was typed" [ "$(tail -n 2 mine.md | paste -sd ' ')" = "end typed" ]
  check "… and has the block" eval '! grep -qx old mine.md'
else echo "skipped: a README that is edited meanwhile, for pandoc is not installed"; fi
printf '# Mine\r\n\r\n<!-- perpendicular:begin -->\r\n<!-- perpendicular:end -->\r\nend\r\n' >mine.md
[ "$(id -u)" -ne 0 ] || chown 65534:65534 mine.md
owner=$(stat -c %u:%g mine.md)
check "a README with Windows' line ends" "$program" render --results older --out drawn --readme mine.md 2>err
check "… keeps them" eval '[ "$(wc -l <mine.md)" -gt 9 ] && [ "$(grep -c $'"'\r\$'"' mine.md)" -eq "$(wc -l <mine.md)" ]'
check "… and its owner" [ "$(stat -c %u:%g mine.md)" = "$owner" ]
refused "TMPDIR='/nonexistent': No such file or directory; expected a folder for temporary files" env TMPDIR=/nonexistent "$program" inspect --positions positions.txt --preset quick --kept kept.none --out tmp
check "… before anything is measured" [ ! -e tmp ]

put v/verify/notes.md v/verify/out/notes.md v/verify/kept/notes.md v/verify/pages/notes.md
cp -r older v/published
"$program" verify --published v/published --studies orthogonality --preset quick --corpus none --kept v >out 2>err
stay v/verify/notes.md v/verify/out/notes.md v/verify/kept/notes.md v/verify/pages/notes.md
check "… and its own cells go with it" [ -z "$(find v/verify -maxdepth 1 -name 'perp-*')" ]
for link in verify verify/out verify/pages verify/out/orthogonality; do
  rm -rf w else; mkdir -p "w/$(dirname $link)" else; ln -s "$work/else" w/$link
  refused "'w/$link' is a symbolic link, which is not followed" "$program" verify --published v/published --studies orthogonality --preset quick --corpus none --kept w
  check "… nothing is written there" [ -z "$(ls else)" ]
done
finish
