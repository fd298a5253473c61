#: claim: M3
#: finding: M3.models
#: needs: inspect/m3_lineages.csv
#: also: learning/a12_loss.csv
#: title: {{#when M3.overlap.minilm below 0.5, M3.overlap.e5 below 0.5, M3.overlap.whisper above 0.5}}The tables learned here part further in a fuller space; among released models that tells nothing{{/when}}
#: caption: Overlap ω of words and positions against the loss that the law predicts for random tables of the same size, ln V · ln L / (d ln VL). Open: released
#:   models, with 99% intervals over words; filled: tables learned here with a classifier at a rate of .08, over runs.
#: alt: Released models scatter between low and high overlap at every predicted loss; the tables that were learned here lie the lower the more the law predicts.
#: size: 860x440
#: phone: 340x420

unset key
set logscale xy
set xrange [0.2:30] noextend
set yrange [0.001:10] noextend
set xtics ('0.3%%' 0.3, '1%%' 1, '3%%' 3, '10%%' 10)
set ytics ('.001' 0.001, '.01' 0.01, '.1' 0.1, '1' 1, '10' 10)
set xlabel 'loss that the law predicts'
set ylabel 'overlap ω'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead ls 11
law(v, l, d) = 100 * log(v) * log(l) / (d * log(v * l))
released(x) = column('positions') > 0 ? x : NaN
here(x) = strcol('reader') eq 'classifier' && strcol('learned') eq 'both' && column('part') == 1 && strcol('rate') eq 'fast' ? x : NaN
named(m) = (m eq 'minilm' || m eq 'e5' || m eq 'whisper' || m eq 'rxnfp' || m eq 'rxnmapper' || m eq 'iglm') ? '  ' . display_name(m) : ''
raised(m) = (m eq 'rxnfp' || m eq 'e5') ? 1.2 : (m eq 'whisper' || m eq 'minilm') ? 0.8 : 1
floor_of(x) = x > 0.001 ? x : 0.001
ours = data_a12_loss
models = "data_m3_lineages using (law(column('words'), column('positions'), column('d'))):(released(column('overlap'))):(floor_of(column('low'))):(column('high')) with yerrorbars lc rgb word(marks, 1) pt 6 ps 0.9, data_m3_lineages using (law(column('words'), column('positions'), column('d'))):(raised(strcol('model')) * released(column('overlap'))):(named(strcol('model'))) with labels left font small tc lt 1"
if (strlen(ours) > 0) {
  plot @models, ours using (law(column('v'), column('l'), column('d'))):(here(column('overlap'))):(floor_of(column('overlap_low'))):(column('overlap_high')) with yerrorbars lc rgb word(marks, 2) pt 7 ps 0.9
} else {
  plot @models
}
