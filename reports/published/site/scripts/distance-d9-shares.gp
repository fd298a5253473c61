#: claim: D9
#: needs: distance/d9_shares.csv
#: title: Position–position is {{D9.position_share.gaussian.gaussian.d64|.1%}} of a logit's variance with random weights
#: caption: Left, shares of the four terms in the variance of the logit of two sums of word and position, random M, d = 64, L = 256;
#:   right, variance of the mean logit by relative distance over that of all else. {{D9.position_share.gaussian.gaussian.d64.level|.1%}}
#:   intervals over draws. Dashed: theory. Dotted: a sinusoid beside words with entries of variance 1.
#: alt: Left: word-word share falls from 1 to 0, position-position rises from 0 to 1 and the two mixed terms peak at one half where both
#:   are equally long, all on theory's dashed lines. Right: what distance alone explains, over all else, grows with the fourth power of
#:   the ratio and levels off at {{D9.signal_to_noise.gaussian.gaussian.d64.rho16|.2f}} for random M, however long the positions; tied
#:   weights end at {{D9.signal_to_noise.gaussian.tied.d64.rho16|.2f}}.
#: size: 860x430
#: phone: 340x660

set logscale x 10
set xlabel '‖p‖/‖x‖, ρ'
set xrange [0.04:20] noextend
set xtics ('.05' 0.05, '.2' 0.2, '1' 1, '4' 4, '16' 16)
unset key
set multiplot

eval panel(1, 2)
set ylabel 'share of the variance'
set yrange [0:1.02]
set ytics 0.2
set arrow 1 from sqrt(0.5), graph 0 to sqrt(0.5), graph 1 nohead ls 11
terms = 'word_word crossed position_position'
set label 2 'word–word' at 0.055, 0.75 left tc lt of_words
set label 3 'mixed' at 0.40, 0.55 right tc lt 5
set label 4 'position–' at 3.6, 0.64 left tc lt of_positions
set label 5 'position' at 3.6, 0.57 left tc lt of_positions
term(i) = word('4 5 3', i) + 0
row(m, x) = column('d') == 64 && strcol('words') eq 'gaussian' && strcol('matrix') eq m ? x : NaN
plot for [i = 1:3] data_d9_shares using (row('gaussian', column('ratio'))):(column(word(terms, i))):(column(word(terms, i) . '_low')):(column(word(terms, i) . '_high')) \
       with yerrorbars ls term(i) ps 0.8, \
     for [i = 1:3] data_d9_shares using (row('gaussian', column('ratio'))):(column(word(terms, i) . '_line')) with lines ls 10

unset label
unset arrow
eval panel(2, 2)
set logscale y 10
set yrange [1e-6:3] noextend
set ytics ('10⁻⁶' 1e-6, '10⁻⁴' 1e-4, '.01' 1e-2, '1' 1)
set ylabel 'distance, over all else'
set arrow 1 from sqrt(0.5), graph 0 to sqrt(0.5), graph 1 nohead ls 11
kinds = 'gaussian heads tied'
set label 2 'tied QᵀQ' at (phone ? 0.6 : 0.9), 0.62 right tc lt 3
set label 3 'random M' at 1.6, 0.006 left tc lt 1
set label 4 'random QᵀK' at 1.6, 0.0022 left tc lt 2
floor_of(x) = x > 1e-7 ? x : 1e-7
plot for [i = 1:3] data_d9_shares using (row(word(kinds, i), column('ratio') * (1 + 0.06 * (i == 2)))):(column('signal_to_noise')):(floor_of(column('signal_to_noise_low'))):(column('signal_to_noise_high')) \
       with yerrorbars ls i ps 0.8, \
     for [i = 1:3] data_d9_shares using (row(word(kinds, i), column('ratio'))):(column('signal_to_noise_line')) with lines ls 10
unset multiplot
