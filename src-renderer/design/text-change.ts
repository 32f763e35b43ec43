/** The one stretch in which two texts differ, as an editor takes a change: what comes in place of `from` to `to`. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/**
 * The smallest change that makes `after` of `before`, so that a caret outside it stays where it is. Null: they are the
 * same. Pure.
 */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let kept = 0;
  while (
    kept < most - from &&
    before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept)
  )
    kept += 1;
  return { from, to: before.length - kept, insert: after.slice(from, after.length - kept) };
}
