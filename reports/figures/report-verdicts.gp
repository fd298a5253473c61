#: needs: ledger.csv
#: title: Verdicts by kind of evidence: {{count.true}} claims are true, {{count.depends}} depend on something, {{count.false}} are false
#: caption: Each claim by its letter and number, in the row of its chapter and in the column of each kind of evidence behind the core of
#:   its rule. What rests on theorems or closed forms alone was settled before anything was measured.
#: alt: A grid of chapters against kinds of evidence (theorem, closed form, simulation, trained here, released model), each claim a
#:   mark with its number: {{count.true}} true, {{count.depends}} depend, {{count.false}} false, {{count.open}} open, {{count.unmeasured}} unmeasured.
#: size: 900x430

set grid noxtics noytics
set border 0
set xrange [-0.75:5.02] noextend
stats $ledger using (column('study')) nooutput
last = STATS_max
set yrange [last + 0.6:-0.75] noextend
set xtics scale 0 ('theorem' 0.42, 'closed form' 1.42, 'simulation' 2.42, 'trained here' 3.42, 'released model' 4.42) textcolor rgb ink
set ytics scale 0
set format y ''
set xtics offset 0, 0
set bmargin 2.6
do for [i = 0:last + 1] { set arrow 10 + i from -0.75, i - 0.5 to 5.02, i - 0.5 nohead lc rgb faint lw 1 }
do for [i = 1:4] { set arrow 30 + i from i - 0.06, -0.5 to i - 0.06, last + 0.5 nohead lc rgb faint lw 1 }
# Two lines of marks in a field.
x(place) = column('evidence') + 0.06 + 0.16 * (int(place) % 6)
y(place) = column('study') - 0.2 + 0.42 * (int(place) / 6)
is(v) = column('verdict') == v
plot $ledger using (is(0) ? x(column('place')) : NaN):(y(column('place'))) with points ls 3 pt 7 ps 1.3 title 'true', \
     $ledger using (is(2) ? x(column('place')) : NaN):(y(column('place'))) with points ls 5 pt 9 ps 1.5 title 'depends', \
     $ledger using (is(1) ? x(column('place')) : NaN):(y(column('place'))) with points ls 2 pt 5 ps 1.2 title 'false', \
     $ledger using (is(3) ? x(column('place')) : NaN):(y(column('place'))) with points lc rgb quiet lw 2 pt 6 ps 1.3 title 'open', \
     $ledger using (x(column('place'))):(y(column('place')) + 0.19):(strcol('claim')) with labels font 'DejaVu Sans,11' tc rgb ink notitle
