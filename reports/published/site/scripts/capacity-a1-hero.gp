#: claim: A1
#: finding: A1.released_models
#: needs: capacity/a1_line.csv capacity/a1_star.csv capacity/a1_released.csv capacity/a1_scale.csv
#: title: Words survive positions several times their length; positions need about the length of a word
#: caption: Share found as the vector nearest to x + p: 5,000 words and 512 sinusoidal positions, 512 dimensions. Dashed: exact. Dotted: where a sinusoid stands beside
#:   unit embeddings, multiplied by √d or not. Large diamonds: words and positions of released language models, found in the models' own sums.
#: alt: Share found against ρ = ‖p‖/‖x‖, logarithmic. Positions rise from {{A1.position.rho0p1|.0%}} at a tenth of the word's size to
#:   {{A1.position.rho1|.0%}} at its size; words stay at {{A1.word.rho1|.0%}}, fall around {{A1.knee.d512|.1f}}, and are at
#:   {{A1.word.rho16|.1%}} at ρ = 16, where unit embeddings without the factor √d stand. With that factor ρ is √½.
#: size: 860x500
#: phone: 340x500

stats data_a1_scale using (at('d', 512, column('plain_rho'))) nooutput
plain = STATS_max
unset key
set tmargin at screen (phone ? 0.83 : 0.89)
set bmargin at screen (phone ? 0.14 : 0.125)
set lmargin at screen (phone ? 0.22 : 0.11)
set rmargin at screen 0.975
set logscale x
set xrange [0.045:22] noextend
set yrange [0:1.28] noextend
if (phone) { set xtics ('0.1' 0.1, '0.3' 0.3, '1' 1, '3' 3, '10' 10) } else { set xtics ('0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20) }
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set xlabel phone ? 'position over word, ρ = ‖p‖/‖x‖' : 'length of the position over that of the word, ρ = ‖p‖/‖x‖'
set ylabel 'found in the sum' offset (phone ? 0.7 : 0.5), 0
if (phone) { set label 3 'words' at 5, 0.3 right tc lt of_words } else { set label 3 'words' at 7.4, 0.52 left tc lt of_words }
set label 4 'positions' at (phone ? 0.05 : 0.12), 0.5 left tc lt of_positions
do for [k = 1:2] {
  rho = k == 1 ? sqrt(0.5) : plain
  set arrow k from rho, 0 to rho, (k == 2 && phone ? 1.17 : 1.06) nohead lc rgb quiet lw 1.3 dt (3, 3)
  if (k == 1) { set label 5 (phone ? 'words × √d' : 'sinusoid beside words × √d') at rho, 1.09 left tc rgb quiet } else { set label 6 'without √d' at 21, (phone ? 1.2 : 1.09) right tc rgb quiet }
}
usual(x) = column('d') == 512 ? x : NaN
# Models of few words would stand on one another.
many(x) = column('words') >= 1000 ? x : NaN
is_even(row) = int(row) % 2 == 0
plot data_a1_line using (column('rho')):(column('recovered')) with lines ls 10, \
     data_a1_star using (usual(column('rho'))):(column('position')) smooth unique with lines ls of_positions lw 1.4, \
     data_a1_star using (usual(column('rho'))):(column('position')):(column('position_low')):(column('position_high')) with yerrorbars ls of_positions, \
     data_a1_star using (usual(column('rho'))):(column('word')):(column('word_low')):(column('word_high')) with yerrorbars ls of_words, \
     data_a1_released using (is_even(column(0)) ? many(column('rho')) : NaN):(1.04):(0):(0.1) with vectors nohead lc rgb ink lw 1.3, \
     data_a1_released using (is_even(column(0)) && column('rho') < 0.5 ? many(column('rho')) : NaN):(1.175):(display_name(strcol('model'))) with labels right offset 0.6, 0 tc rgb ink noenhanced, \
     data_a1_released using (is_even(column(0)) && column('rho') >= 0.5 ? many(column('rho')) : NaN):(1.175):(display_name(strcol('model'))) with labels left offset -0.6, 0 tc rgb ink noenhanced, \
     data_a1_released using (is_even(column(0)) ? NaN : many(column('rho'))):(1.09):(display_name(strcol('model'))) with labels right tc rgb ink noenhanced, \
     data_a1_released using (many(column('rho'))):(column('word')):(column('word_low')):(column('word_high')) with yerrorbars ls of_words pt 12 ps 1.8, \
     data_a1_released using (many(column('rho'))):(column('position')):(column('position_low')):(column('position_high')) with yerrorbars ls of_positions pt 12 ps 1.3
