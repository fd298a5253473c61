#: claim: A4
#: finding: A4.joint.v300
#: needs: capacity/a4_starts.csv capacity/a4_joint.csv
#: title: What the best matrix leaves of the targets: a concatenation, and sums optimised in part or whole
#: caption: Residual of the best matrix after the descent, {{A4.split.v300.n}} draws of words and targets, V = 300, L = 32, d = 64; bars: 99%
#:   intervals. Positions alone were optimised from five starts, all drawn, at one and at sixteen times the power of a word. Below, words and
#:   positions. Dotted: the best concatenation, its tables as drawn.
#: alt: Five rows of residuals. The best concatenation of drawn tables leaves {{A4.split.v300|.2f}}. Added with optimised positions:
#:   {{A4.alone.v300.power1|.2f}} ({{A4.excess.v300.power1|+.3f}} against it) at power one and {{A4.alone.v300.power16|.2f}}
#:   ({{A4.excess.v300.power16|+.3f}}) at power 16. With words optimised as well the sum leaves {{A4.joint.v300|.2f}}, less than the
#:   concatenation whose tables are optimised.
#: number: drawn = A4.split.v300
#: size: 860x330
#: phone: 340x420

unset key
set xlabel 'residual'
set xrange [0.25:0.8] noextend
set xtics ('30%%' 0.3, '40%%' 0.4, '50%%' 0.5, '60%%' 0.6, '70%%' 0.7, '80%%' 0.8)
set yrange [0.4:5.6] noextend
set ytics scale 0 ('concatenated, tables as drawn' 5, 'added: positions optimised' 4, 'added: positions optimised, power × 16' 3, \
  'concatenated: both tables optimised' 2, 'added: words and positions optimised' 1) textcolor rgb ink
set lmargin at screen 0.385
if (phone) {
  set lmargin 4; unset ytics; set yrange [0.5:5.8] noextend
  said = '"concatenated, tables as drawn" "added: positions optimised" "added: positions optimised, power × 16" "concatenated: both tables optimised" "added: words and positions optimised"'
  do for [k = 1:5] { set label 10 + k word(said, k) at 0.26, 6.36 - k left tc rgb ink }
}
set tmargin 3 + 1.3 * (title_lines - 1)
set grid noy
set arrow 1 from drawn, 0.4 to drawn, 5.6 nohead ls 11
big(x) = column('v') == 300 ? x : NaN
start(power) = column('power') == power ? (power == 1 ? 4 : 3) + 0.1 * (place_in(strcol('from'), 'random other sinusoidal centred confined') - 3) : NaN
row(tables) = strcol('tables') eq tables ? (tables eq 'split' ? 5 : tables eq 'within' ? 2 : 1) : NaN
plot for [power = 1:16:15] data_a4_starts using (big(column('end'))):(start(power)):(big(column('low'))):(big(column('high'))) with xerrorbars ls added ps 0.5 lw 1.4, \
     data_a4_joint using (big(column('residual'))):(row('joint')):(big(column('low'))):(big(column('high'))) with xerrorbars ls added ps 0.9, \
     for [t in 'split within'] data_a4_joint using (big(column('residual'))):(row(t)):(big(column('low'))):(big(column('high'))) with xerrorbars ls concatenated ps 0.9
