#: claim: O3
#: needs: orthogonality/o3_spectra.csv
#: title: Positions need few dimensions: {{O3.r99.as_is.d512.l512}} of 512 hold 99% of 512 positions
#: caption: Eigenvalues of the mean outer product of L sinusoidal positions, d = 512, over their sum, largest first, not
#:   centred{{#measured O3.r99_share.as_is.real}}; beside them {{O3.r99_share.as_is.real.n}} real words and as many Gaussian
#:   ones{{/measured}}. Marks: where the leading dimensions hold 99%, with their number. Exact; tails below the axis are left out.
#: alt: Eigenvalue spectra of sinusoidal position tables on a logarithmic scale. Each is a shoulder that ends in a cliff, the further out
#:   the more positions: {{O3.r99.as_is.d512.l512}} dimensions hold 99% of 512 positions, {{O3.r99.as_is.d512.l2048}} of 2,048,
#:   {{O3.r99.as_is.d512.l8192}} of 8,192, out of 512. {{#measured O3.r99_share.as_is.real}}Real words decline slowly and take
#:   {{O3.r99_share.as_is.real|.0%}} of their dimensions, Gaussian words are flat.{{/measured}}

lengths = '128 512 2048 8192'
stats data_o3_spectra using (strcol('table') eq 'real') nooutput
has_words = STATS_sum > 0
curves = lengths . (has_words ? ' gaussian real' : '')
d_words = STATS_sum / 2  # as they are, and centred
array ends[words(lengths)]
do for [i = 1:words(lengths)] {
  # where the curve leaves the picture
  stats data_o3_spectra using (strcol('table') eq 'positions' && column('rows') == word(lengths, i) && column('share') > 4e-6 ? column('index') : 0) nooutput
  ends[i] = STATS_max
}

set logscale y
set xlabel 'eigenvalue number'
set ylabel 'share of the sum of eigenvalues'
set xrange [0:400]
set yrange [1e-6:1]
set format y '10^{%T}'
set ytics 10
set mytics 1
unset key
set tmargin 3 + 1.3 * (title_lines - 1)
set rmargin 4

positions(l, x) = strcol('table') eq 'positions' && strcol('centring') eq 'as_is' && column('rows') == l ? x : NaN
of(i, x) = i <= words(lengths) ? positions(word(lengths, i), x) : \
           strcol('centring') eq 'as_is' && strcol('table') eq word(curves, i) ? x : NaN
style(i) = i <= words(lengths) ? i : i == words(curves) ? 5 : 11
# The first row that holds 99%: the ones before it do not.
holds(x) = column('cumulated') >= 0.99 && column('cumulated') - column('share') < 0.99 ? x : NaN
number(r) = sprintf('%d', r)
set for [i = 1:words(lengths)] label 1 + i 'L = ' . word(lengths, i) at ends[i] + 5, 4e-6 left tc lt i
if (has_words) {
  set label 20 'real words' at d_words + 6, 1.7 / d_words left tc lt 5
  set label 21 'Gaussian words' at d_words + 6, 0.85 / d_words left tc rgb quiet
}
if (phone) {
  set xtics 100; set label 19 'L =' at 5, 4e-6 left tc rgb quiet
  do for [i = 1:words(lengths)] { set label 1 + i word(lengths, i) }
  if (has_words) { set label 20 at 398, 0.015 right; set label 21 at 398, 0.04 right }
}
plot for [i = 1:words(curves)] data_o3_spectra using (of(i, column('index'))):(column('share')) \
       with lines ls style(i), \
     for [i = 1:words(lengths)] data_o3_spectra \
       using (holds(positions(word(lengths, i), column('index')))):(column('share')) with points ls i ps 1, \
     for [i = 1:words(lengths)] data_o3_spectra \
       using (holds(positions(word(lengths, i), column('index')))):(column('share')):(number(column('index'))) \
       with labels right offset character -0.8, -0.7 tc lt i
