#: claim: A10
#: finding: A10.more.centred
#: needs: long/learning/a10_text_pairs.csv
#: title: Best sum against best concatenation, bits per byte: {{A10.more.centred.interval|+.1%}} (sinusoid),
#:   {{A10.more.learned.interval|+.1%}} (learned)
#: caption: Bits per byte of adding over those of concatenating, paired by seed. Filled: judged, {{A10.more.centred.n}}
#:   seeds; hollow: four or eight seeds. Bars: 99% intervals. Dotted: equal; dashed: the margin of 1%.
#: alt: A forest plot. Best sum against best concatenation: {{A10.more.centred|+.1%}} {{A10.more.centred.interval|+.1%}} with a centred
#:   sinusoid, {{A10.more.learned|+.1%}} {{A10.more.learned.interval|+.1%}} with learned positions. A full-width sinusoid:
#:   {{A10.more.whole_centred|+.1%}} {{A10.more.whole_centred.interval|+.1%}}.
#: size: 860x560
#: phone: 340x480

unset key
names = 'centred learned whole_centred whole_learned as_is same_power framed projected parameters_centred parameters_learned slower start causal longer d32 d128_centred d128_learned'
says = '"best of each, sinusoid" "best of each, learned" "full-width sinusoid" "full-width learned table" "full-width, not centred" "full width, the narrow one''s power" "narrow, through a random frame" "against concatenated + projected" "equal parameters, sinusoid" "equal parameters, learned" "half the rate" "words four times as large" "next byte (causal)" "twice the text" "d = 32" "d = 128, sinusoid" "d = 128, learned"'
# Of the pairs those that were measured.
if (phone) {
  says = '"best, sinusoid" "best, learned" "full sinusoid" "full learned" "not centred" "narrow power" "random frame" "projected" "equal, sinusoid" "equal, learned" "half the rate" "larger words" "next byte" "twice the text" "d = 32" "d = 128, sinusoid" "d = 128, learned"'
}
there = ''
spoken = ''
do for [i = 1:words(names)] {
  stats data_long_a10_text_pairs using (strcol('pair') eq word(names, i) ? 1 : 0) nooutput
  if (STATS_sum > 0) { there = there.word(names, i).' '; spoken = spoken.'"'.word(says, i).'" ' }
}
names = there
says = spoken
place(p) = (n = NaN, sum [i = 1:words(names)] (p eq word(names, i) ? (n = i) : 0), n)
y(judged) = (column('seeds') >= 12) == judged ? -place(strcol('pair')) : NaN
set yrange [-words(names) - 0.6:-0.4] noextend
unset ytics
set xlabel 'bits per byte of adding over concatenating, per cent'
set lmargin at screen 0.34
set bmargin at screen 0.12
set tmargin at screen 0.88
set grid noytics
do for [i = 1:words(names)] { set label 20 + i word(says, i) at screen (phone ? 0.37 : 0.325), first -i right tc rgb (i < 3 ? ink : quiet) }
if (phone) { set lmargin at screen 0.39; set tmargin at screen 1 - (title_height + 30.0) / figure_height; set xlabel 'bits per byte by adding, %'; set xtics 5 }
set label 60 'adding is better' at graph 0.01, screen 0.905 left tc lt added
set label 61 'concatenating is better' at graph 0.99, screen 0.905 right tc lt concatenated
if (phone) { set label 60 at screen 0.04, screen 1 - (title_height + 14.0) / figure_height; set label 61 at graph 1, screen 1 - (title_height + 14.0) / figure_height }
set arrow 1 from 0, graph 0 to 0, graph 1 nohead ls 11
set arrow 2 from 1, graph 0 to 1, graph 1 nohead ls 10
plot data_long_a10_text_pairs using (100 * column('more')):(y(0)):(100 * column('more_low')):(100 * column('more_high')) with xerrorbars lc rgb quiet pt 6 ps 0.75 lw 1.2, \
     data_long_a10_text_pairs using (100 * column('more')):(y(1)):(100 * column('more_low')):(100 * column('more_high')) with xerrorbars ls 8 pt 7 ps 0.9 lw 2
