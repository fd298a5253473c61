#: claim: M3
#: finding: M3.models
#: needs: inspect/m3_lineages.csv
#: also: long/learning/a10_text_tables.csv
#: title: Overlap ω of words and positions{{#when M3.overlap.minilm below 0.5, M3.overlap.e5 below 0.5, M3.overlap.rxnfp above 0.5}}: low in MiniLM and E5, not in every model{{/when}}
#: caption: Overlap ω of the covariances of words and positions. Random rotations of one table give 1; bands hold 99% of such. Below the
#:   dashed line, half of chance, we call the two nearly orthogonal. Bars: 99% intervals, of released models over words, whose number is given; thin grey ones over blocks of positions; cut at the frame.
#: alt: One row per model with its overlap on a logarithmic axis, beside the band that random rotations give, about 1. Released models: {{M3.models}}.
#: size: 860x480
#: phone: 340x600

unset key
ours = data_long_a10_text_tables
has_ours = strlen(ours) > 0
band = 2.576
bold = 'DejaVu Sans Bold,12'
heading_x = 14.0 / figure_width
# A row for each model, and one above each group for its name.
group = ''; groups = 0; kinds = ''; places = ''
count_group(row, kind) = (kind eq group ? 0 : (group = kind, groups = groups + 1, kinds = kinds . ' ' . (kind eq '' ? 'others' : kind), places = places . sprintf(' %d', row + groups - 1)), groups)
stats data_m3_lineages using (count_group(column(0), strcol('kind'))) nooutput
count = STATS_records + groups
lines = count + has_ours * 3
line_of(row, kind) = (row == 0 ? (group = '', groups = 0) : 0, kind eq group ? 0 : (group = kind, groups = groups + 1), lines - 1 - row - groups)
label_of(v) = v >= 1000 ? sprintf('%d,%03d', int(v) / 1000, int(v) % 1000) : sprintf('%d', int(v))
# A low end below the axis is drawn at it; a missing one is no number, and the bar has no length.
low_of(x) = x > 0.09 ? x : 0.09
floor_of(x) = x > -1e9 ? low_of(x) : NaN
end(name, otherwise) = column(name) > -1e9 ? low_of(column(name)) : otherwise
our_row(x) = strcol('moment') ne 'after' ? NaN : strcol('name') eq 'sum.centred' ? 1 : strcol('name') eq 'sum.learned' ? 0 : NaN
set logscale x
set xrange [0.08:6] noextend
if (phone) { set xtics ('.1' 0.1, '.3' 0.3, '1' 1, '3' 3) } else { set xtics ('.1' 0.1, '.2' 0.2, '.5' 0.5, '1' 1, '2' 2, '5' 5) }
set yrange [-0.6:lines - 0.4] noextend
set ytics scale 0
set grid noytics
set lmargin (phone ? 24 : 36)
set tmargin 4 + 1.3 * (title_lines - 1)
set format y ''
set xlabel 'overlap ω'
set label 2 'chance' at 1.06, graph 1.03 left tc rgb quiet
set label 3 (phone ? 'half' : 'half of chance') at 0.48, graph 1.03 right tc rgb quiet
set arrow 1 from 1, graph 0 to 1, graph 1 nohead ls 11
set arrow 2 from 0.5, graph 0 to 0.5, graph 1 nohead ls 10
if (has_ours) { set ytics add ('centred sinusoid' 1, 'learned' 0); set label 4 'ours, on text' at screen heading_x, first 2 left tc rgb ink font bold }
do for [k = 1:words(kinds)] { set label 10 + k word(kinds, k) at screen heading_x, first lines - 1 - word(places, k) left tc rgb ink font bold }
models = "data_m3_lineages using (1):(line_of(column(0), strcol('kind'))):(low_of(1 - band * column('sd'))):(1 + band * column('sd')):(line_of(column(0), strcol('kind')) - 0.3):(line_of(column(0), strcol('kind')) + 0.3) with boxxyerror fs solid interval_fill noborder lc rgb quiet, data_m3_lineages using (column('by_position')):(line_of(column(0), strcol('kind'))):(floor_of(column('by_position_low'))):(column('by_position_high')) with xerrorbars lc rgb quiet lw 1 pt 0 ps 0, data_m3_lineages using (column('overlap')):(line_of(column(0), strcol('kind'))):(end('low', column('overlap'))):(end('high', column('overlap'))):yticlabels(display_name(strcol('model')) . ', ' . label_of(column('words'))) with xerrorbars ls 1 pt 7 ps 0.8"
if (has_ours) {
  plot @models, ours using (column('overlap')):(our_row(1)):(column('overlap_low')):(column('overlap_high')) with xerrorbars ls 1 pt 5 ps 0.8
} else {
  plot @models
}
