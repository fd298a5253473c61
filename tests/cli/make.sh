#!/usr/bin/env bash
# The Makefile with made-up programs: folders with blanks, values that look like commands, variables of yesterday and of nobody,
# what make clean removes, checkouts that were copied.
# usage: make.sh
# shellcheck disable=SC2016,SC1003  # values are to arrive as they are written
set -uo pipefail
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
unset PERP_ALONE MAKEFLAGS MFLAGS MAKELEVEL

# A copy of the sources that has the verbs and nothing to build; each program notes what it was given, one argument a line.
mkdir "the sources"
copy "$source_folder"/{Makefile,scripts,packages.txt} "the sources"
mkdir "the sources/tests"
for study in order anatomy; do mkdir -p "the sources/studies/$study"; touch "the sources/studies/$study/chapter.md"; done
note='printf "%s\n" "$(basename "$0")" "$@" >>"$NOTES"'
for script in scripts/deps packaging/{deb,wheel} tests/{trust,long.sh} tests/cli/{survival,scale,slurm}.sh; do program "the sources/$script" <<<"$note"; done
program stubs/cmake <<END
$note
[ "\$1" != -S ] || { mkdir -p "\$4"; touch "\$4/build.ninja"; }
END
for tool in ctest clang-format run-clang-tidy shellcheck python3; do program "stubs/$tool" <<<"$note"; done
build() {  # build <folder>: as if everything had been compiled; perp writes a report of the preset full where it is told to
  program "$1/perp" <<END
$note
[ "\$1" = report ] || exit 0
while [ "\$1" != --out ]; do shift; done
mkdir -p "\$2/order"; touch "\$2/REPORT.md"; printf '"preset": "full"\n"seed": 1,\n' >"\$2/order/results.json"
END
  local tool
  for tool in studies/learning perp-bench; do program "$1/$tool" <<<"$note"; done
  echo CMAKE_PROJECT_NAME:STATIC=perpendicular >"$1/CMakeCache.txt"
  touch "$1/build.ninja"
}
export NOTES=$work/notes
run() { : >notes; PATH=$work/stubs:$PATH timeout 60 make -C "the sources" --no-print-directory "$@" >out 2>err; }
noted() { grep -qxF -- "$1" notes; }
after() { grep -xF -A 1 -- "$1" notes | grep -qxF -- "$2"; }  # after --option value: given in this order

# ---- folders with blanks --------------------------------------------------------------------------------------------------------
build "my build"
check "a report where every folder has a blank" run reports BUILD="$work/my build" OUT="$work/my out" KEPT="$work/my cells" \
  WORDS="$work/my words.npy" POSITIONS="$work/my positions.npy" BLAS="own=$work/a blas"
check "… has its folder" [ -s "my out/order/results.json" ]
check "… cells have theirs" after --kept "$work/my cells"
check "… words come whole" after --words "$work/my words.npy"
check "… and positions" after --positions "$work/my positions.npy"
check "… and the BLAS" after --blas "own=$work/a blas"
check "… and nothing else is said to perp" [ "$(grep -c '^--' <(sed -n '/^perp$/,$p' notes))" -eq 5 ]
check "figures" run figures BUILD="$work/my build" OUT="$work/my out"
check "… of that folder" after --results "$work/my out"
check "… and no pages" noted --only-figures
check "site" run site BUILD="$work/my build" OUT="$work/my out"
check "… as one file, too" eval 'after --results "$work/my out" && noted --single'
check "verify" run verify BUILD="$work/my build" STUDIES="order anatomy" ARGS="--published '$work/my out'"
check "… against that folder" after --published "$work/my out"
check "… the studies that were asked for" after --studies "order anatomy"
check "publish" run publish BUILD="$work/my build" OUT="$work/my out"
check "… to the folder that is committed" [ -s "the sources/reports/published/run.json" ]
check "… and README's numbers follow" after --readme README.md
check "the list of verbs shows the values" eval 'run help OUT="my out" && grep -q "^  OUT=my out  *where the report lies$" out'
check "… and every verb" eval 'for verb in reports verify bench doctor "deps deps-test" clean; do grep -qE "^  make $verb( |$)" out || exit 1; done'
check "a build folder in a folder that is not there yet" run programs BUILD="$work/new folder/build"
check "… is configured" [ -e "new folder/build/build.ninja" ]
program slow/cmake <<<'echo begin >>"$NOTES"; sleep 0.2; echo end >>"$NOTES"'
: >notes
for _ in 1 2; do PATH=$work/slow:$PATH NOTES=$work/notes "the sources/scripts/compile" "new folder/build" 2 "" & done; wait
check "two that compile in one folder take turns" [ "$(paste -sd ' ' notes)" = "begin end begin end" ]
check "flags with quotes" run programs BUILD="$work/other" CMAKE_FLAGS="-DA=1 -DCMAKE_CXX_FLAGS='-O1 -g'"
check "… are taken apart at their quotes" noted "-DCMAKE_CXX_FLAGS=-O1 -g"
check "others for the same folder" run programs BUILD="$work/other" CMAKE_FLAGS=-DA=2
check "… reach it, too" noted -DA=2
check "without any it is not configured again" eval 'run programs BUILD="$work/other" && ! noted -S'
check "more options" run reports BUILD="$work/my build" OUT="$work/my out" ARGS="--rows 1:513 --query 'my model.npy:q' --name ''"
check "… stand behind the others" [ "$(sed -n '/^--rows$/,$p' notes | tr '\n' ,)" = "--rows,1:513,--query,my model.npy:q,--name,," ]
check "… and reach the programs of other verbs" eval 'run test BUILD="$work/my build" ARGS="-R order" && after -R order'
check "… all of them" eval 'run fuzz BUILD="$work/my build" ARGS="--runs 3" && after --runs 3'
program "my build/perp" <<<'exit 2'
check "what perp ends with is said" eval '! run reports BUILD="$work/my build" ARGS="--nothing" && grep -q "Error 2$" err'
build "my build"
refused() {  # refused <part of the line> <verb> <variable=value>…: before anything is installed, built or measured
  local part=$1 code; shift
  run "$@" BUILD="$work/my build" OUT="$work/refused"; code=$?
  check "$* is refused (got $code)" [ "$code" -eq 2 ]
  check "… in one line with '$part'" eval '[ "$(grep -vc "^make: " err)" -eq 1 ] && grep -qF -- "$part" err'
  check "… and nothing is done" eval '! noted --kept && [ ! -e refused ]'
}
for variable in OUT BUILD KEPT; do
  for value in "" -x; do
    check "$variable='$value' is refused" eval '! run reports BUILD="$work/my build" OUT="$work/refused" "$variable=$value"'
    check "… in one line" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qF "$variable is '"'\$value'"'; expected the name of a folder" err'
  done
done
refused "ARGS=--preset quick \"x: a quotation mark is open" reports ARGS='--preset quick "x'
check "flags whose quotation mark is open are refused" eval '! run programs BUILD="$work/none" CMAKE_FLAGS="-DA=\"1"'
check "… in one line" eval '[ "$(grep -v "^make: " err)" = "CMAKE_FLAGS=-DA=\"1: a quotation mark is open" ] && [ ! -e none ]'
for jobs in x 0 -1; do
  check "JOBS=$jobs is refused" eval '! run build BUILD="$work/my build" JOBS="$jobs"'
  check "… in one line" eval '[ "$(grep -v "^make: " err)" = "compile: JOBS=$jobs: expected a number from 1" ]'
done
refused 'BLAS does not reach make bench-peers; expected LD_LIBRARY_PATH=FOLDER of a libblas.so.3' bench-peers BLAS=blis-pthread
for old in MPI RANKS; do refused "$old is now PART, on any machines: make reports PART=1/4 KEPT=DIR … PART=4/4 KEPT=DIR, then the same without PART" build $old=1; done
refused "SEED does not reach make doctor; expected it with reports verify blas-check choices." doctor SEED=3
refused "PRESET does not reach make clean figures; expected it with " clean figures PRESET=quick
refused "OUT does not reach make verify; " verify
check "what one of several verbs reads is no mistake" run doctor figures BUILD="$work/my build" OUT="$work/my out"
check "nor what nobody typed" env SEED=3 make -C "the sources" -sn doctor >/dev/null
check "the environment's own variables of such names are not meant" env NAME=here A=b run_it=1 NOPE=1 make -C "the sources" -s help >/dev/null
refused "out is no variable here; nearest is OUT (make help lists them; of another program: out=… make …)" reports out=mine
refused "PRESETS is no variable here; nearest is PRESET " reports PRESETS=quick
refused "CMAKE_FLAG is no variable here; nearest is CMAKE_FLAGS " reports CMAKE_FLAG=-DA=1
refused "NOPE is no variable here; nearest is " build 'NOPE=$(shell touch ../ran)' ONLY=O4
refused ".SHELLFLAGS is no variable here" reports .SHELLFLAGS=-c
refused "SHELL is /bin/sh; expected bash" reports SHELL=/bin/sh
check "what compilers, the loader and libraries read is handed on" run programs BUILD="$work/my build" CXX=g++ LDFLAGS=-s OPENBLAS_NUM_THREADS=1 \
  LD_LIBRARY_PATH="$work/a blas" DESTDIR= SHELL="$(command -v bash)"
check "a make around this one has its own variables" env MAKELEVEL=1 make -C "the sources" -s help NOPE=1 >/dev/null
for folder in "$work" "the sources/scripts"; do
  check "from $folder the Makefile is refused" eval '! (cd "$folder" && timeout 60 make -f "$work/the sources/Makefile" help >"$work/out" 2>"$work/err")'
  check "… in one line that says where" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qF "expected make -C '"'\$work/the sources'"'" err'
done
check "in its folder it has any name" make -C "the sources" -s -f "$work/the sources/Makefile" help >/dev/null
check "a build asks for what the tests need" run build BUILD="$work/my build"
check "… which are built with it" noted deps-test
check "a report" run reports BUILD="$work/my build" OUT="$work/my out" STUDIES=order
check "… does not" eval '! noted deps-test'
check "… and builds perp and the studies" eval 'noted perp && noted order && noted anatomy'
check "benches are configured" eval 'run bench BUILD="$work/my build" && noted -DPERP_BENCH=ON'
echo PERP_BENCH:BOOL=ON >>"my build/CMakeCache.txt"
check "… not twice" eval 'run bench BUILD="$work/my build" && ! noted -DPERP_BENCH=ON'
check "a report of one part" run reports BUILD="$work/my build" OUT="$work/my out" PART=3/16 KEPT="$work/my kept"
check "… which all machines keep in one folder" eval 'after --part 3/16 && after --kept "$work/my kept"'
check "a report of long is published apart" eval '! run publish BUILD="$work/my build" OUT="$work/my out" PRESET=long'
check "… and this one is of full" grep -q "not of the long preset; run: make reports PRESET=long" err

# ---- values that look like commands ---------------------------------------------------------------------------------------------
for value in 'O4"; touch ../ran; echo "' '$(touch ../ran)' '`touch ../ran`' "'; touch ../ran; echo '" '$(shell touch ../ran)' '${x}$y#z\w' \
  '; touch ../ran' '*' '--help'; do
  check "CORPUS=$value" run reports BUILD="$work/my build" OUT="$work/my out" CORPUS="$value" STUDIES=order
  check "… arrives as it is" after --corpus "$value"
  check "ONLY=$value" run reports BUILD="$work/my build" OUT="$work/my out" ONLY="$value"
  check "… too" after --only "$value"
  check "ARGS=$value" run reports BUILD="$work/my build" OUT="$work/my out" ARGS="$value"
  check "… comes in words" eval '[ "$(tail -n 1 notes)" = "$(tail -n 1 <(xargs -n 1 printf "%s\n" <<<"$value"))" ]'
  export WORDS=$value  # the environment's values are make's, too
  check "… from the environment, too" eval 'run reports BUILD="$work/my build" OUT="$work/my out" STUDIES=order && after --words "$value"'
  unset WORDS
done
check "a line break is refused" eval '! run reports BUILD="$work/my build" ONLY=$'"'O4\n\ttouch ../ran'"
check "… in one line" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qF "ONLY holds a line break" err'
hostile="x\"; touch ../ran; \$(touch ../ran)\`touch ../ran\`'; touch ../ran; '\$(shell touch ../ran)"
variables=$(sed -n 's/^variables := //p' "$source_folder/Makefile")
check "the list of variables is whole" [ "$(tr -s '[:space:]' '\n' <<<"$variables" | sort | tr -d '\n')" = \
  "$(sed -n 's/^\([A-Z_]*\) ?=.*/\1/p' "$source_folder/Makefile" | sort | tr -d '\n')" ]
check "each is explained" [ "$(grep -c '^[A-Z_]* ?=.*[^ ]#: ' "$source_folder/Makefile")/$(grep -c '^[A-Z_]* ?=#: ' "$source_folder/Makefile")" = 4/13 ]
set_all() {  # set_all <variable>…: all but these
  local variable
  values=()
  for variable in $variables; do [[ " $* " == *" $variable "* ]] || values+=("$variable=$hostile"); done
}
with_values() { : >notes; env "${values[@]}" PATH="$work/stubs:$PATH" timeout 60 make -C "the sources" --no-print-directory "$@" >out 2>err; }
verbs=$(sed -nE 's/^([a-z -]+):.*## .*/\1/p' "$source_folder/Makefile")
check "there are verbs" [ "$(wc -w <<<"$verbs")" -ge 40 ]
for verb in $verbs; do
  set_all; with_values "$verb"
  set_all BUILD STUDIES THREADS; STUDIES=order with_values "$verb" BUILD="$work/my build"
  [ -e "my build/CMakeCache.txt" ] || build "my build"
done
# Which verbs a variable reaches is what make says of it. PRESET and STUDIES are among the words that a report was made with.
make -C "the sources" -pn help 2>/dev/null | sed -n 's/^read_\([A-Z_]*\) := \(.*\)/\1 \2 /p' >table
for verb in $verbs; do
  values=() reached='' told=''
  for variable in $variables; do values+=("$variable=the-$variable"); done
  case $verb in help) continue ;; choices | bench-peers) values+=(BLAS=) ;; publish) reached='PRESET STUDIES ' ;; esac
  with_values -n "$verb"
  for variable in $variables; do
    if grep -qw -- "the-$variable" out; then reached+="$variable "; fi
    if grep -q "^$variable .* $verb \|^$variable $verb " table; then told+="$variable "; fi
  done
  check "what make $verb reads: $told" [ "$(xargs -n 1 <<<"$reached" | sort)" = "$(xargs -n 1 <<<"$told" | sort)" ]
done
set_all; run help "${values[@]}"
check "help shows values as they are" [ "$(grep -cF -- "$hostile" out)" -ge 15 ]
check "nothing in a value ran" [ ! -e ran ]

# ---- make clean -----------------------------------------------------------------------------------------------------------------
mkdir my build; touch my/file build/file
[ -e "my build" ] || build "my build"
check "make clean of a build folder with a blank" run clean BUILD="$work/my build"
check "… removes it" [ ! -e "my build" ]
check "… and not what its name's parts name" eval '[ -e my/file ] && [ -e build/file ]'
check "again: there is nothing to do" run clean BUILD="$work/my build"
not_removed() {  # not_removed <folder>
  local folder=$1
  check "make clean BUILD=$folder is refused" eval '! run clean BUILD="$folder"'
  check "… in one line" eval '[ "$(grep -vc "^make: " err)" -eq 1 ] && grep -q "^clean: .*nothing removed$" err'
}
not_removed "$work/my"
check "… and leaves everything" [ -e my/file ]
mkdir empty; not_removed "$work/empty"
echo CMAKE_PROJECT_NAME:STATIC=perpendicular >"the sources/CMakeCache.txt"; not_removed .; not_removed "$work/the sources"
check "… and leaves the sources" [ -e "the sources/Makefile" ]
check "clean . is refused, and nothing is removed" eval 'build "standing in"; ! (cd "standing in" && "$source_folder/scripts/clean" . 2>"$work/err") && [ -e "standing in/perp" ] && grep -qx "clean: .\..: expected a folder by its name; nothing removed" err'
mkdir piped; mkfifo piped/CMakeCache.txt; not_removed "$work/piped"
# A checkout, as the sources of what was configured in it, or somewhere below; a repository; a published report.
sources_in() { mkdir -p "$1"/{studies,reports/pages}; echo precious | tee "$1/studies/CMakeLists.txt" >"$1/notes.md"; }
for below in "" /deep/copy $'/de\nep/.git' /deep/.git /deep/.hg /bare.git/refs/heads /deep/run.json.sha256; do
  rm -rf held; build held
  case $below in "" | *copy) sources_in "held$below" ;; *) mkdir -p "held$below"; echo precious >held/notes.md ;; esac
  not_removed "$work/held"
  check "… and leaves the checkout" eval 'grep -rqx precious held/ && [ -e held/perp ]'
done
rm -rf held; build held; echo precious >held/notes.md; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$work/held" >>held/CMakeCache.txt
not_removed "$work/held"
check "… where a cache says so" [ -e held/notes.md ]
check "… nor does compile say to remove it" eval '! "the sources/scripts/made-here" held 2>err && [ "$(cat err)" = "held holds the sources of a checkout; give another BUILD" ]'
# Nor a folder of a checkout's own, in which no build begins either.
sources_in checkout; mkdir checkout/docs; echo precious >checkout/docs/notes.md
check "no build begins among sources" eval '! "the sources/scripts/made-here" checkout/docs 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q "checkout/docs is what reports are made of; .*; give another BUILD$" err'
check "… but beside them" "the sources/scripts/made-here" checkout/build
mkdir -p taken/letters kept/{cells,words,bench,models}
check "nor among somebody's files, which clean would remove" eval '! "the sources/scripts/made-here" taken 2>err && [ "$(cat err)" = "taken holds letters, which no build made; give another BUILD" ]'
check "… but among what other verbs keep there" "the sources/scripts/made-here" kept
rm -r taken kept
mv checkout/docs docs.before; build checkout/docs; mv docs.before/notes.md checkout/docs; not_removed "$work/checkout/docs"
check "… and leaves what is there" grep -qx precious checkout/docs/notes.md
rm -rf checkout docs.before
rm -rf held; build held; sources_in aside; ln -s ../aside held/aside; mkdir -p held/same-bytes/abc; : >held/same-bytes/abc/.git
check "a link to one, and the commits of same-bytes, go" eval 'run clean BUILD="$work/held" && [ ! -e held ] && [ -e aside/notes.md ]'

# ---- nothing is built ------------------------------------------------------------------------------------------------------------
check "doctor without a build" eval '! run doctor BUILD="$work/empty"'
check "… says what to type" grep -qxF "not ready: nothing is built in $work/empty; type: make programs" out

# ---- a build folder that may only be read -------------------------------------------------------------------------------------
build "read only"
as_reader() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then as_reader() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }; fi
: >notes; chmod 666 notes; chmod 755 "$work"; chmod a-w "read only"
check "without the right to write the build folder nothing is compiled" eval \
  'PATH=$work/stubs:$PATH as_reader "the sources/scripts/compile" "read only" 2 "" -DPERP_BENCH=ON order 2>err && [ ! -s notes ]'
check "… and that is said" grep -q "^compile: no right to write read only" err
chmod u+w "read only"
mkdir -p guarded/{a,b}; touch guarded/{a,b}/{1..9}; build guarded; chmod a-w guarded/{a,b}
check "make clean by somebody who may not is refused" eval '! as_reader "the sources/scripts/clean" guarded 2>err'
check "… in one line, with the first reason and how many there are" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qE "^clean: rm: .*: Permission denied; [0-9]+ such lines in all$" err'
check "… and nothing is lost" [ "$(find guarded -type f | wc -l)" -ge 18 ]
chmod -R u+w guarded

# ---- checkouts that were copied or moved, with the folder they were built in: CMake and ninja as they are -----------------------
mkdir "first one" && copy "$source_folder/scripts" "first one"
echo 'cmake_minimum_required(VERSION 3.25)
project(perpendicular LANGUAGES NONE)
add_custom_target(perp ALL COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/perp)' >"first one/CMakeLists.txt"
at() { (cd "$1" && timeout 60 "scripts/$2" "${@:3}" >"$work/out" 2>"$work/err"); }
files_of() { find "$1" -type f -printf '%p %T@\n' | sort; }
check "a build" at "first one" compile build 1 ""
cp -a "first one" "second one"
before=$(files_of "first one")
touch "second one/CMakeLists.txt"
elsewhere() {  # elsewhere <folder> <build> <said>
  at "$1" compile "$2" 1 ""; code=$?
  check "in $1, $2 of another checkout is refused (got $code)" [ "$code" -eq 2 ]
  check "… in one line that says what to type" [ "$(cat err)" = "$2 was made $3; type: make clean BUILD=$2, or give another BUILD" ]
}
elsewhere "second one" build "in $work/first one"
check "… and the other is as it was" [ "$(files_of "first one")" = "$before" ]
check "make clean in the copy" at "second one" clean build
check "… removes the copy's alone" eval '[ ! -e "second one/build" ] && [ "$(files_of "first one")" = "$before" ]'
check "… and then it is built" eval 'at "second one" compile build 1 "" && [ -e "second one/build/perp" ]'
mv "second one" "third one"
elsewhere "third one" build "in $work/second one"
mv "first one/build" "first one/other"
elsewhere "first one" other "as $work/first one/build"
mv "first one/other" "first one/build"
mkdir foreign; echo precious >foreign/perp
at "first one" compile "$work/foreign" 1 ""; code=$?
check "a folder with somebody's perp is none to build in (got $code)" [ "$code/$(cat err)/$(cat foreign/*)" = "2/$work/foreign holds perp, which no build made; give another BUILD/precious" ]
ln -s "first one" linked
check "a link to the checkout is the checkout" at linked compile build 1 ""
ln -s "$work/first one/build" "third one/link"
elsewhere "third one" link "in $work/first one"
check "make clean of a link takes the link" eval 'at "third one" clean link && [ ! -e "third one/link" ] && [ -e "first one/build/perp" ]'

# ---- the commit that a report says of itself --------------------------------------------------------------------------------------
if as_reader sh -c ": 2>/dev/null >/dev/null"; then
  commit() { as_reader env HOME="$work" GIT_CEILING_DIRECTORIES="$work" make -C "the sources" -pn help 2>err | sed -n 's/^PERP_COMMIT := //p'; }
  git_here() { git -C "the sources" -c user.name=x -c user.email=x@x "$@"; }
  check "outside of git there is none" [ "$(commit)" = unknown ]
  git_here init -q && git_here add -A && git_here commit -qm x
  head=$(git_here rev-parse --short=12 HEAD)
  check "in another user's checkout it is known" [ "$(commit)" = "$head" ]
  echo >>"the sources/packages.txt"
  check "… and that it was changed" [ "$(commit)" = "$head+changes" ]
else echo "skipped: what commit it is, for /dev/null is not everybody's here"; fi
finish
