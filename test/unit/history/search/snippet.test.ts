import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldBorder } from '../../../../src-main/history/search/words.ts';
import { parseQuery } from '../../../../src-main/history/search/query.ts';
import { snippetOf } from '../../../../src-main/history/search/snippet.ts';

const marked = (text: string, query: string, title = ''): string | null =>
  snippetOf(text, parseQuery(query), title)?.replaceAll('\u0001', '[').replaceAll('\u0002', ']') ?? null;

describe('a snippet', () => {
  it('marks words, beginnings and phrases as written in the text', () => {
    expect(marked('A Größe of Red\nCars', 'grosse "red cars"')).toBe('A [Größe] of [Red Cars]');
    expect(marked('many cars', 'car')).toBe('many [cars]');
  });

  it('marks the whole id that contains the requested part', () => {
    expect(marked('id d7c6aa87-df8d-49db-982b, text', 'df8d-49')).toBe('id [d7c6aa87-df8d-49db-982b], text');
  });

  it('is cut between words around the first match', () => {
    const snippet = marked(`${'before '.repeat(100)}needle ${'after '.repeat(100)}`, 'needle ');
    expect(snippet).toMatch(/^…(before )+\[needle\]( after)+…$/);
    expect(snippet?.length).toBeLessThan(200);
  });

  it('comes from the first field that has a match and stays in it', () => {
    expect(marked(`none here${fieldBorder}the needle${fieldBorder}needle again`, 'needle ')).toBe('the [needle]');
  });

  it('is null if nothing matches', () => {
    expect(marked('something else', 'needle')).toBeNull();
    expect(marked('größer als', 'needle')).toBeNull();
  });

  it('does not repeat the title, which is beside it', () => {
    const input = 'prompt\nA red kettle\nseed\n9';
    expect(marked(input, 'kettle ', 'A red kettle')).toBeNull();
    // Nor a part of a title that a rule made of several fields.
    expect(marked(input, 'kettle ', 'A red kettle, 9')).toBeNull();
    // A line break in the input is a blank in the title.
    expect(marked('prompt\nA red\n kettle', 'kettle ', 'A red kettle')).toBeNull();
    expect(marked('A red\tkettle', 'kettle ', 'A red kettle')).toBeNull();
    expect(marked(input, 'kettle 9 ', 'A red kettle')).toBe('prompt A red [kettle] seed [9]');
    // The next field that says more.
    expect(marked(`A red kettle${fieldBorder}a kettle of tea`, 'kettle ', 'A red kettle')).toBe('a [kettle] of tea');
    expect(marked('A red kettle stands there', 'kettle ', 'A red kettle')).toBe('A red [kettle] stands there');
  });

  it('repeats only the part of a long title that a row may cut off', () => {
    const prompt = `A kettle ${'of tea '.repeat(8)}and a mug beside it, ${'in the evening '.repeat(10)}`;
    const title = `${prompt.slice(0, 119)}…`;
    expect(marked(`prompt\n${prompt}`, 'kettle ', title)).toBeNull();
    expect(marked(`prompt\n${prompt}`, 'mug ', title)).toMatch(/^….*\[mug\] beside it/);
    expect(marked(`prompt\n  ${prompt}`, 'kettle mug ', title)).toContain('[mug]');
  });

  it('marks any word of any text, and is otherwise a part of the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zäöüéł0-9]{2,8}$/), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        (words, pick) => {
          const text = words.join(' ');
          const word = words[pick % words.length] ?? '';
          const snippet = snippetOf(text, parseQuery(`${word} `), '') ?? '';
          expect(snippet).toContain('\u0001');
          expect(text).toContain(snippet.replaceAll('\u0001', '').replaceAll('\u0002', '').replace(/^…|…$/g, ''));
        },
      ),
    );
  });

  it('never throws and never cuts a character in two', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 600 }),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
        (text, query) => {
          expect((snippetOf(text, parseQuery(query), '') ?? '').isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
