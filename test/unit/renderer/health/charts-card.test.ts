import { expect, test } from 'vitest';
import { pointedBy } from '../../../../src-renderer/health/charts-card.tsx';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const keys = ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'Home', 'End', 'x'];

test('arrows move to the next sample and Shift by ten; Alt Left goes back in the window, as everywhere', () => {
  const pointed = (press: Partial<typeof plain>): (number | null)[] =>
    keys.map((key) => pointedBy({ ...plain, ...press, key }, 20, 40));
  expect(pointed({})).toEqual([19, 19, 21, 21, 0, 40, null]);
  expect(pointed({ shiftKey: true })).toEqual([10, 10, 30, 30, 0, 40, null]);
  for (const held of ['ctrlKey', 'metaKey', 'altKey'])
    expect(pointed({ [held]: true }), `with ${held}`).toEqual(keys.map(() => null));
});
