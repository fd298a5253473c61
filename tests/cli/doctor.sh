#!/usr/bin/env bash
# perp doctor on machines that are made up: what dpkg's list says, what PATH has, which BLAS is loaded.
# usage: doctor.sh <perp>
set -uo pipefail
perp=$(realpath "$1")
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
. "$source_folder/tests/cli/broken_blas.sh"

# status <package that is left out>: a list of dpkg's with everything that packages.txt names
status() {
  mkdir -p dpkg
  awk -v without="$1" '!/^#/ && $2 != without {print "Package: " $2 "\nStatus: install ok installed\nVersion: 1\n"}' \
    "$source_folder/packages.txt" >dpkg/status
}
mkdir tools
tool() {  # tool <name>: one that answers, and ends as a picture and a page do
  local end=more
  case $1 in gnuplot) end='</svg>' ;; pandoc) end='</html>' ;; esac
  printf '#!/bin/sh\necho "%s 9.9"\necho "%s"\n' "$1" "$end" >"tools/$1"; chmod +x "tools/$1"
}
for name in gnuplot pandoc chromium g++ clang++ cmake ninja; do tool $name; done
doctor() { DPKG_ADMINDIR=$work/dpkg PATH=$work/tools XDG_CACHE_HOME=$work/cache "$perp" doctor >out 2>err; }
verdict() { head -n 1 out; }
typed() { sed -n '2,/^$/p' out | grep -qF -- "  $1 "; }

status none
check "a machine that has everything" doctor
check "… is ready" grep -q '^ready' out
check "… and nothing is said beside it" [ ! -s err ]
check "… packages are all there" grep -qE '^  deps +all there$' out
check "… tools have their first line" grep -qF "  gnuplot            gnuplot 9.9 ($work/tools/gnuplot)" out
check "… the BLAS is named" grep -q '^BLAS ' out
check "… cells are counted" grep -qF "0 in $work/cache/perpendicular (0.0 MB)" out
mkdir -p cache/perpendicular/cells/a; head -c 300000 /dev/zero >cache/perpendicular/cells/a/b.cell; touch cache/perpendicular/cells/other
check "… those of the folder that keeps them" eval 'doctor && grep -qF "1 in $work/cache/perpendicular (0.3 MB)" out'
ln -s nowhere cache/perpendicular/cells/a/gone.cell; mkdir cache/perpendicular/cells/folder.cell
check "… and not those that have no size" eval 'doctor && grep -qF "1 in $work/cache/perpendicular (0.3 MB)" out'
check "seconds for a tool that are none" eval '! PERP_TOOL_SECONDS=abc doctor'
check "… are what to mend" typed "unset PERP_TOOL_SECONDS"
status cmake
check "a package that is missing" eval '! doctor'
check "… is the verdict" [ "$(verdict)" = "not ready; type" ]
check "… with what to type" typed "make deps"
check "… and named" grep -qE '^  deps +missing: cmake$' out
status none; sed -i '/^Package: cmake$/,/^$/s/install ok installed/install ok half-installed/' dpkg/status
check "one that is half there is missing" eval '! doctor && grep -qE "^  deps +missing: cmake$" out'
status slurm-wlm
check "one that only a check needs leaves it ready" eval 'doctor && grep -qE "^  deps-slurm +missing: slurm-wlm$" out'
rm dpkg/status
check "without dpkg" doctor
check "… the list is named" grep -q 'no dpkg here; .*packages.txt' out
status none
rm tools/pandoc
check "without pandoc" doctor
check "… it is ready for less" [ "$(verdict)" = "ready; for more, type" ]
check "… and says for what" typed "apt-get install pandoc"
rm tools/gnuplot
check "without gnuplot it is not ready" eval '! doctor && [ "$(verdict)" = "not ready; type" ]'
check "… and says for what" typed "apt-get install gnuplot-nox"
check "… what is missing is not found" grep -qxE '  gnuplot +not found' out
mkdir tools/gnuplot
check "a folder of that name is no program" eval '! doctor && grep -qxE "  gnuplot +not found" out'
rmdir tools/gnuplot
for name in gnuplot pandoc; do tool $name; done
for name in gnuplot pandoc; do
  # shellcheck disable=SC2016  # the tool's own $1
  for content in '#!/bin/sh\nexit 127\n' '#!/bin/sh\necho 9.9\n' '#!/bin/sh\n[ "$1" != --version ] || exec echo 9.9\nexit 1\n' '\x7fELF'; do
    printf "$content" >"tools/$name"
    doctor; got=$?
    check "a $name that does not work is said" grep -qE "^  $name +does not work \($work/tools/$name\)$" out
    check "… with what to type" typed "apt-get install --reinstall"
    check "… and no report comes about with it (got $got)" [ "$got" -eq 1 ]
  done
  tool $name
done
printf '\x7fELF' >tools/cmake
check "a tool of another processor ends nothing" eval 'doctor && grep -qF "cmake              does not work" out'
tool cmake
check "without a home it is not ready" eval '! DPKG_ADMINDIR=$work/dpkg PATH=$work/tools "$(command -v env)" -u HOME -u XDG_CACHE_HOME "$perp" doctor >out 2>err'
check "… the cells have no place" grep -qF "no folder: neither HOME nor XDG_CACHE_HOME is set" out
check "… with what to type" typed "perp report --kept FOLDER"
mv cache/perpendicular/cells aside; : >cache/perpendicular/cells
check "where cells cannot be written it is not ready" eval '! doctor && typed "perp report --kept FOLDER"'
check "… and why" grep -qF "cache/perpendicular (0.0 MB), which cannot be written to" out
rm cache/perpendicular/cells; mv aside cache/perpendicular/cells
: >cache/perpendicular/words
check "… nor words" eval '! doctor && typed "perp report --kept FOLDER"'
rm cache/perpendicular/words
: >perp-report
check "where the report has no place it is not ready" eval '! doctor && typed "perp report --out FOLDER"'
rm perp-report
mkdir perp-report; echo mine >perp-report/REPORT.md
check "… nor where somebody's report lies" eval '! doctor && typed "perp report --out FOLDER"'
check "… and why" grep -qF "it is there, and not written by an earlier run" out
rm perp-report/REPORT.md; : >perp-report/run.json.sha256
check "… nor in a published one" eval '! doctor && typed "perp report --out FOLDER"'
rm -r perp-report
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w cache/perpendicular/cells/a
  check "… nor where one folder of cells is another's" eval '! doctor && typed "perp report --kept FOLDER"'
  chmod u+w cache/perpendicular/cells/a
else echo "skipped: folders that root may write to"; fi
check "in a folder that was removed it is not ready" eval 'mkdir gone; ! (cd gone && rmdir ../gone && DPKG_ADMINDIR=$work/dpkg PATH=$work/tools:/usr/bin XDG_CACHE_HOME=$work/cache timeout 60 "$perp" doctor >../out 2>../err)'
check "… and says so" eval 'typed "perp report --out FOLDER"'
check "nor without a folder for temporary files" eval '! TMPDIR=$work/none doctor && typed "export TMPDIR=/tmp"'
rm tools/gnuplot
for folder in /usr/lib/*/blas; do
  [ -e "$folder/libblas.so.3" ] && [ -e "$(dirname "$folder")/openblas-pthread/libblas.so.3" ] ||
    { echo "skipped: a slow BLAS, for want of two"; continue; }
  check "a slow BLAS" eval '! LD_LIBRARY_PATH=$folder doctor && typed "perp report --blas openblas-pthread"'
  check "… and the one that is many times as fast" grep -qE "^  openblas-pthread +$(dirname "$folder")/openblas-pthread$" out
done
for folder in /usr/lib/*/openblas-serial; do
  [ -e "$folder/libblas.so.3" ] && [ -e "$(dirname "$folder")/openblas-pthread/libblas.so.3" ] ||
    { echo "skipped: an OpenBLAS without threads, for want of two"; continue; }
  check "an OpenBLAS without threads" eval '! LD_LIBRARY_PATH=$folder doctor && typed "perp report --blas openblas-pthread"'
  check "… for all of them" grep -qF "all threads instead of one" out
  check "… and why" grep -qE "^  without threads +two that call it at once" out
done

# ---- a signal while a tool hangs ----------------------------------------------------------------------------------------------
printf '#!/bin/sh\necho $$ >"%s/started"\nexec "%s" 300\n' "$work" "$(command -v sleep)" >tools/gnuplot; chmod +x tools/gnuplot
for signal in INT TERM; do
  rm -f started
  DPKG_ADMINDIR=$work/dpkg PATH=$work/tools XDG_CACHE_HOME=$work/cache "$(command -v env)" --default-signal "$perp" doctor >out 2>err & pid=$!
  for _ in {1..100}; do [ -s started ] && break; sleep 0.05; done
  kill "-$signal" "$pid"; wait "$pid"; got=$?
  check "SIG$signal ends the doctor (got $got)" [ "$got" -eq $((128 + $(kill -l $signal))) ]
  check "… and the tool that hangs" eval '! kill -0 "$(cat started)" 2>/dev/null'
done

# ---- libraries that are no BLAS: tried before they are trusted ----------------------------------------------------------------
status none
for name in gnuplot pandoc; do tool $name; done
if grep -q -e __asan_init -e __tsan_init "$perp"; then echo "skipped: broken libraries, which a sanitizer's own looking ahead meets first"
elif ! broken_blas; then echo "skipped: broken libraries, for want of gcc and libopenblas.so.0"
else
  check "a variable of another's begins no trial" eval 'PERP_TRY_BLAS= "$perp" --version >out && ! grep -q loaded out'
  check "a good one is tried, too" eval 'doctor && grep -qE "^  the loaded one +right" out'
  for name in empty part wide; do
    check "doctor beside the library '$name' is not ready" eval '! LD_LIBRARY_PATH=$work/$name doctor && [ "$(verdict)" = "not ready; type" ]'
    check "… says what to type" typed "unset LD_LIBRARY_PATH"
    check "… and why" grep -qE '^  the loaded one +(symbol lookup error: .*undefined symbol: |libblas.so.3 holds no cblas_dgemm|dgemm is wrong: |potrf gives info -4 )' out
  done
  untried() {  # untried <library> <why> <program> [argument ...]: begun beside a library that nobody named
    LD_LIBRARY_PATH=$work/$1 timeout -s KILL 60 "${@:3}" >out 2>err; local got=$?
    check "$(basename "$3") $4 beside the library '$1' exits with 1 (got $got)" [ "$got" -eq 1 ]
    check "… says why in one line" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qE ": the BLAS here, $work/'"$1"'/libblas.so.3: '"$2"'; perp doctor lists others$" err'
    check "… and makes nothing" [ ! -s out ]
  }
  table 300 12 1 >words.txt; table 40 12 2 >positions.txt
  ends='the process ended with 0 before its first product'
  untried ends "$ends" "$perp" report --only O4 --preset quick --kept kept --out o-ends --pages no
  untried ends "$ends" "$perp" inspect --words words.txt --positions positions.txt
  late='a library ended the program before it was done'
  untried late "$late" "$perp" inspect --words words.txt --positions positions.txt
  untried skew 'dsyrk is wrong: .*' "$perp" inspect --words words.txt --positions positions.txt
  for name in long broad low row other; do untried $name 'dgemm is wrong: .*' "$perp" inspect --words words.txt --positions positions.txt; done
  untried flat 'dtrsm is wrong: .*' "$perp" inspect --words words.txt --positions positions.txt
  untried wide 'potrf gives info -4 for a matrix of 33 x 33, or does not take 32-bit integers' "$perp" report --only O4 --preset quick --kept kept --out o-ends --pages no
  refuses() {  # refuses <folder> <why>
    timeout -s KILL 60 "$perp" report --blas "x=$work/$1" --only O4 --preset quick --kept kept --out "o-$1" --pages no >out 2>err; local got=$?
    check "--blas of the library '$1' exits with 2 (got $got)" [ "$got" -eq 2 ]
    check "… says why in one line" eval '[ "$(wc -l <err)" -eq 1 ] && grep -qE "^perp report: --blas x=$work/'"$1"': '"$2"'" err'
    check "… and makes nothing" [ ! -e "o-$1" ]
  }
  refuses empty '(symbol lookup error: .*undefined symbol: |.*/empty/libblas.so.3 holds no cblas_dgemm)'
  refuses part '(symbol lookup error: .*undefined symbol: |dgemm is wrong: )'
  refuses wide 'potrf gives info -4 for a matrix of 33 x 33, or does not take 32-bit integers'
  refuses text 'error while loading shared libraries: .*/text/libblas.so.3: '
  refuses cut 'the process died of signal (7|11)|error while loading shared libraries: '
  refuses dies 'the process died of signal 11'
  refuses exits 'the process ended with 0 before its first product'
  refuses late 'a library ended the program before it was done'
  refuses waits 'no result within 10 s'
  mkdir foreign; printf '\x7fELF\x01\x01\x01' | cat - <(head -c 1000 /dev/zero) >foreign/libblas.so.3
  refuses foreign '(the loader passes over .*/foreign/libblas.so.3 and takes /|error while loading shared libraries: )'
fi
full "$perp" doctor
finish
