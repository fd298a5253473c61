#: claim: O4
#: needs: orthogonality/o4_wachter.csv
#: title: Principal angles of random subspaces with positions, beside theory
#: caption: Squared principal cosines of random k-dimensional word subspaces with the r leading dimensions of 2,048 sinusoidal positions,
#:   d = 512. Bars: measured, cut at the upper edge. Dashed: Wachter's distribution. Dotted: mean by theory, max(k, r)/d. 1 is a shared
#:   direction, 0 a right angle; where k + r exceeds d, directions must be shared.
#: alt: Four histograms of squared principal cosines between random word subspaces and the positions' subspace, all on Wachter's
#:   distribution. Their largest cosines: {{O4.largest_cosine.d512.k64.r128|.2f}} for ranks 64 and 128,
#:   {{O4.largest_cosine.d512.k128.r128|.2f}} for 128 and 128, {{O4.largest_cosine.d512.k128.r256|.2f}} for 128 and 256; with ranks 205
#:   and 410, which exceed 512 together, many are one.
#: size: 800x560
#: phone: 340x860

panels = '64,128 128,128 128,256 205,410'
comma(i) = strstrt(word(panels, i), ',')
k_of(i) = real(word(panels, i)[1:comma(i) - 1])
r_of(i) = real(word(panels, i)[comma(i) + 1:*])
of(i, x) = column('k') == k_of(i) && column('r') == r_of(i) ? x : NaN
width = 0.02  # of a bin

set xrange [0:1] noextend
set yrange [0:4] noextend
set xtics 0.25
set ytics 1
unset key
set multiplot
do for [i = 1:4] {
  left = i % 2 == 1; top = i < 3
  set lmargin at screen (left ? 0.08 : 0.56)
  set rmargin at screen (left ? 0.50 : 0.98)
  set tmargin at screen (top ? 0.89 : 0.45)
  set bmargin at screen (top ? 0.55 : 0.11)
  if (phone) { phone_columns = 1; panel_down = 44; eval panel(i, 4) }
  set ylabel (phone || left ? 'density' : '') offset 1, 0
  set xlabel ((phone ? i < 4 : top) ? '' : 'squared principal cosine')
  k = k_of(i); r = r_of(i); d = 512.0
  mean = (k > r ? k : r) / d
  atom = k + r > d ? (k + r - d) / k : 0
  set label 2 sprintf('k = %d, r = %d', k, r) at graph 0.5, graph 0.93 center tc rgb ink
  if (atom > 0) {
    set label 3 sprintf('%d of %d cosines are 1', k + r - d, k) at graph 0.5, graph 0.82 center tc rgb quiet
  }
  set arrow 1 from mean, graph 0 to mean, graph 0.76 nohead ls 11
  plot data_o4_wachter using (column('density') > 0 ? of(i, column('cosine_square')) : NaN):(column('density')):(width) with boxes ls 1 fs solid 0.45 noborder, \
       data_o4_wachter using (of(i, column('cosine_square'))):(column('law')) with lines ls 10 lc rgb ink
  unset label 1
}
unset multiplot
