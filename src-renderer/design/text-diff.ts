import { commonPairs } from './edit-script.ts';

/** A part of a text, and whether it was kept, removed or added. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Compares two lists of parts. Removed parts come before the ones added in their place. */
export function diffParts(from: readonly string[], to: readonly string[]): DiffPart[] {
  const steps = diffSteps(from, to);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** As `diffParts`, in small steps. */
export function* diffSteps(from: readonly string[], to: readonly string[]): Generator<undefined, DiffPart[]> {
  const numbers = new Map<string, number>();
  const kept = yield* commonPairs(yield* numbered(from, numbers), yield* numbered(to, numbers));
  const parts: DiffPart[] = [];
  let [at, other] = [0, 0];
  for (const [index, otherIndex] of [...kept, [from.length, to.length] as const]) {
    for (; at < index; at += 1) {
      parts.push({ kind: 'removed', text: from[at] ?? '' });
      if (parts.length % partsAStep === 0) yield;
    }
    for (; other < otherIndex; other += 1) {
      parts.push({ kind: 'added', text: to[other] ?? '' });
      if (parts.length % partsAStep === 0) yield;
    }
    if (index < from.length) parts.push({ kind: 'same', text: from[index] ?? '' });
    at = index + 1;
    other = otherIndex + 1;
    if (parts.length % partsAStep === 0) yield;
  }
  return parts;
}

const partsAStep = 1_000;

/** A number for each part, the same for equal ones, as `numbers` has them or gets them. */
function* numbered(parts: readonly string[], numbers: Map<string, number>): Generator<undefined, Int32Array> {
  const result = new Int32Array(parts.length);
  for (const [at, part] of parts.entries()) {
    const number = numbers.get(part) ?? numbers.size;
    numbers.set(part, number);
    result[at] = number;
    if (at % partsAStep === 0) yield;
  }
  return result;
}

/** Compares texts line by line. */
export function diffLines(from: string, to: string): DiffPart[] {
  return diffParts(linesOf(from), linesOf(to));
}

/** Words, spaces between them, and single other characters. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/**
 * Compares two one-line values word by word. Adjacent parts of the same kind are joined, and a single character between
 * changes counts as changed.
 */
export function diffWords(from: string, to: string): DiffPart[] {
  const parts = diffParts(wordsOf(from), wordsOf(to));
  const isLone = (index: number): boolean =>
    parts[index]?.kind === 'same' &&
    parts[index].text.length === 1 &&
    /[^\p{L}\p{N}]/u.test(parts[index].text) &&
    index > 0 &&
    index < parts.length - 1 &&
    parts[index - 1]?.kind !== 'same' &&
    parts[index + 1]?.kind !== 'same';
  return joined(
    parts.flatMap((part, index): DiffPart[] =>
      isLone(index)
        ? [
            { kind: 'removed', text: part.text },
            { kind: 'added', text: part.text },
          ]
        : [part],
    ),
  );
}

/** Joins what was removed between two unchanged parts, and what was added. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== '') result.push({ kind: 'removed', text: removed });
    if (added !== '') result.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const { kind, text } of parts) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = result.at(-1);
      if (last?.kind === 'same') last.text += text;
      else result.push({ kind, text });
    }
  }
  flush();
  return result;
}

/** `2 lines added, 1 removed`, for compared lines. */
export function lineCountText(parts: readonly DiffPart[]): string {
  const added = parts.filter(({ kind }) => kind === 'added').length;
  const removed = parts.filter(({ kind }) => kind === 'removed').length;
  const changed = Math.min(added, removed);
  const words = [
    [added - changed, 'added'],
    [removed - changed, 'removed'],
    [changed, 'changed'],
  ] as const;
  const shown = words.flatMap(([count, word]) => (count > 0 ? [{ count, word }] : []));
  return shown
    .map(({ count, word }, index) => `${count}${index === 0 ? ` ${count === 1 ? 'line' : 'lines'}` : ''} ${word}`)
    .join(', ');
}
