#: claim: M3
#: finding: M3.models
#: needs: inspect/m3_angles.csv
#: text: models = {{parameter.inspect.with_both}}
#: title: Principal angles of words and positions beside a random rotation
#: caption: Cosines of the principal angles between the leading subspaces of words and of positions, largest first; the
#:   horizontal axis counts them as a share. Dashed: the law for a random rotation of one of the two (Wachter) in many
#:   dimensions; dotted: the mean over Gaussian tables of equal shape and ranks.
#: alt: Falling curves of the cosines of principal angles, one per model, beside those of a random rotation.
#:   Models: {{M3.models}}. {{M3.condition}}.
#: size: 760x400

unset key
set xlabel 'angle, as a share of all, smallest first'
set ylabel 'cosine'
set xrange [0:1] noextend
set yrange [0:1.02] noextend
do for [i = 1:words(models)] { set label 1 + i word(models, i) at graph 0.97, graph 0.95 - 0.075 * (i - 1) right tc lt ((i - 1) % 8 + 1) noenhanced }
set label 20 'random rotation' at graph 0.97, graph 0.95 - 0.075 * words(models) right tc rgb quiet
plot for [i = 1:words(models)] data_m3_angles using (pick('model', word(models, i), column('share'))):(column('law')) with lines ls 10, \
     for [i = 1:words(models)] data_m3_angles using (pick('model', word(models, i), column('share'))):(column('gaussian')) with lines ls 11, \
     for [i = 1:words(models)] data_m3_angles using (pick('model', word(models, i), column('share'))):(column('cosine')) \
       with linespoints ls ((i - 1) % 8 + 1) ps 0.5
