#!/usr/bin/env bash
# The wheel of perp in a virtual environment of its own: the words that it is for, and the BLAS that it brings.
# usage: wheel.sh <wheel>
set -uo pipefail
wheel=$(realpath "$1") tests=$(realpath "$(dirname "$0")/..")
# shellcheck source=tests/cli/checks.sh
. "$(dirname "$0")/checks.sh"
python3 -m venv venv && venv/bin/pip install --quiet --no-index "$wheel"
check "it installs without another package" [ -x venv/bin/perp ]
perp() { env -i PATH=/usr/bin:/bin HOME="$work" "$work/venv/bin/perp" "$@"; }
for t in words positions; do
  awk -v t=$t 'BEGIN { srand(length(t)); for (i = 0; i < 200; ++i) { line = "r" i; for (j = 0; j < 16; ++j) line = line " " rand() - 0.5; print line } }' >$t.txt
done
check "perp inspect" eval 'perp inspect --words words.txt --positions positions.txt --json | grep -q "\"centred_overlap\""'
check "perp list" eval 'perp list words.txt | grep -q 200'
check "perp dot" eval 'perp dot --dim 16 --pairs 105:106 --json | grep -q "7.48516"'
head -n 16 words.txt >weights.txt
check "perp heads" eval 'perp heads --positions positions.txt --query weights.txt --key weights.txt --heads 2 --json | grep -q "\"r2\""'
check "perp base" eval 'perp base --context 4096 --dim 128 --json | grep -q "{"'
. "$tests/cli/processors.sh"
check "it runs on every x86-64-v3, and says so elsewhere" on_processors venv/lib/python3*/site-packages/perpendicular/bin/perp
check "perp help" eval 'perp help | grep -q inspect'
perp dot --dim 15 --pairs 1:2 >out 2>err; got=$?
check "a refusal's exit code comes through (got $got)" [ "$got" -eq 2 ]
bundled=$(perp --version)
check "--version names the BLAS inside" grep -q "perpendicular.libs/lib" <<<"$bundled"
check "… for LAPACK, too" [ "$(grep -c "perpendicular.libs/lib" <<<"$bundled")" -eq 2 ]
for folder in /usr/lib/*/blas /usr/lib/*/blis-pthread; do
  [ ! -d "$folder" ] || check "$folder does not take its place" [ "$(LD_LIBRARY_PATH=$folder venv/bin/perp --version | sed -n '/^BLAS/p')" = "$(grep '^BLAS' <<<"$bundled")" ]
done
# NumPy and pytest are Debian's: the wheel itself needs neither.
/usr/bin/python3 -m venv --system-site-packages with-numpy && with-numpy/bin/pip install --quiet --no-index --no-deps "$wheel"
check "import perpendicular" env PERP="$work/with-numpy/bin/perp" PYTHONDONTWRITEBYTECODE=1 with-numpy/bin/python -m pytest -q -p no:cacheprovider "$tests/packaging"
check "pip show says what it is" grep -q "^Summary: Why positional encodings" <<<"$(venv/bin/pip show perpendicular)"
finish
