#: claim: A7
#: finding: A7.law_ratio
#: needs: capacity/a7_readers.csv
#: title: The loss of frozen tables follows ln V · ln L / (d ln VL)
#: caption: Measured loss of the linear classifier over the law, by width, where the concatenation delivers 90%; sizes drawn by lot among
#:   the random ones; at 768 three tables of GPT-2's size. Bars: 99% intervals; dotted: equal; shaded: within a quarter.
#: alt: Measured loss over the law against the width. The points lie about one, {{A7.law_near}} of {{A7.law_ratio.n}} within a quarter.
#: size: 860x380
#: phone: 340x320

unset key
set logscale x 2
set xrange [28:900] noextend
set yrange [0:2.5] noextend
set xtics ('32' 32, '64' 64, '128' 128, '256' 256, '768' 768)
set ytics 0.5
set xlabel 'dimensions d'
set ylabel 'measured / law'
set object 1 rectangle from 28, 0.8 to 900, 1.25 fs solid 0.12 noborder fc rgb word(marks, 1) behind
set arrow 1 from 28, 1 to 900, 1 nohead ls 11
kinds = 'random sinusoidal centred'
shape(k) = k == 1 ? 6 : k == 2 ? 7 : 13
beside(k) = 0.97 + 0.03 * (k - 1)
held(k, x) = strcol('reader') eq 'linear' && strcol('grid') eq 'coarse' && strcol('positions') eq word(kinds, k) && column('carried') == 90 && column('law') > 0 ? x : NaN
names = '"random" "sinusoid" "centred sinusoid"'
if (phone) { names = 'random sinusoid centred' }
do for [k = 1:3] {
  name = word(names, k)
  set label 20 + k name at screen (phone ? 0.14 + 0.27 * (k - 1) : 0.12 + 0.14 * (k - 1)), screen 1 - (title_height + 10.0) / figure_height left offset 1.2, -0.2 tc rgb ink \
    point pt shape(k) ps 0.9 lc rgb word(marks, k == 1 ? 8 : added)
}
plot for [k = 1:3] data_a7_readers using (held(k, beside(k) * column('d'))):(column('gain_share') / column('law')):(column('gain_share_low') / column('law')):(column('gain_share_high') / column('law')) \
  with yerrorbars lc rgb word(marks, k == 1 ? 8 : added) pt shape(k) ps 0.9 lw 1.6
