import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { whenReadyToShow } from '../../../../src-main/desktop/pages/when-ready-to-show.ts';

it.each([
  ['is shown when it is drawn', false, 1],
  ['is left alone if it was closed before it was drawn', true, 0],
])('a window %s', (_, isClosed, times) => {
  let isGone = false;
  let shown = 0;
  const window = Object.assign(new EventEmitter(), { isDestroyed: () => isGone });
  whenReadyToShow(window, () => (shown += 1));
  isGone = isClosed;
  window.emit('ready-to-show');
  expect(shown).toBe(times);
});
