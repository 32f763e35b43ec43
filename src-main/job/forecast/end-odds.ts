/**
 * The probability that a job has ended, from the forecast errors of its endpoint's last jobs. `errorsMs`, ascending: by
 * how much each ended later than forecast (negative: earlier). If forecasts are good, the probability is nearly a step;
 * if they are poor, it is a slope. Outside of the known errors it has thin tails.
 */

/** Fewer errors say too little. */
export const minErrors = 8;

/** The share of jobs that end no later than `latenessMs` after their forecast: 0 to 1, never falling with lateness. */
export function endedShare(errorsMs: readonly number[], latenessMs: number): number {
  const count = errorsMs.length;
  const first = errorsMs[0];
  const last = errorsMs[count - 1];
  if (first === undefined || last === undefined) return 0.5;
  const tail = 1 / (count + 1);
  const scaleMs = tailScaleMs(first, last);
  if (latenessMs < first) return (tail * scaleMs) / (scaleMs + first - latenessMs);
  if (latenessMs >= last) return 1 - (tail * scaleMs) / (scaleMs + latenessMs - last);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((errorsMs[middle] ?? 0) <= latenessMs) low = middle + 1;
    else high = middle;
  }
  const below = errorsMs[low - 1] ?? first;
  const above = errorsMs[low] ?? last;
  return (low + (latenessMs - below) / (above - below)) * tail;
}

/**
 * The probability, 0 to 1, that a job has ended by `nowMs`, if it had not at `statusReadAtMs` and is forecast to end at
 * `forecastAtMs`.
 */
export function oddsEnded(
  errorsMs: readonly number[],
  forecastAtMs: number,
  statusReadAtMs: number,
  nowMs: number,
): number {
  const before = endedShare(errorsMs, statusReadAtMs - forecastAtMs);
  const now = endedShare(errorsMs, Math.max(statusReadAtMs, nowMs) - forecastAtMs);
  return (now - before) / (1 - before);
}

/** When the probability that such a job has ended reaches `odds` (below 1): the inverse of `oddsEnded`. */
export function likelyEndedAtMs(
  errorsMs: readonly number[],
  forecastAtMs: number,
  statusReadAtMs: number,
  odds: number,
): number {
  const count = errorsMs.length;
  const first = errorsMs[0];
  const last = errorsMs[count - 1];
  if (first === undefined || last === undefined) return statusReadAtMs;
  const before = endedShare(errorsMs, statusReadAtMs - forecastAtMs);
  const share = before + odds * (1 - before);
  const place = share * (count + 1);
  const scaleMs = tailScaleMs(first, last);
  if (place < 1) return forecastAtMs + first - scaleMs * (1 / place - 1);
  if (place >= count) return forecastAtMs + last + scaleMs * (1 / ((count + 1) * (1 - share)) - 1);
  const low = Math.floor(place);
  const below = errorsMs[low - 1] ?? first;
  const above = errorsMs[low] ?? last;
  return forecastAtMs + below + (above - below) * (place - low);
}

function tailScaleMs(first: number, last: number): number {
  return Math.max(1_000, last - first);
}
