#!/usr/bin/env bash
# How a program settles threads and kernels, on a BLAS made up for it: which core type it asks for, that it restarts once
# and never again, and what it says where the kernels do not take.
# usage: kernels.sh <kernels_tool> <study program>
set -uo pipefail
export LC_ALL=C
tool=$(realpath "$1") study=$(realpath "$2")
# shellcheck source=tests/cli/checks.sh
. "$(dirname "$0")/checks.sh"
# What stands in for a BLAS is loaded before the program, and before its AddressSanitizer, if it has one.
export ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
unset PERP_KERNELS OPENBLAS_CORETYPE BLIS_ARCH_TYPE PERP_SETTLED OPENBLAS_NUM_THREADS OMP_NUM_THREADS BLIS_NUM_THREADS MKL_NUM_THREADS

# An OpenBLAS that picks STUB_PICKS by itself, takes what STUB_TAKES lists, and holds what the rule asks for, without Haswell
# with STUB_LACKS.
cat >stub.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
void cblas_dgemm(void) {}
void dgesdd_(void) {}
int gotoblas = 1, gotoblas_HASWELL = 1, gotoblas_ZEN = 1, gotoblas_SKYLAKEX = 1;
__attribute__((constructor)) static void lack(void) { gotoblas_HASWELL = getenv("STUB_LACKS") == NULL; }
static const char* given(const char* name, const char* otherwise) { return getenv(name) ? getenv(name) : otherwise; }
const char* openblas_get_config(void) {
  static char text[200];
  snprintf(text, sizeof text, "OpenBLAS %s NO_LAPACKE %s x", given("STUB_VERSION", "0.3.21"), given("STUB_ARCH", "DYNAMIC_ARCH"));
  return text;
}
int openblas_get_parallel(void) { return atoi(given("STUB_PARALLEL", "1")); }
const char* openblas_get_corename(void) {
  const char *wish = getenv("OPENBLAS_CORETYPE"), *takes = given("STUB_TAKES", "Nehalem Sandybridge Haswell Zen SkylakeX");
  return wish && *wish && strcasestr(takes, wish) ? wish : given("STUB_PICKS", "Prescott");
}
END
gcc -D_GNU_SOURCE -shared -fPIC -o libblas.so.3 stub.c || exit 1
stub=$PWD/libblas.so.3
ask() { timeout 20 env "$@" LD_PRELOAD="$stub" "$tool" >out 2>err; }
says() { grep -qx -- "$1" out; }
starts() { [ "$(grep -c '^started$' out)" -eq "$1" ]; }

flags=" $(sed -n 's/^flags[^:]*: *//p' /proc/cpuinfo | head -n 1) "
amd=$(grep -m 1 -o AuthenticAMD /proc/cpuinfo)
if [[ $flags == *" avx512f "* && $flags == *" avx512cd "* && $flags == *" avx512bw "* && $flags == *" avx512dq "* && $flags == *" avx512vl "* ]]
then best=SkylakeX blis_best=skx
elif [[ $flags == *" avx2 "* && $flags == *" fma "* ]]; then if [ -n "$amd" ]; then best=Zen; else best=Haswell blis_best=haswell; fi
else echo "skipped: a processor without AVX2"; finish; exit; fi
[ -z "$amd" ] || blis_best=zen

# ---- the table ------------------------------------------------------------------------------------------------------------
ask STUB_PICKS=Prescott
check "an unknown processor's Prescott becomes $best" says "chosen: $best"
check "… which runs" says "runs: $best"
check "… it says what was picked" says "picked: Prescott"
check "… after one restart, for threads and kernels together" starts 2
check "… with one thread" says "threads: 1"
check "… without a warning" says "warning: "
ask STUB_PICKS="$best" OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 BLIS_NUM_THREADS=1 MKL_NUM_THREADS=1
check "a good pick and one thread: no restart" starts 1
check "… nothing chosen" says "chosen: "

# ---- a core type that does not take --------------------------------------------------------------------------------------
ask STUB_PICKS=Prescott STUB_TAKES=none; got=$?
check "kernels that do not take: goes on (got $got)" [ "$got" -eq 0 ]
check "… after one restart" starts 2
check "… with one line" grep -qE "^warning: OpenBLAS 0.3.21 did not take its $best kernels and runs Prescott" out

# ---- a build without threads, which two must not call at once ----------------------------------------------------------------
ask STUB_PARALLEL=1
check "beside a build with threads tasks have more than one" grep -qx "workers: [2-4]" out
ask STUB_PARALLEL=0
check "… beside one without they have one" says "workers: 1"
check "… which is said" grep -q "^warning: OpenBLAS 0.3.21 was built without threads, .*: one thread works; libopenblas0-pthread serves all$" out
for serial in /usr/lib/*/openblas-serial; do
  if [ ! -e "$serial/libblas.so.3" ]; then echo "skipped: an OpenBLAS without threads, which is not here"; continue; fi
  LD_LIBRARY_PATH=$serial "$study" --only O1 --preset quick --threads 4 --out serial >said 2>err; got=$?
  check "an OpenBLAS without threads, four asked for (got $got)" [ "$got" -eq 0 ]
  check "… says so" grep -q "was built without threads" err
  check "… and works with one" grep -q '^ *"threads": 1,$' serial/run.json
done

# ---- a version that nobody tried --------------------------------------------------------------------------------------------------
ask STUB_PICKS=Prescott STUB_VERSION=0.3.20
check "a version nobody held against references: left alone" says "chosen: "
check "… with a line that names the way" grep -q "^warning: .*PERP_KERNELS=$best" out

# ---- what the user says --------------------------------------------------------------------------------------------------------
ask PERP_KERNELS=haswell STUB_PICKS=Prescott
check "a name" says "runs: Haswell"
ask OPENBLAS_CORETYPE=Unheard STUB_PICKS=Prescott
check "an unknown OPENBLAS_CORETYPE is said" grep -q "^warning: .*did not take OPENBLAS_CORETYPE=Unheard and runs Prescott" out
unfit() {  # unfit <part of the line> variable=value…
  local part=$1; shift
  ask "$@"; local got=$?
  check "$*: exit code 2 (got $got)" [ "$got" -eq 2 ]
  check "… '$part'" grep -q -- "^refused: .*$part" out
  check "… before any restart" starts 1
}
unfit "expected best, as-picked or one of SkylakeX" PERP_KERNELS=Pentium
unfit "does not hold these kernels" PERP_KERNELS=Haswell STUB_LACKS=1
unfit "has no choice of kernels" PERP_KERNELS=Haswell STUB_ARCH=

# ---- children: the guard holds the number of the restarted process ------------------------------------------------------------
# A child of a restarted process inherits its environment; the guard is not about the child.
ask PERP_SETTLED="1 Prescott Sandybridge" OPENBLAS_CORETYPE=Sandybridge PERP_KERNELS=haswell
check "a child makes a choice of its own" says "runs: Haswell"
ask PERP_SETTLED="1 Prescott Haswell" OPENBLAS_CORETYPE=Haswell PERP_KERNELS=as-picked
check "… and forgets its parent's" says "runs: Prescott"
ask PERP_SETTLED="1 Prescott $best" OPENBLAS_CORETYPE="$best" OMP_NUM_THREADS=4
check "a child with other threads restarts, too" starts 2
check "… and still knows what the library picks" says "picked: Prescott"
ask PERP_SETTLED="nonsense"
check "a guard that nobody wrote is none" starts 2

# ---- BLIS, whose variable takes a number ------------------------------------------------------------------------------------
# A BLIS that picks STUB_PICKS by itself and, like the real one, ends the process for a number that it lacks (STUB_LACKS) and
# whenever it is asked before it is ready. STUB_DEAF takes no number at all; with STUB_SIGNAL one comes while a child is
# waited for.
cat >blis.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
pid_t waitpid(pid_t child, int* status, int options) {
  static int waits;
  if (getenv("STUB_SIGNAL") && waits++ == 0) return errno = EINTR, -1;
  return wait4(child, status, options, NULL);
}
void cblas_dgemm(void) {}
void dgesdd_(void) {}
static const char* names[] = {"armsve", "skx", "haswell", "zen3", "zen", "knl", "generic"};
static int id = -1;
static const char* given(const char* name, const char* otherwise) { return getenv(name) ? getenv(name) : otherwise; }
const char* bli_info_get_version_str(void) { return given("STUB_VERSION", "0.9.0"); }
const char* bli_arch_string(int i) { return i < 7 ? names[i] : (abort(), ""); }
void bli_init(void) {
  const char* wish = getenv("BLIS_ARCH_TYPE");
  for (id = 0; strcmp(names[id], given("STUB_PICKS", "generic")) != 0;) ++id;
  if (!wish || getenv("STUB_DEAF")) return;
  id = atoi(wish);
  if (strstr(given("STUB_LACKS", "armsve"), names[id])) abort();
}
int bli_arch_query_id(void) { return id < 0 ? (abort(), 0) : id; }
END
openblas=$stub
gcc -D_GNU_SOURCE -shared -fPIC -o libblis.so.4 blis.c || exit 1
stub=$PWD/libblis.so.4
ask STUB_PICKS=generic
check "BLIS: an unknown processor's generic becomes $blis_best" says "chosen: $blis_best"
check "… which runs" says "runs: $blis_best"
check "… it says what was picked" says "picked: generic"
check "… after one restart" starts 2
check "… without a warning" says "warning: "
ask STUB_PICKS=generic STUB_LACKS="$blis_best"
check "BLIS: kernels it was built without are not asked for" bash -c "! grep -qx 'runs: $blis_best' out && grep -q '^runs: [a-z0-9]' out"
check "… and nobody hears of the attempt" [ ! -s err ]
ask STUB_PICKS=generic STUB_SIGNAL=1
check "BLIS: a signal does not hide kernels" says "chosen: $blis_best"
ask STUB_PICKS=zen3 PERP_KERNELS=haswell STUB_LACKS=haswell
check "BLIS: nor by name" grep -q "^refused: .*this build of BLIS 0.9.0 does not hold these kernels" out
ask STUB_PICKS=generic STUB_DEAF=1; got=$?
check "BLIS: a number that does not take: goes on (got $got)" [ "$got" -eq 0 ]
check "… after one restart" starts 2
check "… with one line" grep -qE "^warning: BLIS 0.9.0 did not take its $blis_best kernels and runs generic" out
ask STUB_PICKS=generic STUB_VERSION=0.9.1
check "BLIS: a version nobody held against references: left alone" says "runs: generic"
check "… with a line that names the way" grep -q "^warning: .*PERP_KERNELS=$blis_best" out
ask BLIS_ARCH_TYPE=2
check "BLIS_ARCH_TYPE stands" says "runs: haswell"
check "… without a warning" says "warning: "
ask BLIS_ARCH_TYPE=2 PERP_KERNELS=haswell
check "BLIS_ARCH_TYPE and its name are one" says "chosen: haswell"
ask BLIS_ARCH_TYPE=haswell STUB_LACKS=none
check "a name in BLIS_ARCH_TYPE counts as 0, which is said" grep -q "^warning: .*did not take BLIS_ARCH_TYPE=haswell and runs armsve" out
unfit "PERP_KERNELS=haswell and BLIS_ARCH_TYPE=4: expected one of them" PERP_KERNELS=haswell BLIS_ARCH_TYPE=4
unfit "expected best, as-picked or one of skx" PERP_KERNELS=SkylakeX
if [ -n "$amd" ]; then others=skx; else others=zen; fi
unfit "these kernels do not suit this processor" PERP_KERNELS=$others
ask PERP_SETTLED="1 generic $blis_best" BLIS_ARCH_TYPE=2 PERP_KERNELS=as-picked
check "a number that no parent chose is the user's" says "why: BLIS_ARCH_TYPE=2 was set"
ask PERP_SETTLED="1 generic haswell" BLIS_ARCH_TYPE=2 PERP_KERNELS=as-picked
check "a child forgets its parent's number" says "runs: generic"
# ---- MKL: which path it takes on this processor ----------------------------------------------------------------------------
cat >mkl.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void cblas_dgemm(void) {}
void dgesdd_(void) {}
void mkl_get_version_string(char* text, int size) { snprintf(text, size, "a version"); }
int mkl_cbwr_get_auto_branch(void) { return atoi(getenv("STUB_PATH")); }
END
mkdir mkl  # a folder of its own: beside a BLIS it would be taken for Debian's name of that
gcc -D_GNU_SOURCE -shared -fPIC -o mkl/libmkl_rt.so.2 mkl.c || exit 1
stub=$PWD/mkl/libmkl_rt.so.2
ask STUB_PATH=10; check "MKL: AVX2 is named" says "runs: AVX2"
ask STUB_PATH=3; check "MKL: so is the path for any processor" says "runs: compatible"
ask STUB_PATH=99; check "MKL: an unknown path has no name" says "runs: "
stub=$openblas
ask PERP_SETTLED="1 generic haswell" BLIS_ARCH_TYPE=2 STUB_PICKS="$best"
check "a child with another library has nothing of it" says "runs: $best"

for blis in /usr/lib/*/blis-pthread; do
  if [ ! -e "$blis/libblis.so.4" ]; then echo "skipped: BLIS, which is not here"; continue; fi
  for type in "" 0; do
    # Kernels 0 are skx's.
    [ -z "$type" ] || [ "$best" = SkylakeX ] || continue
    [ -z "$type" ] || export BLIS_ARCH_TYPE=$type
    LD_LIBRARY_PATH=$blis "$study" --version >out 2>err; got=$?
    unset BLIS_ARCH_TYPE
    check "BLIS says version and kernels, BLIS_ARCH_TYPE='$type' (got $got)" grep -qE '^BLAS +BLIS [0-9.]+ [a-z0-9]+ \(' out
  done
  real() { env "$@" LD_PRELOAD="$blis/libblas.so.3" timeout 20 "$tool" >out 2>err; }
  real PERP_KERNELS=as-picked
  picked=$(sed -n 's/^runs: //p' out)
  real PERP_KERNELS=haswell
  check "BLIS runs haswell by its name" says "runs: haswell"
  check "… and knows that it picks $picked" says "picked: $picked"
  check "… without a warning" says "warning: "
  LD_LIBRARY_PATH=$blis PERP_KERNELS=haswell "$study" --version >out 2>err
  check "a study says so" grep -q "^kernels picked $picked, chosen haswell: PERP_KERNELS names it" out
  check "PERP_KERNELS=SkylakeX is not for BLIS" bash -c "! LD_LIBRARY_PATH='$blis' PERP_KERNELS=SkylakeX '$study' --list 2>err"
  check "… and says what is" grep -q "expected best, as-picked or one of skx" err
done

# ---- a program as people run it --------------------------------------------------------------------------------------------
refused "PERP_KERNELS=Pentium" env PERP_KERNELS=Pentium "$study" --list
check "--version says picked, chosen and why" bash -c "'$study' --version | grep -qE '^kernels picked [^,]+, chosen [^:]+: .'"
finish
