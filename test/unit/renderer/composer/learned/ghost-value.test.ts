import { describe, expect, it } from 'vitest';
import type { LearnedKey } from '../../../../../src-preload/learned.ts';
import { ghostValueAt } from '../../../../../src-renderer/composer/learned/ghost-value.ts';

const key = (path: string[], ...jsons: string[]): LearnedKey => ({
  path,
  types: ['string'],
  count: 3,
  values: jsons.map((json) => ({ json, count: 2 })),
  range: null,
});
const keys = [key(['size'], '"xl"', '"m"'), key(['sampling', 'steps'], '30'), key(['prompt'])];

/** What is offered at the `|` of a text. */
const at = (marked: string) => {
  const cursor = marked.indexOf('|');
  const ghost = ghostValueAt(marked.replace('|', ''), cursor, { keys });
  return ghost === null ? null : [ghost.json, ghost.hasComma];
};

describe('the value after a colon', () => {
  it('is the one that most earlier inputs had there', () => {
    expect(at('{"size": |}')).toEqual(['"xl"', false]);
    expect(at('{"size":|')).toEqual(['"xl"', false]);
    expect(at('{"sampling": {"steps": |}}')).toEqual(['30', false]);
  });
  it('comes with a comma if another member follows', () => {
    expect(at('{"size": |\n  "prompt": "x"}')).toEqual(['"xl"', true]);
    expect(at('{"size": |, "prompt": "x"}')).toEqual(['"xl"', false]);
  });
  it('is none if something is typed, nothing was learned, or the cursor is elsewhere', () => {
    for (const marked of [
      '{"size": "|"}',
      '{"size": x|}',
      '{"size": |"m"}',
      '{"prompt": |}',
      '{"other": |}',
      '{"note": "size: |"}',
      '{|"size": "m"}',
      '["size": |]',
    ])
      expect(at(marked)).toBeNull();
  });
});
