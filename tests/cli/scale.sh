#!/usr/bin/env bash
# A million words of 1,024 numbers against 2,048 positions: within 1 GiB resident, and how near the machine's own rates.
# shellcheck disable=SC1112  # a unicode quote in a text
# usage: scale.sh <build folder> [<words> <dimensions> <positions>]
set -uo pipefail
words=${2:-1000000} dim=${3:-1024} positions=${4:-2048} limit_kib=$((1024 * 1024))
build=$1; . "$(dirname "$0")/common.sh"
tool=$build/scale_tool
folder=$build/scale
trap 'rm -rf "$work" "$folder"' EXIT
mkdir -p "$folder"
threads=$(nproc)

need_kib=$((words * dim * 4 / 1024 + 1024 * 1024))
if [ "$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')" -lt "$need_kib" ]; then
  echo "skipped: $need_kib KiB of disk are needed in $folder"; finish; exit
fi
"$tool" table "$folder/words.npy" "$words" "$dim" || exit 1
"$tool" table "$folder/positions.npy" "$positions" "$dim" || exit 1
read -r products products_cpu < <("$tool" products "$threads")
reading=$(python3 -c '
import sys, time
buffer, bytes, start = bytearray(1 << 22), 0, time.monotonic()
with open(sys.argv[1], "rb", buffering=0) as file:
    while got := file.readinto(buffer): bytes += got
print(f"{bytes / (time.monotonic() - start):.0f}")' "$folder/words.npy")

# A command's seconds, its seconds of processors and its largest resident memory, in KiB, on standard error.
watch() {
  python3 -c '
import resource, subprocess, sys, time
start = time.monotonic()
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{time.monotonic() - start:.2f} {used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss}", file=sys.stderr)
sys.exit(code)' "$@"
}
watch "$build/perp" inspect --words "$folder/words.npy" --positions "$folder/positions.npy" \
  --threads "$threads" --json >out.json 2>err; got=$?
check "inspect ends well (got $got)" [ "$got" -eq 0 ]
read -r took cpu resident < <(tail -n 1 err)
check "within 1 GiB resident ($((resident / 1024)) MiB)" [ "$resident" -lt "$limit_kib" ]
check "every word was read" grep -q "\"words\":{\"rows\":$words,\"dim\":$dim,\"zero_rows\":0" out.json
# Independent normal words and positions: the mean square cosine is 1/d within five of its standard deviations.
check "the mean square cosine is 1/d" python3 -c "
import json
b = json.load(open('out.json'))['between']
assert abs(b['mean_square_cosine'] - b['null_mean_square_cosine']) < 5 * b['null_mean_square_sd'], b"
awk -v v="$words" -v l="$positions" -v d="$dim" -v s="$took" -v p="$products" -v c="$cpu" -v q="$products_cpu" -v r="$reading" 'BEGIN {
  operations = 2 * v * l * d + v * d * d; bytes = 4 * v * d
  by_products = operations / p; by_reading = bytes / r
  if (by_products > by_reading) { bound = by_products; what = "products" } else { bound = by_reading; what = "reads" }
  printf("%.2f s for %.3g operations: %.1f GFLOP/s of %.1f that products reach here (%.0f %%); %.2f of %.2f GB/s read (%.0f %%)\n",
         s, operations, operations / s / 1e9, p / 1e9, 100 * operations / s / p, bytes / s / 1e9, r / 1e9, 100 * bytes / s / r)
  printf("%s bind: %.0f %% of that rate; by processors’ seconds, which a busy machine stretches less: %.0f %% of products’\n",
         what, 100 * bound / s, 100 * operations / c / q) }'
finish
