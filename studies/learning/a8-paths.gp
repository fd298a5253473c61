#: claim: A8
#: needs: learning/a8_paths.csv
#: title: The norm of word embeddings during training, with positions added and without
#: caption: Root mean square norm of the words during training, width 32, {{A8.growth.copy2.add.centred.width32.n}} seeds, 99% intervals.
#:   Above: words of the usual norm, over their initial norm; dotted: no change. Below: words that start at that norm and at a fifth of it, over the
#:   positions' norm. Dashed: where the critical ratio of A1 lies, below which positions hide words.
#: alt: Four panels. Above, on copying, words keep {{A8.growth.copy2.none.width32|.2f}} of their norm without positions,
#:   {{A8.growth.copy2.add.centred.width32|.2f}} with the centred sinusoid added and {{A8.growth.copy2.concat.centred.p16.width32|.2f}}
#:   with it concatenated; on “who bit whom” {{A8.growth.bite.none.width32|.2f}}, {{A8.growth.bite.add.centred.width32|.2f}} and
#:   {{A8.growth.bite.concat.centred.p16.width32|.2f}}. Below, words that start at a fifth of the size grow by a factor of
#:   {{A8.growth.copy2.add.centred.width32.start0p2|.2f}} and {{A8.growth.bite.add.centred.width32.start0p2|.2f}} with the sinusoid added,
#:   by {{A8.growth.copy2.none.width32.start0p2|.2f}} and {{A8.growth.bite.none.width32.start0p2|.2f}} without positions.
#: size: 900x600
#: phone: 340x1040

unset key
set multiplot
positions = sqrt(32 / 2.0)  # length of the sinusoid
tasks = 'copy2 bite'
heads = '"copy the word two before" "who bit whom"'
arms = 'none add add concat'
kinds = 'none centred learned centred'
colours = '8 1 1 2'
dash(i) = i == 3 ? learned : sinusoidal
stats data_a8_paths using (column('step')) nooutput
last = STATS_max
set xrange [0:last * 1.01] noextend
row_of(t, i, s, x) = (strcol('task') eq t && strcol('arm') eq word(arms, i) && strcol('positions') eq word(kinds, i) && column('width') == 32 && column('start') == s) ? x : NaN
do for [r = 0:1] {
  set tmargin at screen (r == 0 ? 0.85 : 0.455)
  set bmargin at screen (r == 0 ? 0.525 : 0.13)
  do for [m = 1:2] {
    set lmargin at screen 0.085 + (m - 1) * 0.47
    set rmargin at screen 0.085 + (m - 1) * 0.47 + 0.41
    t = word(tasks, m)
    if (phone) { eval panel(2 * r + m, 4) }
    if (r == 0) {
      unset logscale y
      set yrange [0.68:1.07]
      set ytics ('.7' 0.7, '.8' 0.8, '.9' 0.9, '1' 1)
      if (!phone) { set format x ''; set xlabel '' }
      if (phone || m == 1) { set ylabel 'norm, of the initial one' } else { set ylabel '' }
      set label 20 word(heads, m) at graph 0.5, graph 1.06 center tc rgb ink
      if (m == 1) {
        set label 21 'no positions' at graph 0.04, graph 0.36 left tc lt 8
        set label 23 'centred sinusoid added' at graph 0.04, graph 0.27 left tc lt added
        set label 24 'dashed: learned, added' at graph 0.04, graph 0.18 left tc lt added
        set label 25 'sinusoid concatenated' at graph 0.04, graph 0.09 left tc lt concatenated
      }
      plot 1 with lines ls 11, \
        for [i = 1:4] data_a8_paths using (row_of(t, i, 1, column('step'))):(column('growth_low')):(column('growth_high')) with filledcurves fs solid interval_fill ls (word(colours, i) + 0), \
        for [i = 1:4] data_a8_paths using (row_of(t, i, 1, column('step'))):(column('growth')) with linespoints ls (word(colours, i) + 0) dt dash(i) ps 0.4 pi (phone ? 3 : 1)
    } else {
      set logscale y
      set yrange [0.22:2.4]
      set ytics ('.25' 0.25, '.5' 0.5, '1' 1, '2' 2)
      set format x '%g'
      set xlabel 'steps'
      if (phone || m == 1) { set ylabel 'norm, of that of positions' } else { set ylabel '' }
      if (phone) { set label 20 word(heads, m) at graph 0.5, graph 1.06 center tc rgb ink }
      set label 21 'starts at 1' at graph 0.04, first 1.12 left tc rgb quiet
      set label 22 'starts at .2' at graph 0.97, first 0.245 right tc rgb quiet
      set label 23 'critical' at graph 0.97, first 0.55 right tc rgb quiet
      stats data_a8_paths using (row_of(t, 2, 1, column('knee'))) nooutput
      knee = STATS_max
      plot 1 / knee with lines ls 10, \
        for [s in '1 0.2'] for [i in '1 2'] data_a8_paths using (row_of(t, i + 0, s + 0, column('step'))):(column('norm_low') / positions):(column('norm_high') / positions) with filledcurves fs solid interval_fill ls (word(colours, i + 0) + 0), \
        for [s in '1 0.2'] for [i in '1 2'] data_a8_paths using (row_of(t, i + 0, s + 0, column('step'))):(column('norm') / positions) with linespoints ls (word(colours, i + 0) + 0) ps 0.4 pi (phone ? 3 : 1)
    }
    unset label
  }
}
unset multiplot
