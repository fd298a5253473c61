#: claim: A13
#: needs: capacity/a13_example.csv
#: title: The same change is small beside a strong component and large beside a coordinate
#: caption: Two hundred words in 512 dimensions, before and after a sinusoid's position as long as the word is added. Left: the component along a
#:   direction in which the word says something, anything up to .9 of it. Right: the words' first coordinate. Dashed: no change.
#: alt: Two scatter plots. On the left the points lie along the diagonal, on the right they scatter widely around it.
#: size: 860x400
#: phone: 340x640

unset key
set multiplot
set ylabel 'the same of word + position'
limit(i) = i == 1 ? 1.05 : 0.17
panel_rows = 1
do for [i = 1:2] {
  eval panel(i, 2)
  set xlabel i == 1 ? 'a strong component of the word' : 'one coordinate of the word'
  set xrange [-limit(i):limit(i)]
  set yrange [-limit(i):limit(i)]
  if (i == 1) { set xtics -1, 0.5, 1; set ytics -1, 0.5, 1 } else { set xtics -0.1, 0.1, 0.1; set ytics -0.1, 0.1, 0.1 }
  plot x with lines ls 10 notitle, \
       data_a13_example using (column(i == 1 ? 'strong' : 'coordinate')):(column(i == 1 ? 'strong_after' : 'coordinate_after')) with points lc rgb word(marks, i) pt 7 ps 0.5 notitle
}
unset multiplot
