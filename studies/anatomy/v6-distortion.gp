#: claim: V6
#: needs: anatomy/v6_dimensions.csv
#: title: Fast dimensions of a word are disturbed differently at each position, slow ones by one constant
#: caption: What the sinusoidal encoding of 512 dimensions adds to each dimension of a word of unit variance, over 512 positions: variance
#:   over positions (blue; dashed: closed form) and squared mean (orange), a constant that all positions share. Sine and cosine of a pair
#:   make 1 together. On top: each quarter's share of what varies.
#: alt: Two panels over the dimensions, sines above and cosines below. In the first half of the dimensions both are disturbed by
#:   half a word's variance that differs from position to position; further on sines are hardly disturbed at all and cosines by one whole
#:   word's variance that is the same at every position. Quarters hold {{V6.share.first.l512|.0%}}, {{V6.share.second.l512|.0%}},
#:   {{V6.share.third.l512|.0%}} and {{V6.share.last.l512|.1%}} of what moves.
#: text: first = {{V6.share.first.l512|.0%}}
#: text: second = {{V6.share.second.l512|.0%}}
#: text: third = {{V6.share.third.l512|.0%}}
#: text: last = {{V6.share.last.l512|.1%}}
#: size: 860x560
#: phone: 340x600

unset key
set multiplot
waves = 'sine cosine'
if (phone) { panel_top = panel_top + 22; panel_down = 50 }
# Every pair where curves have ripples, else some.
row(wave, x) = strcol('wave') eq wave && (x > 507 || x > 40 && x < 330 && (!phone || int(x / 2) % 2 == 0) || int(x / 2) % 4 == 0) ? x : NaN
set xrange [0:512] noextend
set yrange [0:1.06]
set ytics 0, 0.25 format '%.2f'
set lmargin at screen 0.095
set rmargin at screen 0.975
set grid ytics
do for [q = 1:3] { set arrow q from 128 * q, graph 0 to 128 * q, graph 1 nohead front ls 11 lw 1 }
do for [i = 1:2] {
  wave = word(waves, i)
  top = i == 1 ? 0.84 : 0.475
  set tmargin at screen top
  set bmargin at screen top - 0.33
  set ylabel (i == 1 ? 'sines' : 'cosines') . ': word variances'
  set xtics 0, 64
  if (i == 1) { set xlabel ''; set format x '' } else { set xlabel 'dimension (pairs, fast to slow)'; set format x '%g' }
  if (i == 1) {
    set label 2 'of what varies:  ' . first at 64, 1.14 center tc rgb ink font small
    set label 3 second at 192, 1.14 center tc rgb ink font small
    set label 4 third at 320, 1.14 center tc rgb ink font small
    set label 5 last at 448, 1.14 center tc rgb ink font small
    set label 6 'differs from position to position' at 96, 0.22 center front tc lt 1
    set label 7 'the same at every position' at 305, 0.70 center front tc lt 2
  } else {
    unset label
    set label 6 'differs from position to position' at 96, 0.22 center front tc lt 1
    set label 7 'the same at every position' at 420, 0.55 center front tc lt 2
  }
  if (phone) {
    eval panel(i, 2)
    set xtics 0, 128
    set label 6 "differs by\nposition" at 12, 0.32 left
    set label 7 (i == 1 ? "the same at\nevery position" : "the same\nat every\nposition") at (i == 1 ? 400 : 440), (i == 1 ? 0.85 : 0.65)
    if (i == 1) { set label 2 first at 64, 1.12; set label 3 at 192, 1.12; set label 4 at 320, 1.12; set label 5 at 448, 1.12; set label 8 'of what varies:' at 0, 1.27 left tc rgb ink font small }
  }
  plot data_v6_dimensions using (row(wave, column('dimension'))):(column('moves')):(column('moves') + column('shift')) with filledcurves fs solid interval_fill ls 2, \
       data_v6_dimensions using (row(wave, column('dimension'))):(0):(column('moves')) with filledcurves fs solid interval_fill ls 1, \
       data_v6_dimensions using (row(wave, column('dimension'))):(column('moves') + column('shift')) with lines ls 2 lw 1.6, \
       data_v6_dimensions using (row(wave, column('dimension'))):(column('moves')) with lines ls 1 lw 1.6, \
       data_v6_dimensions using (row(wave, column('dimension'))):(column('moves_line')) with lines ls 10
}
unset multiplot
