#: claim: M6
#: finding: M6.layers_rotary
#: needs: inspect/m6_pairs.csv
#: text: models = {{parameter.inspect.with_pairs}}
#: text: all = {{parameter.inspect.models}}
#: title: Where queries and keys have their norm, pair of dimensions by pair
#: caption: Squared norm of two neighbouring dimensions of each head, behind the LayerNorm's gain, over that of the mean pair: one line
#:   per layer, the deeper the stronger. Of RoPE the first pair turns fastest; elsewhere pairs have no frequency. Above: queries; below:
#:   keys. Dashed: every pair alike. Of more than three models, the first three.
#: alt: One panel per model for queries and one for keys: lines over the pairs of dimensions of a head, one per layer, beside a dashed
#:   line at 1. Models: {{M6.layers}}, with RoPE {{M6.layers_rotary}}.
#: size: 860x560
#: phone: 340x640

unset key
shown = words(models) < 3 ? words(models) : 3
panel_rows = 2; panel_across = phone ? 14 : 34; panel_down = phone ? 48 : 34; if (phone) { set xtics 10; panel_left = 54; panel_right = 10; phone_columns = 2; panel_rows = shown }
set multiplot
do for [row = 1:2] {
  which = row == 1 ? 'query' : 'key'
  do for [i = 1:shown] {
    model = word(models, i)
    # stats leaves out what is outside of the ranges
    set xrange [*:*]
    set yrange [*:*]
    stats data_m6_pairs using (phone || strcol('which') eq which ? column('share') : 1) nooutput
    highest = STATS_max < 1.5 ? 1.6 : 1.06 * STATS_max
    stats data_m6_pairs using (strcol('model') eq model ? column('layer') : 0) nooutput
    deepest = STATS_max
    stats data_m6_pairs using (strcol('model') eq model ? column('pair') + 1 : 1) nooutput
    set xrange [0.5:STATS_max + 0.5] noextend
    set yrange [0:highest] noextend
    eval panel(phone ? 2 * i + row - 2 : (row - 1) * shown + i, phone ? 2 : shown)
    if (i == 1) { set ylabel (row == 1 ? 'queries' : 'keys'); set ytics format '%g' } else { set ylabel ''; set ytics format '' }
    if (phone) { set ylabel ''; set ytics 1 format (row == 1 ? '%g' : ''); set label 3 (row == 1 ? 'queries' : 'keys') at graph 0.05, graph 0.92 left tc rgb quiet }
    if (row == 2 || phone) { set xlabel (phone && i < shown ? '' : 'pair of dimensions'); set xtics format '%g' } else { set xlabel ''; set xtics format '' }
    if (row == 1) { set label 2 display_name(model) at graph 0, graph 1.06 left tc lt model_style(word(models, i), all) noenhanced } else { unset label 2 }
    # Black or white, less of it the nearer a layer lies to the input.
    strength(layer) = int(255 * (deepest > 0 ? 0.8 * (1 - layer / deepest) : 0))
    shade(layer) = sprintf('#%02x%s', strength(layer), word(marks, model_style(model, all))[2:7])
    plot 1 with lines ls 10, for [layer = 0:int(deepest):(phone && deepest > 20 ? 2 : 1)] data_m6_pairs using \
           (strcol('model') eq model && strcol('which') eq which && column('layer') == layer ? column('pair') + 1 : NaN):(column('share')) \
           with lines lw 1.2 lc rgb shade(layer)
  }
}
unset multiplot
