#: claim: A10
#: needs: learning/a10_curves.csv
#: title: {{#measured A10.log_steps.order.fixed_half}}Steps to 90 % of “who bit whom”: {{A10.steps.bite.add_fixed.width32|.0f}} with a sinusoid added, {{A10.steps.bite.concat.p16.width32|.0f}} with one concatenated{{/measured}}{{#unmeasured A10.log_steps.order.fixed_half}}Share of right answers while training, step by step{{/unmeasured}}
#: caption: Share of right answers on batches not yet learned from, at width 32, mean over {{A10.accuracy.bite.rotary.width32.n}} seeds with
#:   99 % bands (Student's t); a run that does not get to 90 % counts as one step more than it made. Solid: sinusoids, added
#:   (blue) or concatenated with d_p = d/2 (orange); dashed: learned positions, added or concatenated with d_p = d/4. Dotted: the best guesser who sees a sequence's words and not their order.
#: alt: Four panels of learning curves over steps: copy, named place, who bit whom, counting.
#:   {{#measured A10.log_steps.order.fixed_half}}Steps to 90 % of who bit whom, one more than were made where a run does not
#:   get there: {{A10.steps.bite.add_learned.width32|.0f}} with learned positions added,
#:   {{A10.steps.bite.concat_learned.p8.width32|.0f}} with them concatenated, {{A10.steps.bite.concat.p16.width32|.0f}} with
#:   a sinusoid concatenated and {{A10.steps.bite.add_fixed.width32|.0f}} with one added.{{/measured}}
#:   {{#unmeasured A10.log_steps.order.fixed_half}}In so few steps no sinusoid, added or concatenated in half, gets to 90 %
#:   where order is needed.{{/unmeasured}} On named places rotary ends at {{A10.accuracy.named.rotary.width32|.2f}}, no positions at
#:   {{A10.accuracy.named.none.width32|.2f}}; counting ends at {{A10.accuracy.count.none.width32|.2f}} without positions and
#:   {{A10.accuracy.count.add_fixed.width32|.2f}} with a sinusoid added.
#: number: blind1 = A10.order_blind.copy2
#: number: blind2 = A10.order_blind.named
#: number: blind3 = A10.order_blind.bite
#: number: blind4 = A10.order_blind.count
#: size: 900x600

unset key
names = 'copy2 named bite count'
heads = '"copy the word 2 before" "word at a named place" "who bit whom" "counting (no order needed)"'
of(t, a, part) = strcol('task') eq word(names, t) && strcol('arm') eq a && column('width') == 32 && abs(column('part') - part) < 0.01
line_arms = 'none rotary concat add_fixed concat_learned add_learned'  # the last two dashed
parts = '0 0 0.5 0 0.25 0'
colours = '8 3 2 1 2 1'
curve(t, i, x) = of(t, word(line_arms, i), word(parts, i) + 0) ? x : NaN
says = '"none" "rotary" "sinusoid, concatenated d/2" "sinusoid, added" "learned, concatenated d/4" "learned, added"'
order(i) = i == 1 ? 2 : i == 2 ? 6 : i == 3 ? 5 : i == 4 ? 3 : i == 5 ? 4 : 1
style_of(i) = word(colours, i) + 0
blind(t) = t == 1 ? blind1 : t == 2 ? blind2 : t == 3 ? blind3 : blind4
stats data_a10_curves using (column('step')) nooutput
last = STATS_max
set multiplot
set xrange [0:last] noextend
set yrange [0:1.04] noextend
set ytics ('0' 0, '.5' 0.5, '1' 1)
do for [t = 1:4] {
  r = t > 2
  c = (t - 1) % 2
  set lmargin at screen 0.085 + c * 0.475
  set rmargin at screen 0.085 + c * 0.475 + 0.42
  set tmargin at screen (r ? 0.435 : 0.86)
  set bmargin at screen (r ? 0.115 : 0.545)
  set xlabel (r ? 'steps' : '')
  set ylabel (c ? '' : 'share right')
  set label 20 word(heads, t) at graph 0, graph 1.06 left tc rgb ink font ',11'
  if (t == 2) { unset label 1 }
  if (t == 1) {
    do for [i = 1:6] {
      y = 0.95 - 0.12 * i
      c = word(colours, order(i)) + 0
      if (order(i) > 4) { set arrow i from last * 0.56, y to last * 0.62, y nohead ls c dt (4, 2) } \
      else { set arrow i from last * 0.56, y to last * 0.62, y nohead ls c }
      set label 30 + i word(says, order(i)) at last * 0.635, y left tc ls c font ',10'
    }
  } else { unset arrow; do for [i = 31:36] { unset label i } }
  plot blind(t) with lines ls 11, \
    for [i = 1:6] data_a10_curves using (curve(t, i, column('step'))):(column('accuracy_low')):(column('accuracy_high')) with filledcurves fs solid interval_fill ls style_of(i), \
    for [i = 1:4] data_a10_curves using (curve(t, i, column('step'))):(column('accuracy')) with lines ls style_of(i), \
    for [i = 5:6] data_a10_curves using (curve(t, i, column('step'))):(column('accuracy')) with lines ls style_of(i) dt (4, 2)
}
unset multiplot
