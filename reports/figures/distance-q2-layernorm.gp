#: claim: Q2
#: needs: distance/q2_lost.csv distance/q2_sums.csv
#: title: LayerNorm takes up to {{Q2.lost_most.sinusoidal.d64|.0%}} of a position’s energy; a linear map reads R² =
#:   {{Q2.readout_before.sinusoidal.gaussian.d64|.2f}} before, {{Q2.readout_after.sinusoidal.gaussian.d64|.2f}} after
#: caption: Left, share of the energy of the sinusoid at position t that LayerNorm takes away, its component along (1, …, 1), d = 64;
#:   dashed: 2(Σ entries)²/d²; dotted: a random direction’s, 1/d. Right, d = 64, Gaussian words, against the length of a position over
#:   a word’s: circles before LayerNorm, crosses after. Position by a linear map (held-out R²), nearest encoding (share right) and R²
#:   of the lag in products of sums; bars: {{Q2.readout_change.sinusoidal.gaussian.d64.level|.1%}} intervals over
#:   {{Q2.readout_change.sinusoidal.gaussian.d64.n}} draws of words; dashed: to expect before LayerNorm.
#: alt: Left: the share lost is about one half at the start of the text and falls with the position, far above that of a random
#:   direction. Right: three read-outs of the position grow with the ratio; circles before LayerNorm and crosses after it
#:   lie on one another{{#measured Q2.lost_mean.sinusoidal.d64}}. At width 64 the share lost is
#:   {{Q2.lost_mean.sinusoidal.d64|.0%}} on average{{/measured}}.
#: size: 860x430

unset key
set multiplot
set tmargin at screen 0.86
set bmargin at screen 0.16
set logscale x
set lmargin at screen 0.095
set rmargin at screen 0.46
set xlabel 'position t (from 1)'
set ylabel 'share of energy lost'
set xrange [1:600] noextend
set yrange [0:0.62]
set xtics ('1' 1, '10' 10, '100' 100, '500' 500)
set ytics 0.1
set label 2 'sinusoid' at 30, 0.42 left tc lt 1
set label 3 'random direction' at 1.2, 0.045 left tc rgb quiet
mine(x) = strcol('positions') eq 'sinusoidal' && column('d') == 64 ? x : NaN
plot 1.0 / 64 with lines ls 11, \
     data_q2_lost using (mine(column('t'))):(column('share')) with points ls 1 pt 7 ps 0.35, \
     data_q2_lost using (mine(column('t'))):(column('line')) with lines ls 10

unset label
set lmargin at screen 0.57
set rmargin at screen 0.97
set xlabel 'length of a position over a word’s, ρ'
set ylabel 'R², or share right'
set xrange [0.21:2.4] noextend
set yrange [0:1.04]
set xtics ('.25' 0.25, '.5' 0.5, '1' 1, '2' 2)
set ytics 0.2
names = 'readout nearest lag_r2'
set label 2 'linear map' at 0.27, 0.50 left tc lt 2
set label 3 'nearest' at 0.62, 0.27 left tc lt 3
set label 4 'lag' at 1.25, 0.30 left tc lt 4
row(m, x) = strcol('positions') eq 'sinusoidal' && strcol('words') eq 'gaussian' && column('d') == 64 && strcol('measure') eq m ? x : NaN
plot for [i = 1:3] data_q2_sums using (row(word(names, i), column('ratio') / 1.015)):(column('before')):(column('before_low')):(column('before_high')) with yerrorbars ls (i + 1) pt 6 ps 0.9, \
     for [i = 1:3] data_q2_sums using (row(word(names, i), column('ratio') * 1.015)):(column('after')):(column('after_low')):(column('after_high')) with yerrorbars ls (i + 1) pt 2 ps 0.9, \
     for [name in 'readout lag_r2'] data_q2_sums using (row(name, column('ratio'))):(column('before_line')) with lines ls 10
unset multiplot
