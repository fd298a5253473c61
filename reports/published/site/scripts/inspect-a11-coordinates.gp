#: claim: A11
#: finding: A11.models
#: needs: inspect/a11_profile.csv
#: text: models = {{parameter.inspect.with_positions}}
#: text: all = {{parameter.inspect.models}}
#: title: {{#measured A11.leading_share.gpt2}}5% of GPT-2's coordinates hold {{A11.leading_share.gpt2|.0%}} of its positions' variance, after a rotation
#:   {{A11.leading_share.gpt2.theory|.0%}}{{/measured}}{{#unmeasured A11.leading_share.gpt2}}How much of the positions' variance few coordinates hold{{/unmeasured}}
#: caption: Share of the positions' variance in the leading coordinates, sorted, against their share of all coordinates. Dotted in the same
#:   colour: mean over random rotations of the table, which change no product of two positions. Of more models the first five.
#: alt: One rising curve per model, and dotted the same of rotated tables. Where few coordinates hold the positions the curve lies above
#:   its dotted one. Models: {{A11.models}}.
#: size: 760x400

unset key
shown(list) = words(list) < 5 ? words(list) : 5
set logscale x
set xrange [0.001:1] noextend
set xtics ('.1%%' 0.001, '1%%' 0.01, '5%%' 0.05, '20%%' 0.2, '100%%' 1)
set yrange [0:1] noextend
set ytics ('0' 0, '25%%' 0.25, '50%%' 0.5, '75%%' 0.75, '100%%' 1)
set xlabel (phone ? 'share of the coordinates' : 'share of the coordinates, those with most variance first')
set ylabel 'share of the positions’ variance'
do for [i = 1:shown(models)] { set label 1 + i display_name(word(models, i)) at graph 0.03, graph 0.95 - 0.08 * (i - 1) left tc lt model_style(word(models, i), all) noenhanced }
positions(x) = strcol('table') eq 'positions' ? x : NaN
plot for [i = 1:shown(models)] data_a11_profile using (pick('model', word(models, i), positions(column('place')))):(column('turned')) \
       with lines ls model_style(word(models, i), all) dt (1.5, 4), \
     for [i = 1:shown(models)] data_a11_profile using (pick('model', word(models, i), positions(column('place')))):(column('own')) \
       with lines ls model_style(word(models, i), all)
