import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldBorder } from '../../../../src-main/history/search/words.ts';
import { parseQuery } from '../../../../src-main/history/search/query.ts';
import { snippetOf } from '../../../../src-main/history/search/snippet.ts';

const marked = (text: string, query: string): string | null =>
  snippetOf(text, parseQuery(query))?.replaceAll('\u0001', '[').replaceAll('\u0002', ']') ?? null;

describe('a snippet', () => {
  it('marks words, beginnings and phrases as they stand in the text', () => {
    expect(marked('A Größe of Red\nCars', 'grosse "red cars"')).toBe('A [Größe] of [Red Cars]');
    expect(marked('many cars', 'car')).toBe('many [cars]');
  });

  it('marks the whole id that holds the part asked for', () => {
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

  it('is null where nothing matches', () => {
    expect(marked('something else', 'needle')).toBeNull();
    expect(marked('größer als', 'needle')).toBeNull();
  });

  it('marks any word of any text, and is a stretch of the text but for the marks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zäöüéł0-9]{2,8}$/), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        (words, pick) => {
          const text = words.join(' ');
          const word = words[pick % words.length] ?? '';
          const snippet = snippetOf(text, parseQuery(`${word} `)) ?? '';
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
          expect((snippetOf(text, parseQuery(query)) ?? '').isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
