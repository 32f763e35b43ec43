import { expect, test } from 'vitest';
import { createMarkdownSections } from '../../../../src-renderer/stream/markdown-sections.ts';
import { createParseTurns } from '../../../../src-renderer/stream/parse-turns.ts';
import { readableText, createSectionSearch, numberInSection } from '../../../../src-renderer/stream/section-search.ts';

const readable = (text: string): string => readableText({ text, opens: '' });

test('a search reads the visible text', () => {
  expect(readable('## The **held** `lock`\n')).toBe('The held lock\n');
  expect(readable('- see [the docs](https://a.example/_x_) of snake_case and _more_')).toBe(
    'see the docs of snake_case and more',
  );
  expect(readable('2 * 3 and \\(a_1*b_1\\)')).toBe('2 * 3 and \\(a_1*b_1\\)');
  expect(readable('```js\nlet **a** = `b`;\n```\n').trim()).toBe('let **a** = `b`;');
});

test('matches ascend, and each is found in its section, even while the last one grows', () => {
  const segments = ['One **red** fox.\n\n'.repeat(400)];
  const slice = (from: number, to: number): string => segments.join('').slice(from, to);
  const sections = createMarkdownSections({ segments, slice });
  while (!sections.take(3_000));
  const search = createSectionSearch(sections, 'Red fox');
  while (!search.isDone) search.step();
  expect(search.matches).toHaveLength(400);
  expect(search.matches).toEqual(search.matches.toSorted((one, other) => one - other));
  const second = search.matches[1] ?? 0;
  expect(numberInSection(sections, second)).toEqual({ section: 0, number: 1 });
  segments.push('A red\nfox once more.');
  while (!sections.take(3_000));
  expect(search.isDone).toBe(false);
  while (!search.isDone) search.step();
  expect(search.matches).toHaveLength(401);
});

test('visible sections are parsed over several frames, and dropped when they leave the view', () => {
  const turns = createParseTurns();
  const blocks = [0, 1, 2, 3].map((at) => ({ start: at * 1_500, text: 'x'.repeat(1_000), opens: '' }));
  const first = turns.next(blocks, 16);
  expect([blocks.map(first.isParsed), first.isAll]).toEqual([[true, true, false, false], false]);
  const again = turns.next(blocks, 16);
  expect([blocks.map(again.isParsed), again.isAll]).toEqual([[true, true, false, false], false]);
  const second = turns.next(blocks, 33);
  expect([blocks.map(second.isParsed), second.isAll]).toEqual([[true, true, true, true], true]);
  turns.next([], 50);
  expect(turns.next(blocks, 50).isAll).toBe(false);
});

test('a block of a megabyte of brackets is made readable in one pass', () => {
  for (const unit of ['[', '![', '![](', '[a](b '])
    expect(readable(`${unit.repeat(Math.ceil(1_000_000 / unit.length))} end`)).toMatch(/ end$/);
  expect(readable('[a [b](c) and [1\\#](d?e[]=1)')).toBe('[a b and 1#');
});

test('a megabyte of a rule that something ends is made readable in one pass', () => {
  for (const unit of ['-', '- ', '|-', '---\r'])
    expect(readable(`${unit.repeat(Math.ceil(1_000_000 / unit.length))} end`)).toMatch(/end$/);
  expect(readable('a\n| --- | :-: |\n-----\n - -- -\nb')).toBe('a\n\n\n-- -\nb');
});
