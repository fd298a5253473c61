#: claim: A6
#: needs: capacity/a6_cost.csv
#: title: Twice as wide, a model has {{A6.model_ratio.appended.d768.dp768|.1f}} times the parameters; at equal width, tied, fewer than adding
#: caption: Transformer of 12 blocks, inner width 4 times the width, 1,024 tokens, 50,257 words, relative to adding at d = 768. Wider:
#:   words 768, positions dₚ; projected: the same, mapped back to 768; equal width: words 768 − dₚ, positions dₚ (768 would leave none
#:   for words). Exact counts.
#: alt: Two groups of bars, parameters and operations relative to adding, for positions of 64, 96, 256 and 768 dimensions. Appended bars
#:   rise with dₚ, to {{A6.model_ratio.appended.d768.dp768|.2f}} times the parameters and
#:   {{A6.model_operations_ratio.appended.d768.dp768|.2f}} times the operations. Projected bars stay near 1. Divided bars are exactly 1
#:   for operations and fall below 1 for parameters.
#: size: 860x430
#: phone: 340x640

unset key
set multiplot
set tmargin at screen 0.80
set xrange [0.4:4.6] noextend
set yrange [0:4.0]
set ytics 1
set xtics scale 0 ('64' 1, '96' 2, '256' 3, '768' 4)
set xlabel 'dimensions of the position, d_p'
set boxwidth 0.24
widths = '64 96 256 768'
group(x) = x == 64 ? 1 : x == 96 ? 2 : x == 256 ? 3 : x == 768 ? 4 : NaN
ways = 'appended projected divided'
strength(i) = word('0.9 0.5 0.2', i) + 0
shift(i) = 0.27 * (i - 2)
shown(way, x) = (strcol('joining') eq way && column('d') == 768) ? x : NaN
do for [panel = 1:2] {
  what = panel == 1 ? 'model_ratio' : 'model_operations_ratio'
  set lmargin at screen (panel == 1 ? 0.085 : 0.575)
  set rmargin at screen (panel == 1 ? 0.485 : 0.975)
  if (phone) { eval panel(panel, 2) }
  if (panel == 1) { set ylabel 'relative to adding' } else { set ylabel ''; unset label 1 }
  set label 2 (panel == 1 ? 'parameters of the model' : 'operations over 1,024 tokens') at graph 0, graph 1.09 left tc rgb ink font small
  set label 3 'dark: wider' at 0.6, 3.7 left tc lt concatenated
  set label 4 (phone ? 'middle: back to d' : 'middle: projected back to d') at 0.6, 3.4 left tc lt concatenated
  set label 5 'light: equal width' at 0.6, 3.1 left tc lt concatenated
  set arrow 1 from 0.4, 1 to 4.6, 1 nohead ls 10 front
  set label 6 'dashed: adding' at 0.6, 2.8 left tc rgb quiet
  plot for [i = 1:3] data_a6_cost using (group(shown(word(ways, i), column('positions'))) + shift(i)):(column(what)) with boxes ls concatenated lw 1 fs solid strength(i) border lc rgb word(marks, concatenated), \
       data_a6_cost using (group(shown('appended', column('positions'))) + shift(1)):(column(what)):(sprintf('%.2f', column(what))) with labels offset 0, character 0.7 font small tc rgb quiet
}
unset multiplot
