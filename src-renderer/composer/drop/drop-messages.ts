import { formatBytes, formatCountOf } from '../../../src-preload/format.ts';

/** The most bytes of all files of a drop. More would take too much memory. */
export const mostBytes = 200_000_000;

/** Why a file was left out. `rows`: it was read, but some of its rows are invalid. */
type LeftReason = 'kind' | 'size' | 'unreadable' | 'text' | 'empty' | 'rows';

/** A file, or some rows of one, that did not become inputs. */
export interface LeftOut {
  name: string;
  reason: LeftReason;
  /** For `rows`: how many, and what is wrong with the first. */
  rows?: { count: number; line: number; message: string };
}

const mostNames = 5;

/** `a.png, b.png, …`: the first names. Pure. */
export function namesText(names: readonly string[]): string {
  return `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', …' : ''}`;
}

const sentences: Readonly<Record<Exclude<LeftReason, 'rows'>, (names: string) => string>> = {
  kind: (names) => `Left out ${names}: inputs are in .json, .jsonl, .ndjson, .csv, .tsv or .txt files.`,
  size: (names) => `Left out ${names}: Jobdeck reads up to ${formatBytes(mostBytes)} at a time.`,
  unreadable: (names) => `Could not read ${names}. Check that each file still exists and that you may read it.`,
  text: (names) => `Left out ${names}: not a text in UTF-8.`,
  empty: (names) => `Left out ${names}: no inputs found.`,
};

/** What was left out and why: a sentence for each reason, then one for each file with invalid rows. Pure. */
export function leftOutText(left: readonly LeftOut[]): string {
  const reasons = (['kind', 'size', 'unreadable', 'text', 'empty'] as const).flatMap((reason) => {
    const names = left.filter((each) => each.reason === reason).map(({ name }) => name);
    return names.length === 0 ? [] : [sentences[reason](namesText(names))];
  });
  const files = left.flatMap(({ name, rows }) => (rows === undefined ? [] : [{ name, ...rows }]));
  const rows = files
    .slice(0, mostNames)
    .map(
      ({ name, count, line, message }) =>
        `Skipped ${formatCountOf(count, 'invalid row')} of ${name}. Line ${line}: ${message}`,
    );
  const more = files.length > mostNames ? [`Other files have invalid rows too.`] : [];
  return [...reasons, ...rows, ...more].join(' ');
}
