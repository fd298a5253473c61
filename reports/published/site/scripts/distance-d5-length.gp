#: claim: D5
#: needs: distance/d5_growth.csv
#: title: {{#verdict D5 true}}Neighbours score alike at every length under sinusoidal, RoPE, T5 and ALiBi, not under an
#:   index{{/verdict}}{{#verdict D5 depends|false|open|unmeasured}}Scores of two neighbours, by the length of the text{{/verdict}}
#: caption: What two neighbours look like, against the length of the text: p_t·p_{t+1} with d = 64, one content rotated for RoPE, the bias itself for
#:   ALiBi and T5; each over its largest size in the panel. Bands: least to most in a text; line: the last pair of the text.
#:   First draw where a table is random.
#: alt: Nine panels of neighbours' scores over the length of the text. Flat lines: sinusoidal (spread {{D5.neighbour_spread.sinusoidal|.1e}} of
#:   the score), random Fourier features, RoPE ({{D5.neighbour_spread.rotary|.1e}}), ALiBi and T5. Bands that widen: sines alone, index,
#:   whose largest norm grows {{D5.norm_ratio.index}}-fold, and random vectors; index over length fills its whole range in every text.
#: size: 860x640
#: phone: 340x800

names = 'sinusoidal random_fourier rotary alibi t5 sine_only index normalised_index random'
says = '"sinusoidal" "random Fourier" "RoPE" "ALiBi (bias)" "T5 (bias)" "sines alone" "index t" "index t/length" "random vectors"'
of(i, x) = column('draw') == 0 ? pick('encoding', word(names, i), x) : NaN
array largest[9]
do for [i = 1:9] {
  stats data_d5_growth using (of(i, abs(column('most')) > abs(column('least')) ? abs(column('most')) : abs(column('least')))) nooutput
  largest[i] = STATS_max
}
stats data_d5_growth using (column('positions')) nooutput
unset key
set logscale x
set xrange [4:STATS_max] noextend
set yrange [-1.12:1.12] noextend
panel_rows = 3; panel_across = 26; panel_down = 38; panel_left = phone ? 60 : 84; phone_columns = 2
set multiplot
do for [i = 1:9] {
  eval panel(i, 3)
  if (i % (phone ? 2 : 3) == 1) { set ytics ('−1' -1, '0' 0, '1' 1) } else { set ytics ('' -1, '' 0, '' 1) }
  if (i == (phone ? 5 : 4)) { set ylabel 'score of two neighbours, over its largest size' } else { set ylabel '' }
  if (i > (phone ? 7 : 6)) { set xtics ('10' 10, '10³' 1000, '10⁵' 1e5) } else { set xtics ('' 10, '' 1000, '' 1e5) }
  if (i == 8 || phone && i == 9) { set xlabel 'length of the text' } else { set xlabel '' }
  set label 2 word(says, i) at graph 0, graph 1.1 left tc lt (i < 6 ? 1 : 2)
  plot 0 with lines ls 11 lw 1, \
       data_d5_growth using (of(i, column('positions'))):(column('least') / largest[i]):(column('most') / largest[i]) with filledcurves fs solid interval_fill ls (i < 6 ? 1 : 2), \
       data_d5_growth using (of(i, column('positions'))):(column('last') / largest[i]) with linespoints ls (i < 6 ? 1 : 2) lw 1.4 ps 0.5
}
unset multiplot
