const figures = new Intl.NumberFormat('en-US');

/**
 * A span as findings say it: "0 s", "42 s", "4:12", "23:59:19" (design language: Numbers, without fractions: these are
 * estimates).
 */
export function spanWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}

/** "1 job", "1,200 jobs". `many` is left out where it is the word with an s. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** A count with its thousands told apart. */
export function figure(count: number): string {
  return figures.format(Math.round(count));
}

/** A rate a minute, with one decimal below ten. */
export function rate(perMinute: number): string {
  return perMinute < 10 ? perMinute.toFixed(1) : figure(perMinute);
}

/** A whole share of a hundred: "80 %". */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
