import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffParts, diffSteps } from '../../../../src-renderer/design/text-diff.ts';

const parts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });

/** The length of the longest common run, in the plainest way. */
function common(from: readonly string[], to: readonly string[]): number {
  const lengths = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = from.length - 1; row >= 0; row -= 1)
    for (let column = to.length - 1; column >= 0; column -= 1) {
      const line = lengths[row];
      if (line === undefined) continue;
      line[column] =
        from[row] === to[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  return at(0, 0);
}

test('a diff rebuilds both texts, and keeps as much as possible', () => {
  fc.assert(
    fc.property(parts, parts, (from, to) => {
      const diff = diffParts(from, to);
      const of = (left: string): string[] => diff.filter(({ kind }) => kind !== left).map(({ text }) => text);
      expect([of('added'), of('removed')]).toEqual([from, to]);
      expect(diff.filter(({ kind }) => kind === 'same')).toHaveLength(common(from, to));
    }),
  );
});

test('texts that differ much keep the lines that are in each once, in steps', () => {
  const lines = (mark: string): string[] =>
    Array.from({ length: 40_000 }, (_, at) => (at % 10 === 0 ? `line ${at}` : `${mark} ${at % 7}`));
  const steps = diffSteps(lines('old'), lines('new'));
  let taken = 0;
  for (;;) {
    const { done, value } = steps.next();
    taken += 1;
    if (done !== true) continue;
    expect(value.filter(({ kind }) => kind === 'same')).toHaveLength(4_000);
    break;
  }
  expect(taken).toBeGreaterThan(10);
});
