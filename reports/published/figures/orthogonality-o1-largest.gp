#: claim: O1
#: needs: orthogonality/o1_largest.csv
#: title: At d = 512 some pair of {{#measured O1.largest.v20000.d512}}20,000 words has a cosine of
#:   {{O1.largest.v20000.d512|.2f}}{{/measured}}{{#unmeasured O1.largest.v20000.d512}}1,000 words has a cosine of
#:   {{O1.largest.v1000.d512|.2f}}{{/unmeasured}}, far above an ordinary pair's
#: caption: Largest absolute cosine over all pairs of V Gaussian words, times √d: median and range over independent
#:   vocabularies ({{O1.largest.v1000.d512.n}} of 1,000 words{{#measured O1.largest.v5000.d512}},
#:   {{O1.largest.v5000.d512.n}} of 5,000{{/measured}}{{#measured O1.largest.v20000.d512}},
#:   {{O1.largest.v20000.d512.n}} of 20,000{{/measured}}). Dashed: the median by theory for independent pairs, in the band
#:   that holds 99% of vocabularies; no row's median departs from it by more than {{O1.largest_departure|.1%}}. Dotted:
#:   the root mean square cosine of an ordinary pair. Narrow spaces bend it down: no cosine
#:   exceeds one, so no point √d.
#: alt: Largest absolute cosine among all pairs of a vocabulary, times the root of the dimension, against the dimension.
#:   All points lie in theory's bands, several times above the level of an ordinary pair, and the bands are higher the
#:   larger the vocabulary. At d = 512, 1,000 words reach a cosine of {{O1.largest.v1000.d512|.2f}}
#:   {{#measured O1.largest.v20000.d512}}and 20,000 words {{O1.largest.v20000.d512|.2f}}{{/measured}}.

sizes = ''
do for [v in '1000 5000 20000'] {
  stats data_o1_largest using (column('words') == v) nooutput
  if (STATS_sum > 0) { sizes = sizes . ' ' . v }
}

set logscale x 2
set xlabel 'dimension d'
set ylabel 'largest |cosine| × √d'
set xrange [*:*] noextend
set offsets graph 0.04, graph 0.04, 0, 0
set yrange [0:7.4]
set ytics 1

of(v, x) = strcol('family') eq 'gaussian' && column('words') == v ? x : NaN
scaled(name) = column(name) * sqrt(column('d'))
thousands(v) = v[1:strlen(v) - 3] . ',000 words'
beside(i) = 1 + 0.1 * (i - 0.5 * (words(sizes) + 1))  # side by side, so that ranges do not hide each other

set label 2 'an ordinary pair' at graph 0.985, first 1.3 right tc rgb quiet
plot for [i = 1:words(sizes)] data_o1_largest \
       using (of(word(sizes, i), column('d'))):(scaled('theory_low')):(scaled('theory_high')) \
       with filledcurves fs solid 0.6 * interval_fill ls i notitle, \
     for [i = 1:words(sizes)] data_o1_largest using (of(word(sizes, i), column('d'))):(scaled('theory')) \
       with lines ls 10 notitle, \
     1 with lines ls 11 notitle, \
     for [i = 1:words(sizes)] data_o1_largest \
       using (of(word(sizes, i), column('d') * beside(i))):(scaled('largest')):(scaled('smallest_draw')):(scaled('largest_draw')) \
       with yerrorbars ls i title thousands(word(sizes, i)), \
     NaN with lines ls 10 title 'theory'
