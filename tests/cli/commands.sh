#!/usr/bin/env bash
# The commands that README.md and docs/manual.md print in their tables, as they stand there, in a copy of what they read; of
# those that take long, need the network or files of the reader's, that make or perp knows them.
# usage: commands.sh <build folder>
set -uo pipefail
build=$(realpath "$1")
source_folder=$(realpath "$(dirname "$0")/../..")
. "$source_folder/tests/cli/checks.sh"
unset PERP_ALONE MAKEFLAGS MFLAGS MAKELEVEL

long="takes more than a minute" own="files of the reader's"
declare -A not_run=(
  ["make reports"]=$long
  ["make reports ONLY=O4 SEED=2 THREADS=1"]="as perp report"
  ["make choices"]=$long
  ["make verify"]=$long
  ["make bench"]=$long
  ["build/perp inspect model.safetensors"]=$own
  ["build/studies/learning --preset long"]=$long
  ["perp report"]=$long
  ["perp report --seed 2 --threads 1"]=$long
  ["perp report --words my-vectors.npy"]=$own
  ["perp report --corpus text.txt"]=$own
  ["perp report --blas blis-pthread"]=$long
  ["PERP_KERNELS=as-picked perp report"]=$long
  ["perp verify"]=$long
  ["perp inspect model.safetensors"]=$own
  ["perp list model.safetensors"]=$own
  ["perp heads --positions M:wpe --query M:h0.query.weight --key M:h0.key.weight --heads 12 --json"]=$own
  ["perp bench"]=$long
  ["perp blas-check"]=$long
)

# Programs are those of the build folder; nothing is built or installed, and what is kept or written stays here.
mkdir -p build reports studies stubs tests
copy "$source_folder"/{Makefile,README.md,packages.txt,scripts,docs} .
copy "$source_folder"/reports/pages reports/
cp "$source_folder/tests/trust" tests/
for main in "$source_folder"/studies/*/chapter.md; do
  folder=studies/$(basename "$(dirname "$main")")
  mkdir "$folder"; touch "$folder/chapter.md"
done
ln -s "$build"/{studies,perp} build/
touch build/build.ninja
echo '{"head_dim": 128, "max_position_embeddings": 4096}' >config.json
for tool in scripts/deps stubs/cmake; do printf '#!/bin/sh\n' >"$tool"; chmod +x "$tool"; done
PATH=$work/stubs:$work/build:$PATH

known() {  # known <command>: make has the verb, perp the word with each of the options
  local words option
  read -ra words <<<"${1##*PERP_KERNELS=as-picked }"
  case $1 in
    make*) bash -c "make -n ${1#make}" >/dev/null ;;
    build/studies/*) [ -x "${words[0]}" ] ;;
    *) for option in "${words[@]:2}"; do [[ $option != --* ]] || perp "${words[1]}" --help | grep -q -- "$option\b" || return; done ;;
  esac
}
mapfile -t commands < <(sed -nE 's/^\|([^|`]*\|)? *`(([A-Z_]+=[^ ]* )?(make|perp|build\/)[^`]*|make)`.*/\2/p' README.md docs/manual.md | awk '!seen[$0]++')
check "the pages have commands (${#commands[@]})" [ "${#commands[@]}" -ge 30 ]
for command in "${commands[@]}"; do
  if [ -z "${not_run["$command"]:-}" ]; then
    bash -c "$command" >/dev/null 2>err </dev/null; code=$?
    check "$command (got $code)" [ "$code" -eq 0 ]
    [ "$code" -eq 0 ] || tail -n 5 err
  else
    echo "not run: $command: ${not_run["$command"]}"
    check "… it is known" known "$command"
    unset 'not_run[$command]'
  fi
done
for command in "${!not_run[@]}"; do check "no page prints it any more: $command" false; done
for main in studies/*/chapter.md; do
  study=$(basename "$(dirname "$main")")
  claims=$("build/studies/$study" --list | cut -d ' ' -f 1 | xargs)
  model=(); [ "$study" != inspect ] || model=(--words README.md)  # a file that is there is all that is asked before
  # What stops it comes after the claims, which are refused before.
  perp report --studies "$study" --only "$claims" "${model[@]}" --blas none=/nowhere 2>err
  check "$study measures $claims, as perp report takes it" grep -q "no libblas.so.3 in /nowhere" err
done
check "one claim was measured of each study, and each stands in the report" eval \
  'for claim in orthogonality/O4 distance/D11; do grep -q "^## ${claim#*/} " "reports/out/chapters/${claim%/*}.md" || exit 1; done'
check "… and its pages for a browser" [ -s reports/out/site/index.html ]
finish
