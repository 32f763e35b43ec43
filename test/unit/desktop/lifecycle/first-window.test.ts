import { expect, it } from 'vitest';
import { createFirstWindow } from '../../../../src-main/desktop/lifecycle/first-window.ts';
import { createVirtualClock } from '../../../kit/clock.ts';

it('is waited for by what may ask the user, and no longer than ten seconds', async () => {
  const clock = createVirtualClock(0);
  const order: string[] = [];
  const window = createFirstWindow(clock.after);
  const asked = window.opened.then(() => order.push('asked'));
  await clock.advance(9_000);
  order.push('shown');
  window.isThere();
  await asked;
  expect(order).toEqual(['shown', 'asked']);
  expect(clock.pending()).toBe(0);

  let isAsked = false;
  void createFirstWindow(clock.after).opened.then(() => (isAsked = true));
  await clock.advance(9_999);
  expect(isAsked).toBe(false);
  await clock.advance(1);
  expect(isAsked).toBe(true);
});
