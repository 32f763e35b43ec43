import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Change } from '../../../../src-renderer/compare/change.tsx';
import { differencesText } from '../../../../src-renderer/messages/compare/differences.ts';

const inkOf = (text: string): string =>
  /<b>(.*?)<\/b>/.exec(renderToStaticMarkup(createElement(Change, { text })))?.[1] ?? '';

test('the number of a change is in ink, with its sign of percent, and a change without a number has none', () => {
  expect(['39 % less', '0.5 less', '1,200 more', '4 changes', 'added', ''].map(inkOf)).toEqual([
    '39 %',
    '0.5',
    '1,200',
    '4',
    '',
    '',
  ]);
});

test('equal values are named, and those without a name are counted', () => {
  expect(differencesText.showEqual(11, ['seed', 'model'])).toBe('11 equal values: seed, model and 9 more');
  expect(differencesText.showEqual(1, ['seed'])).toBe('1 equal value: seed');
  expect(differencesText.showEqual(3, [])).toBe('3 equal values');
});
