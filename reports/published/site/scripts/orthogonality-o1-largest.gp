#: claim: O1
#: needs: orthogonality/o1_largest.csv
#: title: {{#measured O1.largest.v20000.d512}}The most similar of 20,000 random vectors meet at a cosine of
#:   {{O1.largest.v20000.d512|.2f}} in 512 dimensions{{/measured}}{{#unmeasured O1.largest.v20000.d512}}The most similar pair of
#:   random vectors, by their number and dimension{{/unmeasured}}
#: caption: Largest |cosine| over all pairs of V Gaussian words, median over vocabularies ({{O1.largest.v1000.d512.n}} of 1,000
#:   words{{#measured O1.largest.v5000.d512}}, {{O1.largest.v5000.d512.n}} of 5,000{{/measured}}{{#measured O1.largest.v20000.d512}},
#:   {{O1.largest.v20000.d512.n}} of 20,000{{/measured}}); bands: 99% of vocabularies, dashed: their median, both by theory. Dotted: an
#:   ordinary pair, root mean square.
#: alt: Largest absolute cosine among all pairs of a vocabulary against the dimension, both logarithmic: falling points on theory's lines,
#:   above the dotted line 1/√d of an ordinary pair. At d = 512, 1,000 words reach a cosine of {{O1.largest.v1000.d512|.2f}}
#:   {{#measured O1.largest.v20000.d512}}and 20,000 words {{O1.largest.v20000.d512|.2f}}{{/measured}}; an ordinary pair has
#:   {{O1.spread.gaussian.d512|.2f}}/√d. Medians depart from theory by at most {{O1.largest_departure|.1%}}.
#: size: 760x430

sizes = ''
do for [v in '1000 5000 20000'] {
  stats data_o1_largest using (column('words') == v) nooutput
  if (STATS_sum > 0) { sizes = sizes . ' ' . v }
}
of(v, x) = strcol('family') eq 'gaussian' && column('words') == v ? x : NaN
thousands(v) = v[1:strlen(v) - 3] . ',000'
set logscale x 2
set logscale y
set xlabel 'dimension d'
set ylabel '|cosine|'
set xrange [3.6:12000] noextend
set xtics ('4' 4, '16' 16, '64' 64, '256' 256, '1,024' 1024, '4,096' 4096)
set yrange [0.014:1.15] noextend
set ytics ('0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1)
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set label 2 'an ordinary pair, 1/√d' at 90, 0.072 right tc rgb quiet
set label 3 'most similar of' at 2300, 0.42 left tc rgb ink
do for [i = 1:words(sizes)] { set label 3 + i thousands(word(sizes, i)) . ' words' at 2300, 0.42 * 0.78 ** (words(sizes) + 1 - i) left tc lt i }
if (phone) {
  set xtics ('4' 4, '64' 64, '1,024' 1024); set label 2 'ordinary, 1/√d' at 4.6, 0.05 left
  set label 3 at graph 0.99, first 0.9 right
  do for [i = 1:words(sizes)] { set label 3 + i at graph 0.99, first 0.9 * 0.78 ** (words(sizes) + 1 - i) right }
}
plot 1 / sqrt(x) with lines ls 11, \
     for [i = 1:words(sizes)] data_o1_largest using (of(word(sizes, i), column('d'))):(column('theory_low')):(column('theory_high')) \
       with filledcurves fs solid 0.6 * interval_fill ls i, \
     for [i = 1:words(sizes)] data_o1_largest using (of(word(sizes, i), column('d'))):(column('theory')) with lines ls 10, \
     for [i = 1:words(sizes)] data_o1_largest using (of(word(sizes, i), column('d'))):(column('largest')) with points ls i ps 0.8
