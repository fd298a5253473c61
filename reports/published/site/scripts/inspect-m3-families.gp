#: claim: M3
#: finding: M3.models
#: needs: inspect/m3_lineages.csv
#: title: How nearly orthogonal words and positions are in released models: overlap ω, 1 by chance
#: caption: Overlap ω of the covariances of words and positions. Random rotations of one table give 1; bands hold 99% of such. Below the
#:   dashed line, half of chance, we call the two nearly orthogonal. Points have 99% intervals over the choice of words, whose number is given.
#: alt: One row per model with its overlap on a logarithmic axis, beside the band that random rotations give, about 1. Models: {{M3.models}}.
#: size: 860x440
#: phone: 340x560

unset key
stats data_m3_lineages using (column('overlap')) nooutput
count = STATS_records
band = 2.576
y(i) = count - 1 - i
# What the model reads, where there is room and it was said.
reads(kind) = phone || kind eq '' ? '' : ', ' . kind
label_of(v) = v >= 1000 ? sprintf('%d,%03d', int(v) / 1000, int(v) % 1000) : sprintf('%d', int(v))
# A low end below the axis is drawn at it; a missing one is no number, and the bar has no length.
end(name, otherwise) = column(name) > 0.11 ? column(name) : column(name) <= 0.11 ? 0.11 : otherwise
set logscale x
set xrange [0.1:6] noextend
if (phone) { set xtics ('.1' 0.1, '.5' 0.5, '1' 1, '5' 5) } else { set xtics ('.1' 0.1, '.2' 0.2, '.5' 0.5, '1' 1, '2' 2, '5' 5) }
set yrange [-0.6:count - 0.4] noextend
set ytics scale 0
set grid noytics
set lmargin (phone ? 22 : 42)
set tmargin 4 + 1.3 * (title_lines - 1)
set format y ''
set xlabel 'overlap ω of words and positions'
set label 2 'chance' at 1, graph 1.04 center tc rgb quiet
set label 3 'half of chance' at 0.52, graph 1.04 right tc rgb quiet
set arrow 1 from 1, graph 0 to 1, graph 1 nohead ls 11
set arrow 2 from 0.5, graph 0 to 0.5, graph 1 nohead ls 10
low_of(x) = x > 0.11 ? x : 0.11
plot data_m3_lineages using (1):(y(column(0))):(low_of(1 - band * column('sd'))):(1 + band * column('sd')):(y(column(0)) - 0.3):(y(column(0)) + 0.3) \
       with boxxyerror fs solid interval_fill noborder lc rgb quiet, \
     data_m3_lineages using (column('overlap')):(y(column(0))):(end('low', column('overlap'))):(end('high', column('overlap'))):yticlabels(display_name(strcol('model')) . reads(strcol('kind')) . ', ' . label_of(column('words'))) \
       with xerrorbars ls 1 pt 7 ps 0.8
