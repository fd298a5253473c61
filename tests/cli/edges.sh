#!/usr/bin/env bash
# What lies at the edge of what is defined: tables without words, of one direction, of equal or of orthogonal rows, dead
# heads, paths that no file can have, options that would change nothing, names that nobody can type. Each is answered with
# numbers and dashes, or refused in one line.
# usage: edges.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
perp=$build/perp program=$build/perp

answered() { "$perp" "$@" >out 2>err; local got=$?; check "$* (got $got)" [ "$got" -eq 0 ]; [ "$got" -eq 0 ] || cat err; }
field() { python3 -c "import json, sys; print(eval('json.load(open(sys.argv[1]))' + sys.argv[2]))" "$1" "$2"; }

# ---- text without words ----------------------------------------------------------------------------------------------------
table 60 8 1 >words.txt; table 30 8 2 >positions.txt
for part in words positions; do cut -d ' ' -f 2- $part.txt >$part.plain; sed 's/^/  /' $part.plain >$part.blanks; done
answered list words.plain
check "np.savetxt's table is read whole" grep -q ' 60 x 8 ' out
answered inspect --words words.txt --positions positions.txt --json; mv out named.json
for kind in plain blanks; do
  answered inspect --words words.$kind --positions positions.$kind --json
  check "… and its numbers are those beside words" cmp -s named.json out
done
answered inspect --words words.plain --limit 20 --json
check "… and of its first rows" [ "$(field out "['words']['rows']") $(field out "['words']['dim']")" = "20 8" ]
# One of each kind that tests/fuzz/corpus has in files.
printf '"" 0 1 2\n0 0.5 0.25 0.75\n1 1.5 2.5 3.5\n' >heading.txt
refuse "heading.txt:1: a heading with the numbers of the columns; expected rows alone (pandas: header=False)" list heading.txt
for sign in '\x80\x04' '\xfd7zXZ' '\x28\xb5\x2f\xfd' '\xff\xfe'; do
  printf "$sign"'\0\0 1 2\n' >other.txt
  refuse ", which is not read; expected its tables saved as .safetensors or .npy" list other.txt
done
for names in "token 5 17 203 768" '"" 0 2 6 7' "5 17 203 768"; do
  { echo "$names"; awk '{ print $1, $2, $3, $4, $5 }' words.txt | cut -d ' ' -f "$([[ $names == [0-9]* ]] && echo 2-5 || echo 1-5)"; } >heading.txt
  refuse "heading.txt:1: a heading with the numbers of the columns" list heading.txt
done
printf 'a 5 17 203 768\nb 1 2 0 3\nc 4 4 1 0\n' >counts.txt
answered list counts.txt
check "rising counts among counts are a row" grep -q ' 3 x 4 ' out
awk '{ $1 = NR + 0.5 ","; print }' words.txt >almost.txt
refuse "almost.txt:1: does not begin with a number, as most lines do or nearly do" list almost.txt
awk '{ $1 = NR; print }' words.txt >ids.txt
answered list ids.txt
check "numbers of tokens are words" grep -q ' 60 x 8 ' out
for from in -1 0; do
  awk -v from=$from '{ $1 = NR - 1 + from; if (from == 0) $1 = $1 ".0"; print }' words.txt >ids.txt
  refuse "ids.txt: a whole number in front of each line, and no telling whether the first of each line is a word" list ids.txt
done
printf '1.0 0.0\n0.0 1.0\n' >eye.txt
answered list eye.txt
check "an identity has no words" grep -q ' 2 x 2 ' out
printf 'a 1 2\nb 1e-50 0\n' >small.txt
refuse "small.txt:2: holds numbers that float32 cannot tell from 0" list small.txt

# ---- tables that leave much undefined ----------------------------------------------------------------------------------------
made <<'PY'
random.seed(1)
def table(name, rows, item="f"): put(name + ".npy", npy(rows, item))
def eye(n, d, by=1.0): return [[by * (i % d == j) for j in range(d)] for i in range(n)]
def normal(n, d): return [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
hadamard = [[(-1.0) ** bin(i & j).count("1") for j in range(8)] for i in range(8)]
row, other = normal(2, 8)
tables = {
    "eye": eye(8, 8), "small_eye": eye(3, 8, 1e-4), "large_eye": eye(8, 8, 1e4), "one_row": [row], "equal": [row] * 9, "zeros": [[0.0] * 8] * 9,
    "one_of_many": [[0.0] * 8] * 40 + [row], "two_of_many": [row] + [[0.0] * 8] * 40 + [other], "two": [row] * 5 + [other] * 4,
    "opposite": [row, [-x for x in row]] * 6, "line": [[x * k for x in row] for k in range(-5, 7)], "orthogonal": hadamard,
    "both_ways": hadamard + [[-x for x in r] for r in hadamard], "turned": [[x / 3 for x in r] for r in hadamard],
    "constant": [[0.3] * 8] * 9, "nearly": [[0.3 + 1e-8 * (i == j) for j in range(8)] for i in range(9)], "tiny": [[1e-12 * x for x in r] for r in normal(9, 8)],
    "huge": [[1e15 * x for x in r] for r in normal(9, 8)], "normal": normal(40, 8)}
for name, rows in tables.items(): table(name, rows)
for n in (1, 2, 9): table(f"column{n}", normal(n, 1))
for power in (60, 100, 200): table(f"beyond{power}", [[10.0**power * x for x in r] for r in normal(9, 8)], "d")
table("eye16", eye(16, 16)); table("eye32", eye(8, 32))
nothing = [[0.0] * 32]
for seed in range(8):
    random.seed(seed)
    table(f"one{seed}", nothing * 149 + normal(1, 32) + nothing * 150); table(f"two{seed}", normal(1, 32) + nothing * 298 + normal(1, 32))
    table(f"first{seed}", normal(2, 32) + nothing * 298); table(f"of{seed}", normal(64, 32))
table("line32", normal(1, 32) * 40)
query, key = normal(8, 8), normal(8, 8)
table("key", key); table("dead_query", [[0.0] * 2 + r[2:] for r in query]); table("query", query)
table("large_query", [[x * 2.0**60 for x in r] for r in query]); table("small_query", [[x * 2.0**-60 for x in r] for r in query])
PY
strict='import json, sys
def no(text): raise ValueError(text)
json.load(sys.stdin, parse_constant=no)'
plain() {  # plain options…: numbers, dashes and null, or one line
  "$perp" inspect "$@" >out 2>err; local got=$?
  case $got in
    0) ! grep -qwiE -- '-?(nan|inf)%?' out && "$perp" inspect "$@" --json 2>>err | python3 -c "$strict" && [ ! -s err ] && return ;;
    # What the program holds of its own sums is no refusal of a table.
    2) [ "$(wc -l <err)" -eq 1 ] && ! grep -qE 'overlap_null|toeplitz|lag_statistics|effective_dim|variances:|portrait|recovered' err && return ;;
  esac
  echo "$* (got $got)"; cat out err; return 1
}
names="eye small_eye large_eye one_row equal zeros one_of_many two_of_many two opposite line orthogonal both_ways turned constant nearly tiny huge normal"
for name in $names column1 column2 column9 eye16 eye32; do
  check "positions $name" plain --positions $name.npy
  check "words $name" plain --words $name.npy
done
for name in $names; do
  check "words $name, positions normal" plain --words $name.npy --positions normal.npy
  check "words normal, positions $name" plain --words normal.npy --positions $name.npy
  check "both $name" plain --words $name.npy --positions $name.npy
done
for name in eye16 eye32; do
  answered inspect --positions $name.npy
  check "products that are all 0 have no sentence" bash -c "! grep -q ^Distance out"
  answered inspect --positions $name.npy --json
  check "… and are null" [ "$(field out "['positions']['toeplitz_r2_apart']")" = None ]
done
# Of words of one direction, sums in float32 miss what their spectrum allows; of one such word nothing is left to compare.
for seed in 0 1 2 4 5 6 7; do
  for name in one two first; do answered inspect --words $name$seed.npy --positions of$seed.npy --json; mv out $name$seed.json; done
  check "one word's variance has no overlap" [ "$(field one$seed.json "['between']['centred_overlap']")" = None ]
  check "two words' has one" [ "$(field two$seed.json "['between']['centred_overlap'] > 0")" = True ]
done
answered inspect --words line32.npy --positions of0.npy
answered inspect --words line32.npy --positions line32.npy
for power in 60 100 200; do
  for words in "" "--words normal.npy"; do refuse "expected rows shorter than 1e18" inspect $words --positions beyond$power.npy; done
done
answered inspect --positions column9.npy
check "one dimension: no sentence on coordinates" bash -c "! grep -q ^Coordinates out"
check "… and no chance below what there can be" bash -c "! grep -E 'stable rank|participation' out | grep -qE ' 0?\.[0-9]+ '"
answered inspect --positions both_ways.npy
check "as even as in any rotation" bash -c "tr -s ' \n' ' ' <out | grep -q 'spread as in any rotation'"
answered inspect --positions normal.npy
check "the level of remarks is said" bash -c "tr -s ' \n' ' ' <out | grep -q 'at most one of a thousand tables'"

# ---- heads -------------------------------------------------------------------------------------------------------------------
heads() { answered heads --positions normal.npy --query "$1.npy" --key key.npy --heads 4 --json; }
heads query; cp out live.json
heads dead_query
check "a dead head is null" [ "$(field out "['heads'][0]['r2']") $(field out "['heads'][0]['control_mean']")" = "None None" ]
check "… and the others are as they were" [ "$(field out "['heads'][1]['r2']")" = "$(field live.json "['heads'][1]['r2']")" ]
check "… with random weights beside them" [ "$(field out "['heads'][3]['control_sd'] > 0")" = True ]
for query in large_query small_query; do heads $query; check "$query: the same shares" cmp -s live.json out; done
answered heads --positions normal.npy --query dead_query.npy --key key.npy --heads 4
check "a dash for it" grep -qE '^ +0 +- +- ' out
check "… which is explained" grep -q '^-: all scores of this head are the same' out

# ---- paths -------------------------------------------------------------------------------------------------------------------
ln -s loop loop
long=$(printf 'x%.0s' $(seq 5000))
for word in list inspect rope; do
  refuse "its symbolic links lead in a circle" $word loop
  refuse "choose a shorter name" $word "$long"
  refuse "a part of this path is a file" $word words.txt/config.json
done
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  mkdir -m 700 shut; cp words.txt shut/; chmod 711 .
  for word in list inspect rope; do
    setpriv --reuid 65534 --regid 65534 --clear-groups "$perp" $word "$PWD/shut/words.txt" >out 2>err; code=$?
    check "$word in a folder that is shut (got $code)" [ "$code" -eq 2 ]
    check "… in one line with a remedy" [ "$(grep -c 'Permission denied; change its permissions' err) $(wc -l <err)" = "1 1" ]
  done
fi

# ---- options that would change nothing -----------------------------------------------------------------------------------------
echo '{"head_dim": 64, "max_position_embeddings": 4096}' >config.json
tables=(--words words.txt --positions positions.txt)
for option in kind part head norm lineage name tokens counts encoder layernorm; do
  refuse "--$option: used only in a report" inspect "${tables[@]}" --$option a
done
refuse "--preset: used only in a report" inspect "${tables[@]}" --preset quick
refuse "--kept: used only in a report" inspect "${tables[@]}" --kept k
for option in words positions rows rows-words limit tokens transpose rank-words kind models dim query kept; do
  refuse "--$option: " inspect --$option ''
done
refuse "--dim and --seed: expected one of them" inspect --dim 64 --rows-words 10 --seed 2
refuse "--dim and 'words.txt': expected one of them" inspect words.txt --dim 64 --rows-words 10
refuse "--references" rope --references ''
refuse "--references and 'config.json': expected one of them" rope config.json --references made
refuse "--references and --json: expected one of them" rope --json --references made
refuse "--references and --positions" rope --positions 10 --references made
echo '{"model_type": "bloom", "n_head": 4}' >alibi.json
refuse "--positions: nothing is rotated in 'alibi.json', at any length" rope alibi.json --positions 10
for pair in "base --context" "dot --pairs" "reader --dim" "heads --query" "report --only" "report --studies" "report --corpus" "verify --studies" "render --readme"; do
  read -ra words <<<"$pair"
  refuse "${words[1]}: an empty value; expected" "${words[@]}" ''
done
for option in --single "--readme f" "--at d" "--address https://a"; do
  # shellcheck disable=SC2086  # an option and its value
  refuse "--only-figures and ${option%% *}: expected one of them" render --only-figures $option
done
refuse "--check-readme and --at" render --readme f --check-readme --at d
for option in "--out made" "--build made" --json --fresh "--part 1/2" "--preset long" "--seed 2" "--threads 1" "--corpus none"; do
  # shellcheck disable=SC2086  # an option and its value
  program=$build/studies/orthogonality refuse "--list and ${option%% *}: expected one of them" --list $option
done
refuse "--dim and --threads" inspect --dim 64 --rows-words 10 --threads 1
refuse "--check-readme without --readme" render --check-readme
refuse "--fresh and --kept" verify --fresh f --kept k
refuse "--fresh and --seed" verify --fresh f --seed 2
refuse "--pages no and --templates" report --pages no --templates t
refuse "--runs without --again" bench --runs f
refuse "--again and --rounds" bench --again --rounds 3
check "none of these left a folder" [ ! -e made ]

# ---- byte order marks, names, an index whose files are swapped -------------------------------------------------------------------
made <<'PY'
import os
def tensors(path, names):
    put(path, safetensors({name: ("F32", shape, [(7 * i * i + 3 * i) % 11 / 5 - 1 for i in range(math.prod(shape))]) for name, shape in names.items()}))
tensors("odd.safetensors", {"a\nb\t\x7f\u202e\U000e0041é": [6, 4], "other": [2, 4]})
for folder, of in (("right", ("1", "2")), ("swapped", ("2", "1"))):
    os.makedirs(folder)
    tensors(f"{folder}/1.safetensors", {"wte.weight": [20, 4]}); tensors(f"{folder}/2.safetensors", {"wpe.weight": [8, 4]})
    text = json.dumps({"weight_map": {"wte.weight": of[0] + ".safetensors", "wpe.weight": of[1] + ".safetensors"}})
    open(f"{folder}/model.safetensors.index.json", "w", encoding="utf-8-sig").write(text)
open("models.txt", "w", encoding="utf-8-sig").write("[one]\nwords = words.txt\n")
PY
answered list --json odd.safetensors
check "list --json is plain" bash -c "! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae' out"
answered inspect --words "odd.safetensors:$(python3 -c "import json; print(json.load(open('out'))['tables'][0]['tensor'], end='')")"
answered list odd.safetensors
shown=$(sed -n '1s/^.* F32 *//p' out)
answered inspect --words "odd.safetensors:$shown"
answered list right/model.safetensors.index.json
answered inspect right
refuse "2.safetensors' has no tensor 'wte.weight'" inspect swapped
printf '[one]\nwords = self.txt\n' >self.txt
refuse "self.txt:2: words is this list itself; expected a model's file" inspect --models self.txt --out self
# A claim's number is that of the models file without the mark; nothing is measured for the names alone.
"$perp" inspect --models models.txt --out bom --preset quick --kept kept >out 2>err; code=$?
check "models.txt with a byte order mark (got $code)" [ "$code" -eq 0 ]

# ---- a GGUF file's own keys -----------------------------------------------------------------------------------------------------
made <<'PY'
for name, values in {"rotated": {"embedding_length": 64, "attention.head_count": 4, "rope.dimension_count": 0}, "none": {"context_length": 64},
                     "heads": {"embedding_length": 64, "attention.head_count": 0}, "base": {"embedding_length": 64, "attention.head_count": 4, "rope.dimension_count": 16}}.items():
    put(name + ".gguf", gguf("llama", values, {}))
PY
refuse "llama.rope.dimension_count is 0; expected a whole number from 1" rope rotated.gguf
refuse "llama.attention.head_count is 0; expected a whole number from 1" rope heads.gguf
refuse "neither llama.attention.key_length nor llama.embedding_length with llama.attention.head_count" rope none.gguf
answered rope base.gguf
check "… and in notes" grep -q "names no base (llama.rope.freq_base)" <(tr -s ' \n' ' ' <out)

# ---- a folder where a cell is kept ------------------------------------------------------------------------------------------------
cell=$(find kept -name '*.cell' | head -n 1)
rm "$cell"; mkdir "$cell"; echo mine >"$cell/note"
"$perp" inspect --models models.txt --out bom2 --preset quick --kept kept >out 2>err; code=$?
check "a folder in a cell's place stops no run (got $code)" [ "$code" -eq 0 ]
check "… and is only moved" [ "$(cat "$cell.aside/note")" = mine ]
check "… and the numbers are the same" same bom bom2
rm -r "$cell" "$cell.aside"; mkfifo "$cell"; echo mine >"$cell.aside"
timeout 60 "$perp" inspect --models models.txt --out bom3 --preset quick --kept kept >out 2>err; code=$?
check "… nor is it moved over another file (got $code)" eval '[ -f "$cell.aside" ] && [ "$(cat "$cell.aside")" = mine ]'
finish
