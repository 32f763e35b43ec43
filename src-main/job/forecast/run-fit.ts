import type { RunSample } from '../../history/records.ts';

/** How long jobs of an endpoint run, by a number of their input where one tells it. */
export interface RunFit {
  /** Median of all. */
  typicalMs: number;
  /** No run is expected to be longer: a line that is carried on for ever tells nonsense. */
  mostMs: number;
  /** The input's number that goes with the run time best, and the line through them; null where none does. */
  by: { field: string; atZeroMs: number; msEach: number } | null;
  /** By how much each run was longer than expected, ascending. */
  residualsMs: readonly number[];
}

/** Fewer runs than this tell nothing. */
const fewestSamples = 5;
/**
 * For a number of the input to be believed: so many runs that have it, so many different values, and so clear a rank
 * correlation.
 */
const forField = { samples: 8, share: 0.8, values: 3, correlation: 0.5 };
/** And its line must leave no more than this of the spread that the median leaves. */
const mostSpreadLeft = 0.75;
/** The line goes through pairs of this many samples at most: their slopes are as many as its half square. */
const mostPaired = 48;

/**
 * Learns from completed runs, in any order; null while there are too few. Odd runs weigh no more than others: medians
 * throughout.
 */
export function fitRuns(samples: readonly RunSample[]): RunFit | null {
  if (samples.length < fewestSamples) return null;
  const typicalMs = median(samples.map(({ executionMs }) => executionMs));
  const plain: RunFit = {
    typicalMs,
    mostMs: 4 * Math.max(...samples.map(({ executionMs }) => executionMs)),
    by: null,
    residualsMs: [],
  };
  const field = bestField(samples);
  const by = field === null ? null : lineBy(field, samples);
  const fitted = by === null ? plain : { ...plain, by };
  const chosen = spreadOf(fitted, samples) <= mostSpreadLeft * spreadOf(plain, samples) ? fitted : plain;
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
  return Math.min(fit.mostMs, Math.max(0, fit.by.atZeroMs + fit.by.msEach * value));
}

/** The number whose order agrees best with that of the run times; of two that agree alike the first by name. */
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

/** Names are the user's: one of them may be a name that every object has. */
function valueOf(numbers: Readonly<Record<string, number>>, field: string): number | undefined {
  return Object.hasOwn(numbers, field) ? numbers[field] : undefined;
}

/** Theil and Sen: the median of the slopes between pairs, which a quarter of odd runs does not bend. */
function lineBy(field: string, samples: readonly RunSample[]): RunFit['by'] {
  const all = pairsOf(field, samples).sort((a, b) => a.x - b.x || a.y - b.y);
  const step = Math.max(1, all.length / mostPaired);
  const pairs = Array.from(
    { length: Math.min(all.length, mostPaired) },
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

/** Median distance of the runs from what was expected of them. */
function spreadOf(fit: RunFit, samples: readonly RunSample[]): number {
  return median(samples.map(({ executionMs, numbers }) => Math.abs(executionMs - expectedRunMs(fit, numbers))));
}

/** Spearman's: 1 where both rise together, -1 where one falls as the other rises, 0 where either stands still. */
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

/** The place of each value among all, from 0; equal ones share the middle of their places. */
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
