#: claim: M3
#: finding: M3.angles
#: needs: inspect/m3_angles.csv
#: text: models = {{parameter.inspect.with_both}}
#: text: all = {{parameter.inspect.models}}
#: title: How close to right angles words and positions meet, against random subspaces
#: caption: Principal angles between the leading subspaces of words and of positions, uncentred, smallest first. Dotted: mean over Gaussian
#:   tables of equal shape and ranks; band: their smallest to largest. Dashed: a random rotation in many dimensions (Wachter). Above the
#:   band: nearer to a right angle than chance. Of more than three models, the first three.
#: alt: One panel per model: rising principal angles in degrees beside the band of random subspaces. Models: {{M3.models}}.
#: size: 860x430
#: phone: 340x800

unset key
shown = words(models) < 3 ? words(models) : 3
set xlabel 'number of the angle'
set yrange [0:95] noextend
set ytics ('0°' 0, '30°' 30, '60°' 60, '90°' 90)
of(name, x) = pick('model', name, x)
panel_across = 34
set multiplot
do for [i = 1:shown] {
  m = word(models, i)
  eval panel(i, shown)
  set xrange [*:*]
  stats data_m3_angles using (of(m, column('index'))) nooutput
  set xrange [0.3:STATS_max + 0.7] noextend
  if (i == 1) { set ylabel 'principal angle'; set label 3 'random' at STATS_max * 0.45, 45 left tc rgb quiet } else { unset label 3; if (!phone) { set ylabel ''; set ytics ('' 0, '' 30, '' 60, '' 90) } }
  set label 2 display_name(m) at graph 0, graph 1.06 left tc lt model_style(m, all) noenhanced
  plot 90 with lines lc rgb faint, \
       data_m3_angles using (of(m, column('index'))):(degrees(column('gaussian_low'))):(degrees(column('gaussian_high'))) with filledcurves fs solid interval_fill lc rgb quiet, \
       data_m3_angles using (of(m, column('index'))):(degrees(column('law'))) with lines ls 10, \
       data_m3_angles using (of(m, column('index'))):(degrees(column('gaussian'))) with lines ls 11, \
       data_m3_angles using (of(m, column('index'))):(degrees(column('cosine'))) with linespoints ls model_style(m, all) lw 1.2 ps 0.8
}
unset multiplot
