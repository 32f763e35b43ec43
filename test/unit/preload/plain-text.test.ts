import { expect, it } from 'vitest';
import { asMarkup, asMenuLabel, plainText } from '../../../src-preload/plain-text.ts';

it('a name from a service is one line, shown literally', () => {
  expect(plainText('invoice\u202Egpj.exe')).toBe('invoicegpj.exe');
  expect(plainText(' a\n\u0007b\u2028c\u2066d\uFEFF ')).toBe('a b cd');
  expect(plainText('Ünïcode 日本 👍🏽 שלום')).toBe('Ünïcode 日本 👍🏽 שלום');
});

it('markup shows what it escapes', () => {
  expect(asMarkup('<b>1 < 2 & 3</b>')).toBe('&lt;b&gt;1 &lt; 2 &amp; 3&lt;/b&gt;');
});

it('the label of a menu item shows the ampersands of a name', () => {
  expect(asMenuLabel('R&D && more')).toBe('R&&D &&&& more');
});
