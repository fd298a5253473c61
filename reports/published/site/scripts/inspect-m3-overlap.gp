#: claim: M3
#: finding: M3.overlaps
#: needs: inspect/m3_overlaps.csv
#: text: models = {{parameter.inspect.with_both}}
#: text: all = {{parameter.inspect.models}}
#: title: Overlap ω of words and positions by model, with parts left out
#: caption: Overlap of the covariances of words and of positions. Points: the tables, 99% intervals over words. Bands: 99% of random
#:   rotations of one of the two (normal); bars: 99% of random orders of one table's coordinates. Dotted: chance; dashed: half of it. Of
#:   more than three models, the first three.
#: alt: One panel per model with a row for each way to look at the tables: uncentred, centred, without the direction that both
#:   share most, without the positions' leading ten and thirty, without rows never trained, and by thirds of the words. Models: {{M3.models}}.
#: size: 820x460
#: phone: 340x800

unset key
kinds = '"uncentred" "centred" "without one direction" "without ten" "without thirty" "trained rows" "frequent" "middle" "rare"'
says = '"uncentred" "centred" "… without one direction" "… without ten of the positions" "… without thirty" "… without rows never trained" "… first third of the words" "… second third" "… last third"'
shown = words(models) < 3 ? words(models) : 3
wide = 0.68 / shown
said = '"uncentred" "centred" "less one direction" "less ten" "less thirty" "trained rows" "first third" "second third" "last third"'
if (phone) { panel_left = 128 }
kind_of(name) = sum [k = 1:9] (name eq word(kinds, k) ? k : 0)
y(m) = strcol('model') eq m ? 10 - kind_of(strcol('of')) : NaN
# An end that is not there is the point itself.
end(name, otherwise) = column(name) > -9 ? column(name) : otherwise
band = 2.576
is_shown(m) = sum [k = 1:shown] (m eq word(models, k) ? 1 : 0)
stats data_m3_overlaps using (is_shown(strcol('model')) ? column('chance') + band * column('sd') : NaN) nooutput
top = STATS_max > 1.6 ? STATS_max * 1.03 : 1.6
stats data_m3_overlaps using (is_shown(strcol('model')) ? column('overlap') : NaN) nooutput
top = STATS_max > top ? STATS_max * 1.05 : top
set xrange [0:top] noextend
set yrange [0.4:9.6] noextend
set ytics scale 0
set grid noytics
set xtics 0.5
set xlabel 'overlap ω'
set multiplot
set tmargin at screen 0.8
set bmargin at screen 0.16
if (!phone) { do for [k = 1:9] { set label 20 + k word(says, k) at screen 0.285, first 10 - k right tc rgb (k == 2 ? ink : quiet) } }
set format y ''
do for [i = 1:shown] {
  m = word(models, i)
  set lmargin at screen 0.3 + wide * (i - 1)
  set rmargin at screen 0.3 + wide * (i - 1) + 0.9 * wide
  if (i > 1) { unset label 1; do for [k = 1:9] { unset label 20 + k } }
  set label 2 display_name(m) at graph 0, graph 1.06 left tc lt model_style(word(models, i), all) noenhanced
  if (phone) { set ytics scale 0 textcolor rgb quiet; do for [k = 1:9] { set ytics add (word(said, k) 10 - k) }; eval panel(i, shown) }
  set arrow 1 from 1, 0.4 to 1, 9.6 nohead ls 11
  set arrow 2 from 0.5, 0.4 to 0.5, 9.6 nohead ls 10
  plot data_m3_overlaps using (column('chance')):(y(m)):(column('chance') - band * column('sd')):(column('chance') + band * column('sd')):(y(m) - 0.3):(y(m) + 0.3) \
         with boxxyerror fs solid interval_fill noborder lc rgb quiet, \
       data_m3_overlaps using (end('permuted_low', 1)):(y(m)):(end('permuted_high', 1) - end('permuted_low', 1)):(0) with vectors heads size graph .004,90 fixed lc rgb quiet lw 1.4, \
       data_m3_overlaps using (column('overlap')):(y(m)):(end('low', column('overlap'))):(end('high', column('overlap'))) \
         with xerrorbars ls model_style(word(models, i), all) pt 7 ps 0.8
}
unset multiplot
