#: claim: M3
#: finding: M3.overlap.iglm
#: needs: inspect/m3_lineages.csv
#: title: Released models of few words have overlaps from {{M3.overlap.anarcii_2_decoder|.2f}} to {{M3.overlap.iglm_s|.1f}}
#: caption: Overlap ω of words and positions against the number of words, both logarithmic. Blue: encoders; orange: decoders.
#:   Bars: 99% intervals over words, where there is one. Dotted: chance.
#: alt: A scatter plot. Models of 25 to 591 words lie between ω = {{M3.overlap.anarcii_2_decoder|.2f}} and {{M3.overlap.iglm_s|.1f}}; MiniLM
#:   has {{M3.overlap.minilm|.2f}} and E5 {{M3.overlap.e5|.2f}}.
#: size: 860x560
#: phone: 340x580

unset key
set logscale xy
set xrange [1:2000000] noextend
set yrange [0.1:6] noextend
set xtics ('30' 30, '100' 100, '300' 300, '1,000' 1000, '10,000' 10000, '100,000' 100000)
set ytics ('.1' 0.1, '.2' 0.2, '.5' 0.5, '1' 1, '2' 2, '5' 5)
set xlabel 'words V'
set ylabel 'overlap ω'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead ls 11
# An interval's end below the axis is drawn at it.
floor_of(x) = x > 0.11 ? x : 0.11
of(part, x) = strcol('part') eq part ? x : NaN
if (phone) {
  set lmargin 4.5; set ylabel ''
  set label 2 'overlap ω' at graph 0, graph 1.04 left tc rgb ink
  set xrange [3e-4:1e8] noextend
  set xtics ('30' 30, '10,000' 10000); set ytics ('.1' 0.1, '.2' 0.2, '1' 1, '2' 2, '5' 5); set border 1
}
plot for [i = 1:2] data_m3_lineages using (column('words')):(of(word('encoder decoder', i), column('overlap'))):(floor_of(column('low'))):(column('high')) \
       with yerrorbars ls i pt 7 ps 0.8, \
     for [i = 1:2] data_m3_lineages using (column('words')):(of(word('encoder decoder', i), column('overlap'))) with points ls i pt 7 ps 0.8, \
     data_m3_lineages using (column('words')):(column('words') < 30 ? NaN : column('overlap')):(display_name(strcol('model'))) with labels tc rgb ink left offset 1, 0, \
     data_m3_lineages using (column('words')):(column('words') < 30 ? column('overlap') : NaN):(display_name(strcol('model'))) with labels tc rgb ink font (phone ? small : ',13') right offset -1, 0
