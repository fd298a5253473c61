#: claim: S1
#: needs: order/s1_encodings.csv
#: title: Without an encoding two orders of a text differ by rounding; with any, a word's output moves
#: caption: How far a word's output moves when the words of its text are put in another order: relative to the output
#:   itself, the largest over the words. Left, against depth: medians over random orders of four texts
#:   ({{S1.token.random.float64.n}} comparisons each without encoding); dashed, what rounding may do in float64 and
#:   float32. Right, after twelve blocks in float64: bars from the smallest to the largest of all random orders, dot
#:   the median; open squares, a text against its reverse (largest); open triangles, the mean output over all words
#:   instead (median). Dotted: the bound for rounding.
#: alt: Left, logarithmic: without encoding the distance is near ten to the minus sixteen in float64 and ten to the
#:   minus seven in float32, below the dashed bounds, at all depths from 1 to 12; with sinusoids it is
#:   {{S1.distance.sinusoidal.depth12|.2f}} after twelve blocks, with rotary {{S1.distance.rotary.depth12|.2f}}.
#:   Right: every encoding moves a word's output by a hundredth to once its length, no encoding by rounding; ALiBi
#:   does not tell a text from its reverse ({{S1.reversed.alibi.float64|.1g}} of the bound), and the mean output does
#:   not feel an index.
#: size: 880x440

place(name, x) = (strcol('encoding') eq name && strcol('precision') eq 'float64' && column('depth') == 12) ? x : NaN
stats data_s1_encodings using (place('none', column('bound'))) nooutput
bound = STATS_max
unset key
set multiplot
set tmargin at screen 0.86
set bmargin at screen 0.135
set logscale y
set yrange [2e-17:30]
set ytics ('1' 1, '10^{−4}' 1e-4, '10^{−8}' 1e-8, '10^{−12}' 1e-12, '10^{−16}' 1e-16)
set ylabel 'relative distance of the outputs'

set lmargin at screen 0.105
set rmargin at screen 0.5
set xrange [0.5:15.6] noextend
set xtics (1, 2, 4, 6, 8, 10, 12)
set xlabel 'blocks passed'
row(name, arithmetic, x) = (strcol('encoding') eq name && strcol('precision') eq arithmetic) ? x : NaN
names = 'sinusoidal rotary alibi'
shown = 'sinusoid rotary ALiBi'
do for [i = 1:3] { set label 1 + i word(shown, i) at graph 0.985, first 10 ** (0.75 - 0.95 * i) right tc ls i }
set label 6 'none, float32' at 12.3, 2.4e-7 left tc ls 4
set label 7 'none, float64' at 12.3, 5e-16 left tc ls 8
set label 8 'bound, float32' at 5.5, 2.4e-3 left tc rgb quiet
set label 9 'bound, float64' at 5.5, 9e-13 left tc rgb quiet
plot for [p in 'float32 float64'] data_s1_encodings using (row('none', p, column('depth'))):(column('bound')) with lines ls 10, \
     for [i = 1:3] data_s1_encodings using (row(word(names, i), 'float64', column('depth'))):(column('median')) with linespoints ls i, \
     data_s1_encodings using (row('none', 'float32', column('depth'))):(column('median')) with linespoints ls 4, \
     data_s1_encodings using (row('none', 'float64', column('depth'))):(column('median')) with linespoints ls 8

unset label
set ylabel ''
set lmargin at screen 0.66
set rmargin at screen 0.975
all = 'none sinusoidal sine_only index normalised_index random random_fourier rotary alibi t5'
said = '"none" "sinusoid" "sine only" "index" "index/length" "random" "random Fourier" "rotary" "ALiBi" "T5"'
count = words(all)
unset logscale
set logscale x
set xrange [2e-17:30] noextend
set xtics ('1' 1, '10^{−4}' 1e-4, '10^{−8}' 1e-8, '10^{−12}' 1e-12, '10^{−16}' 1e-16)
set yrange [0.4:count + 0.6] noextend
set ytics ()
do for [i = 1:count] { set ytics add (word(said, i) count + 1 - i) }
set xlabel 'relative distance after 12 blocks, float64'
set arrow 1 from bound, graph 0 to bound, graph 1 nohead ls 11
set label 2 'a word' at 2e-9, 9.0 left tc ls 1
set label 3 'mean output' at 2e-9, 8.2 left tc ls 3
set label 4 'text and reverse' at 1e-9, 2.0 center tc ls 2
plot for [i = 1:count] data_s1_encodings using (place(word(all, i), column('least'))):(count + 1 - i):(column('largest') - column('least')):(0) with vectors nohead ls (i == 1 ? 8 : 1) lw 5, \
     for [i = 1:count] data_s1_encodings using (place(word(all, i), column('median'))):(count + 1 - i) with points ls (i == 1 ? 8 : 1) pt 7 ps 0.9, \
     for [i = 1:count] data_s1_encodings using (place(word(all, i), column('pooled_median'))):(count + 1 - i) with points ls 3 pt 8 ps 1.0, \
     for [i = 1:count] data_s1_encodings using (place(word(all, i), column('reversed_largest'))):(count + 1 - i) with points ls 2 pt 4 ps 1.1
unset multiplot
