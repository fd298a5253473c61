#: claim: A7
#: finding: A7.gain_share.linear.random.d32.v256.carried90
#: needs: capacity/a7_readers.csv
#: also: learning/a10_pairs.csv learning/a10_text_pairs.csv learning/a12_loss.csv long/capacity/a7_readers.csv long/learning/a10_text_pairs.csv
#: title: Frozen, adding costs {{A7.gain_share.linear.random.d32.v256.carried90|.0%}} of the bits{{#when A12.loss.classifier.both.d32 below 0.01, A12.loss.heads.both.d32 below 0.01}}; both learned, next to nothing{{/when}}{{#when A10.log_steps.tuned.as_is_half above 0}}; on tasks, {{A10.ratio.tuned.as_is_half|.2f}} times the steps{{/when}}
#: caption: What adding costs beside concatenating at equal width. Frozen: random tables before a linear classifier. Steps: small tasks, d = 32, half concatenated
#:   unless said. Grey, for scale: RoPE and no positions at all, against the same concatenation. Bars: 99% intervals. The axis is linear up to 1%, then logarithmic.
#: alt: A forest plot; right of zero adding is worse. Frozen random tables lose {{A7.gain_share.linear.random.d32.v256.carried90|.1%}} of the bits at
#:   d = 32{{#when measured A7.gain_share.linear.random.d768.v50257.carried90, measured A12.loss.classifier.both.d32, measured A10.more.learned, measured A10.ratio.tuned.as_is_half}} and {{A7.gain_share.linear.random.d768.v50257.carried90|.1%}} at GPT-2’s size. Learned
#:   ones lose {{A12.loss.classifier.both.d32|.1%}}. Text:
#:   {{A10.more.centred|+.1%}} bits per byte with a centred sinusoid, {{A10.more.learned|+.1%}} with learned positions. Steps on tasks:
#:   {{A10.ratio.tuned.as_is_half|.2f}} times with the sinusoid as it is{{/when}}.
#: size: 860x500
#: phone: 340x580

unset key
# GPT-2's size and text: from the preset long, where that was measured.
sized = strlen(data_long_a7_readers) ? data_long_a7_readers : data_a7_readers
text = strlen(data_long_a10_text_pairs) ? data_long_a10_text_pairs : data_a10_text_pairs
rows = 13
source(i) = i == 1 ? data_a7_readers : i == 2 ? sized : i < 6 ? data_a12_loss : i < 10 ? text : data_a10_pairs
pair(i) = word('- - - - - centred learned rotary none as_is_half centred_half learned_half learned_quarter', i)
frozen(d, v, l) = strcol('reader') eq 'linear' && strcol('positions') eq 'random' && strcol('grid') eq 'coarse' && column('carried') == 90 && \
  column('d') == d && column('v') == v && column('l') == l && column('codebooks') >= 8
learned(what, tables, d) = strcol('reader') eq what && strcol('learned') eq tables && column('d') == d && column('v') == 256 && column('part') == 1 && strcol('rate') eq 'given'
held(i) = i == 1 ? frozen(32, 256, 64) : i == 2 ? frozen(768, 50257, 1024) : i == 3 ? learned('classifier', 'both', 32) : i == 4 ? learned('heads', 'both', 32) : i == 5 ? learned('classifier', 'words', 64) \
  : strcol('pair') eq pair(i) && (i < 10 || strcol('task') eq 'all')
per_cent(i, end) = 100 * (i < 3 ? column('gain_share' . end) : i < 6 ? column(end eq '' ? 'loss' : substr(end, 2, 9)) : i < 10 ? column('more' . end) : column('ratio' . end) - 1)
# An interval that is not there has no length.
or(x, otherwise) = abs(x) < 1e9 ? x : otherwise
is_scale(i) = i == 8 || i == 9
heading(i) = i == 1 ? 'Bits, frozen tables' : i == 3 ? 'Bits, learned tables' : i == 6 ? 'Bits per byte of text' : i == 10 ? (phone ? 'Steps on tasks' : 'Steps to learn small tasks') : ''
about(i) = i == 1 ? 'd = 32' : i == 2 ? 'GPT-2’s size' : i == 3 ? (phone ? 'classifier, d = 32' : 'both, classifier, d = 32') : i == 4 ? (phone ? 'two heads, d = 32' : 'both, two heads, d = 32') : i == 5 ? (phone ? 'words only, d = 64' : 'words beside a sinusoid, d = 64') : i == 6 ? 'centred sinusoid' : i == 7 ? 'learned positions' \
  : i == 8 ? 'RoPE instead' : i == 9 ? 'no positions' : i == 10 ? 'sinusoid as it is' : i == 11 ? 'centred sinusoid' : i == 12 ? 'learned positions' : phone ? 'learned, quarter' : 'learned, a quarter concatenated'
near(x) = asinh(x)
signed(x) = (x < -0.05 ? '−' : '+') . sprintf(abs(x) < 10 ? '%.1f%%' : '%.0f%%', abs(x))

# Places are pixels from the top of the picture; rows share the height, a heading takes one.
nowhere = -1e9
top = title_height + 34
array there[rows]; array middle[rows]; array low[rows]; array high[rows]
lines = 0
do for [i = 1:rows] {
  there[i] = 0
  file = source(i)
  if (strlen(file)) {
    stats file using (held(i) ? per_cent(i, '') : nowhere):(held(i) ? or(per_cent(i, '_low'), per_cent(i, '')) : nowhere) nooutput
    there[i] = STATS_max_x > nowhere
    middle[i] = STATS_max_x; low[i] = STATS_max_y
    stats file using (held(i) ? or(per_cent(i, '_high'), per_cent(i, '')) : nowhere) nooutput
    high[i] = STATS_max
  }
  lines = lines + there[i]
  if (strlen(heading(i)) && there[i]) { lines = lines + 1.15 }
}
row = (figure_height - top - 70.0) / lines
row = row > 30 ? 30 : row
left_end = phone ? 150 : 250
screen_x(x) = 1.0 * x / figure_width
bottom = top + row * lines + 4
at_line = 0
set print $drawn
print 'place,middle,low,high,scale,number'
do for [i = 1:rows] {
  if (there[i] && strlen(heading(i))) {
    set label 100 + i heading(i) at screen screen_x(12), first top + row * (at_line + 0.68) left tc rgb ink font 'DejaVu Sans Bold,12'
    at_line = at_line + 1.15
  }
  if (there[i]) {
    place = top + row * (at_line + 0.5)
    set label 200 + i about(i) at screen screen_x(left_end - 12), first place right tc rgb quiet
    print sprintf('%.1f,%.6f,%.6f,%.6f,%d,%s', place, near(middle[i]), near(low[i]), near(high[i]), is_scale(i), signed(middle[i]))
    at_line = at_line + 1
  }
}
unset print

set lmargin at screen screen_x(left_end)
set rmargin at screen screen_x(figure_width - (phone ? 62 : 84))
set tmargin at screen 1 - 1.0 * top / figure_height
set bmargin at screen 1 - 1.0 * bottom / figure_height
set yrange [bottom:top] noextend
set xrange [near(-14):near(160)] noextend
if (phone) { set xtics ('−10' near(-10), '0' 0, '10' near(10), '100%%' near(100)) } \
else { set xtics ('−10%%' near(-10), '−3%%' near(-3), '−1%%' near(-1), '0' 0, '1%%' near(1), '3%%' near(3), '10%%' near(10), '30%%' near(30), '100%%' near(100)) }
set xlabel phone ? 'worse by adding, per cent' : 'worse by adding than by concatenating'
unset ytics
set grid noytics
set border 1
set arrow 1 from 0, graph 0 to 0, graph 1 nohead ls 11
set label 60 phone ? 'adding better' : 'adding is better' at first -0.12, first top - 11 right tc lt added
set label 61 phone ? 'concatenating better' : 'concatenating is better' at first 0.12, first top - 11 left tc lt concatenated
mark(x, scale) = column('scale') == scale ? x : NaN
plot $drawn using (mark(column('middle'), 1)):(column('place')):(column('low')):(column('high')) with xerrorbars lc rgb quiet lw 1.6 pt 6 ps 0.8, \
     $drawn using (mark(column('middle'), 0)):(column('place')):(column('low')):(column('high')) with xerrorbars lc rgb word(marks, added) lw 1.6 pt 7 ps 0.8, \
     $drawn using (near(160)):(column('place')):(strcol('number')) with labels left offset 0.8, 0 tc rgb ink noenhanced
