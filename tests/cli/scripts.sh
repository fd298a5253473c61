#!/usr/bin/env bash
# The scripts behind the Makefile's verbs with made-up programs: locales, publishing and its interruptions, one run at a time.
# usage: scripts.sh
# shellcheck disable=SC2016,SC1003  # programs and conditions are written down here and expanded where they run
set -uo pipefail
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
scripts=$source_folder/scripts
unset PERP_ALONE

program() {  # program <file>: made of standard input
  mkdir -p "$(dirname "$1")"
  { echo '#!/usr/bin/env bash'; cat; } >"$1"
  chmod +x "$1"
}

# ---- locales ------------------------------------------------------------------------------------------------------------------
for script in "$scripts"/*; do
  [[ $(head -n 1 "$script") == *bash ]] || continue
  check "$(basename "$script") sets its locale before it does anything" awk '
    /^#/ || /^set / || /^$/ {next} {exit !/^export LC_ALL=C$/}' "$script"
done
if locale -a 2>/dev/null | grep -qiE '^de_DE\.utf-?8$'; then
  program timed/bench/scaling <<<'[ "$1" = conclude ] || echo rows >"${@: -1}"'
  program timed/studies/order <<<'for last; do :; done; mkdir -p "$last"; echo >"$last/timings.json"; sleep 1.2'
  LC_ALL=de_DE.UTF-8 "$scripts/scaling" timed out 2 order quick 2 >/dev/null 2>&1
  # A sleep ends late or in time, never before: no clock may have seen less of it.
  check "where a comma stands in a number, scaling counts whole seconds" \
    awk -F , 'NR > 1 && !($4 >= 1.2) {bad = 1} END {exit bad || NR != 5}' timed/scaling/runs.csv
else echo "skipped: locale de_DE.UTF-8 is not generated; make deps-ci does it"; fi

# ---- what publish writes ------------------------------------------------------------------------------------------------------
program build/reports/verify <<<'cmp -s "$2/study/number" "$4/study/number"'
result() {  # result <folder> <number>
  mkdir -p "$1/study"
  echo '  "preset": "full",' >"$1/study/results.json"
  echo "$2" >"$1/study/number"
  echo '  "commit": "abc",' >"$1/study/run.json"
  echo "Report of $2" >"$1/REPORT.md"
}
publish() { "$scripts/publish" build "$1" "${4:-to}" "$2" "${3:-full}" >/dev/null 2>err; }
of() { [ "$(cat to/REPORT.md)" = "Report of $1" ] && [ "$(cat to/study/number)" = "$1" ]; }  # the whole of that report
field() { python3 -c 'import json, sys; print(json.load(open("to/run.json"))[sys.argv[1]])' "$1"; }
result one 1
result two 2
check "a first report is published" publish one ""
check "… as a new reference, for there was nothing to compare it with" [ "$(field reference)" = new ]
check "the same numbers again" publish one ""
check "… are verified" [ "$(field reference)" = "verified against the one before" ]
check "other numbers are refused" eval '! publish two ""'
check "… and nothing has changed" eval 'of 1 && [ "$(field reference)" = "verified against the one before" ]'
check "… unless that is meant" publish two yes
check "… and are a new reference" eval 'of 2 && [ "$(field reference)" = new ]'
check "nothing is left beside it" [ "$(echo to*)" = to ]
check "the commit is the measurement's" [ "$(field commit)" = abc ]
mkdir two/other
sed 's/abc/def+changes/' two/study/run.json >two/other/run.json
check "studies of two commits" publish two ""
check "… are told so" grep -qx "publish: studies of several commits: abc def+changes" err
check "… and both stand there" [ "$(field commit)" = "abc def+changes" ]
rm two/study/run.json
check "changes that no commit has" publish two ""
check "… are told" grep -qx "publish: measured at def+changes: nobody else has that source" err
rm -r two/other; cp one/study/run.json two/study/

result tables 2
touch tables/study/{told,left,old}.csv tables/other.csv
echo '  "tables": [{"file": "told.csv"}]' >>tables/study/results.json
publish tables ""
check "tables that no study lists any more stay behind" [ "$(cd to && echo study/*.csv other.csv)" = "study/told.csv other.csv" ]

result paged 2
mkdir -p paged/scaling paged/figures
touch paged/SCALING.md paged/scaling/a.csv paged/figures/scaling-a.svg paged/figures/scaling-b.svg
publish paged ""
pages() { (cd to && echo SCALING.md* scaling/* figures/*); }
check "the page of make scaling is published" [ "$(pages)" = "SCALING.md scaling/a.csv figures/scaling-a.svg figures/scaling-b.svg" ]
mkdir -p two/figures && touch two/figures/study.svg
publish two ""
check "… and stays when there is no other" \
  [ "$(pages)" = "SCALING.md scaling/a.csv figures/scaling-a.svg figures/scaling-b.svg figures/study.svg" ]
check "… with the report of now" of 2
rm paged/figures/scaling-b.svg
publish paged ""
check "… until there is another, which replaces the whole of it" [ "$(pages)" = "SCALING.md scaling/a.csv figures/scaling-a.svg" ]
rm -r two/figures

cp -r one lasting
sed -i 's/full/long/' lasting/study/results.json
check "a report of the preset long is not one of full" eval '! publish lasting ""'
check "… and a report of full none of long" eval '! publish two "" long to/long'
check "it has a folder of its own" publish lasting "" long to/long
mkdir -p two/long && touch two/long/other
publish two ""
check "… which stays when full is published, whatever lies beside that" [ "$(cat to/long/REPORT.md; ls to/long)" = "Report of 1
REPORT.md
run.json
study" ]
rm -r two/long to/long

# ---- what long checks came to -------------------------------------------------------------------------------------------------
mkdir -p trusted/scripts trusted/docs
cp "$scripts"/{trust,named} trusted/scripts/
marks() { printf '<!-- %s:begin -->\n%s\n<!-- %s:end -->\n' "$1" "${2:-Not run.}" "$1"; }
{ echo "# Page"; marks fuzz; marks mutations; echo "The end."; } >trusted/docs/TRUST.md
{ echo "# Manual"; marks mutations "the older table"; } >trusted/README.md
trust() { PERP_COMMIT=abc trusted/scripts/trust build "$@" 2>err; }
check "a result is noted" trust fuzz "make fuzz" <<<"* npy: 5 runs"
check "… and enters the page" trust
check "… between its marks, with command, day and commit" grep -qE '^`make fuzz`, [0-9]{4}-[0-9]{2}-[0-9]{2}, commit abc:$' trusted/docs/TRUST.md
check "… and what was not run stays as it was" [ "$(grep -c 'Not run' trusted/docs/TRUST.md)" -eq 1 ]
rm -r build/trust
check "a result that was not measured again stays" eval 'trust && [ "$(grep -c "npy: 5 runs" trusted/docs/TRUST.md)" -eq 1 ]'
trust fuzz "make fuzz" <<<"* npy: 6 runs"
check "one that was takes its place" eval 'trust && [ "$(grep -c "npy: . runs" trusted/docs/TRUST.md)" -eq 1 ] && grep -q "npy: 6 runs" trusted/docs/TRUST.md'
check "what stands around is as it was" [ "$(sed -n '1p;$p' trusted/docs/TRUST.md | tr '\n' ,)" = "# Page,The end.," ]
trust mutations "make mutate" <<<"| area |"
check "README has the same where it has the marks" eval 'trust && grep -q "^| area |$" trusted/README.md && ! grep -q "older\|npy" trusted/README.md'
check "a result without a place is refused" eval '! trust nothing "make nothing" <<<x && grep -q "no place for .nothing" err'

# ---- publish is killed at each of its steps -----------------------------------------------------------------------------------
for tool in rm mv cp mkdir; do
  program "stubs/$tool" <<END
echo >>"\$STEPS"
[ "\$(wc -l <"\$STEPS")" -ne "\$KILL" ] || [ "\$WHEN" = after ] || { kill -KILL \$PPID; exit; }
$(command -v "$tool") "\$@" || exit
[ "\$(wc -l <"\$STEPS")" -ne "\$KILL" ] || kill -KILL \$PPID
END
done
fresh() { rm -rf to*; publish one ""; : >steps; }
killed() {  # killed <step> before|after: so was a publish of other numbers
  STEPS=$work/steps KILL=$1 WHEN=$2 PATH=$work/stubs:$PATH "$scripts/publish" build two to yes 2>err
  [ $? -eq 137 ]
} 2>/dev/null
step=0
while fresh; killed $((step + 1)) before; do
  step=$((step + 1))
  for when in before after; do
    fresh; killed "$step" "$when"
    what="killed $when step $step"
    if [ -e to ]; then
      check "$what: what is published is whole" eval 'of 1 || of 2'
      if of 2; then publish two ""; check "$what: it was done" of 2; continue; fi
    fi
    publish two ""; code=$?
    check "$what: the next publish still refuses the numbers (got $code)" [ "$code" -eq 1 ]
    check "$what: and has put back what was published" of 1
    publish two yes
    check "$what: nothing is left beside it" eval 'of 2 && [ "$(echo to*)" = to ]'
  done
done
check "kills landed ($step)" [ "$step" -ge 5 ]

# ---- what the bench installs ----------------------------------------------------------------------------------------------------
mkdir -p bare/scripts
cp "$scripts/deps-bench" bare/scripts/
program bare/scripts/deps <<<'echo "$*" >asked'
program alone/update-alternatives <<<'exit 2'  # no such group
program alone/gcc <<<'echo x86_64-linux-gnu'
check "without a BLAS of Debian's" env PATH="$work/alone:$PATH" bare/scripts/deps-bench
check "… the bench's packages are installed" grep -qx "deps deps-bench" bare/asked

# ---- one run at a time in a folder ----------------------------------------------------------------------------------------------
until_true() { local tries; for ((tries = 0; tries < 200; tries++)); do "$@" 2>/dev/null && return; sleep 0.05; done; return 1; }
program busy <<<'echo "$1 begins" >>log; [ "$1" = second ] || until [ -e go ]; do sleep 0.05; done; echo "$1 ends" >>log'
PERP_TEST=1 "$scripts/alone" shared ./busy first & first=$!
until_true grep -q "first begins" log
"$scripts/alone" shared ./busy second 2>err & second=$!
check "who waits says so" until_true grep -q "^busy: shared is in use by .*; waiting until it has ended$" err
check "… and for whom" grep -q "process $first (.*busy first" err
check "… and has not begun" eval '! grep -q second log'
touch go
check "both are done" wait "$first" "$second"
check "… one after the other" [ "$(tr '\n' , <log)" = "first begins,first ends,second begins,second ends," ]
check "… in a folder without a file of ours" [ -z "$(ls -A shared)" ]
check "a command inside takes no second lock" timeout 10 "$scripts/alone" shared \
  bash -c '[ "$PERP_ALONE" = "$(realpath shared)" ]'
rm go
"$scripts/alone" shared ./busy third & third=$!
until_true grep -q "third begins" log
rm err
"$scripts/alone" shared ./busy second 2>err & second=$!
until_true grep -q waiting err
kill -KILL "$third"; wait "$third" 2>/dev/null
check "a run that was killed keeps nobody out" wait "$second"
rm -rf log; touch go
program slow <<<'echo begins >>log; until [ -e "go.$1" ]; do sleep 0.05; done; echo ends >>log'
"$scripts/alone" shared ./slow a & first=$!
until_true grep -q begins log
rm err
"$scripts/alone" shared ./slow b 2>err & second=$!
until_true grep -q waiting err
rmdir shared
"$scripts/alone" shared ./slow c & third=$!
until_true eval '[ "$(grep -c begins log)" -eq 2 ]'
touch go.a
sleep 0.3
check "in a folder that was made anew, too, one at a time" [ "$(tr '\n' , <log)" = "begins,begins,ends," ]
touch go.b go.c
wait "$first" "$second" "$third"

# Two reports: each finds what it wrote itself.
program two/reports/render <<<'sleep 0.2; for last; do :; done; cat "$last/study/who" >>"$last/rendered"'
program two/studies/study <<'END'
[ "$1" != --help ] || { echo "  --seed N"; exit; }
mkdir -p "${@: -1}"; echo "$2" >"${@: -1}/who"
END
for seed in 1 2 3 4; do "$scripts/report" two kept reported study --seed "$seed" 2>>waits & done
wait
check "four reports in one folder: each rendered its own" [ "$(sort -u reported/rendered | wc -l)" -eq 4 ]
check "… those that waited said so" grep -q "^report: reported is in use by " waits
check "an option that no study has makes no folder" eval '! "$scripts/report" two kept none study --rate 1 2>err && [ ! -e none ]'

# Studies of positions and of words that both have an option --rows.
program rows/reports/render <<<:
for study in places words; do
  program "rows/studies/$study" <<'END'
if [ "$1" = --help ]; then
  [ "${0##*/}" = words ] || echo "  --positions FILE"
  echo "  --rows A:B"
  exit
fi
mkdir -p "${@: -1}"; echo "$@" >"${@: -1}/given"
END
done
check "rows are of positions" "$scripts/report" rows kept rowed "places words" --rows 2:8
check "… given to a study that has them" grep -q '^--rows 2:8 ' rowed/places/given
check "… and not as rows of words to another" eval '! grep -q -- --rows rowed/words/given'

# ---- folders without a name ----------------------------------------------------------------------------------------------------
nameless() {  # nameless <script> <argument>…: one of which is empty
  "$scripts/$1" "${@:2}" >answer 2>err </dev/null; code=$?
  check "$* is refused (got $code)" [ "$code" -eq 2 ]
  check "… in one line that says what was expected" eval '[ "$(wc -l <err)" -eq 1 ] && grep -q "^'"$1"': the name of a folder is empty; expected '"$1"' <" err'
}
for empty in 1 2 3; do
  folders=(build kept out); folders[empty - 1]=''
  nameless report "${folders[@]}" order --seed 1
  nameless publish "${folders[@]}" ""
  nameless inspect "${folders[@]}" m quick 1 1
  nameless bench-publish "${folders[@]}"
  [ "$empty" -lt 3 ] || continue
  nameless verify "${folders[@]:0:2}" quick order
  nameless bench "${folders[@]:0:2}"
  nameless bench-peers "${folders[@]:0:2}" 1 numpy
  nameless bench-peers-section "${folders[@]:0:2}"
  nameless scaling "${folders[@]:0:2}" 2 order quick 2
  nameless scaling-page "${folders[@]:0:2}" rows.csv runs.csv
done
for script in alone backends clean compile paper trust; do nameless "$script" "" 2; done

# ---- another BLAS --------------------------------------------------------------------------------------------------------------
mkdir "no blas" blas && touch blas/libblas.so.3
check "a folder that holds no BLAS is refused" eval '! "$scripts/with-blas" "own=no blas" true 2>err'
check "… and said" grep -qF "BLAS=own=no blas: no libblas.so.3 in no blas" err
check "one that holds one is on the loader's path" [ "$("$scripts/with-blas" own=blas printenv LD_LIBRARY_PATH | cut -d : -f 1)" = blas ]

# ---- two reports by their numbers ------------------------------------------------------------------------------------------------
mkdir -p numbers/before numbers/now
for side in before now; do cp -r "$source_folder/tests/golden/anatomy" "numbers/$side/"; done
chmod -R u+w numbers
alike() { "$scripts/same-numbers" numbers/before numbers/now >answer 2>&1; }
check "a report has its own numbers" alike
sed -i '0,/"meaning": "/s//"meaning": "otherwise: /' numbers/now/anatomy/results.json
check "… whatever its texts say" alike
sed -i '0,/"value": [^,]*,/s//"value": 7.25,/' numbers/now/anatomy/results.json
check "another number is a difference" eval '! alike'
check "… which is named" grep -q '^differs: finding .*: value: .* became 7\.25$' answer

# ---- a new claim ---------------------------------------------------------------------------------------------------------------
mkdir -p claims/{scripts,reports/figures}
cp "$scripts/new-claim" claims/scripts/
(cd "$source_folder" && cp --parents CONTRIBUTING.md studies/*/{study.cpp,claims.hpp} reports/templates/*.md reports/templates/order/S1.md \
  tests/*/quick.hpp "$work/claims")
for study in claims/studies/*; do mkdir -p "claims/reports/templates/${study##*/}" "claims/tests/${study##*/}"; done
chmod -R u+w claims
cp -r claims untouched
new_claim() { claims/scripts/new-claim "$@" >answer 2>err; }
not_new() {  # not_new <message> <argument>…
  new_claim "${@:2}"; local got=$?
  check "new-claim ${*:2} is refused (got $got)" [ "$got" -eq 1 ]
  check "… as: $1" grep -qF "new-claim: $1" err
  check "… in one line" [ "$(wc -l <err)" -eq 1 ]
}
not_new "expected ID STUDY STATEMENT, for example" Z1 order
not_new "'z1' is no name of a claim; expected a capital letter and a number" z1 order "It is so."
not_new "no study 'orders'; there are anatomy, capacity," Z1 orders "It is so."
not_new "the statement is one sentence on one line, without quotes, that ends in a full stop" Z1 order "It is so"
not_new "S1 is taken: reports/templates/order/S1.md" S1 distance "It is so."
not_new "studies/inspect/study.cpp: expected a list of experiments" Z1 inspect "It is so."
check "a refusal writes nothing" diff -r untouched claims
for study in anatomy capacity distance learning order orthogonality; do
  rm -r claims && cp -r untouched claims
  check "$study gets a new claim" new_claim Z1 "$study" "It is so."
  check "… in seven files" [ "$(head -n -1 answer | wc -l)" -eq 7 ]
  check "… among the experiments" grep -qF ', claim_z1(options)}' "claims/studies/$study/study.cpp"
  check "… and the claims" grep -qE '^ +\{("[A-Z][0-9]+", )+"Z1"\}' "claims/studies/$study/study.cpp"
  check "… declared" grep -qx 'Experiment claim_z1(const Options& options);  // Z1' "claims/studies/$study/claims.hpp"
  check "… the last of its chapter" eval '[ "$(grep "{{section" "claims/reports/templates/$study.md" | tail -n 1)" = "{{section Z1}}" ]'
  check "… nothing is left of the example's names" eval '! grep -riE "x1|example" claims/studies/*/z1.cpp claims/reports/templates/*/Z1.md \
    claims/reports/figures claims/tests/*/z1.cpp'
done
check "its tests ask what the study's others ask" eval 'grep -q "quick_results()" claims/tests/orthogonality/z1.cpp &&
  grep -q "quick_results()" claims/tests/orthogonality/quick.hpp'
not_new "Z1 is taken: reports/templates/orthogonality/Z1.md" Z1 order "It is so."

finish
