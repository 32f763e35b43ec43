import { leftOutText } from '../../messages/composer/drop.ts';

/** The most bytes of all files of a drop. More would take too much memory. */
export const maxBytes = 200_000_000;

/** Why a file was left out. `rows`: it was read, but some of its rows are invalid. */
type LeftReason = 'kind' | 'size' | 'unreadable' | 'text' | 'empty' | 'rows';

/** A file, or some rows of one, that did not become inputs. */
export interface LeftOut {
  name: string;
  reason: LeftReason;
  /** For `rows`: how many, and what is wrong with the first. */
  rows?: { count: number; line: number; message: string };
}

const maxNames = 5;

/** `a.png, b.png, …`: the first names. Pure. */
export function firstNames(names: readonly string[]): string {
  return `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''}`;
}

/** What was left out and why: a sentence for each reason, then one for each file with invalid rows. Pure. */
export function leftOutDetail(left: readonly LeftOut[]): string {
  const reasons = (['kind', 'size', 'unreadable', 'text', 'empty'] as const).flatMap((reason) => {
    const names = left.filter((each) => each.reason === reason).map(({ name }) => name);
    return names.length === 0 ? [] : [leftOutText[reason](firstNames(names), maxBytes)];
  });
  const files = left.flatMap(({ name, rows }) => (rows === undefined ? [] : [{ name, ...rows }]));
  const rows = files
    .slice(0, maxNames)
    .map(({ name, count, line, message }) => leftOutText.rows(name, count, line, message));
  const more = files.length > maxNames ? [leftOutText.otherFiles] : [];
  return [...reasons, ...rows, ...more].join(' ');
}
