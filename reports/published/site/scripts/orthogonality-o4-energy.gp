#: claim: O4
#: needs: orthogonality/o4_energy_density.csv
#: title: A random word has r/d of its squared norm in the positions' leading r dimensions
#: caption: Share of a word's squared norm that lies in the r leading dimensions of 2,048 sinusoidal positions, d = 512, for
#:   {{O4.word_energy.d512.r128.n}} Gaussian words. Dashed: Beta(r/2, (d − r)/2); dotted: chance, r/d. Kolmogorov–Smirnov over all of
#:   them: p = {{O4.energy_p|.2f}}.
#: alt: Distributions of the share of a word's squared norm inside the positions' leading r dimensions: narrow bells around r/d, all on
#:   their Beta distributions. Means {{O4.word_energy.d512.r16|.3f}}, {{O4.word_energy.d512.r64|.3f}}, {{O4.word_energy.d512.r109|.3f}},
#:   {{O4.word_energy.d512.r128|.3f}} and {{O4.word_energy.d512.r256|.3f}} for r = 16, 64, 109, 128 and 256.

ranks = '16 64 109 128 256'
set xlabel 'share of a word’s squared norm inside the positions’ r dimensions'
set ylabel 'density of words'
set xrange [0:0.65] noextend
set yrange [0:48] noextend
set xtics 0.1
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
of(r, x) = column('r') == r ? x : NaN
some(r, x) = column('density') > 0 ? of(r, x) : NaN
do for [i = 1:words(ranks)] {
  mean = real(word(ranks, i)) / 512
  peak = sqrt(514 / (4 * pi * mean * (1 - mean)))  # of a normal as wide as the law
  set arrow i from mean, graph 0 to mean, first peak nohead ls 11 back
  aside = word(ranks, i) == 109 ? -0.010 : word(ranks, i) == 128 ? 0.008 : 0  # these two are neighbours
  set label 1 + i 'r = ' . word(ranks, i) at mean + aside, 1.08 * peak + 3.2 center tc lt i
}
if (phone) {
  set xtics 0.2; set xlabel 'share of the squared norm inside'
  set label 2 at 0.05, 41 left; set label 4 at 0.235, 20; set label 5 at 0.29, 13.5 left
}
thin(x) = phone && int(column(0)) % 2 ? NaN : x
plot for [i = 1:words(ranks)] data_o4_energy_density using (thin(some(word(ranks, i), column('share')))):(column('density')) \
       with points ls i ps 0.5, \
     for [i = 1:words(ranks)] data_o4_energy_density using (of(word(ranks, i), column('share'))):(column('law')) with lines ls 10
