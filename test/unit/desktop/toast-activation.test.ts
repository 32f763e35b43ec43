import { expect, it } from 'vitest';
import { readActivation } from '../../../src-main/desktop/toast-activation.ts';

it('what Windows gives back of a click is read where it is ours, and nothing else is', () => {
  expect(readActivation('click', 'type=click&tag=n12', undefined)).toEqual({ id: 12, actionIndex: null });
  expect(readActivation('action', 'type=action&action=0&tag=n7', 0)).toEqual({ id: 7, actionIndex: 0 });
  for (const given of ['', 'type=click', 'type=click&tag=12', 'tag=n', 'tag=n1x', 'xtag=n1', `tag=n${'9'.repeat(30)}`])
    expect(readActivation('click', given, undefined)).toBeNull();
});
