import type { BenchResult } from '../run.ts';

/** How often each start is measured. */
export const rounds = 3;

/** Which keychain a start has: one that answers, or the bench's own, made to hang. */
export type KeychainState = 'answers' | 'hangs';

/** What one start took. Null: not measured. */
export interface Start {
  kind: 'electron' | 'stand-in';
  windowMs: number | null;
  listMs: number | null;
}

/** The names of the figures, which the claims of `npm run verify:electron` ask for. */
export function startFigure(state: KeychainState, what: 'window' | 'list'): string {
  const to = what === 'window' ? 'window' : 'first list';
  return `${state === 'hangs' ? 'keychain hangs: ' : ''}first line to ${to} ms (p50 of ${rounds})`;
}

/** One start, as main reported it. A time of 0 or none means that it was not seen. */
export function startOf(
  kind: Start['kind'],
  seen: { mainBegunMs: number; windowShownMs: number; firstAnswers: Record<string, number> },
): Start {
  const since = (atMs: number): number | null => (atMs > 0 && seen.mainBegunMs > 0 ? atMs - seen.mainBegunMs : null);
  return { kind, windowMs: since(seen.windowShownMs), listMs: since(seen.firstAnswers['job:list'] ?? 0) };
}

/** The figures of the starts with one keychain. A median only where every start has the time, else "not measured". */
export function startFigures(state: KeychainState, starts: readonly Start[]): BenchResult {
  const median = (values: readonly (number | null)[]): number | string => {
    const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
    return known.length === values.length ? (known[known.length >> 1] ?? notMeasured) : notMeasured;
  };
  return {
    'measured on': starts[0]?.kind ?? notMeasured,
    [startFigure(state, 'window')]: median(starts.map(({ windowMs }) => windowMs)),
    [startFigure(state, 'list')]: median(starts.map(({ listMs }) => listMs)),
  };
}

const notMeasured = 'not measured';
