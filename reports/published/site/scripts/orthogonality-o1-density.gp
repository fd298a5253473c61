#: claim: O1
#: needs: orthogonality/o1_density.csv
#: title: Cosines of random pairs concentrate around 0 as d grows
#: caption: Distribution of the cosine of {{O1.spread.gaussian.d512.n}} random pairs of Gaussian words in each dimension d, logarithmic,
#:   so that rare cosines show too. Shaded: |cos| below a tenth. Dashed: exact, (1 + cos)/2 ~ Beta((d − 1)/2, (d − 1)/2). The lowest
#:   points are counts of a few pairs.
#: alt: Distribution of the cosines of random pairs for several dimensions: bells around zero that are narrower the larger the dimension,
#:   every one on its exact line over four decades. At d = 64, {{O1.share_near.gaussian.d64|.0%}} of the pairs are near a right angle, at
#:   d = 512 {{O1.share_near.gaussian.d512|.1%}}, at d = 1024 {{O1.share_near.gaussian.d1024|.2%}}.

dimensions = ''
do for [d in '16 64 512 4096'] {
  stats data_o1_density using (column('d') == d) nooutput
  if (STATS_sum > 0) { dimensions = dimensions . ' ' . d }
}

set logscale y
set xlabel 'cosine of a pair'
set ylabel 'density of pairs, per unit of cosine'
set xrange [-1:1]
set yrange [1e-3:60]
set format y '10^{%T}'
set mytics 1
unset key
set tmargin 3 + 1.3 * (title_lines - 1)

set object 1 rect from -0.1, graph 0 to 0.1, graph 1 fc rgb quiet fs solid 0.13 noborder behind
thin(x) = phone && int(column(0)) % 2 ? NaN : x
of(d, x) = strcol('family') eq 'gaussian' && column('d') == d && column('density') > 0 ? x : NaN
# A curve's name stands at its shoulder, just above the next wider bell.
do for [i = 1:words(dimensions)] {
  d = real(word(dimensions, i))
  set label 1 + i sprintf('d = %d', d) at 0.85 / sqrt(d) + (phone ? 0.06 : 0.02), sqrt(d / (2 * pi)) left tc lt i
}
plot for [i = 1:words(dimensions)] data_o1_density \
       using (thin(of(word(dimensions, i), column('cosine')))):(column('density')) with points ls i ps 0.4, \
     for [i = 1:words(dimensions)] data_o1_density \
       using (of(word(dimensions, i), column('cosine'))):(column('law')) with lines ls 10
