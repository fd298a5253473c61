// Five instruments: closed forms and RoPE's rules, with the reader's own sizes. The first part holds pure functions, on
// globalThis.perpendicular, named as in the library; a test holds both against one reference. The second part is the page's.
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

  // ---- subspaces.hpp: what the sinusoid fills

  const sinusoidR99 = (positions, d, base) => {
    const logBase = Math.log(base), x = positions * logBase / (Math.PI * d);
    const r = x <= 1 ? positions / Math.PI * base ** -0.01 + 1.4
      : x < base ? d / logBase * (1 - x / base + Math.log(x)) - 0.015 * d + 1.4 : 0.99 * d;
    return Math.min(r, d, positions);
  };

  // ---- subspaces.hpp: principal angles of a k- and a uniformly random r-dimensional subspace

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

  // The sum of the squared cosines varies by 2/((d-1)(d+2)) (k - k²/d)(r - r²/d) (subspaces.hpp).
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

  // ---- studies/distance/rope_*.cpp: a configuration as a list of kinds of layer; names and families are rope_architectures.js, which
  // both read

  const named = globalThis.ropeData, isObject = x => x !== null && typeof x === "object" && !Array.isArray(x);
  // Where a value may stand, and whether that is among the rope parameters: those of a kind of layer, those of all, the text's part of
  // the model, the family's row.
  class RopeKeys {
    constructor(outer) {
      if (!isObject(outer)) throw new Error("expected an object, a model's configuration");
      const parts = [], look = (object, depth, speaks) => {
        for (const name of Object.keys(object).sort()) {
          const value = object[name], talks = speaks || name.includes("talker");  // what speaks comes after what reads
          if (!isObject(value)) continue;
          if (named.text_parts.includes(name) && named.signs_of_text.some(sign => value[sign] != null)) parts.push([talks, depth, value]);
          look(value, depth + 1, talks);
        }
      };
      look(outer, 0, false);
      const [, , model] = parts.sort((a, b) => a[0] - b[0] || a[1] - b[1])[0] ?? [0, 0, outer];
      this.model = model;
      const objects = [model.rope_scaling, model.rope_parameters].filter(object => object != null);
      if (!objects.every(isObject)) throw new Error("rope_scaling is no object");
      this.rope = objects.find(object => Object.keys(object).length);
      this.places = [[model], [outer]];
      const type = this.get("model_type"), width = this.get("hidden_size") ?? 0, rows = Object.values(named.models);
      this.family = rows.find(row => row.families.includes(`${type}/${width}`)) ?? rows.find(row => row.families.includes(type));
      if (this.rope?.full_attention != null && !isObject(this.rope.full_attention)) throw new Error("full_attention is no object");
      return this.of("");
    }
    of(kind, layer) {
      const other = Object.assign(Object.create(RopeKeys.prototype), this, { kind, layer, own: undefined });
      if (kind) other.own = [this.rope?.[kind], this.model[kind], this.rope?.[kind.includes("compress") ? "compress" : "main"]].find(isObject);
      other.places = [[other.own, true], [kind && this.family?.rope_parameters?.[kind], true, true], [this.rope, true], [this.model, false],
                      [this.model.attn_config], [this.family, true, true]].filter(([object]) => isObject(object));
      return other;
    }
    find(name, inRope) {
      const names = [name, ...named.names[name] ?? []];
      for (const [object, where, isFamily] of this.places)
        if (inRope === undefined || inRope === where)
          for (const other of names) if (object[other] != null) return { value: object[other], isFamily };
      return {};
    }
    get(name, inRope) { return this.find(name, inRope).value; }
    says(name) { const { value, isFamily } = this.find(name); return value !== undefined && !isFamily; }
    number(name, inRope) {
      const value = this.get(name, inRope);
      if (Array.isArray(value) && this.layer < value.length) return Number(value[this.layer]);
      if (value !== undefined && typeof value !== "number") throw new Error(`${name} is no number`);
      return value;
    }
    whole(name) {
      const number = this.number(name);
      if (number !== undefined && !(number >= 1 && number <= 2 ** 20 && Number.isInteger(number))) throw new Error(`${name} is ${number}`);
      return number;
    }
    get hasOwnBase() { return this.own?.rope_theta != null; }
  }
  const isLocal = kind => named.words_of_a_window.some(word => kind.includes(word));
  const filled = (count, kind) => Array.from({ length: count }, (_, i) => kind(i));
  // The kind of each layer by one of the rules; empty where the configuration says nothing of the sort.
  const kindsBy = ({ key, as, listed, others, windowed }, config, count) => {
    const value = config.get(key), pick = is => is ? listed : others, isNumbers = Array.isArray(value) && value.length > 0 && typeof value[0] !== "string";
    if (as.startsWith("names")) return config.says(key) ? filled((as === "names" ? 0 : count) || value.length, i => value[i % value.length]) : [];
    if (as === "numbers") return isNumbers ? value.map(number => pick(Number(number) !== 0)) : [];
    if (as === "indices") return isNumbers ? filled(count || Math.max(...value) + 1, i => pick(value.includes(i))) : [];
    const hasWindow = config.says("sliding_window") || config.says("rope_local_base_freq");
    if (value === undefined || Array.isArray(value) || (windowed && (config.model.sliding_window === null || (!hasWindow && !config.says(key))))) return [];
    if (typeof value === "string") return filled(count || value.length, i => pick(value[i % value.length] === "G"));
    return value >= 1 ? filled(count || value, i => pick(i % value === (as === "every" ? value - 1 : 0))) : [];
  };
  const layerKinds = config => {
    const layers = config.whole("num_hidden_layers") ?? 0;
    let kinds = [];
    for (const rule of Object.values(named.layers)) if (!kinds.length) kinds = kindsBy(rule, config, layers);
    const list = config.get("no_rope_layers") ?? [], interval = list.length ? 0 : config.number("no_rope_layer_interval") ?? 0;
    const rotates = list.length ? list.map(Number) : interval >= 1 ? filled(Math.max(kinds.length, layers) || interval, i => (i + 1) % interval !== 0) : [];
    const ownLists = ["rope_theta", "partial_rotary_factor", "rotary_dim", "head_dim", ...config.get("head_dim") === undefined ? ["num_attention_heads"] : []]
      .map(key => config.get(key)).filter(Array.isArray);
    const differ = kinds.some(kind => kind !== kinds[0]), unrotated = differ ? config.get("unrotated") ?? [] : [], found = new Map();
    for (let layer = 0; layer < Math.max(kinds.length, rotates.length, ...ownLists.map(numbers => numbers.length)); ++layer) {
      const kind = kinds[layer] ?? "", turns = !named.kinds_that_never_rotate.includes(kind) && !unrotated.includes(kind) && (layer >= rotates.length || Boolean(rotates[layer]));
      const key = JSON.stringify([kind, turns, turns && ownLists.map(numbers => numbers[layer])]);
      if (!found.has(key)) found.set(key, { kind, which: [], turns });
      found.get(key).which.push(layer);
    }
    if (found.size) return [...found.values()];
    const isRope = value => isObject(value) && (value.rope_theta != null || value.rope_type != null);
    const inside = (object, prefix) => Object.keys(object ?? {}).filter(name => isRope(object[name]) && !prefix.concat(name).match(/_config$|^rope_(scaling|parameters)$/)).sort();
    let names = [...inside(config.rope, "of "), ...inside(config.model, "")];
    if (!names.length && config.says("rope_local_base_freq")) names = ["full_attention", "sliding_attention"];
    return (names.length ? names : [""]).map(kind => ({ kind, which: [], turns: true }));
  };
  const ropeNames = { none: "default", mrope: "default", deepseek_yarn: "yarn", su: "longrope" };
  const ropeTypes = ["default", "linear", "ntk", "ntk_mixed", "dynamic", "yarn", "llama3", "longrope", "proportional"];
  // The rule of a kind of layer, which knows what the whole model claims.
  const ropeSettings = (config, kind, claims) => {
    const local = isLocal(kind), hasLocalBase = local && !config.hasOwnBase && config.says("rope_local_base_freq"), inRope = name => config.number(name, true);
    const head = config.whole("qk_rope_head_dim") ?? config.whole(local ? "swa_head_dim" : "global_head_dim") ?? config.whole("head_dim")
      ?? Math.floor(config.whole("hidden_size") / config.whole("num_attention_heads"));
    if (typeof config.get("num_attention_heads") === "number" && config.whole("num_attention_heads") > 65536) throw new Error("too many heads");
    const share = config.number("partial_rotary_factor");
    const rotated = (local ? config.whole("swa_rotary_dim") : undefined) ?? (config.says("rotary_dim") || share === undefined ? config.whole("rotary_dim") : undefined)
      ?? (config.get("qk_rope_head_dim") === undefined ? Math.floor((share ?? 1) * head) : head);
    const compressed = !local && kind.includes("compress") && !config.hasOwnBase ? config.number("compress_rope_theta") : undefined;
    const base = hasLocalBase ? config.number("rope_local_base_freq") : compressed ?? (config.number("rope_theta") ?? 10000) * (config.number("rope_ratio") ?? 1);
    const rope = { type: "default", head, rotated, base, factor: 1, trained: 0, claimed: claims, fast: 32, slow: 1, rounded: true };
    const isUnscaled = hasLocalBase || !(config.get("yarn_only_types") ?? [kind]).includes(kind) || (local && !config.hasOwnBase && config.says("compress_rope_theta"));
    if (!isUnscaled) {
      const said = config.get("rope_type", true) ?? "default", alpha = inRope("alpha"), most = config.number("max_position_embeddings");
      rope.type = ropeNames[said] ?? said;
      if (!ropeTypes.includes(rope.type)) throw new Error(`no scaling ${said}`);
      [rope.near, rope.far] = [config.get("short_factor", true), config.get("long_factor", true)];
      if (rope.type === "yarn" && rope.near?.length) rope.type = "longrope";
      if (rope.type === "dynamic" && alpha !== undefined) rope.type = "ntk";
      if (rope.type === "ntk" && alpha === undefined) rope.type = "ntk_mixed";
      const { type } = rope, original = config.number("original_max_position_embeddings", false) ?? inRope("original_max_position_embeddings");
      rope.trained = type === "dynamic" ? most ?? claims : original ?? claims;
      if (type === "linear" && original === undefined) rope.trained = claims > (most ?? 0) ? most ?? 0 : 0;
      const lengthened = ["yarn", "longrope"].includes(type) ? claims / rope.trained : undefined;
      rope.factor = type === "default" ? 1 : (type === "ntk" ? alpha : inRope("factor")) ?? lengthened ?? 1;
      if (type === "yarn") rope.claimed = Math.max(claims, rope.factor * rope.trained);
      if (type === "dynamic") rope.claimed = rope.factor * rope.trained;
      rope.slow = inRope(type === "llama3" ? "low_freq_factor" : "beta_slow") ?? 1;
      rope.fast = inRope(type === "llama3" ? "high_freq_factor" : "beta_fast") ?? (type === "llama3" ? 4 : 32);
      rope.rounded = config.get("truncate", true) !== false;
      const rise = slope => rope.factor > 1 ? 0.1 * slope * Math.log(rope.factor) + 1 : 1, slope = inRope("mscale") ?? 0, all = slope > 0 ? config.number("mscale_all_dim") ?? 0 : 0;
      if (type === "yarn") rope.amplitude = inRope("attention_factor") ?? (all > 0 ? rise(slope) / rise(all) : rise(1));
      if (type === "longrope") rope.amplitude = inRope("long_mscale") ?? inRope("attention_factor") ?? (rope.factor > 1 ? Math.sqrt(1 + Math.log(rope.factor) / Math.log(rope.trained)) : 1);
      if (["yarn", "longrope"].includes(type)) [rope.amplitude, rope.nearAmplitude] = [rope.amplitude * (inRope("attn_factor") ?? 1), inRope("short_mscale")];
      if (type === "proportional") rope.rotated -= rotated % 2;
    }
    if (config.number("max_trained_positions") !== undefined && config.number("rotary_scaling_factor") !== undefined)
      Object.assign(rope, { type: "dynamic", factor: config.number("rotary_scaling_factor"), trained: config.number("max_trained_positions") });
    return usable(rope);
  };
  const usable = rope => {
    const { type, head, rotated, base, factor, trained, fast, slow, claimed } = rope, positive = x => x > 0 && x <= 3.4028234663852886e38;
    const needsContext = ["yarn", "llama3", "dynamic", "longrope"].includes(type);
    const right = rotated >= 2 && rotated % 2 === 0 && rotated <= head && head <= 1024 && base > 1 && positive(base) && positive(factor) && (!needsContext || positive(trained))
      && (!["yarn", "llama3"].includes(type) || (slow > 0 && fast >= slow)) && (rotated > 2 || !["ntk", "dynamic"].includes(type)) && [claimed, trained].every(x => x >= 0 && x <= 1e9)
      && [rope.near, rope.far].every(list => list === undefined || !list.length ? type !== "longrope" : list.length === rotated / 2 && list.every(positive));
    if (!right) throw new Error("a head's size, a base above 1 and a known scaling are needed (perp rope says more)");
    return rope;
  };
  const positionsOf = config => {
    if (config.get("alibi") === true) return "alibi";
    if (config.get("mla_use_nope") === true || config.get("use_mem_rope") === false) return "none";
    const type = config.get("position_embedding_type");
    if (type === undefined || config.get("rope") === true) return "rope";
    const known = Object.keys(named.positions).find(positions => named.positions[positions].includes(type));
    if (!known) throw new Error(`position_embedding_type is ${type}`);
    return known === "learned" && config.says("rope_theta") ? "rope" : known;
  };
  // {positions, claimed, layers: [{kind, which, window, rope}], rope}: the last is that of the layers that attend to everything.
  const ropeOf = outer => {
    const config = new RopeKeys(outer), claimed = config.number("max_sequence_length") ?? 0, found = { positions: positionsOf(config), claimed, layers: [] };
    if (found.positions === "alibi" && !(config.whole("num_attention_heads") && (config.number("alibi_bias_max") ?? 8) > 0)) throw new Error("ALiBi needs heads and a maximum above 0");
    if (found.positions !== "rope") return found;
    found.layers = layerKinds(config).map(({ kind, which, turns }) => {
      const own = config.of(kind, which[0]);
      return { kind, which, window: isLocal(kind) ? own.number("sliding_window") ?? 0 : 0, rope: turns ? ropeSettings(own, kind, claimed) : null };
    });
    const rank = ({ kind, rope }) => !rope ? 0 : kind === "full_attention" ? 3 : isLocal(kind) ? 1 : 2;
    found.rope = found.layers.reduce((best, layer) => rank(layer) > rank(best) ? layer : best).rope;
    if (!found.rope) found.positions = "none";
    found.claimed = found.rope?.claimed ?? claimed;
    return found;
  };
  const ropeAmplitude = (rope, length) => (rope.nearAmplitude !== undefined && length <= rope.trained ? rope.nearAmplitude : rope.amplitude) ?? 1;
  const ropeFrequencies = (rope, length) => {
    const { type, rotated, factor, trained, fast, slow } = rope, clamp = (x, high) => Math.max(0, Math.min(high, x));
    const alpha = type === "ntk" ? factor : type === "dynamic" ? factor * Math.max(length / trained, 1) - (factor - 1) : 1;
    const base = type === "ntk_mixed" ? rope.base * factor : rope.base * (alpha === 1 ? 1 : alpha ** (rotated / (rotated - 2))), spread = type === "proportional" ? rope.head : rotated;
    const index = turns => rotated * Math.log(trained / (turns * 2 * Math.PI)) / (2 * Math.log(rope.base));
    const first = clamp(rope.rounded ? Math.floor(index(fast)) : index(fast), Infinity);
    const last = Math.min(rope.rounded ? Math.ceil(index(slow)) : index(slow), rotated - 1);
    return Array.from({ length: rotated / 2 }, (_, i) => {
      const w = base ** (-2 * i / spread), turns = trained * w / (2 * Math.PI);
      if (type === "linear" || type === "proportional") return w / factor;
      if (type === "ntk_mixed") return w / factor ** (2 / rotated);
      if (type === "longrope") return w / (length > trained ? rope.far : rope.near)[i];
      if (type !== "yarn" && type !== "llama3") return w;
      const kept = type === "yarn" ? 1 - clamp((i - first) / Math.max(last - first, 1e-3), 1)
        : fast === slow ? Number(turns >= fast) : clamp((turns - slow) / (fast - slow), 1);
      return kept * w + (1 - kept) * w / factor;
    });
  };
  // `visit(lag, sum)` for every lag to `most`, until it says that it has enough; every pair is turned on step by step, anew
  // from each 128th lag.
  const ropeSums = (frequencies, most, visit) => {
    const sums = new Float64Array(128);
    for (let start = 0; start <= most; start += 128) {
      sums.fill(0);
      for (const w of frequencies) {
        const turnCosine = Math.cos(w), turnSine = Math.sin(w);
        let cosine = Math.cos(w * start), sine = Math.sin(w * start);
        for (let j = 0; j < 128; ++j) {
          sums[j] += cosine;
          [cosine, sine] = [cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine];
        }
      }
      for (let j = 0; j < 128 && start + j <= most; ++j) if (visit(start + j, sums[j])) return start + j;
    }
    return most + 1;
  };
  // The last lag before the first sum below 0, or `most`.
  const ropeGoodTo = (frequencies, most) => ropeSums(frequencies, most, (_, sum) => sum < 0) - 1;

  // ---- claim D11: the first position, or lag, that is wrong by a hundredth when one step is rounded to so many bits

  const firstWrong = (d, base, bits) => {
    const u = 2 ** -bits, size = Math.sqrt(d * Math.log(base));
    return { position: 1 / u + 1, angle: size / (168 * u), frequency: size / (60 * u) };
  };
  // To so many significant bits, to nearest, ties to even.
  const rounded = (x, bits) => {
    if (x === 0) return 0;
    const unit = 2 ** (Math.floor(Math.log2(x)) - bits + 1), low = Math.floor(x / unit), over = x / unit - low;
    return unit * (low + (over > 0.5 || (over === 0.5 && low % 2 === 1) ? 1 : 0));
  };
  // The same for a sinusoid's rounded angles, tried position by position against the 512 lags up to it; NaN if `most` are right.
  const firstWrongAngle = (d, base, bits, most = 4096) => {
    const lags = 512, pairs = d / 2, omega = Float64Array.from({ length: pairs }, (_, i) => base ** (-2 * i / d)), table = [], exact = [];
    const dot = (a, b) => { let sum = 0; for (let i = 0; i < d; ++i) sum += a[i] * b[i]; return sum; };
    for (let t = 0; t < most; ++t) {
      const row = new Float64Array(d);
      omega.forEach((w, i) => { const angle = rounded(w * t, bits); row[2 * i] = Math.sin(angle); row[2 * i + 1] = Math.cos(angle); });
      table.push(row);
      exact.push(omega.reduce((sum, w) => sum + Math.cos(w * t), 0));
      for (let lag = 0; lag < lags && lag <= t; ++lag) if (Math.abs(dot(row, table[t - lag]) - exact[lag]) >= 0.01 * pairs) return t;
    }
    return NaN;
  };

  globalThis.perpendicular = {
    firstWrong, firstWrongAngle,
    ropeOf, ropeFrequencies, ropeAmplitude, ropeSums, ropeGoodTo,
    cosineExceeds, largestCosineMedian, recovered, recoveryRatio, sinusoidRecovered, frequency, kernelShare, firstRise,
    lastWavelength, sinusoidR99, wachterEdges, wachterAtom, wachterDensity, wachterCdf, wachterQuantile,
    meanCosineSquared, largestAngle, johnstoneApplies, largestCosineExpected, largestCosineSd,
  };
})();

// ---- the page's part: numbers in, a sentence, a table and a drawing out
(() => {
  if (typeof document === "undefined") return;
  const theory = globalThis.perpendicular, degrees = 180 / Math.PI;

  const whole = x => x.toLocaleString("en-GB", { useGrouping: x >= 10000, maximumFractionDigits: 0 });
  const three = x => x >= 1000 ? whole(x) : String(Number(x.toPrecision(3)));
  const percent = x => x > 0 && x < 0.0005 ? "<0.1%" : x < 1 && x > 0.9995 ? ">99.9%" : `${(100 * x).toFixed(1)}%`;
  const between = (a, b, text) => text(a) === text(b) ? text(a) : `${text(a)} to ${text(b)}`;
  const angle = x => `${(x * degrees).toFixed(1)}°`;

  // A drawing of curves: x from … to on a linear or logarithmic axis, y from 0 to its top.
  // Curves have names at places of their own; what they are of gives both a colour.
  const draw = (svg, { from, to, log, ticks, top, yTicks, curves, marks, label, names = [], of = [] }) => {
    const left = 60, right = 468, high = 12, low = 152;
    const along = log ? Math.log : x => x;
    const px = x => (left + (right - left) * (along(x) - along(from)) / (along(to) - along(from))).toFixed(1);
    const py = y => (low - (low - high) * y / top).toFixed(1);
    const path = points => points.map(([x, y], i) => `${i ? "L" : "M"}${px(x)} ${py(y)}`).join("");
    svg.innerHTML = yTicks.map(([y, text]) => `<path class="grid" d="M${left} ${py(y)}H${right}"/><text x="${left - 6}" y="${py(y)}" dy="4" text-anchor="end">${text}</text>`).join("")
      + ticks.map(([x, text]) => `<text x="${px(x)}" y="${low + 16}" text-anchor="middle">${text}</text>`).join("")
      + `<text x="${(left + right) / 2}" y="${low + 34}" text-anchor="middle">${label}</text>`
      + curves.map((points, i) => `<path class="curve ${of[i] ?? ""}" d="${path(points)}"/>`).join("")
      + names.map(({ x, y, text }, i) => `<text class="${of[i] ?? ""}" x="${px(x)}" y="${py(y)}" dx="5" dy="-4">${text}</text>`).join("")
      + marks.filter(({ x }) => x >= from && x <= to).map(({ x, text, small }) =>
        `<path class="${small ? "tick" : "mark"}" d="M${px(x)} ${small ? low - 8 : high}V${low}"/>`
        + (text ? `<text x="${px(x)}" y="${high + 10}" dx="${px(x) > 400 ? -5 : 5}" text-anchor="${px(x) > 400 ? "end" : "start"}">${text}</text>` : "")).join("");
  };
  const spaced = (from, to, count) => Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)));
  const rows = (form, lines) => {
    form.querySelector("tbody").replaceChildren(...lines.map(([head, ...cells]) => {
      const row = document.createElement("tr"), name = row.appendChild(document.createElement("th"));
      name.scope = "row";
      name.textContent = head;
      for (const cell of cells) row.appendChild(document.createElement("td")).textContent = cell;
      return row;
    }));
  };

  const base = 10000;
  const instruments = {
    "try-model"(form, { d, v, l, ratio }) {
      const words = theory.recovered(d, v, ratio), sinusoid = theory.sinusoidRecovered(d, l, base, ratio);
      const r99 = theory.sinusoidR99(l, d, base), half = theory.recoveryRatio(d, v, 0.5);
      rows(form, [
        ["Bits lost by adding, frozen tables", percent(Math.log(v) * Math.log(l) / (d * Math.log(v * l))), "ln V · ln L / (d ln VL), where concatenating delivers nine tenths"],
        ["Words found", percent(words), "exact for words in random directions"],
        ["Positions found, sinusoid", between(sinusoid.low, sinusoid.high, percent), "its neighbours are alike"],
        ["Positions found, unrelated", percent(theory.recovered(d, l, 1 / ratio)), "exact for positions in random directions"],
        ["Half of the words are found at", `‖p‖/‖x‖ = ${three(half)}`, "exact for words in random directions"],
        ["Cosine of two unrelated vectors", `±${three(1 / Math.sqrt(d))}`, "standard deviation, 1/√d"],
        ["Largest |cosine| of two words", three(theory.largestCosineMedian(d, v * (v - 1) / 2)), "median over all pairs"],
        ["Largest |cosine|, word and position", three(theory.largestCosineMedian(d, v * l)), "at most: positions resemble their neighbours"],
        ["Dimensions that hold 99% of the positions", three(r99), "r₉₉, approximate"],
        ["Dimensions left almost free", `${three(d - r99)} of ${whole(d)}`, percent(1 - r99 / d)],
      ]);
      draw(form.querySelector("svg"), {
        from: 0.05, to: 50, log: true, top: 1, label: "‖p‖/‖x‖", ticks: [0.1, 0.3, 1, 3, 10, 30].map(x => [x, x]),
        yTicks: [[0, "0%"], [0.5, "50%"], [1, "100%"]], marks: [{ x: ratio, text: `words: ${percent(words)}` }], of: ["words", "positions"],
        curves: [theory.recovered, (d, l, x) => theory.recovered(d, l, 1 / x)].map((found, i) => spaced(0.05, 50, 80).map(x => [x, found(d, i ? l : v, x)])),
        names: [{ x: theory.recoveryRatio(d, v, 0.5), y: 0.5, text: "words" }, { x: 1 / theory.recoveryRatio(d, l, 0.5), y: 0.35, text: "positions" }],
      });
      const lost = Math.log(v) * Math.log(l) / (d * Math.log(v * l));
      return `Adding frozen random tables loses about ${percent(lost)} of the bits before a linear classifier, by the law; learned ones lost next to nothing where that was tried, in small tables. Of ${whole(v)} words ${percent(words)} are found, of ${whole(l)} sinusoidal positions ${between(sinusoid.low, sinusoid.high, percent)}.`;
    },

    "try-clock"(form, { d, base, t, lag }) {
      const pairs = d / 2, shown = Math.min(8, pairs);
      const hands = Array.from({ length: shown }, (_, i) => Math.round(i * (pairs - 1) / Math.max(1, shown - 1)));
      const turn = (i, at) => { const full = theory.frequency(d, base, i) * at / (2 * Math.PI); return 360 * (full - Math.floor(full)); };
      const similarity = theory.kernelShare(d, base, lag), rise = theory.firstRise(d, base);
      rows(form, hands.map(i => [whole(i), three(2 * Math.PI / theory.frequency(d, base, i)), `${turn(i, t).toFixed(1)}°`, `${turn(i, t + lag).toFixed(1)}°`]));
      const hand = (x, at, kind) => `<path class="${kind}" d="M${x} 33L${(x + 24 * Math.sin(at / degrees)).toFixed(1)} ${(33 - 24 * Math.cos(at / degrees)).toFixed(1)}"/>`;
      form.querySelector(".dials").innerHTML = hands.map((i, place) => {
        const x = 30 + 60 * place;
        return `<circle class="grid" cx="${x}" cy="33" r="28"/>${hand(x, turn(i, t + lag), "hand later")}${hand(x, turn(i, t), "hand")}`;
      }).join("");
      const lags = [...new Set(spaced(1, 10000, 240).map(Math.round))];
      draw(form.querySelector("svg:not(.dials)"), {
        from: 1, to: 10000, log: true, top: 1, label: "lag k", ticks: [1, 10, 100, 1000, 10000].map(x => [x, whole(x)]),
        yTicks: [[0, "0"], [0.5, "0.5"], [1, "1"]],
        marks: [{ x: lag, text: `g(${whole(lag)}) = ${similarity.toFixed(3)}` }, { x: rise, small: true }],
        curves: [lags.map(k => [k, theory.kernelShare(d, base, k)])], names: [{ x: 1.2, y: 0.1, text: "similarity g(k)" }],
      });
      return `Positions ${whole(t)} and ${whole(t + lag)} have the similarity g(${whole(lag)}) = ${similarity.toFixed(3)}. `
        + `It falls with the lag up to ${whole(rise)}, where it first rises; the longest wavelength is ${three(theory.lastWavelength(d, base))} positions.`;
    },

    "try-rope"(form, { config }) {
      const { positions, claimed, layers, rope } = theory.ropeOf(JSON.parse(config)), most = 1048576;
      form.querySelector("svg").replaceChildren();
      rows(form, []);
      if (!rope) return { alibi: "ALiBi: a logit falls with the distance, by its head's slope.", learned: "A learned table, added to the words.", sinusoidal: "A sinusoid, added to the words.",
        relative: "Relative: a learned term for each distance.", none: "No positions at all." }[positions] + " Nothing is rotated.";
      const length = Math.max(claimed, rope.trained), reach = x => x >= most ? "1,048,576 or more" : whole(x), one = layers.length === 1;
      const here = theory.ropeFrequencies(rope, length), good = theory.ropeGoodTo(here, most);
      rows(form, layers.map(({ kind, which, window, rope: own }) => {
        const layer = `${kind || (one ? "all layers" : "layers")}${which.length && !one ? ` (${which.length}: ${which.slice(0, 4).join(", ")}${which.length > 4 ? ", …" : ""})` : ""}`;
        if (!own) return [layer, "no positions", ""];
        const scaling = own.type === "default" ? "unscaled" : `${own.type}, factor ${three(own.factor)}${own.trained ? ` of ${whole(own.trained)} positions` : ""}`;
        return [layer, `good to ${reach(own === rope ? good : theory.ropeGoodTo(theory.ropeFrequencies(own, length), most))}`,
                `base ${whole(own.base)}, ${own.rotated} of ${own.head} dimensions rotated, ${scaling}${window ? `, window ${whole(window)}` : ""}`];
      }));
      const to = Math.min(most, Math.max(2, length, good)), curve = [];
      let least = 1, next = 1;
      theory.ropeSums(here, to, (lag, sum) => {
        least = Math.min(least, sum / here.length);
        if (lag >= next && (next = 1.06 * lag)) curve.push([lag, Math.max(0, least)]);
      });
      draw(form.querySelector("svg"), {
        from: 1, to, log: true, top: 1, label: "distance", ticks: [1, 16, 256, 4096, 65536, 1048576].filter(x => x <= to).map(x => [x, whole(x)]),
        yTicks: [[0, "0"], [0.5, "0.5"], [1, "1"]], marks: [{ x: good, text: `good to ${reach(good)}` }], curves: [curve], names: [{ x: 1, y: 0.05, text: "least score so far" }],
      });
      return `Good to ${reach(good)} positions${claimed ? ` of ${whole(claimed)} that are claimed` : ""}${one ? "" : `, in ${layers.find(layer => layer.rope === rope).kind || "the layers that rotate"}`}.`;
    },

    "try-format"(form, { d, base }) {
      const formats = [["bfloat16", 8], ["float16, TF32", 11], ["float32", 24]];
      // bfloat16's angles go wrong within reach of trying them all; the other formats' are by the rule of thumb.
      const measured = d <= 1024 ? theory.firstWrongAngle(d, base, 8) : NaN;
      const wrong = formats.map(([name, bits]) => [name, theory.firstWrong(d, base, bits)]);
      if (measured === measured) wrong[0][1].angle = measured;
      rows(form, wrong.map(([name, first]) => [name, ...[first.position, first.angle, first.frequency].map(x => three(Math.round(x)))]));
      // The error of an angle grows with it, up to the whole.
      draw(form.querySelector("svg"), {
        from: 1, to: 1e8, log: true, top: 1, label: "position", ticks: [1, 100, 10000, 1e6].map(x => [x, whole(x)]),
        yTicks: [[0, "0%"], [0.5, "50%"], [1, "100%"]], marks: wrong.map(([name, { angle }], i) => ({ x: angle, text: i ? "" : `${name}: ${three(Math.round(angle))}`, small: i > 0 })),
        curves: wrong.map(([, { angle }]) => spaced(1, 1e8, 160).map(t => [t, Math.min(1, 0.01 * t / angle)])),
        names: wrong.slice(1).map(([name, { angle }], i) => ({ x: Math.min(30 * angle, 4e6), y: 0.25 - 0.15 * i, text: name })),
      });
      return `With angles in bfloat16 a sinusoid's dot product is first off by a hundredth at ${measured === measured ? "" : "about "}position ${three(Math.round(wrong[0][1].angle))}; with angles in float32, at about ${three(Math.round(wrong[2][1].angle))}.`;
    },

    "try-subspaces"(form, { d, k, r }) {
      const least = Math.min(k, r), a = least / d, b = Math.max(k, r) / d, shared = Math.max(0, k + r - d);
      const cosine = theory.largestCosineExpected(d, k, r), smallest = Math.acos(cosine);
      const spread = theory.largestCosineSd(d, k, r) / Math.sqrt(1 - cosine * cosine);
      const at = p => Math.acos(Math.sqrt(theory.wachterQuantile(a, b, p))), mean = theory.meanCosineSquared(d, k, r);
      const trusted = k + r < d ? theory.johnstoneApplies(d, k, r) ? `standard deviation ${(spread * degrees).toFixed(2)}°` : "approximate for so few dimensions" : "";
      rows(form, [
        ["Smallest principal angle", angle(smallest), trusted],
        ["Angles of exactly 0°", whole(shared), "k + r − d, if above 0"],
        ["Median of the angles", angle(at(0.5)), "Wachter's law"],
        ["Largest angle", angle(Math.acos(Math.sqrt(theory.wachterEdges(a, b).lower))), "its edge"],
        ["Mean squared cosine", percent(mean.mean), `exact; standard deviation ${percent(mean.sd)}`],
      ]);
      const curve = Array.from({ length: 359 }, (_, i) => (i + 1) / 4).map(x => {
        const c = Math.cos(x / degrees), s = Math.sin(x / degrees);
        return [x, theory.wachterDensity(a, b, c * c) * 2 * c * s];
      });
      const count = Math.min(least, 64);
      draw(form.querySelector("svg"), {
        from: 0, to: 90, top: 1.05 * Math.max(1e-9, ...curve.map(([, y]) => y)), label: "principal angle", yTicks: [[0, "0"]],
        ticks: [0, 15, 30, 45, 60, 75, 90].map(x => [x, `${x}°`]), curves: [curve], names: [{ x: 1, y: 0, text: "density of the angles" }],
        marks: [{ x: smallest * degrees, text: `smallest ${angle(smallest)}` },
                ...Array.from({ length: count }, (_, i) => ({ x: at((i + 0.5) / count) * degrees, small: true }))],
      });
      return `A random ${whole(k)}- and a random ${whole(r)}-dimensional subspace of ${whole(d)} dimensions meet at ${angle(smallest)}; their mean squared cosine is ${percent(mean.mean)}.`;
    },
  };

  // A slider beside each number, by its logarithm, and the number's two or three first digits.
  const slider = input => {
    const range = document.createElement("input"), { min, max, step } = input, shift = Number(min) > 0 ? 0 : 1;
    const low = Math.log(Number(min) + shift), high = Math.log(Number(max) + shift);
    Object.assign(range, { type: "range", min: 0, max: 1000, step: 1 });
    range.setAttribute("aria-label", `${input.parentElement.textContent.trim()}, slider`);
    const follow = () => {
      range.value = 1000 * (Math.log(Number(input.value) + shift) - low) / (high - low);
      range.setAttribute("aria-valuetext", input.value);
    };
    range.addEventListener("input", event => {
      const raw = Math.exp(low + (high - low) * range.value / 1000) - shift;
      const rounded = Number(raw.toPrecision(raw < 100 ? 2 : 3));
      const unit = Number(step);  // NaN for "any"
      input.value = Math.min(max, Math.max(min, unit ? unit * Math.round(rounded / unit) : rounded));
      range.setAttribute("aria-valuetext", input.value);
      event.stopPropagation();
      input.form.dispatchEvent(new Event("input"));
    });
    input.addEventListener("input", follow);
    input.parentElement.after(range);
    follow();
  };

  for (const form of document.querySelectorAll("form.instrument")) {
    const inputs = [...form.querySelectorAll("input")], output = form.querySelector("output");
    const update = () => {
      const values = Object.fromEntries(inputs.map(input => [input.name, input.valueAsNumber])), text = form.querySelector("textarea");
      for (const name of ["k", "r"])
        form.elements[name]?.setCustomValidity(values[name] < values.d ? "" : `${name} must be below d`);
      const wrong = inputs.find(input => !input.validity.valid);
      form.classList.toggle("wrong", Boolean(wrong));
      try {
        output.textContent = wrong ? `${wrong.parentElement.textContent.trim()}: ${wrong.validationMessage}`
          : instruments[form.id](form, text ? { [text.name]: text.value } : values);
      } catch (error) {  // a text that is none
        form.classList.add("wrong");
        output.textContent = `${text.parentElement.textContent.trim()}: ${error.message}`;
      }
    };
    let pending;
    form.addEventListener("input", () => {
      clearTimeout(pending);
      pending = setTimeout(update, 60);
    });
    form.addEventListener("submit", event => event.preventDefault());
    for (const input of inputs) slider(input);
    form.hidden = false;
    update();
  }
})();
