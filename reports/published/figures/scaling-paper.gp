#: claim: L1
#: needs: scaling/steps.csv
#: title: With {{L1.paper_ranks|d}} ranks the work is {{L1.paper_speedup|.3g}} times as fast: what they do not share remains
#: caption: Seconds of each step on paper, for {{L1.paper_words|d}} words of {{L1.paper_width|d}} dimensions: on one core (hollow) and with
#:   {{L1.paper_ranks|d}} ranks (filled). Where both are one, the ranks do not share the step.
#: alt: A point for each step on one core and with all ranks, in seconds on a logarithmic axis; reading, cosines and moments move left by
#:   the number of ranks, merging and eigendecompositions stay. The numbers are in the table below.
#: size: 820x380

set logscale x
set format x '10^{%L}'
set xlabel 'seconds'
set ylabel ''
set lmargin 36
set yrange [7.6:0.4]
set key maxrows 1
plot data_steps using (column('one_s')):(column('place')):ytic(strcol('step')) with points ls 6 ps 1.3 title 'one core', \
  data_steps using (column('ranks_s')):(column('place')) with points ls 1 ps 0.9 title 'all ranks'
