// Three instruments: the closed forms of lib/perp/theory, with the reader's own sizes. The first part holds pure functions,
// on globalThis.perpendicular, named as in the library; a test compares them with it. The second part is the page's.
"use strict";
(() => {
  const logGamma = x => {  // Stirling's series from 15 on, where it ends below 1e-16; below, Γ(x) = Γ(x+1)/x
    let below = 0;
    while (x < 15) below += Math.log(x++);
    const z = 1 / (x * x);
    const series = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z / 1188)))) / x;
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - below;
  };

  // The continued fraction of the incomplete beta function, by Lentz (Abramowitz and Stegun 26.5.8).
  const betaFraction = (a, b, x) => {
    let c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), product = d;
    const step = term => {
      d = 1 / (1 + term * d);
      c = 1 + term / c;
      product *= c * d;
      return Math.abs(c * d - 1);
    };
    for (let n = 1; n < 2000; ++n) {
      step(n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)));
      if (step(-(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))) < 1e-16) break;
    }
    return product;
  };
  // I_x(a, b), the regularised incomplete beta function; y = 1 - x, which the caller may know better.
  const incompleteBeta = (a, b, x, y) => {
    if (x <= 0 || y <= 0) return x <= 0 ? 0 : 1;
    const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(y));
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, y) / b;
  };

  // ---- cosine.hpp, recovery.hpp: one cosine, the largest of many, the nearest of V words

  const cosineExceeds = (d, m) => incompleteBeta((d - 1) / 2, 0.5, (1 - m) * (1 + m), m * m);

  const largestCosineMedian = (d, pairs) => {
    const tail = -Math.expm1(Math.log(0.5) / pairs);
    let low = 0, high = 1;
    for (let i = 0; i < 60; ++i) {
      const middle = (low + high) / 2;
      if (cosineExceeds(d, middle) > tail) low = middle; else high = middle;
    }
    return (low + high) / 2;
  };

  const allBelow = (tail, words) => tail >= 1 ? 0 : Math.exp((words - 1) * Math.log1p(-tail));
  // By the angle's complement, c = sin φ: the trapezium rule is exact to rounding for a bell that ends at 0 on both sides,
  // which cos^(d-2) φ does from d = 8 on.
  const recovered = (d, words, ratio) => {
    if (words === 1 || ratio === 0) return 1;
    const points = 512, end = Math.min(Math.PI / 2, 9 / Math.sqrt(d - 2));
    const constant = Math.exp(logGamma(d / 2) - logGamma((d - 1) / 2)) / Math.sqrt(Math.PI);
    let sum = 0;
    for (let i = 1; i < points; ++i) {
      const angle = end * (2 * i / points - 1), c = Math.sin(angle), square = 1 + ratio * (ratio + 2 * c);
      const m = square > 0 ? Math.max(-1, Math.min(1, (1 + ratio * c) / Math.sqrt(square))) : -1;
      const outside = cosineExceeds(d, Math.abs(m)) / 2;
      sum += Math.cos(angle) ** (d - 2) * allBelow(m >= 0 ? outside : 1 - outside, words);
    }
    return Math.min(1, sum * constant * 2 * end / points);
  };

  const recoveryRatio = (d, words, share) => {
    let low = 0, high = Math.sqrt(d / (2 * Math.log(words)));
    while (recovered(d, words, high) > share) [low, high] = [high, 2 * high];
    for (let i = 0; i < 28; ++i) {
      const middle = (low + high) / 2;
      if (recovered(d, words, middle) > share) low = middle; else high = middle;
    }
    return (low + high) / 2;
  };

  // ---- distance.hpp: the kernel

  const frequency = (d, base, i) => base ** (-2 * i / d);
  const kernelShare = (d, base, lag) => {
    let sum = 0;
    for (let i = 0; i < d / 2; ++i) sum += Math.cos(frequency(d, base, i) * lag);
    return sum / (d / 2);
  };
  // 1 - g(k), k = 0 … count-1: Σ 2 sin²(ω k/2), which keeps small differences; every pair turned on step by step.
  const kernelFalls = (d, base, count) => {
    const falls = new Float64Array(count);
    for (let i = 0; i < d / 2; ++i) {
      const half = frequency(d, base, i) / 2, turnCosine = Math.cos(half), turnSine = Math.sin(half);
      let cosine = 1, sine = 0;
      for (let k = 0; k < count; ++k) {
        falls[k] += 2 * sine * sine / (d / 2);
        const turned = cosine * turnCosine - sine * turnSine;
        sine = sine * turnCosine + cosine * turnSine;
        cosine = turned;
      }
    }
    return falls;
  };
  const firstRise = (d, base) => {
    for (let here = 1, k = 0; k < 1e6; ++k) {
      const next = kernelShare(d, base, k + 1);
      if (next > here) return k;
      here = next;
    }
    return Infinity;
  };
  const lastWavelength = (d, base) => 2 * Math.PI * base ** (1 - 2 / d);

  const sinusoidRecovered = (d, positions, base, ratio) => {
    const falls = kernelFalls(d, base, positions), below = m => cosineExceeds(d, Math.min(m, 1)) / 2;
    let low = 1, high = 1;
    for (let k = 1; k < positions; ++k) {
      const oneSided = 2 * below(ratio * Math.sqrt(falls[k] / 2)) * (1 - k / positions);
      low -= oneSided;
      const square = 2 * k < positions ? 8 * falls[k] - 2 * falls[2 * k] : 0;
      const both = square > 0 ? below(2 * ratio * falls[k] / Math.sqrt(square)) * (1 - 2 * k / positions) : 0;
      high = Math.min(high, 1 - oneSided + both);
    }
    return { low: Math.max(0, low), high };
  };

  // ---- dimension.hpp, room.hpp: what the sinusoid fills

  const sinusoidR99 = (positions, d, base) => {
    const logBase = Math.log(base), x = positions * logBase / (Math.PI * d);
    const r = x <= 1 ? positions / Math.PI * base ** -0.01 + 1.4
      : x < base ? d / logBase * (1 - x / base + Math.log(x)) - 0.015 * d + 1.4 : 0.99 * d;
    return Math.min(r, d, positions);
  };
  const freeDimensions = (positions, d, base) => Math.max(0, d - sinusoidR99(positions, d, base));

  // ---- angles.hpp: principal angles of a k- and a uniformly random r-dimensional subspace

  const wachterEdges = (a, b) => {
    const s = Math.sqrt(a * (1 - b)), t = Math.sqrt(b * (1 - a)), gap = (b - a) / (s + t);
    return { lower: gap * gap, upper: Math.min(1, (s + t) ** 2) };
  };
  const wachterAtom = (a, b) => Math.max(0, (a + b - 1) / a);
  const wachterDensity = (a, b, x) => {
    const { lower, upper } = wachterEdges(a, b);
    if (x < lower || x > upper) return 0;
    return Math.sqrt((upper - x) * (x - lower)) / (2 * Math.PI * a * x * (1 - x));
  };
  const rootOverT = (lower, upper, root, x) => {
    const left = x - lower, right = upper - x;
    return Math.sqrt(left * right) + (lower + upper) * Math.atan2(Math.sqrt(left), Math.sqrt(right))
      - 2 * root * Math.atan2(Math.sqrt(upper * left), Math.sqrt(lower * right));
  };
  const wachterCdf = (a, b, x) => {
    const { lower, upper } = wachterEdges(a, b), atom = wachterAtom(a, b), root = Math.abs(1 - a - b);
    if (x >= 1) return 1;
    if (x <= lower) return 0;
    if (x >= upper) return 1 - atom;
    const far = Math.PI * ((2 - lower - upper) / 2 - root) - rootOverT(1 - upper, 1 - lower, root, 1 - x);
    return Math.max(0, Math.min(1 - atom, (rootOverT(lower, upper, b - a, x) + far) / (2 * Math.PI * a)));
  };
  const wachterQuantile = (a, b, p) => {
    let { lower, upper } = wachterEdges(a, b);
    const continuous = 1 - wachterAtom(a, b);
    if (p >= continuous) return p > continuous ? 1 : upper;
    for (let i = 0; i < 60; ++i) {
      const middle = (lower + upper) / 2;
      if (wachterCdf(a, b, middle) < p) lower = middle; else upper = middle;
    }
    return upper;
  };

  // The sum of the squared cosines varies by 2/((d-1)(d+2)) (k - k²/d)(r - r²/d) (overlap.hpp).
  const meanCosineSquared = (d, k, r) => ({
    mean: Math.max(k, r) / d,
    sd: Math.sqrt(2 / ((d - 1) * (d + 2)) * (k - k * k / d) * (r - r * r / d)) / Math.min(k, r),
  });

  const traceyWidom = { mean: -1.2065, sd: 1.268, skewness: 0.29346, kurtosis: 3.16524 };
  // Johnstone 2008: the logit of the largest squared cosine below 1 is about mu + sigma times a Tracy-Widom variable.
  const largestAngle = (d, k, r) => {
    if (k + r > d) [k, r] = [d - k, d - r];
    const n = d - 1, g = 2 * Math.asin(Math.sqrt((Math.min(k, r) - 0.5) / n));
    const f = 2 * Math.asin(Math.sqrt((Math.max(k, r) - 0.5) / n)), both = Math.sin(f + g);
    return { mu: 2 * Math.log(Math.tan((f + g) / 2)),
             sigma: Math.cbrt(16 / (n * n * both * both * Math.sin(f) * Math.sin(g))) };
  };
  const johnstoneApplies = (d, k, r) => {
    if (k + r > d) [k, r] = [d - k, d - r];
    return Math.min(k, r) >= 8 && k + r + 8 < d;
  };
  const cosineAt = ({ mu, sigma }, deviations) =>
    Math.sqrt(1 / (1 + Math.exp(-(mu + sigma * (traceyWidom.mean + traceyWidom.sd * deviations)))));
  const largestCosineExpected = (d, k, r) => {
    if (k + r >= d) return 1;
    const { skewness, kurtosis } = traceyWidom, law = largestAngle(d, k, r);
    const root = Math.sqrt(4 * kurtosis - 3 * skewness * skewness);
    const a = (skewness + root) / 2, b = (skewness - root) / 2, atA = 1 / (a * (a - b)), atB = 1 / (b * (b - a));
    return atA * cosineAt(law, a) + atB * cosineAt(law, b) + (1 - atA - atB) * cosineAt(law, 0);
  };
  const largestCosineSd = (d, k, r) => {
    if (k + r >= d) return 0;
    const law = largestAngle(d, k, r), c = cosineAt(law, 0);
    return traceyWidom.sd * law.sigma * c * (1 - c * c) / 2;
  };

  globalThis.perpendicular = {
    cosineExceeds, largestCosineMedian, recovered, recoveryRatio, sinusoidRecovered, frequency, kernelShare, firstRise,
    lastWavelength, sinusoidR99, freeDimensions, wachterEdges, wachterAtom, wachterDensity, wachterCdf, wachterQuantile,
    meanCosineSquared, largestAngle, johnstoneApplies, largestCosineExpected, largestCosineSd,
  };
})();
