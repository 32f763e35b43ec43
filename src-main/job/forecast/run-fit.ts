import type { RunSample } from '../../history/records.ts';

/** How long jobs of an endpoint run, depending on a number in their input if one correlates. */
export interface RunFit {
  /** The median of all. */
  typicalMs: number;
  /** The longest run that is expected. Extrapolating the line further would be meaningless. */
  maxMs: number;
  /**
   * The number in the input that correlates best with the run time, and the line through the samples. Null if none
   * does.
   */
  by: { field: string; atZeroMs: number; msEach: number } | null;
  /** By how much each run was longer than expected, ascending. */
  residualsMs: readonly number[];
}

/** Fewer runs say nothing. */
const minSamples = 5;
/**
 * The conditions for using a number of the input: how many runs have it, how many different values it has, and how
 * clear its rank correlation is.
 */
const forField = { samples: 8, share: 0.8, values: 3, correlation: 0.5 };
/** The line must leave no more than this share of the median's spread. */
const maxSpreadLeft = 0.75;
/** The line uses pairs of at most this many samples. The number of slopes is half its square. */
const maxPaired = 48;

/**
 * Learns from completed runs, in any order. Null if there are too few. Medians are used throughout, so that outliers
 * have no extra weight.
 */
export function fitRuns(samples: readonly RunSample[]): RunFit | null {
  if (samples.length < minSamples) return null;
  const typicalMs = median(samples.map(({ executionMs }) => executionMs));
  const plain: RunFit = {
    typicalMs,
    maxMs: 4 * Math.max(...samples.map(({ executionMs }) => executionMs)),
    by: null,
    residualsMs: [],
  };
  const field = bestField(samples);
  const by = field === null ? null : lineBy(field, samples);
  const fitted = by === null ? plain : { ...plain, by };
  const chosen = spreadOf(fitted, samples) <= maxSpreadLeft * spreadOf(plain, samples) ? fitted : plain;
  return {
    ...chosen,
    residualsMs: samples
      .map((sample) => sample.executionMs - expectedRunMs(chosen, sample.numbers))
      .sort((a, b) => a - b),
  };
}

/** How long a job with these numbers in its input runs. */
export function expectedRunMs(fit: RunFit, numbers: Readonly<Record<string, number>>): number {
  const value = fit.by === null ? undefined : valueOf(numbers, fit.by.field);
  if (fit.by === null || value === undefined) return fit.typicalMs;
  return Math.min(fit.maxMs, Math.max(0, fit.by.atZeroMs + fit.by.msEach * value));
}

/** The number whose order agrees best with that of the run times. If two agree equally, the first by name. */
function bestField(samples: readonly RunSample[]): string | null {
  let best: { field: string; strength: number } | null = null;
  for (const field of [...new Set(samples.flatMap(({ numbers }) => Object.keys(numbers)))].sort()) {
    const pairs = pairsOf(field, samples);
    if (pairs.length < forField.samples || pairs.length < samples.length * forField.share) continue;
    if (new Set(pairs.map(({ x }) => x)).size < forField.values) continue;
    const strength = Math.abs(rankCorrelation(pairs));
    if (strength >= forField.correlation && strength > (best?.strength ?? 0) + 1e-9) best = { field, strength };
  }
  return best?.field ?? null;
}

interface Pair {
  x: number;
  y: number;
}

function pairsOf(field: string, samples: readonly RunSample[]): Pair[] {
  return samples.flatMap(({ numbers, executionMs }) => {
    const x = valueOf(numbers, field);
    return x === undefined ? [] : [{ x, y: executionMs }];
  });
}

/** Names come from users and may be names that every object has. */
function valueOf(numbers: Readonly<Record<string, number>>, field: string): number | undefined {
  return Object.hasOwn(numbers, field) ? numbers[field] : undefined;
}

/** Theil-Sen estimator: the median of the slopes between pairs, which a quarter of outliers does not affect. */
function lineBy(field: string, samples: readonly RunSample[]): RunFit['by'] {
  const all = pairsOf(field, samples).sort((a, b) => a.x - b.x || a.y - b.y);
  const step = Math.max(1, all.length / maxPaired);
  const pairs = Array.from(
    { length: Math.min(all.length, maxPaired) },
    (_, index) => all[Math.floor(index * step)],
  ).filter((pair) => pair !== undefined);
  const slopes: number[] = [];
  for (const [index, from] of pairs.entries()) {
    for (const to of pairs.slice(index + 1)) if (to.x > from.x) slopes.push((to.y - from.y) / (to.x - from.x));
  }
  if (slopes.length === 0) return null;
  const msEach = median(slopes);
  return { field, msEach, atZeroMs: median(all.map(({ x, y }) => y - msEach * x)) };
}

/** The median distance between runs and their expected times. */
function spreadOf(fit: RunFit, samples: readonly RunSample[]): number {
  return median(samples.map(({ executionMs, numbers }) => Math.abs(executionMs - expectedRunMs(fit, numbers))));
}

/**
 * Spearman's rank correlation: 1 if both rise together, -1 if one falls as the other rises, 0 if either is constant.
 */
function rankCorrelation(pairs: readonly Pair[]): number {
  const xs = ranks(pairs.map(({ x }) => x));
  const ys = ranks(pairs.map(({ y }) => y));
  const middle = (pairs.length - 1) / 2;
  let together = 0;
  let ofX = 0;
  let ofY = 0;
  for (const [index, x] of xs.entries()) {
    const y = ys[index] ?? middle;
    together += (x - middle) * (y - middle);
    ofX += (x - middle) ** 2;
    ofY += (y - middle) ** 2;
  }
  return ofX === 0 || ofY === 0 ? 0 : together / Math.sqrt(ofX * ofY);
}

/** The rank of each value, from 0. Equal values share the middle of their ranks. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const places = Array.from<number>({ length: values.length }).fill(0);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0]) to += 1;
    for (const index of order.slice(from, to + 1)) places[index] = (from + to) / 2;
    from = to + 1;
  }
  return places;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
