import { expect, test } from 'vitest';
import { causeStepOf } from '../../../../src-renderer/failures/causes-list.tsx';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

test('arrows, J and K move in the list of causes; Ctrl K is the palette, and no other chord moves either', () => {
  const stepsOf = (press: Partial<typeof plain>): number[] =>
    ['ArrowDown', 'j', 'ArrowUp', 'k', 'x'].map((key) => causeStepOf({ ...plain, ...press, key }));
  expect(stepsOf({})).toEqual([1, 1, -1, -1, 0]);
  for (const held of ['ctrlKey', 'metaKey', 'altKey'])
    expect(stepsOf({ [held]: true }), `with ${held}`).toEqual([0, 0, 0, 0, 0]);
});
