#!/usr/bin/env bash
# `perp inspect` and `perp list` as people run them: a model found in its files, the JSON that others rely on, text of 80
# columns, refusals in one line, a report with two models, hostile names; and the study's old calls.
# usage: inspect.sh <build folder>
set -uo pipefail
build=$1
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
study=$build/studies/inspect program=$build/perp
inspect() { "$build/perp" inspect "$@"; }
list() { "$build/perp" list "$@"; }

complain() { refuse "$1" inspect "${@:2}"; }  # complain <part of the message> options…
table 300 12 1 >words.txt; table 40 12 2 >positions.txt; table 40 8 3 >narrow.txt; table 12 12 4 >square.txt
{ cat words.txt; echo "bad 1 2 nan 4 5 6 7 8 9 10 11 12"; } >nan.txt

# ---- JSON: names and order are a contract ----------------------------------------------------------------------------------
keys() { grep -oE '"[a-z0-9_]+":' out | tr -d '":' | tr '\n' ' '; }
one="rows dim zero_rows mean_norm mean_cosine stable_rank participation_ratio r90 r99 r999 r99_uncentred "
positions="${one}toeplitz_defect toeplitz_r2 null_toeplitz_r2 coordinate_participation_ratio"
positions+=" null_coordinate_participation_ratio null_coordinate_participation_ratio_sd leading_share null_leading_share"
positions+=" toeplitz_r2_apart sinusoid "
both="words ${one}positions ${positions}between rank_words rank_positions"
both+=" principal_cosines largest_cosine mean_square_cosine max_abs_cosine word_energy_in_positions null_largest_cosine"
both+=" null_word_energy null_mean_square_cosine null_mean_square_sd centred_overlap null_centred_overlap_sd size_ratio sums"
both+=" words_found null_words_found positions_found "
mkdir empty
(cd empty && inspect --words ../words.txt --positions ../positions.txt --json) >out 2>err
check "both tables: the keys, in order" [ "$(keys)" = "$both" ]
check "… one line" [ "$(wc -l <out)" -eq 1 ]
check "… nothing on standard error" [ ! -s err ]
check "… no file is written" rmdir empty
cp out first
inspect --words words.txt --positions positions.txt --json --threads 1 >out 2>err
check "one thread, the same bytes" cmp first out
inspect --words words.txt --json >out 2>err
check "words alone" [ "$(keys)" = "words $one" ]
inspect --positions positions.txt --json >out 2>err
check "positions alone" [ "$(keys)" = "positions $positions" ]
inspect --words words.txt --rows-words 10:200 --limit 50 --json >out 2>err
check "--rows-words and --limit" grep -q '"rows":50,' out
inspect --words words.txt --positions positions.txt --rank-words 3 --rank-positions 2 --json >out 2>err
check "ranks that are given" grep -qE '"rank_words":3,"rank_positions":2,"principal_cosines":\[[0-9.e-]+,[0-9.e-]+\]' out
echo "a 1 2" >single.txt
inspect --positions single.txt --json >out 2>err
check "what one row does not define is null" grep -q '"mean_cosine":null,"stable_rank":null' out

# ---- text ----------------------------------------------------------------------------------------------------------------------
inspect --words words.txt --positions positions.txt >out 2>err
check "a table: value, chance, distance, a note" grep -qE 'mean square cosine +0\.[0-9]+ +0\.08333 +[-+][0-9.]+ .*(chance|directions)' out
inspect --dim 768 --rows-words 30000 --rows-positions 512 >out 2>err
check "theory alone" grep -qE '^  r99, not centred +129 ' out
inspect --dim 768 --rows-words 30000 --rows-positions 512 --json >out 2>err
check "… as JSON" python3 -c "import json; b = json.load(open('out')); assert b['positions']['r99_uncentred'] == 129"
# 761 and 129 dimensions hold 99%; halved until both together take half of the 768 at most.
check "… at ranks for which there is room" python3 -c "import json; b = json.load(open('out'))['between']; assert (b['rank_words'], b['rank_positions']) == (190, 32)"
inspect --dim 64 --rows-words 100 --json >out 2>err
check "… of words alone" python3 -c "import json; assert list(json.load(open('out'))) == ['words']"

# ---- tables of a file --------------------------------------------------------------------------------------------------------------
made <<'PY'
put("m.gguf", gguf("llama", {}, {"blk.0.attn_q.weight": (3, [64, 12], b"\0\x3c\0\0" * 120), 'a"\\\n': (0, [3], bytes(12))}))
put("a.npy", npy([[0, 0, 0]] * 2, "d"))
put("t.safetensors", safetensors({"w": ("F32", [1, 1, 2], [0, 0])}))
blocks = lambda layer, rows: b"".join(b"\0\x3c" + bytes((31 * row + 7 * i * i + 5 * layer) % 256 for i in range(32)) for row in range(rows))
put("llama.gguf", gguf("llama", {"attention.head_count": 3, "attention.head_count_kv": 1}, {
    f"blk.{layer}.attn_{which}.weight": (8, [32, rows], blocks(layer, rows)) for layer in range(2) for which, rows in (("q", 12), ("k", 4), ("v", 4))}))
PY
list m.gguf >out 2>err
check "list FILE: the tables of a GGUF file" [ "$(sed -n 1p out | tr -s ' ')" = " 12 x 64 Q4_1 blk.0.attn_q.weight" ]
check "… a name on one line" [ "$(sed -n 2p out | tr -s ' ')" = ' 3 F32 a"\\x0a' ]
list m.gguf --json >out 2>err
check "… as JSON" python3 -c "import json; t = json.load(open('out'))['tables']; assert t[0] == {'tensor': 'blk.0.attn_q.weight', 'shape': [12, 64], 'type': 'Q4_1'}; assert t[1]['tensor'] == 'a\"\\\\\n', t"
for file in "a.npy 2 x 3 f8" "t.safetensors 1 x 1 x 2 F32 w" "words.txt 300 x 12 f4"; do
  list "${file%% *}" >out 2>err
  check "… of ${file%% *}" [ "$(tr -s ' ' <out)" = " ${file#* }" ]
done
mkdir -p listed && cp m.gguf listed/
check "… of a model's folder" [ "$(list listed)" = "$(list m.gguf)" ]
check "… of two files, each with its name" [ "$(list m.gguf listed/m.gguf)" = "'m.gguf':
$(list m.gguf)
'listed/m.gguf':
$(list m.gguf)" ]
check "… in JSON, too" [ "$(list m.gguf listed/m.gguf --json | sed 's/"tables".*//' | xargs)" = "{file:m.gguf, {file:listed/m.gguf," ]
inspect --words m.gguf:blk.0.attn_q.weight --json >out 2>err
check "a table out of a GGUF file" grep -q '"rows":12,"dim":64,' out
complain "has no tensor 'blk.1'; it has 'blk.0.attn_q.weight', 'a" --words m.gguf:blk.1 --json
refuse "'absent.npy'" list absent.npy
refuse "no file; expected perp list FILE" list
refuse "--words" list m.gguf --words words.txt
head -c 100 m.gguf >cut.gguf
refuse "'cut.gguf': byte" list cut.gguf
complain "--layers: used only in a report; expected --out FOLDER beside it" --layers llama.gguf --json
complain "no query weights under a known name" --layers words.txt --out folder
complain "its positions are rotary" --layers llama.gguf --positions positions.txt --out folder
check "the study's --list names the claims" bash -c "'$study' --list | grep -q '^M6 '"
check "--help teaches" bash -c "'$build/perp' list --help | grep -q 'perp list model.safetensors'"

# ---- nobody reads it -----------------------------------------------------------------------------------------------------------------
full "$build/perp" inspect --words words.txt --positions positions.txt
full "$build/perp" inspect --words words.txt --positions positions.txt --json
full "$build/perp" inspect --dim 64 --rows-words 100
for other in render verify; do full "$build/perp" "$other" --help; done
full "$build/perp" verify --published "$source_folder/reports/published" --fresh "$source_folder/reports/published" --studies order

# ---- refusals --------------------------------------------------------------------------------------------------------------------
complain "nothing to look at"
complain "nothing to look at" --json
complain "absent.npy" --words absent.npy
complain "12 dimensions, --positions narrow.txt: 8" --words words.txt --positions narrow.txt
complain "nan.txt" --words nan.txt --json
complain "--rank-words 13: expected a rank from 1 to 12" --words words.txt --positions positions.txt --rank-words 13
complain "--rank-words without --positions" --words words.txt --rank-words 3
complain "--limit 'many'" --words words.txt --limit many
complain "--rows without --positions" --words words.txt --rows 0:3
complain "rows 0:41" --positions positions.txt --rows 0:41
complain "expected words, positions or weights" --words words.txt --transpose everything
complain "--transpose words without --words: expected both" --positions positions.txt --transpose words
complain "--transpose weights without --query: expected both" --positions positions.txt --transpose weights --out folder
complain "--dim and --words" --dim 8 --words words.txt
complain "expected an even number" --dim 7 --rows-positions 8
complain "--dim 8: expected --rows-words V" --dim 8
complain "--dim and --out" --dim 8 --rows-words 8 --out folder
complain "--dim 1000000000: expected 2 to 20000" --dim 1e9 --rows-words 10 --rows-positions 5
complain "--dim and --limit" --dim 8 --rows-words 8 --limit 3
complain "--dim and --lineage" --dim 8 --rows-words 8 --lineage a
complain "--only" --dim 8 --rows-words 8 --only M1
complain "neither words nor positions nor layers" --encoder /no --encoder-heads 2 --token-ids /no --out folder
complain "neither words nor positions nor layers" --name a --out folder
complain "--query: used only in a report; expected --out" --words words.txt --positions positions.txt --query /no \
  --key /no --heads x --layernorm junk --json
complain "--only" --positions positions.txt --only M1
complain "--encoder without --encoder-heads: expected both" --positions positions.txt --encoder /no --out folder
awk 'BEGIN { printf "a"; for (i = 0; i < 2500000; ++i) printf " 1"; print "" }' >wide.txt
complain "--words 'wide.txt': 2500000 dimensions" --words wide.txt --json
complain "--name: the name 'My Model'" --words words.txt --name "My Model" --out folder
complain "--name: the name '../up'" --words words.txt --name ../up --out folder
complain "means something to the report" --words words.txt --name theory --out folder
printf "[a]\nwords = words.txt\n" >models.txt
complain "several models go into a report" --models models.txt --words words.txt --json
check "nothing was written" [ ! -e folder/results.json ]

# ---- what has no numbers, or too small ones ----------------------------------------------------------------------------------------
mkfifo pipe  # nobody writes to it
for option in --words --positions --models list ""; do
  word=inspect
  [ "$option" != list ] || { word=list; option=; }
  timeout -s KILL 20 "$build/perp" $word $option pipe >out 2>err; got=$?
  check "$word $option of a pipe is refused (got $got)" [ "$got" -eq 2 ]
  check "… in one line" [ "$(cat err)" = "perp $word: 'pipe' is a device or a pipe; expected a plain file" ]
done
awk 'BEGIN { for (i = 0; i < 20; ++i) { printf "r%d", i; for (j = 0; j < 8; ++j) printf " 0"; print "" } }' >zeros.txt
echo "a 2" >point.txt
for file in single.txt point.txt zeros.txt; do
  for option in --words --positions; do
    inspect "$option" "$file" >out 2>err; got=$?
    check "$option $file is measured (got $got)" [ "$got" -eq 0 ]
    check "… where there is no number there is no note" bash -c '! grep -E "^ .{37}-.{18} " out'
    check "… of hundredths of nothing neither" bash -c '! grep -E "nan| 0% of" out'
    inspect "$option" "$file" --preset quick --kept kept --out "numberless/$option" >/dev/null 2>err; got=$?
    check "… in a report too (got $got)" [ "$got" -eq 0 ]
  done
done
made <<'PY'
# Words of which float32 knows no products, or nothing; the last is a single row of these among others.
random.seed(1)
normal = [[random.gauss(0, 1) for _ in range(8)] for _ in range(60)]
for name, item, scales in ("small", "f", [1e-25] * 60), ("smaller", "d", [1e-300] * 60), ("mixed", "d", [1] * 59 + [1e-300]):
    put(name + ".npy", npy([[x * scale for x in row] for row, scale in zip(normal, scales)], item))
PY
complain "the longest row has length" --words small.npy
complain "'smaller.npy': row 0 holds numbers that float32 cannot tell from 0" --words smaller.npy
complain "'mixed.npy': row 59 holds numbers that float32 cannot tell from 0" --words mixed.npy
complain "--positions smaller.npy: no number is larger than " --positions smaller.npy

# ---- a report ----------------------------------------------------------------------------------------------------------------------
hostile='`touch run`$(touch run)<script>|"q"'
cp words.txt "$hostile.txt"
cat >models.txt <<EOF
# two models
[first]
words = $hostile.txt
positions = positions.txt
query = square.txt
key = square.txt
heads = 3
transpose = weights

[second]
positions = positions.txt
rows = 5:40
encoder = small.safetensors
encoder-heads = 2
token-ids = ids.npy

[third]
layers = llama.gguf
EOF
made <<'PY'
# A small encoder of BERT's form, and texts for it.
random.seed(1)
d, inner, tensors = 8, 12, {}
def both(name, out, *into): tensors.update({name + ".weight": ("F32", [out, *into]), name + ".bias": ("F32", [out])})
for table, rows in ("word", 30), ("position", 12), ("token_type", 2): tensors[f"embeddings.{table}_embeddings.weight"] = "F32", [rows, d]
both("embeddings.LayerNorm", d)
layer = "encoder.layer.0."
for part in "self.query", "self.key", "self.value", "output.dense": both(layer + "attention." + part, d, d)
both(layer + "attention.output.LayerNorm", d), both(layer + "intermediate.dense", inner, d)
both(layer + "output.dense", d, inner), both(layer + "output.LayerNorm", d)
put("small.safetensors", safetensors(tensors))
put("ids.npy", npy([[random.randrange(30) for _ in range(12)] for _ in range(60)], "i"))
PY
inspect --models models.txt --preset quick --kept kept --out out1/inspect 2>err || cat err
exec 9<out1/inspect; flock 9  # by another run
timeout 2 "$build/perp" inspect --models models.txt --preset quick --kept kept --out out1/inspect 2>err; got=$?
check "a folder in use is waited for (got $got)" eval '[ $got -eq 124 ] && grep -q "out1/inspect is in use by .*; waiting" err'
exec 9>&-
"$build/perp" render --results out1 2>err || cat err
check "a report of two models" grep -q '^# Released models' out1/chapters/inspect.md
for claim in M1 M2 M3 M4 M5 M6 M7 M8 M9 M10; do check "… has $claim" grep -q "^## $claim " out1/chapters/inspect.md; done
check "… with its figures" [ -s out1/figures/inspect-m3-families.svg ]
check "… and a table of the encoder's layers beside it" [ -s out1/inspect/m10_layers.csv ]
PATH=/nowhere inspect --models models.txt --preset quick --kept kept --out plain/inspect 2>err; got=$?
check "without gnuplot it measures all the same (got $got)" [ "$got/$(ls plain/inspect/*.csv | wc -l)" = "0/$(ls out1/inspect/*.csv | wc -l)" ]
check "… and says what is missing" grep -q "perp inspect: no figures: gnuplot is not installed" err
check "… both models" bash -c 'cat out1/inspect/*.csv | grep -q "^first," && cat out1/inspect/*.csv | grep -q "^second,"'
check "nothing ran" eval '[ ! -e run ] && [ ! -e out1/run ]'
# Markdown shows code as it is; everywhere else, and in all of the page, the name is written so that it is no tag.
check "no script tag" bash -c '! cat out1/*.md out1/chapters/*.md | awk "/^\`\`\`/ {code = !code} !code" | grep -q "<script>|"'
check "… and none in the pages" bash -c '! grep -q "<script>|" out1/site/*.html'
check "the commands name the encoder and its texts" bash -c \
  'grep -qxF "encoder = small.safetensors" out1/ARTIFACT.md && grep -qxF "token-ids = ids.npy" out1/ARTIFACT.md'
check "the commands name that file" grep -qxF "words = $hostile.txt" out1/ARTIFACT.md
"$study" --models models.txt --preset quick --build other --threads 1 --out out2/inspect 2>err || cat err
check "one thread, by the study: the same bytes" same --exclude=figures out1/inspect out2/inspect
check "a figure beside the tables" grep -q '</svg>' out1/inspect/figures/inspect-m3-families.svg
check "results.json against its schema" /usr/bin/python3 "$source_folder/tests/reports/schema.py" \
  "$source_folder/docs/schema/results.schema.json" out1/inspect/results.json

# ---- a model by its files ----------------------------------------------------------------------------------------------------------
wide() { python3 -c "import sys; sys.exit(any(len(line.rstrip('\\n')) > 80 for line in open('$1', encoding='utf-8')))"; }
inspect small.safetensors --json >named 2>err
check "a model's file: what was taken, in one line" [ "$(cat err)" = "perp inspect: BERT: words embeddings.word_embeddings.weight (30 x 8), positions embeddings.position_embeddings.weight (12 x 8); to take others: --words FILE:TENSOR --positions FILE:TENSOR (perp list FILE shows them)" ]
inspect --words small.safetensors:embeddings.word_embeddings.weight --positions small.safetensors:embeddings.position_embeddings.weight --json >out 2>err
check "… the same as by name" cmp named out
mkdir model && cp small.safetensors model/model.safetensors
config() { printf '%s' "$1" >model/config.json; }
config '{"model_type":"bert","num_attention_heads":2,"pad_token_id":0}'
inspect model --json >out 2>err
check "… by its folder, and what its heads do" python3 -c "import json; f = json.load(open('out')); h = f.pop('heads'); assert f == json.load(open('named')) and len(h['r2']) == 2"
check "… with its heads" grep -q '^perp inspect: BERT: .*, 1 layer of 2 heads; to take others' err
inspect model >out 2>err
check "the answer opens with the questions" bash -c 'grep -nE "^(Size|Overlap|Coordinates|Distance|Heads|words) " out | cut -d: -f2 | cut -d" " -f1 | xargs | grep -qx "Size Overlap Coordinates Distance Heads words"'
check "… and names no cost that perp reader refuses" eval '! grep -q "^Cost" out'
table 300 16 1 >words16.txt; table 40 16 2 >positions16.txt
"$build/perp" inspect words16.txt positions16.txt >cost 2>err
check "what adding costs is a command that runs" eval '"$build/perp" $(sed -nE "s/^Cost +perp (reader .*) says what.*/\1/p" cost) | grep -q "^Frozen random tables of 300 words and 40 positions in 16"'
check "… in lines of 80 columns" wide out
check "… without colour" bash -c '! grep -q "\x1b" out'
config '{"model_type":"roberta","pad_token_id":1}'
inspect model --json >out 2>err
check "rows that are no positions are left out" grep -q '"positions":{"rows":10,' out
inspect model --rows 1:5 --json >out 2>err
check "… unless rows are given" grep -q '"positions":{"rows":4,' out
config '{"num_attention_heads":2}'
inspect model --preset quick --kept kept --out by_folder >out 2>err
check "into a folder: with the heads' layers" grep -q '"M6.' by_folder/results.json
for bad in '{"num_attention_heads":"2"}' '{"num_attention_heads":1000000000}' '{"pad_token_id":[1]}' '[]' '{"a":' '{"model_type":7}'; do
  config "$bad"
  complain "config.json" model --json
done
python3 -c "print('{\"a\":' + '[' * 1000000)" >model/config.json
complain "is nested deeper than 64" model
head -c 100000000 /dev/zero >model/config.json
complain "a configuration of 100000000 bytes" model
rm model/config.json
cp small.safetensors model/again.safetensors
complain "several tables fit: embeddings.word_embeddings.weight (30 x 8)" model
complain "it has a (2 x 3); expected --words FILE:TENSOR or --positions FILE:TENSOR" a.npy
complain "it has w (1 x 1 x 2)" t.safetensors
complain "no .safetensors, .gguf, .npy or .txt in it" out2
inspect words.txt --json >out 2>err
check "word vectors as text are words" grep -q '^{"words":{"rows":300,' out
inspect llama.gguf --json >out 2>err; got=$?
check "a GGUF without words is refused (got $got)" [ "$got" -eq 2 ]

# ---- models in a file: one, then another beside it -----------------------------------------------------------------------------------
reported() { "$build/perp" report --models list.txt --studies inspect --preset quick --kept kept --out out3 >/dev/null 2>err; }
printf '[alpha]\nwords = words.txt\npositions = positions.txt\n' >list.txt
check "a first model" reported
check "without an encoder there is no table of one" [ ! -e out3/inspect/m10_layers.csv ]
printf '[alpha]\npositions = positions.txt\n[beta]\npositions = positions.txt\n' >list.txt
check "a second" reported
check "… stands beside it" bash -c 'grep -q "M4.defect.alpha" out3/inspect/results.json && grep -q "M4.defect.beta" out3/inspect/results.json'
check "… and nothing is left of words that the first no longer has" bash -c '! grep -q "words.txt" out3/inspect/results.json'
cp -r out3 before
for wrong in '[gamma]\nwords = absent.txt' '[Bad name]\nwords = words.txt' '[beta]\npositions = positions.txt' '[gamma]\nnothing = 1'; do
  printf '[beta]\npositions = positions.txt\n%b\n' "$wrong" >list.txt
  reported; got=$?
  check "$wrong is refused (got $got)" [ "$got/$(wc -l <err)" = 2/1 ]
done
check "… and the report stays as it was" diff -r before out3
for equal in words positions; do  # rows that are all equal have nothing to compare
  awk 'NR == 1 {$1 = ""; for (n = 0; n < 40; n++) print "r" n $0}' $equal.txt >equal.txt
  printf '[alpha]\nwords = words.txt\npositions = positions.txt\n' | sed "s/= $equal.txt/= equal.txt/" >list.txt
  check "equal $equal: a report" reported
  check "… without an overlap" bash -c 'grep -q "M3.models" out3/inspect/results.json && ! grep -q '\''"id": "M3.overlap.alpha"'\'' out3/inspect/results.json'
done
finish
