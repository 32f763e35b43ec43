import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeWords, foldText } from '../../../../src-main/history/search/words.ts';

describe('code words', () => {
  it('of ASCII are found the same way as by the general method', () => {
    const piece = fc.oneof(
      fc.constantFrom('prose ', 'fooBar', 'x_y', '--flag', 'v1.2', 'a:b', '7', '_', '#', 'Word', ', ', '\n'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(codeWords(text)).toEqual(codeWords(`${text} é`));
      }),
      { numRuns: 300 },
    );
  });
});

describe('folding', () => {
  it.each([
    ['Größe', 'grosse'],
    ['CAFÉ au lait', 'cafe au lait'],
    ['ﬁne ＡＢＣ', 'fine abc'],
    ['foo_bar-baz.qux', 'foo bar baz qux'],
    ['日本語 text', '日 本 語 text'],
    ['a🙂b', 'a 🙂 b'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Łódź', 'lodz'],
    ['  ...  ', ''],
  ])('reads %j as %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('changes nothing when done twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  it('cuts ASCII by the fast method as by the general one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(foldText(`${text} é`)).toBe(`${foldText(text)} e`.trim());
      }),
    );
  });

  it('leaves only what the index keeps too: every Unicode letter is found again', () => {
    const db = new DatabaseSync(':memory:');
    db.exec(
      `CREATE VIRTUAL TABLE t USING fts5 (words, content = '', tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* S* Co Cn'")`,
    );
    const insert = db.prepare('INSERT INTO t (rowid, words) VALUES (?, ?)');
    const kept: number[] = [];
    db.exec('BEGIN');
    for (let code = 0x80; code <= 0x10ffff; code += 1) {
      // Hangul and the large planes of Han are alike within: every 64th stands for the rest.
      if ((code > 0x3400 && code < 0xd7a4) || code >= 0x20000 ? code % 64 !== 0 : false) continue;
      const folded = foldText(String.fromCodePoint(code));
      if (folded === '') continue;
      insert.run(code, folded);
      kept.push(code);
    }
    db.exec('COMMIT');
    const find = db.prepare('SELECT 1 FROM t WHERE t MATCH ? AND rowid = ?');
    const lost = kept.filter((code) => find.get(`"${foldText(String.fromCodePoint(code))}"`, code) === undefined);
    db.close();
    expect(kept.length).toBeGreaterThan(20_000);
    expect(lost.map((code) => code.toString(16))).toEqual([]);
  });
});
