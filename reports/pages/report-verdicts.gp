#: needs: ledger.csv
#: title: Verdicts by kind of evidence: {{count.true}} claims are true, {{count.depends}} depend on something, {{count.false}} are false
#: caption: Each claim by its letter and number, in the row of its chapter and in the column of each kind of evidence behind the conditions of
#:   its rule. What rests on theorems or closed forms alone was settled before anything was measured.
#: alt: A grid of chapters against kinds of evidence (theorem, closed form, simulation, trained here, released model), each claim a
#:   mark with its number: {{count.true}} true, {{count.depends}} depend, {{count.false}} false, {{count.open}} open, {{count.unmeasured}} unmeasured.
#: size: 860x520

set grid noxtics noytics
set border 0
set xrange [-0.95:5.02] noextend
# A row for each chapter that has claims; marks of a row lie above their names.
seen = ''
last = -1
row_of(s) = (strstrt(seen, sprintf(' %d ', s)) ? 0 : (seen = seen . sprintf(' %d ', s), last = last + 1), last)
stats $ledger using (row_of(column('study'))) nooutput
array row[20]
do for [i = 1:words(seen)] { row[word(seen, i) + 1] = i - 1 }
study(x) = row[int(column('study')) + 1]
set yrange [last + 0.55:-0.55] noextend
set xtics scale 0 ('theorem' 0.42, 'closed form' 1.42, 'simulation' 2.42, 'trained here' 3.42, 'released model' 4.42) textcolor rgb ink
set ytics scale 0
set format y ''
set lmargin 2
set bmargin 2.6
do for [i = 0:last + 1] { set arrow 10 + i from -0.95, i - 0.5 to 5.02, i - 0.5 nohead lc rgb faint lw 1 }
do for [i = 0:4] { set arrow 30 + i from i - 0.06, -0.5 to i - 0.06, last + 0.5 nohead lc rgb faint lw 1 }
named = -1
# Two lines of four marks in a field, each with its name below; -9 is outside, and a verdict that no claim has is no error.
x(n) = column('evidence') + 0.08 + 0.23 * (int(n) % 4)
y(n) = study(0) - 0.32 + 0.46 * (int(n) / 4)
is(v) = column('verdict') == v
plot $ledger using (is(0) ? x(column('place')) : -9):(y(column('place'))) with points ls 3 pt 7 ps 1.2 title 'true', \
     $ledger using (is(2) ? x(column('place')) : -9):(y(column('place'))) with points ls 5 pt 9 ps 1.2 title 'depends', \
     $ledger using (is(1) ? x(column('place')) : -9):(y(column('place'))) with points ls 2 pt 5 ps 1.1 title 'false', \
     $ledger using (is(3) ? x(column('place')) : -9):(y(column('place'))) with points lc rgb quiet lw 2 pt 6 ps 1.2 title 'open', \
     $ledger using (x(column('place'))):(y(column('place')) + 0.25):(strcol('claim')) with labels font 'DejaVu Sans,12' tc rgb ink notitle, \
     $ledger using (column('study') > named ? (named = column('study'), -0.93) : -9):(study(0)):(strcol('chapter')) with labels left tc rgb ink notitle
