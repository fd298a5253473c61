#: claim: A10
#: needs: learning/a10_arms.csv
#: title: Adding instead of concatenating: {{A10.mean_gain.order.fixed_half|+.2f}} of the answers with sinusoids, {{A10.mean_gain.order.learned_half|+.2f}} with learned positions
#: caption: Above, share of right answers after training; below, steps until 90 % of ten batches' answers were right, a run that
#:   never got there counted as one step more than it made (right edge). Filled: width 32, hollow: width 16; means over
#:   {{A10.gain.copy2.fixed_half.width32.n}} seeds and 99 % intervals (Student's t). Dotted: the best guesser who
#:   sees a sequence's words and not their order; below, never. The title's numbers are means over widths and the three tasks
#:   that need order, against d/2.
#: alt: Four columns of dots: copy the word two before, the word at a named place, who bit whom, counting. With fixed sinusoids at width
#:   32 “who bit whom” reaches {{A10.accuracy.bite.add_fixed.width32|.2f}} added and
#:   {{A10.accuracy.bite.concat.p16.width32|.2f}} concatenated with half the dimensions, in
#:   {{A10.steps.bite.add_fixed.width32|.0f}} and {{A10.steps.bite.concat.p16.width32|.0f}} steps; with learned positions
#:   {{A10.steps.bite.add_learned.width32|.0f}} and {{A10.steps.bite.concat_learned.p8.width32|.0f}} steps. On named
#:   places rotary reaches {{A10.accuracy.named.rotary.width32|.2f}}. Without positions who bit whom stays at
#:   {{A10.accuracy.bite.none.width32|.2f}}, counting reaches {{A10.accuracy.count.none.width32|.2f}}.
#: size: 900x660

unset key
names = 'copy2 named bite count'
heads = '"copy the word 2 before" "word at a named place" "who bit whom" "counting (no order needed)"'
stats data_a10_arms using (column('budget')) nooutput
budget = STATS_max
half(x) = abs(column('part') - x) < 0.01
place(x) = (strcol('arm') eq 'add_fixed') ? 8.3 : \
  (strcol('arm') eq 'concat' && half(0.25)) ? 7.3 : (strcol('arm') eq 'concat' && half(0.5)) ? 6.3 : \
  (strcol('arm') eq 'add_learned') ? 5 : (strcol('arm') eq 'concat_learned') ? (half(0.25) ? 4 : 3) : \
  (strcol('arm') eq 'rotary') ? 1.7 : (strcol('arm') eq 'none') ? 0.7 : NaN
kind(k) = k == 1 ? (strcol('arm')[1:3] eq 'add') : k == 2 ? (strcol('arm')[1:6] eq 'concat') : \
  (strcol('arm') eq 'rotary' || strcol('arm') eq 'none')
row(t, w, k) = (strcol('task') eq word(names, t) && column('width') == w && column('depth') == 1 && kind(k)) ? \
  place(0) + (w == 32 ? 0.17 : -0.17) : NaN
point(w, k) = w == 32 ? (k == 1 ? 7 : k == 2 ? 5 : 9) : (k == 1 ? 6 : k == 2 ? 4 : 8)
set multiplot
set yrange [0:9] noextend
set grid noytics
do for [r = 0:1] {
  set tmargin at screen (r == 0 ? 0.855 : 0.45)
  set bmargin at screen (r == 0 ? 0.56 : 0.155)
  do for [t = 1:4] {
    set lmargin at screen 0.205 + (t - 1) * 0.2
    set rmargin at screen 0.205 + (t - 1) * 0.2 + 0.175
    if (r == 0 && t == 1) { set label 21 'filled: width 32, hollow: width 16' at screen 0.98, graph 1.17 right tc rgb quiet font ',10' } else { unset label 21 }
    if (r == 0) { set label 20 word(heads, t) at graph 0, graph 1.07 left tc rgb ink font ',11' } else { unset label 20 }
    if (t == 1) {
      set ytics scale 0 ('sinusoid added' 8.3, 'concatenated, d/4' 7.3, 'd/2' 6.3, 'learned, added' 5, 'concatenated, d/4' 4, 'd/2' 3, 'rotary' 1.7, 'none' 0.7)
    } else { set ytics scale 0 ('' 8.3, '' 7.3, '' 6.3, '' 5, '' 4, '' 3, '' 1.7, '' 0.7); unset label 1 }
    if (r == 0) {
      set xrange [0:1.04] noextend
      set xtics ('0' 0, '.5' 0.5, '1' 1)
      set xlabel (t == 2 ? '                              share of right answers after training' : '')
    } else {
      set xrange [0:budget * 1.04] noextend
      set xtics (0, budget / 2, budget)
      set xlabel (t == 2 ? '                              steps to 90 %' : '')
    }
    what = r == 0 ? 'accuracy' : 'steps'
    plot data_a10_arms using (strcol('task') eq word(names, t) ? (r == 0 ? column('order_blind') : budget + 1) : NaN):(0):(0):(9) with vectors nohead ls 11, \
      for [k = 1:3] for [i = 1:2] data_a10_arms using (column(what)):(row(t, 16 * i, k)):(column(what . '_low')):(column(what . '_high')) with xerrorbars ls k pt point(16 * i, k) ps 0.75 lw (i == 2 ? 2 : 1.2)
  }
}
unset multiplot
