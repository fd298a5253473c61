#: claim: A7
#: finding: A7.trained_gain_share.random.d32.units1024
#: needs: capacity/a7_trained.csv
#: title: With 1,024 hidden units a trained reader loses {{A7.trained_gain_share.random.d32.units1024|.1%}} of the bits, without
#:   {{A7.trained_gain_share.random.d32.units0|.1%}} (d = 32, random)
#: caption: Best concatenation less best flat sum, of the bits sent, by trained readers with so many hidden units (none: softmax
#:   regression); 256 words, 64 positions, 90% carried. Bars: 99% intervals. Dashed: the linear reader. Dotted: the ideal one of word
#:   and of position one by one. At d = 128 a layer of 64 units is narrower than its input.
#: alt: Left, d = 32, right, d = 128. With random positions the loss goes from {{A7.trained_gain_share.random.d32.units0|.1%}} without
#:   hidden units to {{A7.trained_gain_share.random.d32.units1024|.1%}} with 1,024 at d = 32, and from
#:   {{A7.trained_gain_share.random.d128.units0|.1%}} to {{A7.trained_gain_share.random.d128.units1024|.1%}} at d = 128; with centred
#:   sinusoids from {{A7.trained_gain_share.centred.d32.units0|.1%}} to {{A7.trained_gain_share.centred.d32.units1024|.1%}} and from
#:   {{A7.trained_gain_share.centred.d128.units0|.1%}} to {{A7.trained_gain_share.centred.d128.units1024|.1%}}.
#: size: 860x400
#: phone: 340x640

families = 'centred random'
place(u) = u == 0 ? 1 : u == 64 ? 2 : u == 256 ? 3 : 4
row(f, w, x) = strcol('positions') eq f && column('d') == w ? x : NaN
set xrange [0.6:4.4] noextend
set xtics ('none' 1, '64' 2, '256' 3, '1,024' 4)
set xlabel 'hidden units'
set ylabel (phone ? 'concatenation less sum' : 'concatenation less sum, of the bits sent')
set format y '%g%%'
set multiplot
do for [side = 1:2] {
  w = side == 1 ? 32 : 128
  eval panel(side, 2)
  set label 2 sprintf('d = %d', w) at graph 0, graph 1.05 left tc rgb ink
  if (side == 2) { set ylabel '' }
  if (side == 1) { set key at graph 0.98, graph 0.5 right top vertical maxrows 2 samplen 2 } else { unset key }
  plot 0 with lines ls 11 notitle, \
       for [k = 1:2] data_a7_trained using (row(word(families, k), w, place(column('units')))):(100 * column('linear')) with lines ls 10 lc rgb word(marks, added) notitle, \
       for [k = 1:2] data_a7_trained using (row(word(families, k), w, place(column('units')))):(100 * column('separate')) with lines ls 11 notitle, \
       for [k = 1:2] data_a7_trained using (row(word(families, k), w, place(column('units')) + 0.06 * (2 * k - 3))):(100 * column('gain_share')):(100 * column('gain_share_low')):(100 * column('gain_share_high')) \
         with yerrorbars lc rgb word(marks, added) lw 1.6 dt 1 pt (k == 1 ? 7 : 6) ps 0.8 title word(families, k)
}
unset multiplot
