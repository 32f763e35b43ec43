/**
 * When jobs of an endpoint began to run, by when they were accepted. The queue is FIFO, so known starts bound those of
 * jobs accepted in between, even with other clients.
 */
export interface StartCurve {
  /** Ascending by acceptance, at most one for each time of acceptance. */
  points: readonly StartPoint[];
}

export interface StartPoint {
  acceptedAtMs: number;
  startedAtMs: number;
  /** False: it is only known that it had not begun by then, from a place in the queue. */
  isExact: boolean;
}

export const noStarts: StartCurve = { points: [] };

/** Older acceptances are dropped, because those jobs are long over. */
const maxPoints = 256;
/** Beyond its last point the curve continues with the slope of this many points before. */
const slopePoints = 24;

/**
 * Adds what a reply or a health reading showed. An exact start removes the estimates that it contradicts (a job
 * accepted no later cannot have begun later), and an estimate that contradicts an exact start is not added.
 */
export function withStart(curve: StartCurve, point: StartPoint): StartCurve {
  const isContradicted = (guess: StartPoint, exact: StartPoint): boolean =>
    !guess.isExact &&
    exact.isExact &&
    guess.acceptedAtMs <= exact.acceptedAtMs &&
    guess.startedAtMs > exact.startedAtMs;
  if (
    !point.isExact &&
    curve.points.some(
      (known) => isContradicted(point, known) || (known.isExact && known.acceptedAtMs === point.acceptedAtMs),
    )
  )
    return curve;
  const points = curve.points.filter(
    (known) => known.acceptedAtMs !== point.acceptedAtMs && !isContradicted(known, point),
  );
  points.splice(placeOf(points, point.acceptedAtMs), 0, point);
  return { points: points.length > maxPoints ? points.slice(-maxPoints) : points };
}

/** When a job accepted at `acceptedAtMs` began, or will, but never before it was accepted. Null if nothing is known. */
export function startAtMs({ points }: StartCurve, acceptedAtMs: number): number | null {
  const place = placeOf(points, acceptedAtMs);
  const left = points[place - 1];
  const right = points[place];
  if (right !== undefined && right.acceptedAtMs === acceptedAtMs) return Math.max(acceptedAtMs, right.startedAtMs);
  if (left === undefined)
    return right === undefined ? null : Math.max(acceptedAtMs, acceptedAtMs + right.startedAtMs - right.acceptedAtMs);
  if (right === undefined)
    return Math.max(acceptedAtMs, left.startedAtMs + (acceptedAtMs - left.acceptedAtMs) * slopeBefore(points));
  const share = (acceptedAtMs - left.acceptedAtMs) / (right.acceptedAtMs - left.acceptedAtMs);
  return Math.max(acceptedAtMs, left.startedAtMs + (right.startedAtMs - left.startedAtMs) * share);
}

/** The time between starts divided by that between acceptances, at the curve's end. Above 1 if the queue grows. */
function slopeBefore(points: readonly StartPoint[]): number {
  const last = points.at(-1);
  const former = points.at(-Math.min(slopePoints, points.length));
  if (last === undefined || former === undefined || last.acceptedAtMs - former.acceptedAtMs < 1) return 1;
  return Math.min(50, Math.max(0, (last.startedAtMs - former.startedAtMs) / (last.acceptedAtMs - former.acceptedAtMs)));
}

/** The index of the first point accepted no earlier. */
function placeOf(points: readonly StartPoint[], acceptedAtMs: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.acceptedAtMs ?? 0) < acceptedAtMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
