#: claim: A6
#: needs: capacity/a6_cost.csv
#: title: Widening a block costs about the square of its width; a block of equal width costs the same
#: caption: Counts for a Transformer of 12 standard blocks, inner width 4 times the width, over 1,024 tokens and 50,257 words,
#:   relative to adding positions at d = 768. Appended: words 768, positions d_p, blocks 768 + d_p wide; projected: the same, then one
#:   map back to 768; divided: words 768 − d_p, positions d_p, blocks 768 wide (d_p = 768 leaves none for words). Dashed: adding. Exact counts, no
#:   clock.
#: alt: Two groups of bars, parameters and operations relative to adding, for positions of 64, 96, 256 and 768 dimensions. Appended
#:   bars rise with d_p, to {{A6.model_ratio.appended.d768.dp768|.2f}} times the parameters and
#:   {{A6.model_operations_ratio.appended.d768.dp768|.2f}} times the operations. Projected bars stay near 1. Divided bars are
#:   exactly 1 for operations and fall below 1 for parameters.
#: size: 860x430

unset key
set multiplot
set tmargin at screen 0.80
set xrange [0.4:4.6] noextend
set yrange [0:4.0]
set ytics 1
set xtics scale 0 ('64' 1, '96' 2, '256' 3, '768' 4)
set xlabel 'dimensions of the position, d_p'
set boxwidth 0.24
set style fill solid 0.85 noborder
widths = '64 96 256 768'
group(x) = x == 64 ? 1 : x == 96 ? 2 : x == 256 ? 3 : x == 768 ? 4 : NaN
ways = 'appended projected divided'
colours = '2 5 3'
shift(i) = 0.27 * (i - 2)
shown(way, x) = (strcol('joining') eq way && column('d') == 768) ? x : NaN
do for [panel = 1:2] {
  what = panel == 1 ? 'model_ratio' : 'model_operations_ratio'
  set lmargin at screen (panel == 1 ? 0.085 : 0.575)
  set rmargin at screen (panel == 1 ? 0.485 : 0.975)
  if (panel == 1) { set ylabel 'relative to adding' } else { set ylabel ''; unset label 1 }
  set label 2 (panel == 1 ? 'parameters of the model' : 'operations over 1,024 tokens') at graph 0, graph 1.09 left tc rgb ink font ',12'
  set label 3 'appended' at 2.9, 3.5 right tc lt 2
  set label 4 'projected back to d' at 2.9, 3.2 right tc lt 5
  set label 5 'divided (equal width)' at 2.9, 2.9 right tc lt 3
  set arrow 1 from 0.4, 1 to 4.6, 1 nohead ls 10 front
  plot for [i = 1:3] data_a6_cost using (group(shown(word(ways, i), column('positions'))) + shift(i)):(column(what)) with boxes ls (word(colours, i) + 0), \
       for [i = 1:3] data_a6_cost using (group(shown(word(ways, i), column('positions'))) + shift(i)):(column(what)):(sprintf('%.2f', column(what))) with labels offset 0, character 0.6 font ',8' tc rgb quiet
}
unset multiplot
