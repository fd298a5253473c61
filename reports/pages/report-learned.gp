#: claim: A7
#: finding: A7.gain_share.linear.random.d32.v256.carried90
#: needs: capacity/a7_readers.csv
#: also: learning/a12_loss.csv long/capacity/a7_readers.csv long-learned/learning/a12_loss.csv
#: title: Frozen, a sum loses {{A7.gain_share.linear.random.d32.v256.carried90|.0%}} of the bits in 32 dimensions{{#when A12.loss.classifier.both.d32 below 0.01, A12.loss.heads.both.d32 below 0.01}}; both learned, next to nothing{{/when}}
#: caption: Bits of the best concatenation less those of the best sum, as a share of all bits, by width, where the concatenation delivers 90%.
#:   Open: frozen tables of 256 words and 64 positions and of GPT-2's size, linear classifier; dashed: the law at both. Filled: learned tables. Bars: 99% intervals.
#: alt: Bits lost by adding, against width. Frozen tables lose {{A7.gain_share.linear.random.d32.v256.carried90|.1%}} in 32 dimensions and less in wider
#:   ones, along a dashed line, the law.{{#when A12.loss.classifier.both.d32 below 0.01, A12.loss.heads.both.d32 below 0.01}} Learned ones lose {{A12.loss.classifier.both.d32|.1%}} (classifier) and {{A12.loss.heads.both.d32|.1%}} (heads) there.{{/when}}
#: size: 860x420
#: phone: 340x340

unset key
wide = strlen(data_long_a7_readers) ? data_long_a7_readers : data_a7_readers
learned = data_a12_loss
wider = strlen(data_long_learned_a12_loss) ? data_long_learned_a12_loss : learned  # of a longer run
set logscale x 2
set xrange [26:1100] noextend
set yrange [-1.5:10] noextend
set xtics ('32' 32, '64' 64, '128' 128, '256' 256, '768' 768)
set ytics ('0' 0, '2%%' 2, '4%%' 4, '6%%' 6, '8%%' 8, '10%%' 10)
set xlabel 'dimensions d'
set ylabel 'bits lost by adding'
if (phone) { set ylabel 'bits lost by adding'; set xtics ('32' 32, '128' 128, '768' 768) }
frozen(v, x) = strcol('reader') eq 'linear' && strcol('grid') eq 'coarse' && column('carried') == 90 && strcol('positions') eq 'random' && \
  column('v') == v && column('l') == (v > 1000 ? 1024 : 64) && (v < 1000 || column('d') == 768) ? x : NaN
law(d, v, l) = 100 * log(v) * log(l) / (d * log(v * l))
of(reader, x) = strcol('reader') eq reader && strcol('learned') eq 'both' && column('part') == 1 && column('v') == 256 && strcol('rate') eq 'given' ? x : NaN
has_learned = 0
if (strlen(learned)) { stats learned using (of('classifier', 1) == 1 ? 1 : 0) nooutput; has_learned = STATS_max > 0 }
set arrow 1 from 26, 0 to 1100, 0 nohead ls 11
set label 11 'frozen random tables' at 35, 8.4 left tc rgb ink
set label 12 (phone ? 'law' : 'law: ln V · ln L / (d ln VL)') at 75, 3.9 left tc rgb quiet
stats wide using (frozen(50257, 1) == 1 ? 1 : 0) nooutput
if (STATS_max > 0) { set label 13 (phone ? 'of GPT-2’s size' : 'frozen, GPT-2’s size') at 1000, (phone ? 2.4 : 1.6) right tc rgb ink }
if (strlen(learned) && has_learned) { set label 14 (phone ? 'learned' : 'learned: classifier (round), attention heads (square)') at (phone ? 36 : 140), -0.75 left tc lt added }
wide_at(i) = 30 * 2 ** (i / 4.0)
# GPT-2's size has a law of its own.
set arrow 40 from 640, law(640, 50257, 1024) to 920, law(920, 50257, 1024) nohead ls 10
do for [i = 0:12] { set arrow 20 + i from wide_at(i), law(wide_at(i), 256, 64) to wide_at(i + 1), law(wide_at(i + 1), 256, 64) nohead ls 10 }
frozen_plot = "data_a7_readers using (frozen(256, column('d'))):(100 * column('gain_share')):(100 * column('gain_share_low')):(100 * column('gain_share_high')) with yerrorbars lc rgb word(marks, 8) pt 6 ps 0.9 lw 1.6, wide using (frozen(50257, column('d'))):(100 * column('gain_share')):(100 * column('gain_share_low')):(100 * column('gain_share_high')) with yerrorbars lc rgb word(marks, 8) pt 6 ps 0.9 lw 1.6"
bars = "(100 * column('loss')):(100 * column('low')):(100 * column('high')) with yerrorbars lc rgb word(marks, added) lw 1.6"
classifier = "using (of('classifier', 0.97 * column('d'))):" . bars . " pt 7 ps 0.9"
heads = "using (of('heads', 1.03 * column('d'))):" . bars . " pt 5 ps 0.8"
if (has_learned) {
  plot @frozen_plot, learned @classifier, learned @heads, wider @classifier, wider @heads
} else {
  plot @frozen_plot
}
