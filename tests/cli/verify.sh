#!/usr/bin/env bash
# A fresh run against a published one, as make verify does it: the same configuration passes to the byte, another seed by
# its intervals, a moved number, another page and another preset do not.
# usage: verify.sh <build folder>
set -uo pipefail
build=$1 studies="orthogonality order anatomy"
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

report kept published 2>err || cat err
compare() { "$build/perp" verify --published published --fresh "$1" "${@:2}" >out 2>err; }
measured="orthogonality order"
study() {  # study <folder> option…
  "$build/studies/orthogonality" --preset quick --corpus none --build "$1" --out "$1/orthogonality" "${@:2}" 2>/dev/null
  "$build/studies/order" --preset quick --build "$1" --out "$1/order" "${@:2}" 2>/dev/null
}

"$build/perp" render --results published --out pages --at published 2>err || cat err
study again --threads 1
check "another number of threads passes" compare again --studies "$measured"
check "… byte for byte" grep -q "byte for byte" out
check "pages rendered again are the published ones" compare again --studies "$measured" --pages pages
mkdir published/rope && touch published/rope/llama.json
check "what other commands publish is not asked for" compare again --studies "$measured" --pages pages
rm -r published/rope
sed -i '1s/$/ /' pages/chapters/order.md
compare again --studies "$measured" --pages pages; code=$?
check "another page fails (got $code)" [ "$code" -eq 1 ]
check "… and is named" grep -qx " *chapters/order.md  *other bytes" out
study seed --seed 2
check "another seed passes" compare seed --studies "$measured"
check "… by intervals" grep -q "seed 2 here" out
for folder in /usr/lib/*/blis-pthread; do
  [ -d "$folder" ] || { echo "skipped: another BLAS, for there is no BLIS here"; continue; }
  LD_LIBRARY_PATH=$folder study blis
  check "another BLAS passes" compare blis --studies "$measured"
  check "… by kinds" grep -q "BLAS" out
done

cp -r again moved
sed -i '2s/^\([^,]*,[^,]*,[^,]*,[^,]*,\)[^,]*/\10.5/' moved/order/s2_variance.csv
compare moved --studies "$measured"; code=$?
check "a moved number fails (got $code)" [ "$code" -eq 1 ]
check "… and is named" grep -q "s2_variance.csv variance row 1 " out
compare again; code=$?
check "a study that was not measured again fails (got $code)" [ "$code" -eq 1 ]
compare again --preset full; code=$?
check "another preset is refused (got $code)" [ "$code" -eq 2 ]
check "… in one line" [ "$(wc -l <err)" -eq 1 ]
compare again --studies none; code=$?
check "a study that nobody has is refused (got $code)" [ "$code" -eq 2 ]
compare nowhere; code=$?
check "no fresh run is refused (got $code)" [ "$code" -eq 2 ]

# With everything measured afresh: what lies where cells are kept is none of it, and stays.
mkdir -p kept/verify/kept/cells && touch kept/verify/kept/cells/left
"$build/perp" verify --published published --studies order --preset quick --kept kept >out 2>err; code=$?
check "measured afresh, it passes (got $code)" [ "$code" -eq 0 ]
check "… with nothing that was kept" grep -q '"reused": 0' kept/verify/out/order/run.json
check "… nor removed" [ -e kept/verify/kept/cells/left ]
check "… and its pages" grep -q "pages" out

# What make publish lets through.
publish() { "$source_folder/scripts/publish" "$build" "$@" >/dev/null 2>err; }
publish published to full; code=$?
check "a quick report is not published (got $code)" [ "$code" -eq 1 ]
relist() {  # relist <report>: its lists name what is there now, as if a run had written it
  local list
  for list in "$1"/*.sha256 "$1"/*/*.sha256; do
    (cd "${list%/*}" && { head -n 1 "${list##*/}"; sed 1d "${list##*/}" | cut -c 67- | xargs -d '\n' sha256sum; } >relisted && mv relisted "${list##*/}")
  done
}
sed -i 's/"preset": "quick"/"preset": "full"/' published/*/results.json
publish published to full; code=$?
check "an edited report is not published (got $code)" [ "$code" -eq 2 ]
relist published
check "the first report is published" publish published to full
check "… with its commands" grep -q '"command":' to/order/run.json
cp -r published later
sed -i 's/"value": [0-9.e-]*/"value": 0.123/' later/order/results.json
relist later
publish later to full; code=$?
check "moved numbers are not published (got $code)" [ "$code" -eq 1 ]
check "… the earlier report stays" same --exclude=rope published to
check "… unless that is meant" publish later to full --moved yes
finish
