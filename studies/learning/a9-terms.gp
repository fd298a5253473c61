#: claim: A9
#: needs: learning/a9_terms.csv
#: title: What attention scores are made of: four terms, before training and after, task by task
#: caption: Variance of the first block's attention logits in four terms, as shares of their sum over all heads. Means over
#:   {{A9.mixed.copy2.add.centred.width32.n}} seeds, width 32. “Before” is the centred sinusoid added, before the first step; the other bars are trained models.
#: alt: Stacked bars for three tasks. Before training words with words make up most. After it, with the sinusoid added, positions with
#:   positions have {{A9.position_position.copy2.add.centred.width32|.0%}} on copying and
#:   {{A9.position_position.bite.add.centred.width32|.0%}} on “who bit whom”; words with positions and positions with words together
#:   {{A9.mixed.named.add.centred.width32|.0%}} on named positions. Concatenated:
#:   {{A9.position_position.copy2.concat.centred.p16.width32|.0%}}, {{A9.position_position.bite.concat.centred.p16.width32|.0%}} and
#:   {{A9.mixed.named.concat.centred.p16.width32|.0%}}.
#: size: 900x430
#: phone: 340x540

set key at screen 0.012, screen key_top
set xrange [-0.8:14.2] noextend
set yrange [0:1.0]
set ytics ('0' 0, '20%%' 0.2, '40%%' 0.4, '60%%' 0.6, '80%%' 0.8, '100%%' 1)
set ylabel 'share of the logits’ variance'
unset xtics
set xlabel ''
set bmargin at screen 0.24
task_of(t) = (t eq 'copy2') ? 0 : (t eq 'bite') ? 1 : (t eq 'named') ? 2 : NaN
bar(a, k, m) = (m eq 'before') ? ((a eq 'add' && k eq 'centred') ? 0 : NaN) : (a eq 'concat') ? 3 : (k eq 'centred') ? 1 : (k eq 'learned') ? 2 : NaN
x(dummy) = (column('width') == 32) ? 5 * task_of(strcol('task')) + bar(strcol('arm'), strcol('positions'), strcol('moment')) : NaN
heads = '"copy two before" "who bit whom" "named position"'
if (phone) { heads = "'copy two\nbefore' 'who bit\nwhom' 'named\nposition'" }
bars = 'before sinusoid learned concatenated'
do for [m = 1:3] {
  set label 20 + m word(heads, m) at first 5 * (m - 1) + 1.5, screen 0.055 center tc rgb ink
  do for [b = 1:4] { set label 30 + 4 * m + b word(bars, b) at first 5 * (m - 1) + b - 1, screen 0.225 right rotate by 40 tc rgb quiet font small }
}
if (phone) { set key maxrows 4 samplen 0.8; set tmargin at screen 1 - (title_height + 84.0) / figure_height; do for [m = 1:3] { set label 20 + m at first 5 * (m - 1) + 1.5, screen 0.075 } }
set style fill solid 1.0 noborder
set boxwidth 0.86
plot data_a9_terms using (x(0)):(1) with boxes lc rgb word(marks, of_positions) title 'position · position', \
     data_a9_terms using (x(0)):(column('word_word') + column('word_position') + column('position_word')) with boxes lc rgb word(marks, 7) title 'position · word', \
     data_a9_terms using (x(0)):(column('word_word') + column('word_position')) with boxes lc rgb word(marks, 5) title 'word · position', \
     data_a9_terms using (x(0)):(column('word_word')) with boxes lc rgb word(marks, of_words) title 'word · word'
