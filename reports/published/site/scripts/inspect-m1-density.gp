#: claim: M1
#: finding: M1.models
#: needs: inspect/m1_density.csv
#: text: models = {{parameter.inspect.with_both}}
#: text: all = {{parameter.inspect.models}}
#: title: How cosines of words with positions are distributed, against independent directions
#: caption: Density of the cosines of every word with every position, times the root of d, on a logarithmic axis. Dashed: independent
#:   directions in as many dimensions. A common direction of a whole table moves the curve, directions shared by many rows show as
#:   shoulders. Of more models the first five.
#: alt: One curve per model over the cosine times the root of d, beside the bell of independent directions. Models: {{M1.models}}.
#: size: 760x400

set logscale y
set xlabel (phone ? 'cosine × √d' : 'cosine of a word with a position, times √d')
set ylabel 'density'
set xrange [-6:6] noextend
set yrange [1e-6:phone ? 3e3 : 1] noextend
set ytics ('1' 1, '.1' 0.1, '.01' 0.01, '.001' 0.001, '.0001' 0.0001, '10^{-5}' 1e-5, '10^{-6}' 1e-6)
unset key
shown(list) = words(list) < 5 ? words(list) : 5
do for [i = 1:shown(models)] { set label 1 + i display_name(word(models, i)) at graph 0.98, graph 0.95 - (phone ? 0.056 : 0.075) * (i - 1) right tc lt model_style(word(models, i), all) noenhanced }
set label 20 'independent' at graph 0.98, graph 0.95 - (phone ? 0.056 : 0.075) * shown(models) right tc rgb quiet
some(y) = y > 0 ? y : NaN
plot for [i = 1:shown(models)] data_m1_density using (pick('model', word(models, i), column('cosine'))):(some(column('pairs') * column('density_of_one'))) \
       with lines ls model_style(word(models, i), all), \
     data_m1_density using (pick('model', word(models, 1), column('cosine'))):(column('law')) with lines ls 10
