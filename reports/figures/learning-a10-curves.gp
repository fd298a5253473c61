#: claim: A10
#: needs: long/learning/a10_text_curves.csv long/learning/a10_text.csv
#: title: {{#measured A10.more.centred}}Best sum against best concatenation, bits per byte: {{A10.more.centred.interval|+.1%}} (sinusoid),
#:   {{A10.more.learned.interval|+.1%}} (learned){{/measured}}{{#unmeasured A10.more.centred}}Small models of text while they train{{/unmeasured}}
#: caption: Bits per masked byte of text, before it is learned from, by bytes seen. Blue: added; orange: concatenated; black: no
#:   positions{{#measured A10.more.rotary}}; green: RoPE. Solid: centred sinusoid; dashed: learned positions{{/measured}}. Dotted: byte frequencies
#:   alone. Means over seeds, width 64.
#: alt: Falling curves of bits per byte against bytes seen, for models that add, that concatenate, and without
#:   positions.{{#measured A10.more.centred}} At the end adding instead of concatenating changes the bits by {{A10.more.centred|+.1%}} with the sinusoid and
#:   {{A10.more.learned|+.1%}} with learned positions.{{/measured}}
#: size: 860x440
#: phone: 340x420

names = 'none sum.centred concat.centred sum.learned concat.learned rotary'
says = '"no positions" "centred, added" "centred, concatenated" "learned, added" "learned, concatenated" "RoPE"'
if (phone) { says = '"no positions" "added" "concatenated" "added, learned" "concat., learned" "RoPE"'; set lmargin 8 }
colours = sprintf('%d %d %d %d %d %d', without, added, concatenated, added, concatenated, rotated)
row(i, x) = strcol('name') eq word(names, i) ? x : NaN
unset key
stats data_long_a10_text using (column('unigram')) nooutput
unigram = STATS_min
stats data_long_a10_text_curves using (row(2, column('tokens'))) nooutput
last = STATS_max / 1e6
set xrange [0:last * (phone ? 1.9 : 1.27)] noextend
set yrange [*:unigram + 0.35]
set xtics 0, last / (phone ? 2 : 4), last
set format x '%.3g'
set xlabel 'million bytes seen'
set ylabel 'bits per masked byte'
set label 2 'byte frequencies alone' at (phone ? 1.88 : 0.99) * last, unigram + 0.13 right tc rgb quiet
# Names at the ends of the curves, apart by at least a twentieth of the height.
array ends[6]
do for [i = 1:6] {
  stats data_long_a10_text_curves using (strcol('name') eq word(names, i) && column('tokens') > 0.999e6 * last ? column('bits') : unigram + 0.3) nooutput
  ends[i] = STATS_min < unigram + 0.29 ? STATS_min : NaN
}
low = 9
do for [i = 1:6] { if (ends[i] == ends[i] && ends[i] < low) { low = ends[i] } }
step = (unigram + 0.35 - low) / 14
set yrange [low - step:]
taken = low - 2 * step
do for [turn = 1:6] {
  next = 0
  do for [i = 1:6] { if (ends[i] == ends[i] && (next == 0 || ends[i] < ends[next > 0 ? next : 1])) { next = i } }
  if (next > 0) {
    place = ends[next] > taken + step ? ends[next] : taken + step
    set label 10 + next word(says, next) at last * 1.02, place left tc lt (word(colours, next) + 0)
    taken = place
    ends[next] = NaN
  }
}
plot unigram with lines ls 11, \
     for [i in '1 2 3 6'] data_long_a10_text_curves using (row(i + 0, column('tokens') / 1e6)):(column('bits')) with lines ls (word(colours, i + 0) + 0) dt sinusoidal, \
     for [i = 4:5] data_long_a10_text_curves using (row(i, column('tokens') / 1e6)):(column('bits')) with lines ls (word(colours, i) + 0) dt learned
