/** What became of a part of a text. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** More cells than this are not compared one by one: then all of the middle is removed and added. */
const mostCells = 4_000_000;

/** Compares two lists of parts by their longest common run, oldest first where both changed. */
export function diffParts(from: readonly string[], to: readonly string[]): DiffPart[] {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head += 1;
  let tail = 0;
  while (
    tail < from.length - head &&
    tail < to.length - head &&
    from[from.length - 1 - tail] === to[to.length - 1 - tail]
  )
    tail += 1;
  const part =
    (kind: DiffPart['kind']) =>
    (text: string): DiffPart => ({ kind, text });
  return [
    ...from.slice(0, head).map(part('same')),
    ...middle(from.slice(head, from.length - tail), to.slice(head, to.length - tail)),
    ...from.slice(from.length - tail).map(part('same')),
  ];
}

function middle(from: readonly string[], to: readonly string[]): DiffPart[] {
  const removed = from.map((text): DiffPart => ({ kind: 'removed', text }));
  const added = to.map((text): DiffPart => ({ kind: 'added', text }));
  if (from.length === 0 || to.length === 0 || from.length * to.length > mostCells) return [...removed, ...added];
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = from.length - 1; row >= 0; row -= 1) {
    for (let column = to.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        from[row] === to[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: DiffPart[] = [];
  let row = 0;
  let column = 0;
  while (row < from.length || column < to.length) {
    const [one, other] = [removed[row], added[column]];
    if (one !== undefined && other !== undefined && one.text === other.text) {
      parts.push({ kind: 'same', text: one.text });
      row += 1;
      column += 1;
    } else if (one !== undefined && (other === undefined || at(row + 1, column) >= at(row, column + 1))) {
      parts.push(one);
      row += 1;
    } else if (other !== undefined) {
      parts.push(other);
      column += 1;
    }
  }
  return parts;
}

/** A text's lines compared. */
export function diffLines(from: string, to: string): DiffPart[] {
  return diffParts(linesOf(from), linesOf(to));
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/**
 * Two one-line values compared word by word; neighbours of one kind are one part, and a lone sign between changes is
 * changed with them.
 */
export function diffText(from: string, to: string): DiffPart[] {
  const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
  const parts = diffParts(words(from), words(to));
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

/** Between two parts that are the same, what was removed is one part and what was added another. */
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

/** `2 lines added, 1 removed`, for lines compared. */
export function lineCountText(parts: readonly DiffPart[]): string {
  const added = parts.filter(({ kind }) => kind === 'added').length;
  const removed = parts.filter(({ kind }) => kind === 'removed').length;
  const changed = Math.min(added, removed);
  const words = [
    [added - changed, 'added'],
    [removed - changed, 'removed'],
    [changed, 'changed'],
  ] as const;
  const told = words.flatMap(([count, word]) => (count > 0 ? [{ count, word }] : []));
  return told
    .map(({ count, word }, index) => `${count}${index === 0 ? ` ${count === 1 ? 'line' : 'lines'}` : ''} ${word}`)
    .join(', ');
}
