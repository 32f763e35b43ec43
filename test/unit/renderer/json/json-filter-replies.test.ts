import { expect, test } from 'vitest';
import type { FilterReply } from '../../../../src-renderer/json/filter/filter-answer.ts';
import { repliesAbout, withReply } from '../../../../src-renderer/json/filter/use-json-filter.ts';

const found = (node: number): FilterReply => ({
  answer: { kind: 'found', nodes: Int32Array.of(node), isCut: false },
  tookMs: 1,
});
const problem: FilterReply = { answer: { kind: 'problem', message: 'Not a path' }, tookMs: 1 };

test('what a filter found in a text is not shown for another text', () => {
  const old = withReply(null, '[1]', found(1));
  expect(repliesAbout(old, '[1]')).toBe(old);
  expect(repliesAbout(old, '[1, 2]')).toBeNull();
});

test('what was found last stays while the filter has a problem, but not what was found in another text', () => {
  const old = withReply(null, '[1]', found(1));
  expect(withReply(old, '[1]', problem)).toMatchObject({ last: problem, lastFound: found(1) });
  expect(withReply(old, '[1, 2]', problem)).toMatchObject({ text: '[1, 2]', last: problem, lastFound: null });
});
