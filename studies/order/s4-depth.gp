#: claim: S4
#: needs: order/s4_read.csv
#: title: Residual connections bring the position through 24 random layers
#: caption: Held-out R² of a token's position by a linear probe of the states, against layers passed; mean
#:   over {{S4.place.add.full.depth24.n}} draws of words and weights, 99% intervals. Dotted: chance.
#: alt: Two panels. With sinusoids added the position is read with R² {{S4.place.add.full.depth0|.2f}} at the input and
#:   {{S4.place.add.full.depth24|.2f}} after 24 layers with residuals, concatenated {{S4.place.concat.full.depth0|.2f}} and
#:   {{S4.place.concat.full.depth24|.2f}}. Without residuals it is lost after a few.
#: size: 860x400
#: phone: 340x640

unset key
set multiplot
meetings = 'add concat'
heads = '"sinusoid added" "sinusoid concatenated"'
variants = 'full norm_after no_residual'
colours = '8 3 4'
set xrange [-0.8:24.8] noextend
set xtics (0, 4, 8, 12, 16, 20, 24)
set yrange [-0.12:1.08]
set ytics ('0' 0, '.5' 0.5, '1' 1)
set xlabel 'layers passed'
curve(m, v, x) = (strcol('meeting') eq m && strcol('variant') eq v) ? x : NaN
do for [m = 1:2] {
  eval panel(m, 2)
  set ylabel (m == 1 ? 'R² of the position' : '')
  set label 20 word(heads, m) at graph 0.5, graph 1.06 center tc rgb ink
  if (m == 1) {
    set label 21 'LayerNorm before' at graph 0.97, first 0.79 right tc lt 8
    set label 22 'LayerNorm after' at graph 0.97, first 0.52 right tc lt 3
    set label 23 'no residual' at graph 0.22, first 0.12 left tc lt 4
  }
  plot 0 with lines ls 11, \
    for [i = 1:3] data_s4_read using (curve(word(meetings, m), word(variants, i), column('depth'))):(column('place_low')):(column('place_high')) with filledcurves fs solid interval_fill ls (word(colours, i) + 0), \
    for [i = 1:3] data_s4_read using (curve(word(meetings, m), word(variants, i), column('depth'))):(column('place')) with linespoints ls (word(colours, i) + 0) ps 0.5
  unset label
}
unset multiplot
