import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordsBeginning } from '../../../../src-main/history/search/words-beginning.ts';
import { matchExpression, parseQuery } from '../../../../src-main/history/search/query.ts';
import { indexText } from '../../../../src-main/history/search/words.ts';
import { aDatabase } from '../a-database.ts';

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
