import { expect, it } from 'vitest';
import fc from 'fast-check';
import { asMarkup, asMenuLabel, asTrayTooltip, plainText } from '../../../src-preload/plain-text.ts';
import { drawnTooltip } from '../../electron-stand-in/tray.ts';

it('a name from a service is one line, shown literally', () => {
  expect(plainText('invoice\u202Egpj.exe')).toBe('invoicegpj.exe');
  expect(plainText(' a\n\u0007b\u2028c\u2066d\uFEFF ')).toBe('a b cd');
  expect(plainText('Ünïcode 日本 👍🏽 שלום')).toBe('Ünïcode 日本 👍🏽 שלום');
});

it('markup shows what it escapes', () => {
  expect(asMarkup('<b>1 < 2 & 3</b>')).toBe('&lt;b&gt;1 &lt; 2 &amp; 3&lt;/b&gt;');
});

it('the tooltip of the tray shows a name as it is, on each system, and on Windows as far as there is room', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('&', 'a', ' ', '😀', 'ß'), maxLength: 150 }),
      fc.constantFrom('win32', 'linux', 'darwin'),
      (text, platform) => {
        const drawn = drawnTooltip(asTrayTooltip(text, platform), platform);
        if (drawn !== text) {
          expect(platform).toBe('win32');
          expect(drawn).toMatch(/…$/);
          expect(text.startsWith(drawn.slice(0, -1))).toBe(true);
          expect(drawn.isWellFormed()).toBe(true);
        }
      },
    ),
  );
  expect(drawnTooltip(asTrayTooltip('Jobdeck: R&D && more', 'win32'), 'win32')).toBe('Jobdeck: R&D && more');
  expect(asTrayTooltip('x'.repeat(127), 'win32')).toBe('x'.repeat(127));
});

it('the label of a menu item shows the ampersands of a name', () => {
  expect(asMenuLabel('R&D && more')).toBe('R&&D &&&& more');
});
