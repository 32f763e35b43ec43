import { expect, test } from 'vitest';
import { isRowTitle, rowTitles } from '../../../../src-main/job/submission/row-titles.ts';

function titlesOf(inputs: readonly object[], rule?: string): Promise<string[]> {
  return rowTitles(
    inputs.map((input) => JSON.stringify(input)),
    'mock',
    rule,
  );
}

test('rows with titles of their own keep them', async () => {
  expect(await titlesOf([{ prompt: 'a cat' }, { prompt: 'a dog', seed: 2 }])).toEqual(['a cat', 'a dog']);
});

test('rows with the same title begin with the values in which they differ', async () => {
  expect(
    await titlesOf([
      { prompt: 'a friendly poem', tone: 'friendly', sampling: { seed: 1 }, steps: 4 },
      { prompt: 'a friendly poem', tone: 'friendly', sampling: { seed: 2 }, steps: 4 },
      { prompt: 'a terse poem', tone: 'terse', sampling: { seed: 1 }, steps: 4 },
    ]),
  ).toEqual([
    'tone friendly, seed 1: a friendly poem',
    'tone friendly, seed 2: a friendly poem',
    'tone terse, seed 1: a terse poem',
  ]);
});

test('a title that says nothing is replaced by the values', async () => {
  expect(await titlesOf([{ mock_return: 'a', mock_delay: 1 }, { mock_return: 'b' }])).toEqual([
    'mock_return a, mock_delay 1',
    'mock_return b',
  ]);
});

test('rows that are all the same, and titles by a rule, stay as they are', async () => {
  expect(await titlesOf([{ prompt: 'a cat' }, { prompt: 'a cat' }])).toEqual(['a cat', 'a cat']);
  const byRule = [1, 2].map((seed) => ({ prompt: 'a cat', seed }));
  expect(await titlesOf(byRule, 'Picture of {{prompt}}')).toEqual(['Picture of a cat', 'Picture of a cat']);
});

test('long and many values are cut, and what is not a value of JSON is not read', async () => {
  const [long = ''] = await titlesOf(
    [1, 2].map((at) => ({ text: 'x', a: at, b: at, c: at, d: at, e: at, f: 'y'.repeat(at) })),
  );
  expect(long).toBe('a 1, b 1, c 1, d 1: x');
  expect((await titlesOf(['long '.repeat(20), 'other'].map((a) => ({ text: 'x', a }))))[0]).toBe(
    'a long long long long long long l…: x',
  );
  expect(await rowTitles(['{', '{'], 'mock')).toEqual(await titlesOf([{}, {}]));
});

test('a title that was made of values is known again by its input, and no other is', async () => {
  const inputs = [
    { prompt: 'a poem', tone: 'friendly, warm', seed: 1 },
    { prompt: 'a poem', tone: 'terse', seed: 2 },
    { mock_return: 'a', mock_delay: 1 },
  ];
  const titles = await titlesOf(inputs);
  for (const [at, input] of inputs.entries()) {
    const text = JSON.stringify(input);
    expect(isRowTitle(titles[at] ?? '', text)).toBe(true);
    expect(isRowTitle(titles[at] ?? '', JSON.stringify({ ...input, seed: 99, mock_delay: 99 }))).toBe(false);
    for (const own of ['', 'a poem', 'My best: a poem', 'seed 7: a poem']) expect(isRowTitle(own, text)).toBe(false);
  }
});
