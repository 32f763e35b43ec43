import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeWords, partsText, trigramsOf, indexText } from '../../../../src-main/history/search/words.ts';
import { matchExpression, parseQuery, wordsBeginning } from '../../../../src-main/history/search/query.ts';
import { aDatabase } from '../a-database.ts';

describe('the query', () => {
  it('is every word, the last one as a beginning', () => {
    expect(parseQuery('Red Cars')).toEqual([
      { words: ['red'], isPrefix: false, part: 'red' },
      { words: ['cars'], isPrefix: true, part: 'cars' },
    ]);
  });

  it('is a whole word if a blank follows', () => {
    expect(parseQuery('cars ')).toEqual([{ words: ['cars'], isPrefix: false, part: 'cars' }]);
    expect(parseQuery('ca ')).toEqual([{ words: ['ca'], isPrefix: false, part: null }]);
  });

  it('is a word, or the beginning of one in a name, while it has fewer than three letters', () => {
    expect(parseQuery('red Ca')[1]).toEqual({ words: ['ca'], isPrefix: false, part: null, nameStart: 'ca' });
    expect(parseQuery('"ca"')).toEqual([{ words: ['ca'], isPrefix: false, part: null }]);
  });

  it('is words in a row in quotes, closed or not', () => {
    expect(parseQuery('"red car" blue')[0]).toEqual({ words: ['red', 'car'], isPrefix: false, part: null });
    expect(parseQuery('"red car"')).toEqual([{ words: ['red', 'car'], isPrefix: false, part: null }]);
    expect(parseQuery('"red car" "blue')[1]).toEqual({ words: ['blue'], isPrefix: true, part: 'blue' });
  });

  it('is, in a quote that is still open, the beginning of its last word once that has three letters', () => {
    expect(parseQuery('"red ca')).toEqual([{ words: ['red'], isPrefix: false, part: null }]);
    expect(parseQuery('"red car')).toEqual([{ words: ['red', 'car'], isPrefix: true, part: null }]);
    expect(parseQuery('"red car ')).toEqual([{ words: ['red', 'car'], isPrefix: false, part: null }]);
  });

  it('is also a part of an id or of code', () => {
    expect(parseQuery('df8d-49db')[0]).toEqual({ words: ['df8d', '49db'], isPrefix: true, part: 'df8d49db' });
  });

  it('is nothing for text without letters or digits', () => {
    expect(parseQuery(' "" ( * - : ^ ')).toEqual([]);
  });

  it('is bounded, however much is pasted', () => {
    expect(parseQuery('word '.repeat(500)).length).toBeLessThanOrEqual(24);
  });
});

describe('the expression', () => {
  it('is never a syntax error', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(`CREATE VIRTUAL TABLE t USING fts5 (words, content = '')`);
    const search = db.prepare('SELECT rowid FROM t WHERE t MATCH ?');
    const spiteful = fc.array(
      fc.oneof(
        fc.constantFrom(
          'AND',
          'OR',
          'NOT',
          'NEAR(',
          ')',
          '"',
          '*',
          '^',
          'title:',
          '{',
          '}',
          '-',
          '+',
          '\0',
          "'",
          '%',
          '|',
        ),
        fc.string({ unit: 'binary' }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(spiteful, (pieces) => {
        const terms = parseQuery(pieces.join(' '));
        if (terms.length > 0) expect(() => search.all(matchExpression(terms))).not.toThrow();
      }),
      { numRuns: 500 },
    );
    db.close();
  });
});

describe('parts', () => {
  it('are the trigrams of letters and digits', () => {
    expect(trigramsOf('D7c6-a')).toEqual(['d7c', '7c6', 'c6a']);
    expect(trigramsOf('ab')).toEqual([]);
  });

  it('are taken of words that look like ids or code, not of prose', () => {
    expect(codeWords('The worker uhbbfre73gqjwh ran load_model() in src/main.py with maxTokens, plainly')).toEqual([
      'uhbbfre73gqjwh',
      'load_model',
      'src/main.py',
      'maxTokens',
    ]);
  });

  it('never reach from one word into the next', () => {
    expect(partsText(['abc', 'bcd'])).toBe('abc | bcd');
  });
});

const texts = [
  'prompt prompts of a painter, painted',
  'Painting paint7 and paint_8',
  'überraschung überrascht überraschend',
  'painter’s paintbrush and paints',
];

function anIndex(words: readonly string[]) {
  const db = aDatabase();
  const insert = db.prepare('INSERT INTO words.search (rowid, words) VALUES (?, ?)');
  for (const [at, text] of words.entries()) insert.run(at + 1, indexText(text));
  return db;
}

it('a few words with the same beginning are listed; many, or short beginnings, are left to the index', () => {
  const db = anIndex(texts);
  expect(wordsBeginning(db, 'prompt')).toEqual(['prompt', 'prompts']);
  expect(wordsBeginning(db, 'uberr')).toEqual(['uberraschend', 'uberrascht', 'uberraschung']);
  expect(wordsBeginning(db, 'paint')).toBeNull();
  expect(wordsBeginning(db, 'prom')).toBeNull();
  expect(wordsBeginning(db, 'zzzzz')).toEqual([]);
});

it('the results are the same whether the words of a beginning are listed or not', () => {
  const db = anIndex(texts);
  const search = db.prepare('SELECT rowid FROM words.search WHERE search MATCH ? ORDER BY rowid');
  const typed = fc
    .tuple(
      fc.constantFrom(...texts.flatMap((text) => text.split(' ')), 'other'),
      fc.constantFrom('', 'a ', 'painted ', '"'),
      fc.nat(12),
    )
    .map(([word, before, length]) => before + word.slice(0, length));
  fc.assert(
    fc.property(typed, (text) => {
      const terms = parseQuery(text);
      if (terms.length === 0) return;
      const named = matchExpression(terms, (beginning) => wordsBeginning(db, beginning));
      expect(search.all(named)).toEqual(search.all(matchExpression(terms)));
    }),
  );
});
