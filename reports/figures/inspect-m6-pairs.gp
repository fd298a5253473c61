#: claim: M6
#: finding: M6.layers_rotary
#: needs: inspect/m6_pairs.csv
#: text: models = {{parameter.inspect.with_pairs}}
#: title: Where queries and keys have their norm, pair by pair
#: caption: Squared norm of two neighbouring dimensions of each head, behind the gain of the LayerNorm, over that of the
#:   mean pair: one line per layer, the deeper the stronger. Of rotary positions the first pair turns fastest and the last
#:   slowest; elsewhere pairs have no frequency, and their order is that of the dimensions. Above: queries; below: keys.
#:   Dashed: every pair alike, as of independent normal weights. Of more than three models, the first three.
#: alt: One panel per model for queries and one for keys: lines over the pairs of dimensions of a head, one per layer, beside
#:   a dashed line at 1. Models: {{M6.layers}}, with rotary positions {{M6.layers_rotary}}.
#: size: 860x560

unset key
shown = words(models) < 3 ? words(models) : 3
wide = 0.88 / shown
set multiplot
do for [row = 1:2] {
  which = row == 1 ? 'query' : 'key'
  set tmargin at screen (row == 1 ? 0.86 : 0.465)
  set bmargin at screen (row == 1 ? 0.505 : 0.11)
  do for [i = 1:shown] {
    model = word(models, i)
    # stats leaves out what is outside of the ranges
    set xrange [*:*]
    set yrange [*:*]
    stats data_m6_pairs using (strcol('which') eq which ? column('share') : 1) nooutput
    highest = STATS_max < 1.5 ? 1.6 : 1.06 * STATS_max
    stats data_m6_pairs using (strcol('model') eq model ? column('layer') : 0) nooutput
    deepest = STATS_max
    stats data_m6_pairs using (strcol('model') eq model ? column('pair') + 1 : 1) nooutput
    set xrange [0.5:STATS_max + 0.5] noextend
    set yrange [0:highest] noextend
    set lmargin at screen 0.1 + wide * (i - 1)
    set rmargin at screen 0.1 + wide * (i - 1) + 0.9 * wide
    if (i == 1) { set ylabel (row == 1 ? 'queries' : 'keys'); set ytics format '%g' } else { set ylabel ''; set ytics format '' }
    if (row == 2) { set xlabel 'pair of dimensions'; set xtics format '%g' } else { set xlabel ''; set xtics format '' }
    if (row == 1) { set label 2 model at graph 0, graph 1.06 left tc lt ((i - 1) % 8 + 1) noenhanced } else { unset label 1; unset label 2 }
    # Black or white, less of it the nearer a layer lies to the input.
    strength(layer) = int(255 * (deepest > 0 ? 0.8 * (1 - layer / deepest) : 0))
    shade(layer) = (i == 1 ? (dark ? 0x56b4e9 : 0x0072b2) : i == 2 ? (dark ? 0xff8a3d : 0xd55e00) : (dark ? 0x2fc79a : 0x009e73)) + strength(layer) * 16777216
    plot 1 with lines ls 10, for [layer = 0:int(deepest)] data_m6_pairs using \
           (strcol('model') eq model && strcol('which') eq which && column('layer') == layer ? column('pair') + 1 : NaN):(column('share')) \
           with lines lw 1.2 lc rgb shade(layer)
  }
}
unset multiplot
