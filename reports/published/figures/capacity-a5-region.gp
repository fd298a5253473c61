#: claim: A5
#: needs: capacity/a5_region.csv capacity/a5_curve.csv
#: title: With sinusoids and words without limit the sum carries {{A5.unlimited.adding|.2f}} bits, a split of 8 dimensions
#:   {{A5.unlimited.width8|.2f}}
#: caption: Bits of word against bits of position, d = 32, L = 64, noise n of one and a half, a third of the power for the position. Dots: concatenated, one per split. Squares: added, the
#:   corners between which the order of decoding chooses, word first or position first. Bars: 99 % intervals over
#:   {{A5.unlimited.adding.n}} codebooks. Left, words without limit (white Gaussian, long blocks); right, 256 words. Dashed: the
#:   pentagon of adding and, inside it, the curve of frequency division, for white Gaussian codebooks of both and long
#:   blocks. Dotted: log₂ V and log₂ L.
#: alt: Two panels. The theory's pentagon encloses the curve of frequency division and touches it once. Measured splits of random,
#:   centred and sinusoidal positions stand beside it as three rows of dots, each with its sum. With sinusoids the split of
#:   8 dimensions carries {{A5.unlimited_position.width8|.2f}} bits of position and {{A5.unlimited.width8|.2f}} in all, the sum
#:   {{A5.unlimited_position.adding|.2f}} and {{A5.unlimited.adding|.2f}}.
#: size: 860x460

families = 'sinusoidal centred random'
colours = '2 3 1'
kinds = 'unlimited 256'
of(f, v, x) = strcol('positions') eq f && strcol('words') eq v ? x : NaN
split_of(f, v, x) = strcol('kind') eq 'split' ? of(f, v, x) : NaN
sum_of(f, v, x) = strcol('kind') ne 'split' ? of(f, v, x) : NaN
curve(k, x) = strcol('kind') eq k ? x : NaN
style_of(i) = word(colours, i) + 0
unset key
set xlabel 'bits of the word'
set xrange [2:9.3] noextend
set yrange [0:6.6] noextend
set ytics 1
set xtics 1
left(i) = 0.085 + 0.465 * (i - 1)
set tmargin at screen 0.82
set bmargin at screen 0.14
set multiplot
do for [i = 1:2] {
  v = word(kinds, i)
  if (i > 1) { unset label 1 }
  set lmargin at screen left(i)
  set rmargin at screen left(i) + 0.425
  set label 2 (i == 1 ? 'words without limit' : '256 words') at graph 0.5, 1.05 centre tc rgb ink
  if (i == 1) { set ylabel 'bits of the position' } else { set ylabel '' }
  unset arrow
  set arrow 1 from 2, 6 to 9.3, 6 nohead ls 11
  if (i == 2) { set arrow 2 from 8, 0 to 8, 6.6 nohead ls 11 }
  if (i == 1) { set label 3 'sinusoidal' at 2.2, 1.45 left tc ls 2; set label 4 'centred' at 2.2, 3.02 left tc ls 3; \
    set label 5 'random' at 2.2, 3.5 left tc ls 1; set label 6 'pentagon' at 4.2, 4.85 left tc rgb quiet; \
    set label 7 'frequency division' at 4.2, 4.25 left tc rgb quiet } \
  else { unset label 3; unset label 4; unset label 5; unset label 6; unset label 7 }
  plot data_a5_curve using (curve('pentagon', column('word'))):(column('position')) with lines ls 10, \
       data_a5_curve using (curve('division', column('word'))):(column('position')) with lines ls 10 lw 1, \
       for [k = 1:3] data_a5_region using (split_of(word(families, k), v, column('word'))):(column('position')) with lines ls style_of(k) lw 1, \
       for [k = 1:3] data_a5_region using (split_of(word(families, k), v, column('word'))):(column('position')):(column('word_low')):(column('word_high')):(column('position_low')):(column('position_high')) with xyerrorbars ls style_of(k) pt 7 ps 0.5 lw 1, \
       for [k = 1:3] data_a5_region using (sum_of(word(families, k), v, column('word'))):(column('position')) with linespoints ls style_of(k) pt 5 ps 1.3 lw 2.5
}
unset multiplot
