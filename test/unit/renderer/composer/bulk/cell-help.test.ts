import { describe, expect, it } from 'vitest';
import type { LearnedInputs, LearnedKey } from '../../../../../src-preload/learned.ts';
import { helpAt } from '../../../../../src-renderer/composer/bulk/cell-help.ts';

const key = (path: string[], jsons: string[], types: LearnedKey['types'] = ['string']): LearnedKey => ({
  path,
  types,
  count: 4,
  values: jsons.map((json) => ({ json, count: 2 })),
  range: null,
});
const learned: LearnedInputs = {
  jobs: 4,
  keys: [
    key(['prompt'], ['"a cat, asleep"', '"12"', '"a \\"dog\\""']),
    key(['steps'], ['20', '30'], ['number']),
    key(['sampling'], [], ['object']),
    key(['sampling', 'top_p'], ['0.9'], ['number']),
    key(['size'], ['"xl"']),
  ],
  smallest: null,
  last: null,
};

/** The title and what the text becomes by each offer at its `|`. */
const help = (marked: string, isTable = true) => {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = helpAt(text, cursor, isTable, learned);
  return found === null
    ? null
    : [found.title, ...found.offers.map(({ from, to, insert }) => text.slice(0, from) + insert + text.slice(to))];
};

describe('help in a table', () => {
  it('offers missing columns, after a whole one or in place of a beginning', () => {
    const title = 'Columns of earlier inputs';
    expect(help('prompt|')).toEqual([title, 'prompt,steps', 'prompt,sampling.top_p', 'prompt,size']);
    expect(help('prompt,s|')).toEqual([title, 'prompt,steps', 'prompt,sampling.top_p', 'prompt,size']);
    expect(help('prompt;st|;size\nx;1;m')).toEqual([title, 'prompt;steps;size\nx;1;m']);
    expect(help('|')?.slice(1)).toEqual(['prompt', 'steps', 'sampling.top_p', 'size']);
  });
  it('offers the values of a column, written so that they are read as the same', () => {
    expect(help('prompt,steps\nx,|')).toEqual(['steps: number, mostly 20', 'prompt,steps\nx,20', 'prompt,steps\nx,30']);
    expect(help('prompt,steps\nx,3|\ny,4')).toEqual(['steps: number, mostly 20', 'prompt,steps\nx,30\ny,4']);
    // A text of digits would be read as a number, so it is not offered.
    expect(help('prompt,steps\n|,5')?.slice(1)).toEqual([
      'prompt,steps\n"a cat, asleep",5',
      'prompt,steps\n"a ""dog""",5',
    ]);
    expect(help('prompt\tsize\nx\t|')?.slice(1)).toEqual(['prompt\tsize\nx\txl']);
  });
  it('offers nothing for an unknown column, inside multi-line quotes, or if the value is already there', () => {
    expect(help('other,steps\n|,5')).toBeNull();
    expect(help('prompt,steps\n"two\nlines|",5')).toBeNull();
    expect(help('prompt,size\nx,xl|')).toBeNull();
  });
});

describe('help in a line of JSON', () => {
  it('offers keys that the line lacks, and values of a key', () => {
    expect(help('{"steps": 20}\n{"steps": 20, "s|"}', false)).toEqual([
      'Keys of earlier inputs',
      '{"steps": 20}\n{"steps": 20, "sampling": }',
      '{"steps": 20}\n{"steps": 20, "size": }',
    ]);
    expect(help('{"steps": |}', false)).toEqual(['steps: number, mostly 20', '{"steps": 20}', '{"steps": 30}']);
    expect(help('{"size": "x|"}', false)).toEqual(['size: string, mostly "xl"', '{"size": "xl"}']);
    expect(help('[1, |2]', false)).toBeNull();
  });
});
