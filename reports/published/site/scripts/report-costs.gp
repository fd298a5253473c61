#: claim: A7
#: finding: A7.gain_share.linear.random.d32.v256.carried90
#: needs: capacity/a7_readers.csv
#: also: learning/a10_pairs.csv learning/a10_text_pairs.csv long/capacity/a7_readers.csv long/learning/a10_text_pairs.csv
#: title: What adding costs: {{A7.gain_share.linear.random.d32.v256.carried90|.1%}} of the bits for a linear reader at
#:   d = 32{{#measured A7.gain_share.linear.random.d768.v50257.carried90}},
#:   {{A7.gain_share.linear.random.d768.v50257.carried90|.1%}} at GPT-2’s size{{/measured}}
#: caption: Best sum beside the best concatenation of equal width: bits read where noise leaves the concatenation 90%,
#:   {{#measured A10.more.centred}}bits per byte of text, {{/measured}}and steps to learn small tasks (d = 32; dₚ: the concatenation's dimensions for positions). Bars: 99% intervals. Panels have scales of their
#:   own.
#: alt: A forest plot; right of zero adding is worse. With random vectors an ideal reader loses
#:   {{A7.gain_share.joint.random.d32.v256.carried90|.1%}} of the bits at d = 32, a linear one
#:   {{A7.gain_share.linear.random.d32.v256.carried90|.1%}}{{#measured A7.gain_share.linear.random.d768.v50257.carried90}} and at
#:   GPT-2’s size {{A7.gain_share.linear.random.d768.v50257.carried90|.1%}}{{/measured}}.{{#measured A10.more.learned}} Text:
#:   {{A10.more.centred|+.1%}} bits per byte with a centred sinusoid, {{A10.more.learned|+.1%}} with learned positions.{{/measured}}{{#measured A10.ratio.tuned.learned_half}} Steps with learned positions:
#:   {{A10.ratio.tuned.learned_half|.2f}} times{{#measured A10.ratio.tuned.learned_quarter}} and
#:   {{A10.ratio.tuned.learned_quarter|.2f}} times{{/measured}}.{{/measured}}
#: size: 860x600
#: phone: 340x680

unset key
readers = 'joint joint joint linear linear linear linear linear'
widths = '32 256 768 32 64 128 256 768'
kinds = 'sinusoidal centred random'
# GPT-2's size and text: from the preset long, where that was measured.
sized = strlen(data_long_a7_readers) ? data_long_a7_readers : data_a7_readers
text = strlen(data_long_a10_text_pairs) ? data_long_a10_text_pairs : data_a10_text_pairs
large(i) = word(widths, i) eq '768'
bits(i) = strcol('reader') eq word(readers, i) && column('d') == word(widths, i) + 0 && column('v') == (large(i) ? 50257 : 256) && \
  column('l') == (large(i) ? 1024 : 64) && column('carried') == 90 && strcol('grid') eq 'coarse' && column('codebooks') >= 8
# An interval that is not there has no length.
or(x, otherwise) = abs(x) < 1e9 ? x : otherwise
per_cent(name, end) = 100 * or(column(name . end), column(name))
# Of all tasks together; 0 for one of them.
together(x) = strcol('task') eq 'all' ? x : 0
# Of text: a width, and beside it the pairs with a centred sinusoid and with learned positions: of one as it is no
# concatenation was trained, and at d = 32 the two tables differ in width.
text_width(i) = word('32 64 128', i)
text_pair(i, k) = word('- - - - centred learned - d128_centred d128_learned', 3 * i + k - 3)
of_width(i) = strcol('pair') eq text_pair(i, 1) || strcol('pair') eq text_pair(i, 2) || strcol('pair') eq text_pair(i, 3)
drawn(x) = of_width(1) || of_width(2) || of_width(3) ? x : 0
more(end) = 100 * (or(column('ratio' . end), column('ratio')) - 1)

# Places are pixels from the top of the picture; what is not to be seen lies above it. Rows share the height.
hidden = -50
head = 25; axis = 52; pad = 6
nowhere = -1e9
# What reaches beyond the axis widens it: 7 parts to the left, 9 to the right.
larger(a, b) = a > b ? a : b
scale(before, high, low, right) = larger(before, 1.02 * larger(1.0 * high / right, -9 * low / (7.0 * right)))
bits_scale = 1.0
array source[8]; array there[8]; array place[8]
do for [i = 1:8] {
  source[i] = large(i) ? sized : data_a7_readers
  file = source[i]
  stats file using (bits(i) ? per_cent('gain_share', '_high') : nowhere):(bits(i) ? per_cent('gain_share', '_low') : 0) nooutput
  there[i] = STATS_max_x > nowhere
  bits_scale = scale(bits_scale, STATS_max_x, STATS_min_y, 9)
}
has_text = strlen(text) > 0
has_steps = strlen(data_a10_pairs) > 0
array text_there[3]; array text_place[3]
do for [i = 1:3] { text_there[i] = 0 }
if (has_text) {
  stats text using (drawn(per_cent('more', '_high'))):(drawn(per_cent('more', '_low'))) nooutput
  text_scale = scale(1.0, STATS_max_x, STATS_min_y, 9)
  do for [i = 1:3] { stats text using (of_width(i) ? 1 : 0) nooutput; text_there[i] = STATS_max }
}
text_rows = sum [i = 1:3] text_there[i]
if (has_steps) {
  stats data_a10_pairs using (together(more('_high'))):(together(more('_low'))) nooutput
  steps_scale = scale(1.0, STATS_max_x, STATS_min_y, 45)
}
bits_top = title_height + (phone ? 92 : 50)
taken = bits_top + 3 * head + axis + has_text * (axis + pad) + has_steps * (head + axis + pad)
row = (figure_height - taken - 3.0 * pad) / ((sum [i = 1:8] there[i]) + text_rows + 2 * has_steps)
row = row > 34 ? 34 : row
line = bits_top
do for [i = 1:8] {
  if (i == 4) { linear_top = line }
  line = line + (i == 1 || i == 4 ? head : 0)
  place[i] = there[i] == 1 ? line + row / 2 : hidden
  line = line + there[i] * row
}
bits_bottom = line + pad
text_top = bits_bottom + axis
line = text_top + head
do for [i = 1:3] {
  text_place[i] = text_there[i] == 1 ? line + row / 2 : hidden
  line = line + text_there[i] * row
}
text_bottom = line + has_text * pad
steps_top = text_bottom + has_text * axis + pad
steps_bottom = steps_top + head + 2 * row + pad
wide(i) = large(i) ? (phone ? 'GPT-2’s size' : 'GPT-2’s size, d = 768') : 'd = ' . word(widths, i)
beside_words(n) = (phone ? '' : 'concatenated, ') . sprintf('dₚ = d/%d', 2 * n)
beside(y, k) = y + 0.3 * row * (k - 2)

left_end = phone ? 112 : 240
screen_x(x) = 1.0 * x / figure_width
screen_y(y) = 1 - 1.0 * y / figure_height
frame(from, to) = sprintf('set lmargin at screen %.5f; set rmargin at screen %.5f; set tmargin at screen %.5f; set bmargin at screen %.5f; set yrange [%g:%g] noextend', \
  screen_x(left_end), screen_x(figure_width - 18), screen_y(from), screen_y(to), to, from)
shape(k) = k == 1 ? 7 : k == 2 ? 13 : 6
size(k) = (k == 2 ? 0.95 : 0.75) * (phone ? 0.75 : 1)
mark(k) = k == 1 ? 'sinusoid' : k == 2 ? 'centred sinusoid' : 'random vectors; in training learned ones'
mark_x(k) = phone ? (k == 2 ? 110 : 18) : (k == 1 ? 18 : k == 2 ? 116 : 270)
do for [k = 1:3] { set label 20 + k mark(k) at screen screen_x(mark_x(k)), screen_y(title_height + (phone ? (k == 3 ? 36 : 16) : 11)) left offset 1.2, -0.2 tc rgb ink point pt shape(k) ps size(k) lc rgb word(marks, added) }

unset ytics
set grid noytics
set border 1
set multiplot
bold = 'DejaVu Sans Bold,12'
# Right of zero adding is worse; as much of either side in each panel.
eval frame(bits_top, bits_bottom)
set xrange [-7 * bits_scale:9 * bits_scale] noextend
set xtics 2
set xlabel (phone ? 'bits lost, per cent of those sent' : 'bits lost by adding, per cent of those sent') offset 0, 0.7
set arrow 1 from 0, graph 0 to 0, graph 1 nohead ls 11
set label 10 'Bits, ideal reader' at screen screen_x(12), first bits_top + head / 2 + 1 left tc rgb ink font bold
set label 11 'Bits, linear reader' at screen screen_x(12), first linear_top + head / 2 + 1 left tc rgb ink font bold
do for [i = 1:8] { set label 30 + i wide(i) at screen screen_x(left_end - 12), first place[i] right tc rgb quiet }
set label 60 'adding is better' at first -0.2, first bits_top - 8 right tc lt added
if (phone) { set label 61 'concatenating is better' at graph 1, first bits_top - 25 right tc lt concatenated } else { set label 61 'concatenating is better' at first 0.2, first bits_top - 8 left tc lt concatenated }
y(i, k) = bits(i) && strcol('positions') eq word(kinds, k) ? beside(place[i], k) : hidden
plot for [k = 1:3] for [i = 1:8] source[i] using (per_cent('gain_share', '')):(y(i, k)):(per_cent('gain_share', '_low')):(per_cent('gain_share', '_high')) \
  with xerrorbars lc rgb word(marks, added) lw 1.6 pt shape(k) ps size(k)
do for [i = 1:61] { unset label i }

eval frame(text_top, text_bottom)
set label 10 'Bits per byte of text' at screen screen_x(12), first text_top + head / 2 left tc rgb ink font bold
if (has_text) {
  set xlabel (phone ? 'more bits per byte, per cent' : 'more bits per byte by adding, per cent')
  set xrange [-7 * text_scale:9 * text_scale] noextend
  do for [i = 1:3] { set label 30 + i 'd = ' . text_width(i) at screen screen_x(left_end - 12), first text_place[i] right tc rgb quiet }
  plot for [k = 1:3] for [i = 1:3] text using (per_cent('more', '')):(strcol('pair') eq text_pair(i, k) ? beside(text_place[i], k) : hidden):(per_cent('more', '_low')):(per_cent('more', '_high')) \
    with xerrorbars lc rgb word(marks, added) lw 1.6 pt shape(k) ps size(k)
} else {
  set label 11 'not measured' at screen screen_x(phone ? 160 : left_end), first text_top + head / 2 left tc rgb quiet
  unset xtics; unset border; unset arrow 1; set xlabel ''
  plot hidden notitle
}
unset label 11
do for [i = 31:33] { unset label i }

if (has_steps) {
  eval frame(steps_top, steps_bottom)
  set border 1
  set xrange [-35 * steps_scale:45 * steps_scale] noextend
  set xtics -600, (phone ? 15 : 10) nomirror out scale 0.5 textcolor rgb quiet
  set xlabel 'more steps by adding, per cent'
  set arrow 1 from 0, graph 0 to 0, graph 1 nohead ls 11
  set label 10 'Steps to learn small tasks' at screen screen_x(12), first steps_top + head / 2 left tc rgb ink font bold
  step_row(n) = steps_top + head + (n - 0.5) * row
  do for [n = 1:2] { set label 30 + n beside_words(n) at screen screen_x(left_end - 12), first step_row(n) right tc rgb quiet }
  y(n, k) = strcol('task') eq 'all' && strcol('pair') eq word('as_is centred learned', k) . (n == 1 ? '_half' : '_quarter') ? beside(step_row(n), k) : hidden
  plot for [k = 1:3] for [n = 1:2] data_a10_pairs using (more('')):(y(n, k)):(more('_low')):(more('_high')) \
    with xerrorbars lc rgb word(marks, added) lw 1.6 pt shape(k) ps size(k)
}
unset multiplot
