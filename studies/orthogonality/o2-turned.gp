#: claim: O2
#: finding: O2.mean_square_turned.gaussian.d512.l2048
#: needs: orthogonality/o2_turned.csv
#: title: Unrelated words and positions: mean squared cosines scatter narrowly about chance
#: caption: Mean squared cosine of all words with 2,048 sinusoidal positions, less its mean by chance and in standard deviations by theory, over
#:   {{O2.mean_square_turned.gaussian.d512.l2048.n}} random rotations of the words. Real words are drawn where a text was given. Dashed: normal distribution.
#: alt: Distribution of the mean squared cosine over random rotations, in standard deviations: bells around zero beside a normal one, with a longer upper
#:   tail. For Gaussian words the mean times the dimension is {{O2.mean_square_turned.gaussian.d512.l2048|.4f}}; chance is one.
#: size: 760x360
#: phone: 340x400

families = 'gaussian real'
stats data_o2_turned using (strcol('family') eq 'real' ? 1 : 0) nooutput
if (STATS_sum == 0) { families = 'gaussian' }
full_name(name) = name eq 'gaussian' ? 'Gaussian words' : 'real words'
width = 0.4
z(dummy) = (column('mean_square_d') - column('theory')) / column('null_sd')
bin(x) = width * (floor(x / width) + 0.5)
of(i, x) = strcol('family') eq word(families, i) ? x : NaN
stats data_o2_turned using (of(1, 1)) nooutput
rotations = STATS_records

set xlabel (phone ? 'standard deviations from chance' : 'mean square cosine less chance, standard deviations')
if (phone) { set xtics 2; set ytics 0.1; full_name(name) = name eq 'gaussian' ? 'Gaussian' : 'real' }
set ylabel 'density of rotations'
set xrange [-4.5:4.5] noextend
set yrange [0:*] noextend
set samples 200
set tmargin 3 + 1.3 * (title_lines - 1)
unset key
do for [i = 1:words(families)] { set label 1 + i full_name(word(families, i)) at graph 0.97, graph 0.95 - 0.08 * (i - 1) right tc lt i }
set label 20 'normal' at graph 0.97, graph 0.95 - 0.08 * words(families) right tc rgb quiet
plot for [i = 1:words(families)] data_o2_turned using (of(i, bin(z(0)))):(1 / (rotations * width)) \
       smooth frequency with linespoints ls i ps 0.5, \
     exp(-x * x / 2) / sqrt(2 * pi) with lines ls 10
