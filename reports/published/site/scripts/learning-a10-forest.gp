#: claim: A10
#: needs: learning/a10_pairs.csv
#: title: Steps on small tasks{{#when measured A10.ratio.tuned.as_is_half, measured A10.ratio.tuned.learned_half}}: adding takes {{A10.ratio.tuned.as_is_half|.2f}} times as many (sinusoid as it is),
#:   {{A10.ratio.tuned.learned_half|.2f}} (learned){{/when}}
#: caption: Steps to 90% of the answers, added over concatenated at equal width (d = 32), each with its own rate and size.
#:   Points: one task, geometric mean over paired seeds; diamonds: all three. Bars: 99% intervals.
#:   Dotted: equal; dashed: a tenth more.
#: alt: A forest plot of step ratios by kind of positions.{{#when measured A10.ratio.tuned.centred_half, measured A10.ratio.tuned.learned_half, measured A10.ratio.tuned.as_is_half, measured A10.ratio.tuned.centred_quarter}} Centred sinusoid, half of the dimensions
#:   concatenated: {{A10.ratio.tuned.centred_half|.2f}}
#:   {{A10.ratio.tuned.centred_half.interval|.2f}}. Learned positions:
#:   {{A10.ratio.tuned.learned_half|.2f}}
#:   {{A10.ratio.tuned.learned_half.interval|.2f}}. The uncentred sinusoid:
#:   {{A10.ratio.tuned.as_is_half|.2f}}
#:   {{A10.ratio.tuned.as_is_half.interval|.2f}}. Centred, a quarter
#:   concatenated: {{A10.ratio.tuned.centred_quarter|.2f}} {{A10.ratio.tuned.centred_quarter.interval|.2f}}.{{/when}}
#: size: 860x600
#: phone: 340x640

unset key
names = 'centred_half learned_half as_is_half centred_quarter'
heads = '"centred sinusoid, dₚ = d/2" "learned positions, dₚ = d/2" "uncentred sinusoid, dₚ = d/2" "centred sinusoid, dₚ = d/4"'
says = '"copy two before" "named position" "who bit whom" "together"'
group_of(p) = p eq word(names, 1) ? 1 : p eq word(names, 2) ? 2 : p eq word(names, 3) ? 3 : p eq word(names, 4) ? 4 : NaN
task_of(t) = t eq 'copy2' ? 1 : t eq 'named' ? 2 : t eq 'bite' ? 3 : t eq 'all' ? 4 : NaN
place(g, t) = 21.6 - 5.4 * (g - 1) - t
bottom = 22.4 - 5.4 * 4
# What is not to be seen lies below the picture: gnuplot warns of plots without a point.
y(all) = (strcol('task') eq 'all') == all && column('ratio') > 0 ? place(group_of(strcol('pair')), task_of(strcol('task'))) : bottom - 12
x(end) = column('ratio' . end) > 0 ? column('ratio' . end) : 1
set logscale x
set xrange [0.25:4] noextend
if (phone) { set xtics ('.25' 0.25, '.5' 0.5, '1' 1, '2' 2, '4' 4) } else { set xtics ('.25' 0.25, '.35' 0.35, '.5' 0.5, '.7' 0.7, '1' 1, '1.4' 1.4, '2' 2, '2.8' 2.8, '4' 4) }
set yrange [bottom:22] noextend
set ytics scale 0
unset ytics
set xlabel (phone ? 'steps of adding over concatenating' : (phone ? 'steps, adding over concatenating' : 'steps of adding over steps of concatenating'))
set lmargin at screen (phone ? 0.37 : 0.33)
set bmargin at screen 0.11
set tmargin at screen (phone ? 0.82 : 0.875)
set grid noytics
do for [g = 1:4] {
  set label 20 + g word(heads, g) at screen 0.012, first place(g, 0) + 0.05 left tc rgb ink noenhanced font 'DejaVu Sans Bold,12'
  do for [t = 1:4] { set label 30 + 5 * g + t word(says, t) at screen (phone ? 0.36 : 0.31), first place(g, t) right tc rgb (t == 4 ? ink : quiet) }
}
set label 60 'adding is faster' at graph 0.01, screen (phone ? 0.86 : 0.9) left tc lt added
set label 61 'concatenating is faster' at graph 0.99, screen (phone ? 0.835 : 0.9) right tc lt concatenated
set arrow 1 from 1, bottom to 1, 22 nohead ls 11
set arrow 2 from 1.1, bottom to 1.1, 22 nohead ls 10
plot data_a10_pairs using (x('')):(y(0)):(x('_low')):(x('_high')) with xerrorbars ls 8 pt 7 ps 0.75 lw 1.6, \
     data_a10_pairs using (x('')):(y(1)):(x('_low')):(x('_high')) with xerrorbars ls 4 pt 13 ps 1.5 lw 2.2
