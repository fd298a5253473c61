#: claim: A2
#: needs: capacity/a2_dimensions.csv
#: title: The first dimensions differ from position to position, the last are a constant
#: caption: Each column of the sinusoid of 512 dimensions over 512 positions: standard deviation (dots) and absolute mean (rings), sines
#:   above, cosines below. Dotted: the standard deviation of a word of unit variance.
#: alt: Two panels over 512 dimensions. In the first half sines and cosines have a standard deviation of about .7 and a mean near zero;
#:   towards the end the standard deviation falls to zero, and the mean goes to zero for sines and to one for cosines.
#: size: 860x520
#: phone: 340x600

unset key
set multiplot
panel_rows = 2
set xrange [0:512] noextend
set yrange [0:1.15]
set ytics 0, 0.5
set xtics 0, 128
waves = 'sine cosine'
row(wave, x) = strcol('wave') eq wave ? x : NaN
do for [i = 1:2] {
  eval panel(i, 1)
  wave = word(waves, i)
  set ylabel wave . 's'
  set xlabel (i == 2 ? 'dimension (pairs, fast to slow)' : '')
  if (i == 1) {
    set label 2 'standard deviation' at 20, 0.85 left tc lt 1
    set label 3 'absolute mean' at 20, (phone ? 0.36 : 0.2) left tc lt 2
  } else { unset label 2; unset label 3 }
  plot 1 with lines ls 11, \
       data_a2_dimensions using (row(wave, column('dimension'))):(sqrt(column('variance'))) with points ls 1 pt 7 ps 0.4, \
       data_a2_dimensions using (row(wave, column('dimension'))):(abs(column('mean'))) with points ls 2 pt 6 ps 0.4
}
unset multiplot
