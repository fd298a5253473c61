#!/usr/bin/env bash
# The scripts behind the Makefile's verbs with made-up programs: locales, publishing and its interruptions, packages.
# usage: scripts.sh
# shellcheck disable=SC2016,SC1003  # programs and conditions are written down here and expanded where they run
set -uo pipefail
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
scripts=$source_folder/scripts tests=$source_folder/tests
unset PERP_ALONE

# ---- locales ------------------------------------------------------------------------------------------------------------------
for script in "$scripts"/* "$tests"/{axe,long.sh,same-bytes,trust}; do
  [[ $(head -n 1 "$script" 2>/dev/null) == "#!"*bash ]] || continue
  check "$(basename "$script") sets its locale before it does anything" awk '
    /^#/ || /^set / || /^$/ {next} {exit !/^export LC_ALL=C$/}' "$script"
done

# ---- what publish writes ------------------------------------------------------------------------------------------------------
program build/perp <<<'[ "$1" = rope ] || { [ "$1 $2 $4" = "verify --published --fresh" ] && { cmp -s "$3/study/number" "$5/study/number" || { echo not verified; exit 1; }; }; }'
result() {  # result <folder> <number>
  mkdir -p "$1/study"
  echo '  "preset": "full",' >"$1/study/results.json"
  echo "$2" >"$1/study/number"
  echo '  "commit": "abc",' >"$1/study/run.json"
  echo "Report of $2" >"$1/REPORT.md"
}
publish() { "$scripts/publish" build "$1" "${4:-to}" "${3:-full}" ${2:+--moved "$2"} >/dev/null 2>err; }
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
check "… and the way on is said" grep -qF 'if that is meant: make publish ARGS="--moved yes"' err
check "… which takes nothing but yes" eval '! publish two no && grep -qx "publish: .--moved no.; expected --moved yes or nothing" err && of 1'
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

cp -r one lasting
sed -i 's/full/long/' lasting/study/results.json
check "a report of the preset long is not one of full" eval '! publish lasting ""'
check "… and a report of full none of long" eval '! publish two "" long to/long'
check "it has a folder of its own" publish lasting "" long to/long
mkdir -p two/long && touch two/long/other
publish two ""
check "… which stays when full is published, whatever lies beside that" [ "$(ls to/long)" = "run.json
run.json.sha256
study" ]
rm -r two/long to/long
cp -r two fewer && mv fewer/study fewer/another
check "a report without a study that is published is refused" eval '! publish fewer yes && grep -q "^publish: fewer has no results of study, which to has; expected all" err && [ -d to/study ]'

# What is somebody's: folders of the names that publish uses, and files in what is published.
for folder in to.new to.replaced mine; do
  mkdir -p "$folder"; echo precious >"$folder/notes.md"
  target=to; [ "$folder" != mine ] || target=mine
  publish two yes full $target; code=$?
  check "$folder is somebody's: refused (got $code)" eval '[ "$code" -eq 2 ] && grep -qx "publish: $folder is not of an earlier publish (.*); expected it to be moved away" err'
  check "… and stays" [ "$(cat "$folder/notes.md")" = precious ]
  rm -r "$folder"
done
unset target
result listed 2
echo older >listed/study/old.csv
heads() { sed -n 's/^heading="\(.*\)"$/\1/p' "$scripts/written"; }
check "lists have the heading that perp reads" grep -qF "\"$(heads)\\n\"" "$source_folder/lib/perp/io/written.cpp"
lists() { (cd "$1" && { heads; sha256sum REPORT.md; } >REPORT.md.sha256; cd study && rm -f results.json.sha256 && sums=$(sha256sum -- *) && { heads; echo "$sums"; } >results.json.sha256); }
lists listed
publish listed yes
echo precious >to/notes.md; echo precious >to/study/notes.md
rm listed/study/old.csv
lists listed
publish listed yes
check "what nobody published stays in what is published" [ "$(cat to/notes.md to/study/notes.md | uniq)" = precious ]
check "… and what an earlier publish put there goes" [ ! -e to/study/old.csv ]
stays() {  # stays "what" <name>…: foreign things below to/, before and after a publish
  local what=$1 before; shift
  before=$(cd to && find "$@" -printf '%p %y %l\n' -type f -exec sha256sum {} + | sort)
  publish listed yes; code=$?
  check "$what: published (got $code)" [ "$code" -eq 0 ]
  check "… and they stay" [ "$before" = "$(cd to && find "$@" -printf '%p %y %l\n' -type f -exec sha256sum {} + 2>&1 | sort)" ]
}
mkdir -p to/mine/empty to/empty to/study/empty to/kept/study
ln -s nowhere to/dangling; ln -s ../study/number to/mine/link
echo precious | tee to/mine/a.txt to/kept/study/cell to/mine/data.bin >$'to/a\nb'
(cd to/mine && sha256sum data.bin | tee all.sha256 ../sums.sha256 >results.json.sha256)
stays "links, empty folders, lists of others, names with line breaks" dangling empty mine kept study/empty sums.sha256 study/notes.md $'a\nb'
rm to/REPORT.md.sha256
stays "without REPORT.md.sha256" mine kept notes.md
said_only() { [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$1" err; }
refused() {  # refused "what" <line>: exit 2, that line alone, nothing changed
  local from=${from:-listed}
  rm -rf aside; cp -a to aside
  publish "$from" yes full "${target:-to}"; code=$?
  check "$1: refused (got $code)" [ "$code" -eq 2 ]
  check "… in that line" said_only "$2"
  check "… and nothing has changed" eval 'diff -r --no-dereference aside to && [ "$(echo to*)" = "${beside:-to}" ]'
}
afresh() { rm -rf to to.*; cp -a aside to; }
echo remarks >>to/REPORT.md
refused "an edited page" "^publish: to/REPORT.md was changed after perp wrote it (to/REPORT.md.sha256); move it away"
rm to/REPORT.md; publish listed yes; echo 1 >to/run.json
refused "an edited run.json" "^publish: to/run.json was changed after perp wrote it (to/run.json.sha256)"
rm to/run.json; publish listed yes
echo page >listed/study/page.md; echo other >to/study/page.md
refused "another file where a new one goes" "^publish: to/study/page.md is there, and not as an earlier run wrote it"
cp listed/study/page.md to/study/
ln to/study/page.md other.name
check "… the same bytes are none" publish listed yes
check "… and keep their other names" [ to/study/page.md -ef other.name ]
rm to/study/page.md other.name; ln -s ../notes.md to/study/page.md; sed -i /page.md/d to/run.json.sha256
refused "a link where a new file goes" "^publish: to/study/page.md is there, and not"
rm to/study/page.md; mv to/study to/studied; ln -s studied to/study
refused "a study's folder that is a link" "^publish: to/study is a symbolic link"
rm to/study; mv to/studied to/study; rm listed/study/page.md
echo mine >victim
for name in ../victim "$work/victim" study/../../victim; do
  cp to/REPORT.md.sha256 list; echo "$(sha256sum <victim | cut -c1-64)  $name" >>to/REPORT.md.sha256
  refused "a list that names $name" "^publish: to/REPORT.md.sha256, line 3: expected a line of sha256sum"
  check "… which stays" [ "$(cat victim)" = mine ]
  mv list to/REPORT.md.sha256
done
mkdir away; mv to/*.sha256 to/study/*.sha256 away/; echo "# my own" >to/BENCHMARKS.md; echo code >to/main.c
refused "a folder without lists, whatever has the name BENCHMARKS.md" "^publish: to is not of an earlier publish (no REPORT.md.sha256 of perp's); expected it to be moved away"
rm -r to away
mkdir to; { head -n 1 listed/REPORT.md.sha256; (cd two && sha256sum REPORT.md | sed s/REPORT/BENCHMARKS/); } >to/BENCHMARKS.md.sha256
echo page >to/BENCHMARKS.md
stays "what bench-publish wrote, and beside it" BENCHMARKS.md BENCHMARKS.md.sha256
cp -a to aside2
for folder in to.new to.replaced; do
  for name in notes.md BENCHMARKS.md run.json publish-of; do
    mkdir "$folder"; echo precious >"$folder/notes.md"; echo '  "reference": "new"' >"$folder/$name"
    beside="to $folder" refused "$folder with $name" "^publish: $folder is not of an earlier publish"
    rm -rf "$folder"; afresh
  done
done
mkdir to.new; realpath to >to.new/publish-of; echo precious >to.new/notes.md
beside="to to.new" refused "a publish's own folder with somebody's file" "^publish: to.new is not of an earlier publish"
check "… which stays" [ -e to.new/notes.md ]
afresh
mkdir -p to.new/{before,whole}; realpath to >to.new/publish-of; echo precious >to.new/before/notes.md
beside="to to.new" refused "what was published, aside, and another in its place" "^publish: to was made after a publish was killed"
check "… which stays" [ -e to.new/before/notes.md ]
afresh
check "a slash behind a name" eval 'publish listed yes full to/ && of 2 && [ "$(echo to*)" = to ]'
target=listed/inner refused "a folder in the report's" "^publish: listed and listed/inner lie in each other"
target=listed refused "the report's own folder" "^publish: listed and listed lie in each other"
check "… and nothing is left there" [ "$(echo listed* listed/inner*)" = "listed listed/inner*" ]
cp -a listed to/inner; from=to/inner refused "a report in the folder" "^publish: to/inner and to lie in each other"; rm -r to/inner
mkdir -p copied/{studies,docs,reports/pages}; : >copied/studies/CMakeLists.txt
for place in copied copied/docs/new copied/reports copied/reports/pages/new; do
  target=$place refused "a place among sources, $place" "^publish: cannot write into $place: .* is what reports are made of"
done
check "… and nothing is made there" [ -z "$(find copied -name 'new*')" ]
check "beside them one is published" publish listed yes full copied/reports/published
rm -r copied
mv to real; ln -s real to
refused "a link" "^publish: to is a symbolic link, which is not followed"
rm to; mv real to
if unshare -m true 2>/dev/null; then
  mkdir data to/data; echo precious >data/thesis
  unshare -m bash -c 'mount --bind data to/data && "$1" build listed to full --moved yes' _ "$scripts/publish" 2>err; code=$?
  check "with a folder mounted in it: refused (got $code)" [ "$code" -eq 2 ]
  check "… in one line" said_only "^publish: $work/to/data is mounted there, and would go with to; expected it to be unmounted"
  check "… and that is as it was" [ "$(cat data/thesis)" = precious ]
  rmdir to/data; rm -r data
else echo "skipped: a folder mounted in what is published, for nothing may be mounted here"; fi
preset='f.*l'; publish listed yes "$preset"; code=$?
check "a preset is no pattern (got $code)" eval '[ "$code" -eq 1 ] && said_only "not of the $preset preset"'
"$scripts/publish" none listed to full 2>err; code=$?
check "without a program (got $code)" eval '[ "$code" -eq 1 ] && said_only "^publish: no program in none; type: make programs"'
echo remarks >>listed/study/number
refused "a report that was edited" "^publish: listed/study/number was changed after perp wrote it"
rm -r to aside aside2

# ---- what long checks came to -------------------------------------------------------------------------------------------------
mkdir -p trusted/{scripts,tests,docs}
cp "$scripts/usage" trusted/scripts/
cp "$tests/trust" trusted/tests/
printf '# Page\n\n| %s | `c` | Not run | d | e |\n' "files" "changes (of ten)" >trusted/docs/TRUST.md
trust() { PERP_COMMIT=abc trusted/tests/trust build "$@" 2>err; }
check "a result is noted" trust files "make fuzz" <<<$'npy: 5 runs\nall is well'
check "… and enters the page" trust
check "… as its row, with command, day and commit" \
  grep -qE '^\| files \| `make fuzz` \| npy: 5 runs; all is well \| [0-9]{4}-[0-9]{2}-[0-9]{2} \| abc \|$' trusted/docs/TRUST.md
check "… and what was not run stays as it was" [ "$(grep -c 'Not run' trusted/docs/TRUST.md)" -eq 1 ]
rm -r build/trust
check "a result that was not measured again stays" eval 'trust && [ "$(grep -c "npy: 5 runs" trusted/docs/TRUST.md)" -eq 1 ]'
trust files "make fuzz" <<<"npy: 6 runs"
check "one that was takes its place" eval 'trust && [ "$(grep -c "npy: . runs" trusted/docs/TRUST.md)" -eq 1 ] && grep -q "npy: 6 runs" trusted/docs/TRUST.md'
trust "changes (of ten)" "make mutate" <<<"9 noticed"
check "a check's name is no pattern" eval 'trust && grep -q "^| changes (of ten) | .make mutate. | 9 noticed |" trusted/docs/TRUST.md'
trust files "make fuzz" <<<"npy: 7 runs"; echo precious >mine; ln -s "$work/mine" trusted/docs/TRUST.md.new; chmod 640 trusted/docs/TRUST.md
check "somebody's file beside the page stays" eval 'trust && [ -L trusted/docs/TRUST.md.new ] && [ "$(cat mine)" = precious ] && grep -q "npy: 7 runs" trusted/docs/TRUST.md'
check "… and the page's rights, and nothing else is there" eval '[ "$(stat -c %a trusted/docs/TRUST.md)" = 640 ] && [ "$(ls trusted/docs | wc -l)" -eq 2 ]'
rm trusted/docs/TRUST.md.new mine
check "what stands around is as it was" [ "$(sed -n 1p trusted/docs/TRUST.md)" = "# Page" ]
check "a result without a row is refused" eval '! trust nothing "make nothing" <<<x && grep -q "no row for .nothing" err'

# ---- runs on a text -----------------------------------------------------------------------------------------------------------
program pairs/learning <<<'mkdir -p "$8" && cat pairs/runs >"$8/text_runs.csv"'
echo run >pairs/runs; echo precious >mine; ln -s mine runs.csv.part
check "runs on a text are written" eval '"$scripts/text-pairs" pairs/learning runs.csv pairs/kept >answer 2>err && cmp -s pairs/runs runs.csv'
check "… and somebody's file beside them stays" eval '[ -L runs.csv.part ] && [ "$(cat mine)" = precious ] && [ "$(ls runs.csv* | wc -l)" -eq 2 ]'
rm -r pairs runs.csv runs.csv.part mine

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
  STEPS=$work/steps KILL=$1 WHEN=$2 PATH=$work/stubs:$PATH "$scripts/publish" build two to full --moved yes 2>err
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

# ---- a signal, no room ----------------------------------------------------------------------------------------------------------
program slow/perp <<<'[ "$1" = rope ] || exit 0; echo $$ >"$STARTED"; trap : INT; while :; do sleep 0.05; mkdir -p "$3"; done'
for signal in TERM HUP; do
  fresh; rm -f started
  STARTED=$work/started "$scripts/publish" slow two to full --moved yes 2>err & script=$!
  for _ in {1..100}; do [ -s started ] && break; sleep 0.05; done
  kill "-$signal" "$script"; wait "$script"; code=$?
  check "SIG$signal ends a publish (got $code)" [ "$code" -eq $((128 + $(kill -l $signal))) ]
  check "… and the program that it runs" eval '! kill -0 "$(cat started)" 2>/dev/null'
  check "… and nothing is left beside what is published" eval 'of 1 && [ "$(echo to*)" = to ]'
done
fresh; mkdir to/mine; echo precious >to/mine/notes.md
program slow/perp <<<'[ "$1" = rope ] || exit 0; echo $$ >started; until [ -e go ]; do sleep 0.05; done'
slowly() { rm -f started go; "$scripts/publish" slow two to full --moved yes 2>err.slow & script=$!; for _ in {1..100}; do [ -s started ] && break; sleep 0.05; done; }
slowly; "$scripts/publish" build one to full --moved yes 2>err & other=$!; sleep 1
check "a publish waits for another one" eval 'grep -qE "^publish: .* is in use; waiting until that has ended$" err && of 1'
touch go; wait "$script"; code=$?; wait "$other"; got=$?
check "… and both publish (got $code and $got)" [ "$code $got" = "0 0" ]
check "… one after the other" of 1
check "… what is somebody's stays, and nothing is beside it" eval '[ "$(cat to/mine/notes.md)" = precious ] && [ "$(echo to*)" = to ]'
fresh; mkdir to/mine; echo precious >to/mine/notes.md; ln to/mine/notes.md other.name
slowly; echo later >to/mine/notes.md; touch go; wait "$script"; code=$?
check "what is saved meanwhile is not lost (got $code)" eval '[ "$code" -eq 0 ] && [ "$(cat to/mine/notes.md)" = later ] && of 2'
check "… and a file keeps its other names" [ to/mine/notes.md -ef other.name ]
rm other.name
program lately/cp <<END
$(command -v cp) "\$@" || exit
[ "\$1" != -alT ] || { echo new >to/mine/saved; mv to/mine/saved to/mine/notes.md; }
END
PATH=$work/lately:$PATH "$scripts/publish" build one to full --moved yes 2>err; code=$?
check "what is saved under a new name while it is copied is not lost (got $code)" eval '[ "$code" -eq 1 ] && [ "$(cat to/mine/notes.md)" = new ] && said_only "^publish: to/mine was changed while it was copied; the same command starts again"'
check "… and what was published is as it was" eval 'of 2 && [ "$(echo to*)" = to ]'
for kept in to/mine/notes.md to/mine; do
  if chattr +i $kept 2>/dev/null; then
    publish one yes; code=$?
    check "with $kept for nobody to remove it ends in one line (got $code)" eval '[ "$code" -ne 0 ] && said_only "^publish: .*$kept"'
    check "… and all is as it was" eval 'of 2 && [ "$(echo to*)" = to ]'
    chattr -i to*/mine/notes.md to*/mine to.new/*/mine/notes.md to.new/*/mine 2>/dev/null
  else echo "skipped: no file can be made immutable here"; fi
done

fresh; cp -r one page; (cd page && { heads; sha256sum REPORT.md; } >REPORT.md.sha256); rm -rf to; publish page ""
program slow/perp <<<'[ "$1" = rope ] || { echo edited >>to/REPORT.md; exit 0; }'
"$scripts/publish" slow page to full 2>err; code=$?
check "a page that is edited while the numbers are compared is not lost (got $code)" eval '[ "$code" -eq 2 ] && said_only "^publish: to/REPORT.md was changed after perp wrote it" && grep -qx edited to/REPORT.md && [ "$(echo to*)" = to ]'
rm -r page
# Another user, where one can reach the scripts: not in a clone under a folder of root alone.
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$scripts/publish"; then
  fresh; chmod 711 .; mkdir -m 777 theirs; cp -r to theirs/to; chown -R 65534 theirs/to; echo precious >theirs/to/notes.md; rm -f build/publish.log; chmod 777 build
  setpriv --reuid 65534 --regid 65534 --clear-groups "$scripts/publish" build two theirs/to full --moved yes 2>err; code=$?
  check "what is another's is not made one's own (got $code)" eval '[ "$code" -eq 2 ] && said_only "^publish: theirs/to/notes.md is somebody else.s, or a folder that may not be written; "'
  check "… and stays his, with all that was published" eval '[ "$(stat -c %u theirs/to/notes.md)" -eq 0 ] && [ "$(cat theirs/to/study/number)" = 1 ] && [ "$(ls theirs)" = to ]'
  rm -r theirs
fi
fresh; rm -f build/publish.log; mkdir build/publish.log
not_logged() { timeout 10 "$scripts/publish" build one to full 2>err; code=$?; check "a log that is $1 is refused (got $code)" eval '[ "$code" -eq 2 ] && said_only "^publish: build/publish.log is no file; expected it to be moved away"'; }
not_logged "a folder"; rmdir build/publish.log; mkfifo build/publish.log; not_logged "a pipe"; rm build/publish.log
program broken/perp <<<'echo "perp verify: it says why" >&2; exit 2'
"$scripts/publish" broken one to full 2>err; code=$?
check "where nothing is compared no number has moved (got $code)" eval '[ "$code" -eq 2 ] && [ "$(cat err)" = "perp verify: it says why" ]'
head -c 100000 /dev/zero >one/large
(ulimit -f 8; "$scripts/publish" build one to full 2>err); code=$?
check "a file beyond the limit is said (got $code)" eval '[ "$code" -eq 1 ] && said_only "^publish: cp: .*File too large"'
rm one/large
fresh; echo mine >other; ln -sf ../other build/publish.log
unfollowed() { "$scripts/publish" build one to full >/dev/null 2>err; [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ "$(cat other)" = mine ]; }
check "a log that is a symbolic link is not written through" unfollowed
rm build/publish.log
fresh
if unshare -m true 2>/dev/null; then
  unshare -m bash -c 'mkdir small && mount -t tmpfs -o size=64k none small && mkdir small/to && head -c 100k /dev/zero >small/full 2>/dev/null
    "$1" build one small/to full 2>err; [ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && rm small/full && "$1" build one small/to full && [ "$(ls small)" = to ]' _ "$scripts/publish"; code=$?
  check "on a full disk it ends in one line, and with room it goes on (got $code)" [ "$code" -eq 0 ]
fi

# ---- what is installed -----------------------------------------------------------------------------------------------------------
mkdir -p bare/scripts
cp "$scripts"/{deps,usage} bare/scripts/
printf '%s\n' 'deps g++' 'deps-bench libblas3' 'deps-bench atlas' 'deps-ci locales' >bare/packages.txt
program debian/dpkg-query <<<'echo "installed g++"'
program debian/apt-get <<<'echo "$*" >>asked; [ "$1" = update ] || [ ! -e lists.old ] || { rm lists.old; exit 1; }; echo other >default'
program debian/gcc <<<'echo x86_64-linux-gnu'
program debian/update-alternatives <<'END'
case $1 in
  --query) [ -e default ] || exit 2; echo "Value: $(cat default)" ;;
  --set) echo "$3" >default ;;
esac
END
deps() { rm -f bare/asked; PATH=$work/debian:$PATH bare/scripts/deps "$@" 2>err; }
if [ "$(id -u)" -eq 0 ]; then
  check "without a BLAS of Debian's" eval 'deps deps deps-bench && grep -qx "install -y --no-install-recommends atlas libblas3" bare/asked'
  echo former >bare/default
  check "what was the default BLAS stays the default" eval 'deps deps-bench && [ "$(cat bare/default)" = former ]'
  check "… and that is said" grep -qE "^deps: liblapack.so.3-x86_64-linux-gnu was about to become other; kept at former$" err
  check "… and is not asked for other packages" eval 'deps deps-ci; [ "$(cat bare/default)" = other ]'
  touch bare/lists.old
  check "old lists of packages are fetched anew" eval 'deps deps-bench && grep -qx update bare/asked'
fi
check "nothing is asked where all is there" eval 'deps deps && [ ! -e bare/asked ]'
check "what packages.txt does not have is refused" eval '! deps deps deps-tests && [ ! -e bare/asked ]'
check "… in one line" eval '[ "$(wc -l <err)" -eq 1 ] && grep -q "^deps: packages.txt has nothing for .deps-tests.;" err'

# ---- usage ---------------------------------------------------------------------------------------------------------------------
# Whatever one of them would do instead of saying how it is called: it is not to install, build or fetch anything.
for tool in apt-get sudo cmake pip make curl flock; do program "none/$tool" <<<'exit 9'; done
mkdir called
run() { (cd called && PATH=$work/none:$PATH timeout 20 "$@" </dev/null) >answer 2>err; code=$?; }
said_usage() { [ "$code" -eq 2 ] && [ ! -s answer ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "^usage: ${1##*/} ?" err; }
for script in "$scripts"/* "$source_folder"/{packaging/{deb,manual,wheel},docs/token_ids.py} \
  "$tests"/{axe,coverage.py,long.sh,same-bytes,same-numbers,trust,mutations/run.py,lib/io/gguf_reference.py,cli/{arm64,fresh,package,same_binary,verify_pairs}.sh}; do
  [ -f "$script" ] && [ -x "$script" ] || continue
  name=${script##*/}
  run "$script" --help
  check "$name --help says how it is called, on standard output (got $code)" eval '[ "$code" -eq 0 ] && [ ! -s err ] && grep -qE "^usage: $name( |$)" answer'
  check "… and what it does" [ "$(wc -l <answer)" -ge 2 ]
  # These go without arguments.
  [[ $name =~ ^(run.py|same_binary.sh)$ ]] || { run "$script"; check "$name without arguments: its usage in one line (got $code)" said_usage "$script"; }
  [[ $(head -n 1 "$script") != *python3 ]] || { run "$script" --nothing; check "$name --nothing, too (got $code)" said_usage "$script"; }
done
check "nothing was written meanwhile" [ -z "$(ls -A called)" ]
for script in publish clean backends; do
  run "$scripts/$script" --nothing to from full
  check "$script takes no option for a folder (got $code)" [ "$code" -eq 2 ]
done

# ---- folders without a name ----------------------------------------------------------------------------------------------------
nameless() {  # nameless <script> <argument>…: one of which is empty
  "$scripts/$1" "${@:2}" >answer 2>err </dev/null; code=$?
  check "$* is refused (got $code)" [ "$code" -eq 2 ]
  check "… in one line that says what was expected" eval '[ "$(wc -l <err)" -eq 1 ] && grep -q "^'"${1##*/}: '' is no name of a folder; usage: ${1##*/}"' <" err'
}
for empty in 1 2 3; do
  folders=(build kept out); folders[empty - 1]=''
  nameless publish "${folders[@]}" full
  nameless bench-publish "${folders[@]}"
  [ "$empty" -lt 3 ] || continue
  nameless bench-peers "${folders[@]:0:2}" --rounds 1
done
for script in backends clean paper made-here; do nameless "$script" ""; done
nameless compile "" 2 ""
nameless ../tests/trust ""

# ---- more words ------------------------------------------------------------------------------------------------------------------
words() { "$scripts/args" ARGS "$1" printf '[%s]' command; }
check "a text is taken apart at blanks and quotes" [ "$(words "a 'b  c' \"\" d\\ e")" = "[command][a][b  c][][d e]" ]
check "… and nothing in it is run" [ "$(words '$(touch ran) `touch ran` *')" = '[command][$(touch][ran)][`touch][ran`][*]' ]
check "… an empty one has no words" [ "$(words "  ")" = "[command]" ]
check "one whose quotation mark is open is refused before anything runs" eval '! words "a \"b" >answer 2>err && [ ! -s answer ]'
check "… in one line" [ "$(cat err)" = 'ARGS=a "b: a quotation mark is open' ]
check "a command keeps its exit code" eval '"$scripts/args" ARGS "-c \"exit 7\"" bash; [ $? -eq 7 ]'

# ---- what a script makes takes no other file's name ------------------------------------------------------------------------------
made_late() {  # a file of that name is made while the script writes; on a file system with hard links, or without
  python3 -B - "$scripts" "$1" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import command
if sys.argv[2] == "unlinked":
    def no_link(*_): raise PermissionError(1, "Operation not permitted")
    os.link = no_link
with command.writing("new") as file: file.write(b"ours")
try:
    with command.writing("late") as file:
        file.write(b"ours")
        with open("late", "x") as other: other.write("precious")
except command.Failed as error:
    print(error)
END
}
for links in linked unlinked; do
  rm -f late new
  check "a name taken meanwhile, $links, is refused" [ "$(made_late $links)" = "late: File exists" ]
  check "… and stays" [ "$(cat late)" = precious ]
  check "… a new one is made" [ "$(cat new)" = ours ]
  check "… and no other" eval '! ls ./*.part 2>/dev/null'
done

python3 -B - "$scripts" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import command
for path, write in ("one.out", lambda path: command.writing(path).__enter__()), ("two.out", lambda path: command.write_together([(path, None, b"ours")])):
    with open(f"{path}.{os.getpid()}.part", "x") as other: other.write("precious")
    try: write(path)
    except command.Failed: pass
END
long_names=("$(printf 'n%.0s' {1..255})" "$(printf '\xf0\x9f\x98\x80%.0s' {1..63})")
check "names as long as names may be are written" python3 -B - "$scripts" "${long_names[@]}" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import command
for path in sys.argv[2:]:
    with command.writing(path) as file: file.write(b"ours")
END
check "… with what is theirs" [ "$(cat "${long_names[@]}")" = oursours ]
rm -f "${long_names[@]}"
check "a file with the name of a temporary one stays" [ "$(cat one.out.*.part two.out.*.part)" = preciousprecious ]
rm -f ./*.part

# ---- a folder of backends ----------------------------------------------------------------------------------------------------------
program pipless/python3 <<<'exit 1'
backends() { PATH=$work/pipless:$PATH "$scripts/backends" of >/dev/null 2>err; }
mkdir -p of/backends/mkl; echo precious >of/backends/mkl/libblas.so.3
check "a folder of backends that is somebody's is refused" eval '! backends && said_only "^backends: $work/of/backends holds what no earlier run wrote; expected it to be moved away"'
check "… and stays" [ "$(cat of/backends/mkl/libblas.so.3)" = precious ]
rm -r of
check "an own one is taken twice" eval 'backends && backends && [ "$(ls of/backends)" = publish-of ]'

# ---- two reports by their numbers ------------------------------------------------------------------------------------------------
mkdir -p numbers/before numbers/now
for side in before now; do cp -r "$source_folder/tests/golden/anatomy" "numbers/$side/"; done
chmod -R u+w numbers
alike() { "$tests/same-numbers" numbers/before numbers/now >answer 2>&1; }
check "a report has its own numbers" alike
sed -i '0,/"meaning": "/s//"meaning": "otherwise: /' numbers/now/anatomy/results.json
check "… whatever its texts say" alike
sed -i '0,/"value": [^,]*,/s//"value": 7.25,/' numbers/now/anatomy/results.json
check "another number is a difference" eval '! alike'
check "… which is named" grep -q '^differs: finding .*: value: .* became 7\.25$' answer
echo '{' >numbers/now/anatomy/results.json
check "a report that cannot be read is one line" eval '! alike && [ "$(wc -l <answer)" -eq 1 ] && grep -q "^same-numbers: numbers/now/anatomy/results.json: " answer'

# ---- a new claim ---------------------------------------------------------------------------------------------------------------
mkdir -p claims/scripts
cp "$scripts"/{new-claim,command.py} claims/scripts/
(cd "$source_folder" && cp --parents docs/adding-a-claim.md studies/*/{study.cpp,claims.hpp,chapter.md} studies/order/s1.md \
  tests/studies/*/quick.hpp "$work/claims")
for study in claims/studies/*; do mkdir -p "claims/tests/studies/${study##*/}"; done
chmod -R u+w claims
cp -r claims untouched
new_claim() { claims/scripts/new-claim "$@" >answer 2>err; }
not_new() {  # not_new <message> <argument>…
  new_claim "${@:2}"; local got=$?
  check "new-claim ${*:2} is refused (got $got)" [ "$got" -eq 2 ]
  check "… as: $1" grep -qF "$1" err
  check "… in one line" [ "$(wc -l <err)" -eq 1 ]
}
not_new "required: STATEMENT" Z1 order
not_new "'z1' is no name of a claim; expected a capital letter and a number" z1 order "It is so."
not_new "no study 'orders'; there are anatomy, capacity," Z1 orders "It is so."
not_new "the statement is one sentence on one line, without quotes, that ends in a full stop" Z1 order "It is so"
not_new "S1 is taken: studies/order/s1.md" S1 distance "It is so."
rm claims/studies/order/claims.hpp; mkfifo claims/studies/order/claims.hpp
not_new "studies/order/claims.hpp is no plain file" Z1 order "It is so."
rm claims/studies/order/claims.hpp; cp untouched/studies/order/claims.hpp claims/studies/order/
if chattr +i claims/studies/order/chapter.md 2>/dev/null; then  # the last to be replaced
  new_claim Z1 order "It is so."; got=$?
  chattr -i claims/studies/order/chapter.md
  check "a chapter that cannot be replaced is an error (got $got)" eval '[ $got -eq 1 ] && grep -q "chapter.md: " err && [ "$(wc -l <err)" -eq 1 ]'
  check "… and everything is as it was" diff -r untouched claims
else echo "skipped: no file can be made immutable here"; fi
mv claims/tests/studies/order away
not_new "no folder tests/studies/order; expected a checkout" Z1 order "It is so."
mv away claims/tests/studies/order
not_new "studies/inspect/study.cpp: expected a list of experiments" Z1 inspect "It is so."
check "a refusal writes nothing" diff -r untouched claims
for study in anatomy capacity distance learning order orthogonality; do
  rm -r claims && cp -r untouched claims
  check "$study gets a new claim" new_claim Z1 "$study" "It is so."
  check "… in eight files" [ "$(head -n -1 answer | wc -l)" -eq 8 ]
  check "… among the experiments" grep -qF ', claim_z1(options)}' "claims/studies/$study/study.cpp"
  check "… and the claims" grep -qE '^ +\{("[A-Z][0-9]+", )+"Z1"\}' "claims/studies/$study/study.cpp"
  check "… declared" grep -qx 'Experiment claim_z1(const Options& options);  // Z1' "claims/studies/$study/claims.hpp"
  check "… the last of its chapter" eval '[ "$(grep "{{section" "claims/studies/$study/chapter.md" | tail -n 1)" = "{{section Z1}}" ]'
  check "… nothing is left of the example's names" eval '! grep -riE "x1|example" claims/studies/*/z1* claims/tests/studies/*/z1.cpp'
done
rm -r claims && cp -r untouched claims
sed -i 's/$/\r/' claims/studies/order/study.cpp
check "line ends stay as they are" eval 'new_claim Z1 order "It is so." && ! grep -qv $'"'\\r\$'"' claims/studies/order/study.cpp && ! grep -q $'"'\\r'"' claims/studies/order/claims.hpp'
rm -r claims && cp -r untouched claims
mv claims/studies/order/claims.hpp other.hpp; cp other.hpp was.hpp; ln -s ../../../other.hpp claims/studies/order/claims.hpp
not_new "studies/order/claims.hpp is a symbolic link, which is not followed" Z1 order "It is so."
mv claims/tests/studies/order tested; ln -s ../../../tested claims/tests/studies/order; mv other.hpp claims/studies/order/claims.hpp
not_new "tests/studies/order is a symbolic link, which is not followed" Z1 order "It is so."
check "… and nothing is written there" eval 'cmp -s was.hpp claims/studies/order/claims.hpp && [ ! -e tested/z1.cpp ]'
rm -r claims tested && cp -r untouched claims
half() { (ulimit -f 1; new_claim Z1 order "It is so."); [ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE "^new-claim: .*/claims/.*: File too large$" err; }
check "without room for all of it, one line" half
check "… and nothing of it is left" diff -r untouched claims
new_claim Z1 orthogonality "It is so."
check "its tests ask what the study's others ask" eval 'grep -q "quick_results()" claims/tests/studies/orthogonality/z1.cpp &&
  grep -q "quick_results()" claims/tests/studies/orthogonality/quick.hpp'
not_new "Z1 is taken: studies/orthogonality/z1.md" Z1 order "It is so."

finish
