#: claim: A1
#: needs: capacity/a1_star.csv capacity/a1_line.csv capacity/a1_decoders.csv
#: title: Beside words of variance 1 a sinusoid leaves {{A1.natural_word|.0%}} of the words and
#:   {{A1.natural_position|.0%}} of the positions readable
#: number: knee = A1.knee.d512
#: caption: Left, shares found by the nearest vector in sums x + p of 512 dimensions, 5,000 unit words, 512 sinusoidal
#:   positions, no noise, against ρ = ‖p‖/‖x‖ (n = {{A1.word.rho1.n}} at each size); bars: 99% intervals over trials and
#:   codebooks. Dashed: the exact line for words. The knee is √(d/(2 ln V)). Right, the same among 512 words with noise as
#:   long as the word (n = {{A1.nothing.noise1.rho1.n}}), by decoders that know more: the subspace of the positions, or both
#:   tables.
#: alt: Left: against the size of the position on a logarithmic axis, the share of positions found rises from
#:   {{A1.position.rho0p1|.0%}} at a tenth of the word's size to {{A1.position.rho1|.0%}} at its size, and the share of words found
#:   stays at {{A1.word.rho1|.0%}} until it falls beyond the knee at {{A1.knee.d512|.1f}}, along the exact line, to {{A1.word.rho16|.1%}} at
#:   size 16. The sinusoid stands at .7 with the factor √d, and at 16 without it. Right: with noise the nearest word falls in
#:   the same way, while decoders that know positions find the words at every size; positions need size one half or more.
#: size: 900x430

set logscale x
set xrange [0.045:18] noextend
set yrange [-0.02:1.2]
set xtics ('.05' 0.05, '.1' 0.1, '.2' 0.2, '.5' 0.5, '1' 1, '2' 2, '5' 5, '16' 16)
set ytics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1)
set xlabel 'size of the position ρ = ‖p‖/‖x‖'
unset key
set multiplot
set tmargin at screen 0.86

set lmargin at screen 0.095
set rmargin at screen 0.515
set ylabel 'found'
set arrow 1 from first 0.7071, first 0 to first 0.7071, first 1.08 nohead dt 3 lw 1.2 lc rgb quiet
set arrow 2 from first 16, first 0 to first 16, first 1.08 nohead dt 3 lw 1.2 lc rgb quiet
set arrow 3 from first knee, first 0 to first knee, first 1.08 nohead lw 1.2 lc rgb quiet
set label 2 'with √d' at first 0.7071, first 1.14 center tc rgb quiet
set label 3 'without √d' at first 18, first 1.14 right tc rgb quiet
set label 4 'knee' at first knee * 0.9, first 1.05 right tc rgb quiet
set label 5 'words' at first 6.8, first 0.52 left tc lt 1
set label 6 'positions' at first 0.25, first 0.28 left tc lt 2
usual(x) = (strcol('family') eq 'sphere' && column('d') == 512 && column('words') == 5000 && column('positions') == 512 && column('centred') == 0 && column('noise') == 0 && column('rho') > 0) ? x : NaN
plot data_a1_line using (at('words', 5000, column('rho'))):(column('recovered')) with lines ls 10, \
     data_a1_star using (usual(column('rho'))):(column('position')):(column('position_low')):(column('position_high')) with yerrorbars ls 2, \
     data_a1_star using (usual(column('rho'))):(column('position')) smooth unique with lines ls 2 lw 1, \
     data_a1_star using (usual(column('rho'))):(column('word')):(column('word_low')):(column('word_high')) with yerrorbars ls 1

unset arrow
unset label
set lmargin at screen 0.585
set rmargin at screen 0.985
set ylabel ''
set label 2 'words: nearest' at first 6.2, first 0.62 right tc lt 1
set label 3 'words: projected out, joint' at first 0.052, first 1.08 left tc lt 3
set label 4 'positions: nearest' at first 0.32, first 0.28 left tc lt 2
set label 5 'positions: joint' at first 0.24, first 0.56 right tc lt 4
noisy(x) = (column('noise') == 1 && column('centred') == 0) ? x : NaN
plot data_a1_decoders using (noisy(column('rho'))):(column('nothing')) with linespoints ls 1, \
     data_a1_decoders using (noisy(column('rho'))):(column('position')) with linespoints ls 2, \
     data_a1_decoders using (noisy(column('rho'))):(column('joint_position')) with linespoints ls 4, \
     data_a1_decoders using (noisy(column('rho'))):(column('projected')) with linespoints ls 3, \
     data_a1_decoders using (noisy(column('rho'))):(column('joint')) with linespoints ls 3 pt 8
unset multiplot
