#: claim: S4
#: needs: order/s4_read.csv
#: title: {{#verdict S4 true}}Residual connections carry position and word through 24 random layers{{/verdict}}{{#verdict S4
#:   depends|false|open|unmeasured}}What 24 random layers leave of position and word, with and without residual
#:   connections{{/verdict}}
#: caption: Held-out R² of a token's position (above) and of its word (below) by a linear probe of the states, against layers passed; mean
#:   over {{S4.place.add.full.depth24.n}} draws of words and weights, 99% intervals. Dashed at 0: from the covariances; dotted: chance.
#:   Variants of LayerNorm are close to “all parts” and in the table.
#: alt: Six panels. With sinusoids added the position is read with R² {{S4.place.add.full.depth0|.2f}} at the input and
#:   {{S4.place.add.full.depth24|.2f}} after 24 layers with residuals, concatenated {{S4.place.concat.full.depth0|.2f}} and
#:   {{S4.place.concat.full.depth24|.2f}}, with RoPE never. Without residuals it is {{S4.place.add.no_residual.depth1|.2f}} after one
#:   block and zero after a few. The word, below, behaves alike: {{S4.word.add.full.depth24|.2f}} after 24 layers with residuals,
#:   {{S4.word.add.no_residual.depth1|.2f}} after one without.
#: size: 900x560
#: phone: 340x760

unset key
set multiplot
meetings = 'add concat rotary'
heads = '"sinusoid added" "sinusoid concatenated" "RoPE"'
variants = 'full no_feed_forward no_residual bare'
colours = '8 3 4 5'
set xrange [-0.8:24.8] noextend
if (phone) { phone_columns = 2; panel_rows = 3; panel_left = 40; panel_right = 10; panel_across = 16; panel_down = 40; panel_top = title_height + 54 }
set xtics (0, 4, 8, 12, 16, 20, 24)
set yrange [-0.12:1.08]
set ytics ('0' 0, '.5' 0.5, '1' 1)
curve(m, v, x) = (strcol('meeting') eq m && strcol('variant') eq v) ? x : NaN
what(word_, part) = (word_ ? 'word' : 'place') . part
do for [r = 0:1] {
  set tmargin at screen (r == 0 ? 0.85 : 0.475)
  set bmargin at screen (r == 0 ? 0.525 : 0.15)
  do for [m = 1:3] {
    set lmargin at screen 0.085 + (m - 1) * 0.31
    set rmargin at screen 0.085 + (m - 1) * 0.31 + 0.28
    if (phone) { eval panel(2 * m + r - 1, 2) }
    if (phone ? m < 3 : r == 0) { set xlabel ''; set format x '' } else { set xlabel 'layers passed'; set format x '%g' }
    if (m == 1) { set ylabel (r == 0 ? 'R² of the position' : 'R² of the word') } else { set ylabel '' }
    if (phone) { set ylabel ''; set xtics 12; if (m == 1) { set label 25 (r == 0 ? 'R² of the position' : 'R² of the word') at graph 0, graph 1.22 left tc rgb quiet }; if (r == 1) { set ytics ('' 0, '' 0.5, '' 1) } else { set ytics ('0' 0, '.5' 0.5, '1' 1) } }
    if (r == 0) { set label 20 word(heads, m) at graph 0.5, graph 1.06 center tc rgb ink }
    if (phone && r == 0) { set label 20 at graph 0, graph 1.07 left }
    if (r == 0 && m == 1) {
      set label 21 'all parts' at graph 0.97, first 0.60 right tc lt 8
      set label 22 'no feed-forward' at graph 0.97, first 0.79 right tc lt 3
      set label 23 'no residual' at graph 0.22, first 0.21 left tc lt 4
      set label 24 'attention alone' at graph 0.22, first 0.09 left tc lt 5
    }
    plot 0 with lines ls 11, \
      for [i = 1:4] data_s4_read using (curve(word(meetings, m), word(variants, i), column('depth'))):(column(what(r, '_low'))):(column(what(r, '_high'))) with filledcurves fs solid interval_fill ls (word(colours, i) + 0), \
      for [i = 1:4] data_s4_read using (curve(word(meetings, m), word(variants, i), column('depth'))):(column(what(r, ''))) with linespoints ls (word(colours, i) + 0) ps 0.5 pi (phone ? 4 : 1), \
      data_s4_read using (curve(word(meetings, m), 'full', -0.8)):(column(what(r, '_line'))):(2.4):(0) with vectors nohead ls 10
    unset label
  }
}
unset multiplot
