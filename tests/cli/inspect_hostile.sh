#!/usr/bin/env bash
# Files, tensors and words with names that are quotes, commands, markup, tables, line ends or turn the direction of
# writing: inspect and the renderer treat them as names. Nothing runs, and none reaches a file unescaped.
# usage: inspect_hostile.sh <build folder>
set -uo pipefail
build=$1 studies=inspect
# shellcheck source=tests/cli/common.sh
source "$(dirname "$0")/common.sh"
study=$build/studies/inspect
inspect() { "$build/perp" inspect "$@"; }

# Each would leave a file `ran` behind, or a mark that the checks below look for.
# shellcheck disable=SC2016  # they are not to expand
mapfile -t -d '' names < <(printf '%s\0' \
  "a'b\"c" '$(touch ran)' '`touch ran`' '<script>alert(1)</script>' 'x|y|z' '"; touch ran; "' \
  "'.system('touch ran').'" '< touch ran' '@ran' '=1+1' '-rf' '{{ledger}}' '![x](javascript:1)' '[a]: b' \
  $'two\nlines' $'\xe2\x80\xaegnp.txt' '%s%n' '\\input{x}' ']]>' '<!--' '&amp;' '--out')

# 60 words of 16 numbers, the names among them, and positions: the same every time.
made "${names[@]}" <<'PY'
import os, sys
names = sys.argv[1:]
random.seed(1)
words = [name.replace("\n", "") for name in names] + [f"w{i}" for i in range(40)]
table = [[random.gauss(0, 1) for _ in range(16)] for _ in words]
with open("words.txt", "w") as out:
    for word, row in zip(words, table):
        # a word's blanks are its own as long as the line neither begins nor ends with one
        out.write(word + " " + " ".join(f"{x:.6g}" for x in row) + "\n")
positions = [[math.sin(i / 10 ** (j / 8)) if j % 2 else math.cos(i / 10 ** (j / 8)) for j in range(16)] for i in range(40)]
os.makedirs("tables")
for name in names: put(os.path.join("tables", name.replace("/", "_")), npy(positions))
# one file with a tensor of every name, and the same in the other format of several
flat = [x for row in positions for x in row]
put("tensors", safetensors({name: ("F32", [40, 16], flat) for name in names}))
put("tensors.gguf", gguf("", {}, {name: (0, [16, 40], struct.pack("<640f", *flat)) for name in names}))
PY

one_line() {  # one_line command…: refused with exit 2 and one line, without control bytes or marks of direction
  "$@" >said.out 2>said.err
  local code=$?
  [ "$code" -eq 2 ] && [ "$(wc -l <said.err)" -eq 1 ] && [ ! -s said.out ] &&
    ! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\x8e\x8f\xa8-\xae]' said.err && return 0
  echo "exit $code:"; cat said.err
  return 1
}
# Nothing of the names may stand in a file as what it is.
# Markdown shows code as it is; everywhere else a name is written so that it is no markup.
without_code() { awk '/^```/ {code = !code} !code' "$1"; }
clean() {  # clean folder
  local found page
  found=$(LC_ALL=C grep -rlaP --include='*.html' --include='*.svg' --include='*.md' --include='*.csv' '\xe2\x80\xae' "$1") && { echo "a mark of direction in $found"; return 1; }
  found=$(grep -rl --include='*.html' --include='*.svg' '<script>alert' "$1") && { echo "a script in $found"; return 1; }
  while IFS= read -r page; do
    without_code "$page" | grep -q '<script>alert' && { echo "a script in $page"; return 1; }
    without_code "$page" | grep -qF '![x](javascript' && { echo "a link in $page"; return 1; }
  done < <(find "$1" -name '*.md')
  found=$(grep -rlE --include='*.csv' '(^|,)"?[=@]' "$1") && { echo "a formula in $found"; return 1; }
  return 0
}
nothing_ran() { [ -z "$(find "$work" -name ran)" ]; }
rendered() { "$build/perp" render --results "$1" --single 2>err || { cat err; return 1; }; }

# The numbers do not depend on a name.
inspect --words words.txt --positions "tables/x|y|z" --json >expected.json 2>err || cat err
check "numbers" [ -s expected.json ]
number=0
for name in "${names[@]}"; do
  number=$((number + 1))
  shown=$(printf '%q' "$name")
  inspect --words words.txt --positions "tables/${name//\//_}" --json >found.json 2>err
  check "a file named $shown" cmp -s expected.json found.json
  inspect --words words.txt --positions "tensors:$name" --json >found.json 2>err
  check "a tensor named $shown" cmp -s expected.json found.json
  inspect --words words.txt --positions "tensors.gguf:$name" --json >found.json 2>err
  check "… in a GGUF file" cmp -s expected.json found.json
  check "… which is not there" one_line inspect --positions "tensors:no $name" --json
  check "… nor in a GGUF file" one_line inspect --positions "tensors.gguf:no $name" --json
  check "… a file that is not there" one_line inspect --positions "none/$name" --json
  check "… as an option" one_line inspect --words words.txt --limit "$name" --json
  check "… as a model of no known family" one_line inspect "tables/${name//\//_}"
done
check "their list is one line each" [ "$("$build/perp" list tensors.gguf | wc -l)" -eq ${#names[@]} ]
"$build/perp" list tensors.gguf >said.out 2>err
check "… and plain" bash -c "! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80[\x8e\x8f\xa8-\xae]' said.out"
for model in tensors tensors.gguf; do check "their file as a model: candidates in one line" one_line inspect "$model"; done
check "nothing ran" nothing_ran

# A whole report: every file's and every tensor's name once, as models side by side.
for i in "${!names[@]}"; do
  case ${names[i]} in *$'\n'*) continue;; esac  # a line of that file cannot hold it
  printf '[m%d]\nwords = words.txt\npositions = tensors:%s\n[f%d]\npositions = tables/%s\n' "$i" "${names[i]}" "$i" "${names[i]//\//_}"
done >models.txt
check "study of all names" "$study" --preset quick --build kept --out out/inspect --models models.txt
check "… rendered" rendered out
check "… escaped" clean out
check "… and the names are there" grep -rq '&lt;script&gt;alert' out/ARTIFACT.md out/chapters out/site
name=$'two\nlines'
check "study of a name of two lines" "$study" --preset quick --build kept --out lines/inspect --words words.txt --positions "tables/$name"
check "… rendered" rendered lines
check "… escaped" clean lines
check "nothing ran" nothing_ran
finish
