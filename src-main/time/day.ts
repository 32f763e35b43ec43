/** Midnight of the day that `atMs` falls in, where this computer is. Epoch milliseconds, both. */
export function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

/** The local date, such as `2026-11-21`. */
export function localDate(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/** The local time of day, such as `14:32`. */
export function localTime(atMs: number): string {
  const at = new Date(atMs);
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** Minutes since local midnight by the wall clock. */
export function localMinute(atMs: number): number {
  const at = new Date(atMs);
  return at.getHours() * 60 + at.getMinutes();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
