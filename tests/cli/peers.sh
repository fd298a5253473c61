#!/usr/bin/env bash
# The workloads and what puts them beside their peers: numbers, ratios, refusals, the page, and the
# shim that gives a prefixed BLAS its usual names.
# usage: peers.sh <build folder>
set -u
build=$1
# shellcheck source=tests/cli/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

workloads=$build/bench/workloads
between() { awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN {exit !(x >= low && x <= high)}'; }
number() { sed -n "s/.*\"$2\":\(-\{0,1\}[0-9.e-]*\).*/\1/p" "$1"; }

"$workloads" --only w2,w6 --repeats 1 --threads 2 >two.jsonl
"$workloads" --only w2,w6 --repeats 1 --threads 1 >one.jsonl
check "one line for each workload" [ "$(wc -l <two.jsonl)" -eq 2 ]
# 200 largest cosines, each with a standard deviation of .01: a mean errs by .0007; six of them about .764.
check "w2 is the largest cosine of random subspaces" between "$(head -n 1 two.jsonl | number /dev/stdin mean)" 0.759 0.769
# The standard deviation of 5e7 normals errs by 1e-4.
check "w6 draws standard normals" between "$(tail -n 1 two.jsonl | number /dev/stdin sd)" 0.9994 1.0006
check "numbers do not depend on threads" [ "$(grep -o '"numbers".*' one.jsonl)" = "$(grep -o '"numbers".*' two.jsonl)" ]
if grep -q '"blas":"OpenBLAS"' one.jsonl; then
  OPENBLAS_CORETYPE=Unheard "$workloads" --only w6 --repeats 1 2>err.txt >/dev/null
  check "kernels that do not take are said" grep -q '^workloads: .*did not take OPENBLAS_CORETYPE=Unheard' err.txt
fi
refused "no workload 'w9'" "$workloads" --only w9
refused "--threads" "$workloads" --threads 0
refused "was named" "$workloads" --only w6 --blas /dev/null

line() {  # line <side> <workload> <seconds>
  echo "{\"side\":\"$1\",\"workload\":\"$2\",\"meaning\":\"m\",\"threads\":2,\"blas\":\"B\",\"version\":\"1\",\"path\":\"/b\",\"seconds\":[$3],\"numbers\":{\"n\":0.5}${4:-}}"
}
# Any tables of a bench: those that are published.
compare() { "$build/perp-bench" --conclude "$source_folder/reports/published/bench" --runs "$1" --out compared; }
for seconds in 1,9 2,2 4,5; do line perpendicular w1 "$seconds"; done >runs.jsonl
for seconds in 3 8,6 12; do line NumPy w1 "$seconds"; done >>runs.jsonl
check "compares" compare runs.jsonl
column() { awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == name) c = i} NR == 2 {print $c}' compared/bench/peers.csv; }
three() { for x in "$(column ratio)" "$(column ratio_low)" "$(column ratio_high)"; do between "$x" 2.999999 3.000001 || return 1; done; }
check "the better run of a round, paired by round" three
check "medians of both sides" [ "$(column seconds)/$(column peer_seconds)" = 2/6 ]
check "they take the place of those that were there" [ "$(wc -l <compared/bench/peers.csv)" -eq 2 ]
check "what counts no least time has no share of it" [ "$(column bound)/$(column floor)/$(column share)" = bytes// ]
rate=$(awk -F, '$2 == "f64" && $4 == 2 && $5 > most {most = $5} END {printf "%.0f", most}' "$source_folder/reports/published/bench/roof.csv")
{ for _ in 1 2 3; do line perpendicular w1 2 ",\"least\":{\"type\":\"f64\",\"count\":$rate}"; line NumPy w1 6; done; } >floor.jsonl
compare floor.jsonl
check "a second's operations take half of two seconds" eval '[ "$(column bound)" = f64 ] && between "$(column floor)" 0.99999 1.00001 && between "$(column share)" 0.49999 0.50001'
# With one thread the peer takes a third of that: it is at its best there, and that is said.
{ cat runs.jsonl; for seconds in 1 3,2 4; do line NumPy w1 "$seconds" | sed 's/"threads":2/"threads":1/'; done; } >threads.jsonl
compare threads.jsonl
check "a peer at its best, with its threads named" [ "$(column ratio)/$(column peer_threads)" = 1/1 ]
sed '/NumPy/d' runs.jsonl >alone.jsonl
refused "no run of a peer" compare alone.jsonl
{ cat runs.jsonl; line NumPy w1 7; } >uneven.jsonl
refused "4 rounds on one side, 3 on the other" compare uneven.jsonl
{ head -n 1 runs.jsonl; echo '{"side":'; } >broken.jsonl
refused "line 2" compare broken.jsonl
sed '/NumPy/s/0\.5/0.6/' runs.jsonl >other.jsonl
refused "w1: NumPy found n = 0.6, this library 0.5" compare other.jsonl

mkdir out
peers() { "$source_folder/scripts/bench-peers" "$build" out "$@"; }
refused "no page of the bench in out; run: make bench" peers --rounds 1
mkdir out/bench; cp "$source_folder/reports/published/bench/results.csv" out/bench/
refused "no program in empty; type: make programs" "$source_folder/scripts/bench-peers" empty out --rounds 1
refused "--rounds 0; a whole number" peers --rounds 0
refused "no peer 'fortran'" peers --rounds 1 --peers fortran
refused "--only ''; expected one or several of w1" peers --rounds 1 --only ''
refused "--only 'w1 w9'" peers --rounds 1 --only "w1 w9"
refused "'out/bench/results.csv': it is there, and not written by an earlier run" peers --rounds 1
refused "no option --round; there are: --rounds" peers --round 1

# A library whose names carry a prefix, and a caller that knows the usual ones.
cat >prefixed.c <<'C'
double scipy_cblas_tell(int a, double b, int c, int d, int e, int f, int g, double h) { return a + b + 10 * c + 100 * d + e + f + 1000 * g + h; }
C
cat >caller.c <<'C'
double cblas_tell(int, double, int, int, int, int, int, double);
int main(void) { return cblas_tell(1, 2, 3, 4, 5, 6, 7, 8) == 7452 ? 0 : 1; }
C
echo 'FORWARD(cblas_tell, scipy_cblas_tell)' >forward.list
shim() {
  cc -shared -fPIC -o libprefixed.so prefixed.c &&
    cc -shared -nostdlib -I . -o libblas.so.3 "$source_folder/bench/shim/forward.S" -Wl,--no-as-needed ./libprefixed.so &&
    cc -o caller caller.c ./libblas.so.3 ./libprefixed.so && ./caller
}
check "the shim hands every argument on" shim

# A peer that is not here is left out, and said: a NumPy that is no more than a side of the table stands in for the rest.
mkdir -p nothing/bench
cat >nothing/bench/workloads <<'SH'
#!/usr/bin/env bash
echo '{"side":"perpendicular","workload":"'"$2"'","meaning":"m","threads":2,"blas":"B","version":"1","path":"/b","seconds":[1],"numbers":{"n":1}}'
SH
cat >nothing/python <<'SH'
#!/usr/bin/env bash
[ "$1" != -c ] || { [[ $2 != *torch* ]]; exit; }
while [ "$1" != --only ]; do shift; done
echo '{"side":"NumPy","workload":"'"$2"'","threads":'"$OMP_NUM_THREADS"',"blas":"","version":"'"$OPENBLAS_CORETYPE"'","path":"/b","seconds":[2],"numbers":{"n":1}}'
SH
cat >nothing/perp <<'SH'
#!/usr/bin/env bash
[ "$1" != bench ] || { echo "$*" >>asked; exit; }
printf 'perp 1\nBLAS    OpenBLAS 0.3.21 Haswell (/b)\nkernels picked Prescott, chosen Haswell: a test\n'
SH
chmod +x nothing/bench/workloads nothing/python nothing/perp
mkdir -p left/bench; touch left/bench/results.csv
refused "no peer to measure" "$source_folder/scripts/bench-peers" nothing left --rounds 1 --peers ''
check "… takes the place of no run" [ ! -e nothing/peers/runs.jsonl ]
PYTHON=$work/nothing/python "$source_folder/scripts/bench-peers" nothing left --rounds 2 --peers "numpy torch eigen" --only w6 >said.txt 2>err.txt; got=$?
check "peers that are not here are left out (got $got)" [ "$got/$(grep -c 'is not here and left out' err.txt)" = 0/2 ]
check "… with their package" grep -q "torch is not here and left out: Debian's package is python3-torch" err.txt
check "… and the others go to the page" grep -qx 'bench --again --runs nothing/peers/runs.jsonl --out left' asked
check "what shares our BLAS runs the kernels that we take of it" grep -q '"version":"Haswell"' nothing/peers/runs.jsonl

if [ -x "$build/bench/eigen_peer" ]; then
  OMP_NUM_THREADS=1 "$build/bench/eigen_peer" --only w2 --repeats 1 >eigen.jsonl
  check "Eigen finds the same angles in law" between "$(number eigen.jsonl mean)" 0.759 0.769
  refused "no workload 'w9'" "$build/bench/eigen_peer" --only w9
else
  echo "skipped: no Eigen here"
fi
if /usr/bin/python3 -c 'import numpy, scipy.linalg' 2>/dev/null; then
  /usr/bin/python3 -B "$source_folder/bench/peers/numpy_peer.py" --only w2 --repeats 1 >numpy.jsonl
  check "NumPy finds the same angles in law" between "$(number numpy.jsonl mean)" 0.759 0.769
else
  echo "skipped: no NumPy and SciPy here"
fi
finish
