import { expect, it } from 'vitest';
import { createConcealedClipboard } from '../../../src-main/desktop/concealed-clipboard.ts';
import { createVirtualClock } from '../../kit/clock.ts';

function scene(platform: NodeJS.Platform) {
  const clock = createVirtualClock(0);
  const on = { text: 'before', formats: [''], isBusy: false };
  const concealed = createConcealedClipboard({
    clock,
    platform,
    clipboard: {
      readText: () => (on.isBusy ? Promise.reject(new Error('The clipboard is in use.')) : Promise.resolve(on.text)),
      write: (texts) => {
        on.text = texts['text/plain'] ?? '';
        on.formats = Object.keys(texts);
        return Promise.resolve();
      },
      clear: () => void (on.text = ''),
    },
  });
  return { clock, on, concealed };
}

it('a secret is removed from the clipboard after a minute, counted from the last one', async () => {
  const { clock, on, concealed } = scene('linux');
  await concealed.write('first');
  await clock.advance(40_000);
  await concealed.write('second');
  await clock.advance(59_000);
  expect(on.text).toBe('second');
  await clock.advance(1_000);
  expect(on.text).toBe('');
});

it('text copied since then stays', async () => {
  const { clock, on, concealed } = scene('linux');
  await concealed.write('secret');
  on.text = 'a recipe';
  await clock.advance(60_000);
  await concealed.clear();
  expect(on.text).toBe('a recipe');
});

it('a secret is removed from a clipboard that another program had locked as soon as it is free', async () => {
  const { clock, on, concealed } = scene('win32');
  await concealed.write('secret');
  on.isBusy = true;
  await clock.advance(62_000);
  await concealed.clear();
  expect(on.text).toBe('secret');
  on.isBusy = false;
  await clock.advance(5_000);
  expect(on.text).toBe('');
});

it('quitting removes it immediately', async () => {
  const { on, concealed } = scene('darwin');
  await concealed.write('secret');
  await concealed.clear();
  expect(on.text).toBe('');
});

it.each([
  ['linux', 'x-kde-passwordManagerHint'],
  ['darwin', 'org.nspasteboard.ConcealedType'],
  ['win32', 'ExcludeClipboardContentFromMonitorProcessing'],
] as const)('on %s it is marked so that clipboard managers ignore it', async (platform, format) => {
  const { on, concealed } = scene(platform);
  await concealed.write('secret');
  expect(on.formats).toEqual(['text/plain', `electron application/osclipboard;format="${format}"`]);
});
