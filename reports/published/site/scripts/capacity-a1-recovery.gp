#: claim: A1
#: needs: capacity/a1_star.csv capacity/a1_line.csv capacity/a1_decoders.csv
#: title: {{#verdict A1 false}}At the usual size both word and position can be read from their sum, with noise as
#:   well{{/verdict}}{{#verdict A1 true|depends|open|unmeasured}}Words and positions found in their sum, by the size of the
#:   position, without and with noise{{/verdict}}
#: number: knee = A1.knee.d512
#: caption: Shares found by the nearest vector in sums x + p of 512 dimensions, with 99% intervals. Left, without noise, 5,000 words and
#:   512 sinusoidal positions; dashed: exact; ρ* = √(d/(2 ln V)). Right, 512 words and noise as long as a word, by decoders that know the
#:   positions' subspace or both tables.
#: alt: Left: against the size of the position on a logarithmic axis, the share of positions found rises from {{A1.position.rho0p1|.0%}}
#:   at a tenth of the word's size to {{A1.position.rho1|.0%}} at its size, and the share of words found stays at {{A1.word.rho1|.0%}}
#:   until it falls beyond the critical ratio {{A1.knee.d512|.1f}}, along the exact line, to {{A1.word.rho16|.1%}} at size 16. The
#:   sinusoid stands at .7 with the factor √d, and at 16 without it. Right: with noise the nearest word falls in the same way, while
#:   decoders that know positions find the words at every size; positions need size one half or more.
#: size: 900x430
#: phone: 340x720

set logscale x
set xrange [0.045:18] noextend
set yrange [-0.02:1.2]
set xtics ('.05' 0.05, '.1' 0.1, '.2' 0.2, '.5' 0.5, '1' 1, '2' 2, '5' 5, '16' 16)
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set xlabel 'ρ = ‖p‖/‖x‖'
unset key
if (phone) { set xtics ('.05' 0.05, '.2' 0.2, '1' 1, '5' 5, '16' 16) }
set multiplot

eval panel(1, 2)
set ylabel 'found'
set arrow 1 from first 0.7071, first 0 to first 0.7071, first 1.08 nohead dt 3 lw 1.2 lc rgb quiet
set arrow 2 from first 16, first 0 to first 16, first 1.08 nohead dt 3 lw 1.2 lc rgb quiet
set arrow 3 from first knee, first 0 to first knee, first 1.08 nohead lw 1.2 lc rgb quiet
set label 2 'with √d' at first 0.7071, first 1.14 center tc rgb quiet
set label 3 'without √d' at first 18, first 1.14 right tc rgb quiet
set label 4 'ρ*' at first knee * 0.9, first 1.05 right tc rgb quiet
set label 5 'words' at first 6.8, first 0.52 left tc lt of_words
set label 6 'positions' at first 0.25, first 0.28 left tc lt of_positions
usual(x) = (strcol('family') eq 'sphere' && column('d') == 512 && column('words') == 5000 && column('positions') == 512 && column('centred') == 0 && column('noise') == 0 && column('rho') > 0) ? x : NaN
plot data_a1_line using (at('words', 5000, column('rho'))):(column('recovered')) with lines ls 10, \
     data_a1_star using (usual(column('rho'))):(column('position')):(column('position_low')):(column('position_high')) with yerrorbars ls of_positions, \
     data_a1_star using (usual(column('rho'))):(column('position')) smooth unique with lines ls of_positions lw 1, \
     data_a1_star using (usual(column('rho'))):(column('word')):(column('word_low')):(column('word_high')) with yerrorbars ls of_words

unset arrow
unset label
eval panel(2, 2)
if (!phone) { set ylabel '' }
set label 2 'words: nearest' at first 6.2, first 0.62 right tc lt of_words
set label 3 'words: projected out, joint' at first 0.052, first 1.08 left tc lt 5
set label 4 'positions: nearest' at first 0.32, first 0.28 left tc lt of_positions
if (phone) { set label 5 'positions: joint' at first 0.055, first 0.8 left tc lt 1 } else { set label 5 'positions: joint' at first 0.24, first 0.56 right tc lt 1 }
noisy(x) = (column('noise') == 1 && column('centred') == 0) ? x : NaN
plot data_a1_decoders using (noisy(column('rho'))):(column('nothing')) with linespoints ls of_words, \
     data_a1_decoders using (noisy(column('rho'))):(column('position')) with linespoints ls of_positions, \
     data_a1_decoders using (noisy(column('rho'))):(column('joint_position')) with linespoints ls 1, \
     data_a1_decoders using (noisy(column('rho'))):(column('projected')) with linespoints ls 5, \
     data_a1_decoders using (noisy(column('rho'))):(column('joint')) with linespoints ls 5 pt 8
unset multiplot
