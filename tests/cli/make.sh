#!/usr/bin/env bash
# The Makefile with made-up programs: folders with blanks, values that look like commands, what make clean removes.
# usage: make.sh
# shellcheck disable=SC2016,SC1003  # values are to arrive as they are written
set -uo pipefail
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
unset PERP_ALONE MAKEFLAGS MFLAGS MAKELEVEL

program() {  # program <file>: made of standard input
  mkdir -p "$(dirname "$1")"
  { echo '#!/usr/bin/env bash'; cat; } >"$1"
  chmod +x "$1"
}

# A copy of the sources that has the verbs and nothing to build; each program notes what it was given, one argument a line.
mkdir "the sources"
copy "$source_folder"/{Makefile,scripts,packages.txt} "the sources"
mkdir "the sources/reports"
copy "$source_folder/reports/templates" "the sources/reports/"
for study in "$source_folder"/studies/*/main.cpp; do
  mkdir -p "the sources/studies/$(basename "$(dirname "$study")")"
  touch "the sources/studies/$(basename "$(dirname "$study")")/main.cpp"
done
note='printf "%s\n" "$(basename "$0")" "$@" >>"$NOTES"'
program "the sources/scripts/deps" <<<"$note"
program stubs/cmake <<END
$note
[ "\$1" != -S ] || { mkdir -p "\$4"; touch "\$4/build.ninja"; }
END
for tool in ctest clang-format run-clang-tidy shellcheck python3; do program "stubs/$tool" <<<"$note"; done
build() {  # build <folder>: as if everything had been compiled
  local study
  for study in orthogonality distance capacity order learning anatomy inspect; do
    program "$1/studies/$study" <<END
[ "\$1" != --help ] || { printf '  %s\n' --preset --seed --threads --build --out --{only,corpus,words,positions,rows,query,key,heads} \
  --{name,models,layernorm,limit,transpose,query-bias,key-bias,rows-words,rank-words,rank-positions}; exit; }
$note; printf '%s\n' "LD_LIBRARY_PATH=\$LD_LIBRARY_PATH" >>"\$NOTES"
for last; do :; done
mkdir -p "\$last"; printf '"preset": "full"\n"seed": 1,\n' >"\$last/results.json"
END
  done
  program "$1/reports/render" <<END
$note
while [ "\$1" != --out ]; do shift; done
mkdir -p "\$2"; touch "\$2/REPORT.md"
END
  for tool in reports/verify bench/bench bench/scaling; do program "$1/$tool" <<<"$note"; done
  echo CMAKE_PROJECT_NAME:STATIC=perpendicular >"$1/CMakeCache.txt"
  touch "$1/build.ninja"
}
export NOTES=$work/notes
run() { : >notes; PATH=$work/stubs:$PATH timeout 60 make -C "the sources" --no-print-directory "$@" >out 2>err; }
noted() { grep -qxF -- "$1" notes; }
after() { grep -xF -A 1 -- "$1" notes | grep -qxF -- "$2"; }  # after --option value: given in this order

# ---- folders with blanks --------------------------------------------------------------------------------------------------------
build "my build"
mkdir "a blas"; touch "a blas/libblas.so.3"
check "a report where every folder has a blank" run reports BUILD="$work/my build" OUT="$work/my out" KEPT="$work/my cells" \
  WORDS="$work/my words.npy" POSITIONS="$work/my positions.npy" BLAS="own=$work/a blas"
check "… each study has its folder" [ -s "my out/inspect/results.json" ]
check "… cells have theirs" after --build "$work/my cells"
check "… words come whole" after --words "$work/my words.npy"
check "… and positions" after --positions "$work/my positions.npy"
check "… the BLAS is on the loader's path" eval 'grep -qE "^LD_LIBRARY_PATH=$work/a blas(:|$)" notes'
check "… and it is rendered" after --results "$work/my out"
check "figures" run figures BUILD="$work/my build" OUT="$work/my out"
check "… of that folder" after --out "$work/my out"
mkdir -p "my build/verify/kept"; touch "my build/verify/kept/cell"
check "verify" run verify BUILD="$work/my build" PUBLISHED="$work/my out" STUDIES="order anatomy"
check "… with nothing that an earlier one kept" [ ! -e "my build/verify/kept/cell" ]
check "… against that folder" after --published "$work/my out"
check "… the studies that were asked for" after --studies "order anatomy"
check "inspect" run inspect BUILD="$work/my build" OUT="$work/my out" WORDS="$work/my words.npy" NAME=mine
check "… remembers the model" grep -qxF "words = $work/my words.npy" "my build/models.txt"
check "publish" run publish BUILD="$work/my build" OUT="$work/my out"
check "… to the folder that is committed" [ -s "the sources/reports/published/run.json" ]
check "the list of verbs shows the values" eval 'run help OUT="my out" && grep -qx "  OUT=my out" out'
check "a build folder in a folder that is not there yet" run configured BUILD="$work/new folder/build"
check "… is configured" [ -e "new folder/build/build.ninja" ]
check "flags with quotes" run configured BUILD="$work/other" CMAKE_FLAGS="-DA=1 -DCMAKE_CXX_FLAGS='-O1 -g'"
check "… are taken apart at their quotes" noted "-DCMAKE_CXX_FLAGS=-O1 -g"
check "a BLAS that is not there is refused" eval '! run reports BUILD="$work/my build" OUT="$work/none" BLAS=blsi'
check "… and said" grep -qF "BLAS=blsi: no libblas.so.3 in " err
check "… before anything is measured" [ ! -e none ]
check "a study that does not exist is refused" eval '! run reports BUILD="$work/my build" STUDIES="order nonsense"'
check "… by its name" grep -qF "no study 'nonsense'; there are: " err
refused() {  # refused <part of the line> <variable=value>…: before anything is installed, built or measured
  local part=$1 code; shift
  run reports BUILD="$work/my build" OUT="$work/refused" "$@"; code=$?
  check "$* is refused (got $code)" [ "$code" -eq 2 ]
  check "… in one line with '$part'" eval '[ "$(grep -vc "^make: " err)" -eq 1 ] && grep -qF -- "$part" err'
  check "… and nothing is done" eval '[ ! -s notes ] && [ ! -e refused ]'
}
check "one claim" run reports BUILD="$work/my build" OUT="$work/one" ONLY=O4
check "… is its study's" after --only O4
check "… the others are neither built nor run" eval '! grep -qxE "distance|capacity|order|learning|anatomy" notes && [ "$(ls one)" = "$(printf "%s\n" REPORT.md orthogonality)" ]'
check "several claims" run reports BUILD="$work/my build" OUT="$work/one" ONLY="T1 O4,A10  O1"
check "… each of its study" eval 'after --only "O4 O1" && after --only "T1 A10" && ! noted distance'
check "a claim that needs a model, with one" run reports BUILD="$work/my build" OUT="$work/one" ONLY=M3 WORDS="$work/my words.npy"
check "… is measured" eval 'after --only M3 && noted inspect && ! noted order'
refused "M3 is measured of a model: expected WORDS=FILE, POSITIONS=FILE or MODELS=FILE" ONLY="O4 M3"
refused "M3 is measured of a model: expected WORDS=FILE, " ONLY=M3 STUDIES=inspect
refused "ONLY='X9': no study has this claim; there are: A1 A2 " ONLY="O4 X9"
refused "ONLY=O4: of the study orthogonality, which is not in STUDIES=\"order distance\"" ONLY="S1 O4" STUDIES="order distance"
for variable in OUT BUILD KEPT PUBLISHED; do refused "$variable is empty" "$variable="; done
check "verify of one claim is refused" eval '! run verify BUILD="$work/my build" PUBLISHED="$work/my out" ONLY=S1'
check "… in one line" eval '[ "$(grep -v "^make: " err)" = "verify: ONLY: whole studies are compared; STUDIES=… chooses" ]'
for jobs in x 0 -1; do
  check "JOBS=$jobs is refused" eval '! run build BUILD="$work/my build" JOBS="$jobs"'
  check "… in one line" eval '[ "$(grep -v "^make: " err)" = "compile: JOBS=$jobs: expected a number from 1" ]'
done
touch file
for out in file file/below; do
  check "OUT=$out, a file, is refused" eval '! run reports BUILD="$work/my build" OUT="$work/$out"'
  check "… in one line" eval '[ "$(grep -vc "^make: " err)" -eq 1 ] && grep -q "^report: cannot create directory .*; expected" err'
done
check "a build asks for what the tests need" run build BUILD="$work/my build"
check "… which are built with it" after deps deps-test
check "a report" run reports BUILD="$work/my build" OUT="$work/my out" STUDIES=order
check "… does not" eval '! noted deps-test'
check "ranks share the threads" run -n reports BUILD="$work/my build" THREADS=7 RANKS=3
check "… rounded down" grep -qF -- "--threads 2 " out
check "… and the studies are linked for mpirun" eval 'run programs BUILD="$work/my build" RANKS=3 && noted order_mpi && noted anatomy_mpi'

# ---- values that look like commands ---------------------------------------------------------------------------------------------
for value in 'O4"; touch ../ran; echo "' '$(touch ../ran)' '`touch ../ran`' "'; touch ../ran; echo '" '$(shell touch ../ran)' '${x}$y#z\w' \
  '; touch ../ran' '*' '--help'; do
  check "NAME=$value" run reports BUILD="$work/my build" OUT="$work/my out" NAME="$value" STUDIES=order
  check "… arrives as it is" after --name "$value"
  check "ONLY=$value is no claim" eval '! run reports BUILD="$work/my build" OUT="$work/my out" ONLY="$value"'
  check "… and is said in one line" eval '[ "$(grep -vc "^make: " err)" -eq 1 ] && grep -q "^ONLY=.*: no study has this claim" err'
  export WORDS=$value  # the environment's values are make's, too
  check "… from the environment, too" eval 'run reports BUILD="$work/my build" OUT="$work/my out" STUDIES=order && after --words "$value"'
  unset WORDS
done
check "a line break is refused" eval '! run reports BUILD="$work/my build" ONLY=$'"'O4\n\ttouch ../ran'"
check "… in one line" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qF "ONLY holds a line break" err'
hostile="x\"; touch ../ran; \$(touch ../ran)\`touch ../ran\`'; touch ../ran; '\$(shell touch ../ran)"
variables=$(sed -n '/^variables = /,/[^\\]$/p' "$source_folder/Makefile" | tr -d '\\' | cut -d = -f 2)
check "the list of variables is whole" [ "$(tr -s '[:space:]' '\n' <<<"$variables" | sort | tr -d '\n')" = \
  "$(sed -n 's/^\([A-Z_]*\) ?=.*/\1/p' "$source_folder/Makefile" | sort | tr -d '\n')" ]
set_all() {  # set_all <variable>…: all but these
  local variable
  values=()
  for variable in $variables; do [[ " $* " == *" $variable "* ]] || values+=("$variable=$hostile"); done
}
for verb in help build reports inspect verify figures site publish bench blas-check bench-peers scaling backends test test-survival \
  sanitize sanitize-threads coverage mutate trust fuzz lint doctor install clean; do
  set_all; run "$verb" "${values[@]}"
  set_all BUILD STUDIES BLAS THREADS; run "$verb" "${values[@]}" BUILD="$work/my build" STUDIES=order
  [ -e "my build/CMakeCache.txt" ] || build "my build"
done
set_all; run help "${values[@]}"
check "help shows values as they are" [ "$(grep -cF -- "$hostile" out)" -ge 15 ]
check "nothing in a value ran" [ ! -e ran ]

# ---- make clean -----------------------------------------------------------------------------------------------------------------
mkdir my build; touch my/file build/file
[ -e "my build" ] || build "my build"
check "make clean of a build folder with a blank" run clean BUILD="$work/my build"
check "… removes it" [ ! -e "my build" ]
check "… and not what its name's parts name" [ -e my/file ] && [ -e build/file ]
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

# ---- a build folder that may only be read -------------------------------------------------------------------------------------
build "read only"
as_reader() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then as_reader() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }; fi
mkdir theirs; chmod 777 theirs; : >notes; chmod 666 notes; chmod 755 "$work"; chmod a-w "read only"
check "without the right to write the build folder nothing is compiled" eval \
  'PATH=$work/stubs:$PATH as_reader "the sources/scripts/compile" "read only" 2 order 2>err && [ ! -s notes ]'
check "… and that is said" grep -q "^compile: no right to write read only" err
check "… and the report is made" as_reader "the sources/scripts/report" "read only" theirs/kept theirs/out order --seed 1
chmod u+w "read only"

# ---- the commit that a report says of itself --------------------------------------------------------------------------------------
commit() { as_reader env HOME="$work" GIT_CEILING_DIRECTORIES="$work" make -C "the sources" -pn help 2>err | sed -n 's/^PERP_COMMIT := //p'; }
git_here() { git -C "the sources" -c user.name=x -c user.email=x@x "$@"; }
check "outside of git there is none" [ "$(commit)" = unknown ]
git_here init -q && git_here add -A && git_here commit -qm x
head=$(git_here rev-parse --short=12 HEAD)
check "in another user's checkout it is known" [ "$(commit)" = "$head" ]
echo >>"the sources/packages.txt"
check "… and that it was changed" [ "$(commit)" = "$head+changes" ]
finish
