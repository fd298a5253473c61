#: claim: A2
#: needs: capacity/a2_dimensions.csv capacity/a2_words.csv
#: title: How much positions disturb words, dimension by dimension and quarter by quarter
#: caption: Left, a word's variance over the position's, dimension by dimension, d = 512, 512 positions; dashed: closed forms. Centred:
#:   mean removed, scaled back to the same power. Right, share of {{A2.recovered.as_is.first.a4.n}} words found from one quarter of the
#:   dimensions, positions times 4; 99% intervals; dashes: exact; dotted: chance.
#: alt: Left, on a logarithmic axis: word over position variance is 2 in the first fast dimensions. Beyond the middle uncentred sines rise
#:   to a thousand while cosines fall to 1; centred, sines rise to two thousand and cosines to millions. Right: uncentred, every quarter
#:   finds about {{A2.recovered.as_is.first.a4|.0%}} of the words; centred, the first {{A2.recovered.centred.first.a4|.0%}}, the second
#:   {{A2.recovered.centred.second.a4|.0%}}, the third {{A2.recovered.centred.third.a4|.0%}} and the last
#:   {{A2.recovered.centred.last.a4|.0%}}.
#: size: 860x430
#: phone: 340x640

unset key
set multiplot

eval panel(1, 2)
set logscale y
set xlabel 'dimension (pairs of sine and cosine, fast to slow)'
set ylabel 'variance of word / of position'
set xrange [0:512] noextend
set yrange [0.6:3e7]
set xtics 0, 128
set ytics ('1' 1, '10' 10, '100' 100, '1,000' 1e3, '10⁴' 1e4, '10⁵' 1e5, '10⁶' 1e6, '10⁷' 1e7)
set label 2 'cosine, centred' at 470, 6e6 right tc lt 3
set label 3 'sine, centred' at 255, 45 right tc lt 1
set label 4 'sine, uncentred' at 300, 1200 right tc lt 5
set label 5 'cosine, uncentred' at 20, 4.5 left tc lt 2
if (phone) { set xlabel 'dimension (pairs, fast to slow)'; set label 5 at 10, 9 }
thin(wave, x) = (strcol('wave') eq wave && int(column('dimension')) % (phone ? 32 : 16) < 2) ? x : NaN
row(wave, x) = strcol('wave') eq wave ? x : NaN
waves = 'cosine sine sine cosine'
ways = 'centred centred as_is as_is'
colours = '3 1 5 2'
plot for [i = 1:4] data_a2_dimensions using (thin(word(waves, i), column('dimension'))):(column(word(ways, i))) with points ls (word(colours, i) + 0) ps 0.55, \
     for [i = 1:4] data_a2_dimensions every (phone ? 8 : 4)::(word(waves, i) eq 'sine' ? 0 : 1) using (column('dimension')):(column(word(ways, i) . '_line')) with lines ls 10

unset label
unset logscale y
eval panel(2, 2)
set xlabel 'dimensions that the decoder sees'
set ylabel 'words found, A = 4'
set xrange [0.5:6.5] noextend
set yrange [-0.02:1.08]
set xtics ('first' 1, 'second' 2, 'third' 3, 'last' 4, 'random' 5, 'all' 6)
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set label 2 'centred' at 2.8, 0.97 right tc lt 3
set label 3 'uncentred' at 3.5, 0.47 center tc lt 2
set label 4 'chance' at 6.4, 0.035 right tc rgb quiet
if (phone) { set xtics ('1st' 1, '2nd' 2, '3rd' 3, 'last' 4, 'random' 5, 'all' 6) font small; set label 3 at 3.5, 0.41 }
shown(way, x) = (strcol('centred') eq way && column('factor') == 4 && column('noise') == 0) ? x : NaN
step(way) = way eq 'as_is' ? -0.12 : 0.12
plot for [way in 'as_is centred'] data_a2_words using (shown(way, column('order')) + step(way)):(column('share')):(column('low')):(column('high')) with yerrorbars ls (way eq 'as_is' ? 2 : 3) ps 0.8, \
     for [way in 'as_is centred'] data_a2_words using (shown(way, column('order')) + step(way) - 0.22):(column('line')):(0.44):(0) with vectors nohead ls 10, \
     data_a2_words using (column('order')):(column('chance')) with lines ls 11
unset multiplot
