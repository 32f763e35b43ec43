import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeBetween } from '../../../../../src-renderer/design/editor/text-change.ts';

test('a change is as small as a single range can be', () => {
  expect(changeBetween('same', 'same')).toBeNull();
  expect(changeBetween('a bad word', 'a good word')).toEqual({ from: 2, to: 4, insert: 'goo' });
  expect(changeBetween('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' });
  expect(changeBetween('text', '')).toEqual({ from: 0, to: 4, insert: '' });
});

test('a change applied to one text gives the other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '🧪') });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const change = changeBetween(before, after);
      const made = change === null ? before : before.slice(0, change.from) + change.insert + before.slice(change.to);
      expect(made).toBe(after);
    }),
  );
});
