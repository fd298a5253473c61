#: claim: A12
#: needs: learning/a12_loss.csv capacity/a7_readers.csv
#: title: {{#when A12.loss.classifier.both.d32 below 0.01, A12.loss.classifier.words.d32 below 0.01, A12.loss.heads.both.d32 below 0.01, measured A12.loss.heads.none.d32}}Frozen tables lose {{A7.gain_share.linear.random.d32.v256.carried90|.0%}} (classifier) and {{A12.loss.heads.none.d32|.0%}} (heads) of the bits by being added, learned ones less than 1%{{/when}}
#: caption: Bits of the best concatenation less those of the sum, as a share of all bits, in 32 dimensions, where the best concatenation
#:   delivers 90%. Bars: 99% intervals over runs. Frozen: random tables, read by the linear classifier of A7 and by heads that learn.
#: alt: A chart with five rows, of frozen tables before a classifier and before heads, of tables learned with a classifier, of words learned beside a sinusoid, and of tables
#:   learned with attention heads{{#measured A12.loss.heads.none.d32}}: {{A7.gain_share.linear.random.d32.v256.carried90|.1%}}, {{A12.loss.heads.none.d32|.1%}}, {{A12.loss.classifier.both.d32|.2%}}, {{A12.loss.classifier.words.d32|.2%}} and {{A12.loss.heads.both.d32|.2%}} of the bits are lost{{/measured}}.
#: size: 860x380
#: phone: 340x420

unset key
frozen(x) = strcol('reader') eq 'linear' && strcol('positions') eq 'random' && strcol('grid') eq 'coarse' && column('carried') == 90 && column('d') == 32 ? x : NaN
learned_row(r, l) = r eq 'classifier' ? (l eq 'both' ? 3 : l eq 'words' ? 2 : NaN) : l eq 'both' ? 1 : l eq 'none' ? 4 : NaN
place(x) = column('d') == 32 && column('v') == 256 && column('part') == 1 && strcol('rate') eq 'given' ? learned_row(strcol('reader'), strcol('learned')) : NaN
set yrange [0.4:5.6] noextend
set xrange [-2:32]
set ytics ('classifier: frozen' 5, 'attention heads: frozen' 4, 'classifier: both learned' 3, 'classifier: words learned' 2, 'attention heads: both learned' 1)
set xtics ('0' 0, '5%%' 5, '10%%' 10, '15%%' 15, '20%%' 20, '25%%' 25, '30%%' 30)
set xlabel 'bits lost by adding'
set lmargin 29
if (phone) {  # names above their points
  set lmargin 3
  set format y ''
  set ytics ('' 1, '' 2, '' 3, '' 4, '' 5)
  set xtics ('0' 0, '10%%' 10, '20%%' 20, '30%%' 30)
  set label 10 'classifier: frozen' at 0.25, 5.35 tc rgb ink
  set label 11 'attention heads: frozen' at 0.25, 4.35 tc rgb ink
  set label 12 'classifier: both learned' at 0.25, 3.35 tc rgb ink
  set label 13 'classifier: words learned' at 0.25, 2.35 tc rgb ink
  set label 14 'attention heads: both learned' at 0.25, 1.35 tc rgb ink
}
set arrow 1 from 0, 0.4 to 0, 5.6 nohead ls 11
plot data_a7_readers using (100 * column('gain_share')):(frozen(5)):(100 * column('gain_share_low')):(100 * column('gain_share_high')) with xerrorbars lc rgb word(marks, 8) pt 6 ps 0.9 lw 1.6, \
     data_a12_loss using (100 * column('loss')):(place(0)):(100 * column('low')):(100 * column('high')) with xerrorbars lc rgb word(marks, added) pt 7 ps 0.9 lw 1.6
