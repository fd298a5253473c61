#: claim: Q2
#: needs: distance/q2_lost.csv distance/q2_sums.csv
#: title: LayerNorm takes half of the first positions' norm, yet probes read as much
#: caption: Left, share of the squared norm of the sinusoid at position t that LayerNorm removes, d = 64; dashed: 2(Σ entries)²/d²;
#:   dotted: a random direction. Right, reading position before LayerNorm (circles) and after it (crosses): linear probe (R²), nearest
#:   encoding (share right), R² of distance; {{Q2.readout_change.sinusoidal.gaussian.d64.level|.1%}} intervals; dashed: theory, before.
#: alt: Left: the share lost is about one half at the start of the text and falls with the position, far above that of a random direction.
#:   Right: three read-outs of the position grow with the ratio; circles before LayerNorm and crosses after it lie on one
#:   another{{#measured Q2.lost_mean.sinusoidal.d64}}. At width 64 the share lost is {{Q2.lost_mean.sinusoidal.d64|.0%}} on
#:   average{{/measured}}.
#: size: 860x430
#: phone: 340x640

unset key
set multiplot
set logscale x
eval panel(1, 2)
set xlabel 'position t (from 1)'
set ylabel 'share of squared norm lost'
set xrange [1:600] noextend
set yrange [0:0.62]
set xtics ('1' 1, '10' 10, '100' 100, '500' 500)
set ytics 0.1
set label 2 'sinusoid' at 30, 0.42 left tc lt 1
set label 3 'random direction' at 1.2, 0.045 left tc rgb quiet
sparse(x) = phone && column('t') > 40 && int(column('t')) % (column('t') > 150 ? 9 : 3) > 0 ? NaN : x
mine(x) = strcol('positions') eq 'sinusoidal' && column('d') == 64 ? x : NaN
plot 1.0 / 64 with lines ls 11, \
     data_q2_lost using (sparse(mine(column('t')))):(column('share')) with points ls 1 pt 7 ps 0.35, \
     data_q2_lost using (mine(column('t'))):(column('line')) with lines ls 10

unset label
eval panel(2, 2)
set xlabel 'ρ = ‖p‖/‖x‖'
set ylabel 'R², or share right'
set xrange [0.21:2.4] noextend
set yrange [0:1.04]
set xtics ('.25' 0.25, '.5' 0.5, '1' 1, '2' 2)
set ytics 0.2
names = 'readout nearest lag_r2'
set label 2 'linear probe' at 0.27, 0.50 left tc lt 2
set label 3 'nearest' at 0.62, 0.27 left tc lt 3
set label 4 'distance' at 1.25, 0.30 left tc lt 4
if (phone) { set label 2 at 0.24, 0.6; set label 3 at 0.3, 0.13; set label 4 at 1.3, 0.24 }
row(m, x) = strcol('positions') eq 'sinusoidal' && strcol('words') eq 'gaussian' && column('d') == 64 && strcol('measure') eq m ? x : NaN
plot for [i = 1:3] data_q2_sums using (row(word(names, i), column('ratio') / 1.015)):(column('before')):(column('before_low')):(column('before_high')) with yerrorbars ls (i + 1) pt 6 ps 0.9, \
     for [i = 1:3] data_q2_sums using (row(word(names, i), column('ratio') * 1.015)):(column('after')):(column('after_low')):(column('after_high')) with yerrorbars ls (i + 1) pt 2 ps 0.9, \
     for [name in 'readout lag_r2'] data_q2_sums using (row(name, column('ratio'))):(column('before_line')) with lines ls 10
unset multiplot
