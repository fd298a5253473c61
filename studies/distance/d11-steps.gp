#: claim: D11
#: needs: distance/d11_precision.csv
#: title: Rounding positions or angles spoils logits early, rounding the table nowhere
#: caption: First position at which a logit is off by a hundredth of g(0), or of |q||k|, if one step is rounded and the others stay in float64; in the
#:   last row every step is rounded; T = 10,000. Right of the dotted line: none found up to a million. TF32 rounds the factors of a matrix product.
#: alt: Two panels, sinusoid and RoPE, a row for each step that is rounded. Position: bfloat16 fails at
#:   {{D11.first_bad.sinusoid.position.bfloat16}}, float16 and TF32 at {{D11.first_bad.sinusoid.position.float16}}. Angle: bfloat16 at
#:   {{D11.first_bad.sinusoid.angle.bfloat16}} and {{D11.first_bad.rope.angle.bfloat16}}. Inverse frequencies: bfloat16 alone. Table,
#:   rotated vectors and logits fail in no format up to a million, float32 nowhere.
#: size: 860x500
#: phone: 340x760

if (phone) { set key maxrows 2 }
set multiplot
set tmargin at screen (phone ? 0.83 : 0.82)
set bmargin at screen (phone ? 0.53 : 0.13)
set logscale x
set xrange [30:9e6] noextend
set yrange [0.35:7.65] noextend
set xtics ('100' 100, '10³' 1000, '10⁴' 1e4, '10⁵' 1e5, '10⁶' 1e6)
set xlabel (phone ? 'first wrong position' : 'first position off by a hundredth')
set ylabel ''
set ytics ('inverse frequencies' 7, 'position' 6, 'angle' 5, 'sine, cosine table' 4, 'rotated vectors' 3, 'score' 2, 'all of them' 1)
names = 'inverse_frequencies position angle table vectors scores all'
formats = 'bfloat16 float16 tf32 float32'
labels = 'bfloat16 float16 TF32 float32'
style_of(i) = i == 1 ? 4 : i == 2 ? 3 : i == 3 ? 5 : 2
row_of(step) = sum [i = 1:7] (word(names, i) eq step ? 8 - i : 0)
none = 3.2e6
shown(encoding, format) = strcol('encoding') eq encoding && strcol('format') eq format && column('base') == 10000 && column('d') != 64
found(name) = strcol(name) eq '' ? none : column(name)  # as a number an empty cell is NaN to gnuplot 5 and nothing to 6
x_of(encoding, format) = shown(encoding, format) ? found('first_bad') : NaN
bad_of(encoding, format) = shown(encoding, format) ? column('first_bad') : NaN
y_of(i) = row_of(strcol('step')) + 0.3 - 0.2 * (i - 1)
set arrow 1 from 1.4e6, graph 0 to 1.4e6, graph 1 nohead ls 11
set label 3 'none' at none, graph 1.04 center tc rgb quiet

set lmargin at screen (phone ? 0.44 : 0.185)
set rmargin at screen (phone ? 0.96 : 0.565)
set label 2 'sinusoid, d = 512' at graph 0, graph 1.04 left tc rgb ink
plot for [i = 1:4] data_d11_precision using (x_of('sinusoid', word(formats, i))):(y_of(i)) with points ls style_of(i) ps 0.8 title word(labels, i), \
     data_d11_precision using (bad_of('sinusoid', 'bfloat16')):(y_of(1)):(sprintf('%.0f', column('first_bad'))) with labels offset character 1, 0 left tc lt 4 notitle

unset label 1
unset key
set label 2 'RoPE, heads of 128'
if (phone) { set tmargin at screen 0.39; set bmargin at screen 0.1 }
if (!phone) { set lmargin at screen 0.60; set rmargin at screen 0.98; set format y ''; set ytics ('' 7, '' 6, '' 5, '' 4, '' 3, '' 2, '' 1) }
plot for [i = 1:4] data_d11_precision using (x_of('rope', word(formats, i))):(y_of(i)) with points ls style_of(i) ps 0.8, \
     data_d11_precision using (bad_of('rope', 'bfloat16')):(y_of(1)):(sprintf('%.0f', column('first_bad'))) with labels offset character 1, 0 left tc lt 4
unset multiplot
