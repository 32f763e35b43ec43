/** Writes and reads times of day, in minutes since midnight. Pure. */

/** `22:00` for 1,320. */
export function minuteText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Minutes since midnight in `22:00`, `7:30` or `7`. Null if it is not a time of day. */
export function readMinute(text: string): number | null {
  const parts = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text.trim());
  if (parts === null) return null;
  const hours = Number(parts[1]);
  const minutes = Number(parts[2] ?? 0);
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : null;
}
