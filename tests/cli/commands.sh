#!/usr/bin/env bash
# The commands that README.md and docs/manual.md print in their tables, as they stand there, in a copy of what they read; of
# those that take long, need the network or files of the reader's, that make knows them.
# usage: commands.sh <build folder>
set -uo pipefail
build=$(realpath "$1")
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
unset PERP_ALONE MAKEFLAGS MFLAGS MAKELEVEL

long="takes more than a minute" own="files of the reader's" network="fetches packages"
declare -A not_run=(
  ["make reports"]=$long
  ["make reports SEED=2 THREADS=1"]=$long
  ["make reports WORDS=my-vectors.npy"]=$own
  ["make reports CORPUS=text.txt"]=$own
  ["make reports BLAS=blis-pthread"]=$long
  ["make reports POSITIONS=model.safetensors:wpe ROWS=1:513 QUERY=model.safetensors:h0.query.weight KEY=model.safetensors:h0.key.weight HEADS=12"]=$own
  ["make reports PERP_KERNELS=as-picked"]=$long
  ["make inspect NAME=minilm WORDS=FILE:TENSOR POSITIONS=FILE:TENSOR"]=$own
  ["make choices"]=$long
  ["make paper"]=$network
  ["make verify"]=$long
  ["make bench"]=$long
  ["make scaling"]=$long
  ["make fuzz"]=$long
  ["make test-survival"]=$long
  ["build/studies/distance --positions … --query … --key … --heads 12 --json"]=$own
  ["build/studies/learning --preset long"]=$long
)

# Programs are those of the build folder; nothing is built or installed, and what is kept or written stays here.
mkdir -p build reports studies stubs
copy "$source_folder"/{Makefile,README.md,packages.txt,scripts,docs} .
copy "$source_folder"/reports/{templates,figures} reports/
for main in "$source_folder"/studies/*/main.cpp; do
  folder=studies/$(basename "$(dirname "$main")")
  mkdir "$folder"; touch "$folder/main.cpp"
done
ln -s "$build"/{studies,reports} build/
touch build/build.ninja
for tool in scripts/deps stubs/cmake; do printf '#!/bin/sh\n' >"$tool"; chmod +x "$tool"; done
PATH=$work/stubs:$PATH

mapfile -t commands < <(sed -nE 's/^\|([^|`]*\|)? *`((make|build\/)[^`]*|make)`.*/\2/p' README.md docs/manual.md | awk '!seen[$0]++')
check "the pages have commands (${#commands[@]})" [ "${#commands[@]}" -ge 20 ]
for command in "${commands[@]}"; do
  if [ -z "${not_run["$command"]:-}" ]; then
    bash -c "$command" >/dev/null 2>err </dev/null; code=$?
    check "$command (got $code)" [ "$code" -eq 0 ]
    [ "$code" -eq 0 ] || tail -n 5 err
  else
    echo "not run: $command: ${not_run["$command"]}"
    [[ $command != make* ]] || check "… make has it" make -n ${command#make} >/dev/null
    unset 'not_run[$command]'
  fi
done
for command in "${!not_run[@]}"; do check "no page prints it any more: $command" false; done
for main in studies/*/main.cpp; do
  study=$(basename "$(dirname "$main")")
  claims=$("build/studies/$study" --list | cut -d ' ' -f 1 | xargs)
  check "$study measures $claims, as ONLY= takes it" [ "$(scripts/claims "$claims" "$study" model)" = "$study $claims" ]
done
check "one claim was measured of each study, and each stands in the report" eval \
  'for claim in orthogonality/O4 distance/D11; do grep -q "^## ${claim#*/} " "reports/out/chapters/${claim%/*}.md" || exit 1; done'
check "… and its pages for a browser" [ -s reports/out/site/index.html ]
finish
