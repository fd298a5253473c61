#: claim: L1
#: needs: scaling/points.csv
#: title: Time grows as L to the power {{L1.exponent.length|.2f}}, V to {{L1.exponent.words|.2f}}, d to {{L1.exponent.width|.2f}}, cells to {{L1.exponent.cells|.2f}}
#: caption: Seconds of one thread against the size that grows; bars from the fastest to the slowest round.
#:   Dashed: the operations counted, scaled to the largest size.
#: alt: Four curves of seconds against size on logarithmic axes, for cells, positions, words and dimensions, each
#:   with a dashed line of the operations counted that meets it at the largest size; the exponents are in the table below.
#: size: 820x460

set logscale xy
set format y '10^{%L}'
set xlabel 'size'
set ylabel 'seconds'
set xrange [24:60000]
set key maxrows 2
set tmargin 6
array names[4] = ['cells', 'L (lags)', 'V (words)', 'd (words)']
plot for [i = 1:4] data_points using (at('place', i, column('size'))):(column('seconds')):(column('least')):(column('most')) with yerrorlines ls i title names[i], \
  for [i = 1:4] data_points using (at('place', i, column('size'))):(column('counted')) with lines ls 10 notitle
