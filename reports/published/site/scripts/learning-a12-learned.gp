#: claim: A12
#: needs: learning/a12_loss.csv
#: also: capacity/a7_readers.csv
#: title: {{#when A12.loss.classifier.both.d32 below 0.01, A12.loss.classifier.both.d64 below 0.01, A12.loss.heads.both.d32 below 0.01, measured A12.loss.heads.none.d32, measured A7.gain_share.linear.random.d32.v256.carried90}}Frozen tables lose {{A7.gain_share.linear.random.d32.v256.carried90|.0%}} (classifier) or {{A12.loss.heads.none.d32|.0%}} (heads) of the bits; both learned, under 1%{{/when}}
#: caption: Bits of the best concatenation less those of the sum, as a share of all bits, where the best concatenation delivers 90%; 32 dimensions unless
#:   said. Bars: 99% intervals over runs. Frozen: random tables, read by the linear classifier of A7 and by heads that learn.
#: alt: A chart with seven rows, of frozen tables, of tables both learned, and of words learned beside a fixed sinusoid{{#when measured A12.loss.heads.none.d32, measured A12.loss.classifier.words_narrow.d64, measured A7.gain_share.linear.random.d32.v256.carried90}}: {{A7.gain_share.linear.random.d32.v256.carried90|.1%}} before a
#:   classifier and {{A12.loss.heads.none.d32|.1%}} before heads; {{A12.loss.classifier.both.d32|.2%}}, {{A12.loss.classifier.both.d64|.2%}} and {{A12.loss.heads.both.d32|.2%}}; {{A12.loss.classifier.words.d64|.2%}} and {{A12.loss.classifier.words_narrow.d64|.2%}}{{/when}}.
#: size: 860x440
#: phone: 340x500

unset key
frozen(x) = strcol('reader') eq 'linear' && strcol('positions') eq 'random' && strcol('grid') eq 'coarse' && column('carried') == 90 && column('d') == 32 ? x : NaN
is(r, l, d) = strcol('reader') eq r && strcol('learned') eq l && column('d') == d
row_of(x) = is('heads', 'none', 32) ? 6 : is('classifier', 'both', 32) ? 5 : is('classifier', 'both', 64) ? 4 : is('heads', 'both', 32) ? 3 \
  : is('classifier', 'words', 64) ? 2 : is('classifier', 'words_narrow', 64) ? 1 : NaN
place(x) = column('v') == 256 && column('part') == 1 && strcol('rate') eq 'given' ? row_of(x) : NaN
set yrange [0.4:7.6] noextend
set xrange [-2:32] noextend
set xtics ('0' 0, '5%%' 5, '10%%' 10, '15%%' 15, '20%%' 20, '25%%' 25, '30%%' 30)
set xlabel 'bits lost by adding'
array name[7] = ['words, narrow sinusoid, d = 64', 'words, sinusoid in all d = 64', 'both tables, attention heads', 'both tables, classifier, d = 64', 'both tables, classifier', 'frozen, attention heads', 'frozen, classifier']
set format y ''
set ytics 1, 1, 7
set lmargin phone ? 3 : 32
if (phone) { set xtics ('0' 0, '10%%' 10, '20%%' 20, '30%%' 30) }
do for [i = 1:7] {
  # on a phone above their points
  if (phone) { set label 10 + i name[i] at 0.25, i + 0.35 tc rgb ink } else { set label 10 + i name[i] at graph 0, first i right offset -1, 0 tc rgb ink }
}
set arrow 1 from 0, 0.4 to 0, 7.6 nohead ls 11
computed = data_a7_readers
here = "data_a12_loss using (100 * column('loss')):(place(0)):(100 * column('low')):(100 * column('high')) with xerrorbars lc rgb word(marks, added) pt 7 ps 0.9 lw 1.6"
if (strlen(computed)) {
  plot computed using (100 * column('gain_share')):(frozen(7)):(100 * column('gain_share_low')):(100 * column('gain_share_high')) with xerrorbars lc rgb word(marks, 8) pt 6 ps 0.9 lw 1.6, @here
} else {
  plot @here
}
