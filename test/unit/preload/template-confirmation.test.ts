import { describe, expect, it } from 'vitest';
import { confirmationOf } from '../../../src-preload/template.ts';

describe('the text to type for confirmation (ruling 31)', () => {
  it('is the name of a template that is or may be an endpoint’s', () => {
    for (const isServerless of [true, null, undefined])
      expect(
        confirmationOf('t1', { name: 'Atlas ASR é 語', ...(isServerless === undefined ? {} : { isServerless }) }),
      ).toEqual({ word: 'Atlas ASR é 語', kind: 'name' });
    expect(confirmationOf('t1', { name: 'asr', isServerless: false })).toBeNull();
    expect(confirmationOf('t1', null)).toEqual({ word: 't1', kind: 'id' });
  });

  it.each([
    'asr\u200f',
    '\u202Easr',
    'a\u200Bsr',
    ' asr',
    'asr ',
    'a  sr',
    'a\nsr',
    'a\u00a0sr',
    '',
    'x'.repeat(192),
    'a\ud800',
  ])('is the id if the name %j cannot be typed as it is seen', (name) => {
    expect(confirmationOf('t1', { name, isServerless: true })).toEqual({ word: 't1', kind: 'id' });
  });
});
