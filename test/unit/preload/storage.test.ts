import { describe, expect, it } from 'vitest';
import type { RetentionRule } from '../../../src-preload/settings.ts';
import { deletesNoMore } from '../../../src-preload/storage.ts';

const off: RetentionRule = { afterDays: null, areInputsDeleted: false, maxBytes: null };
const month: RetentionRule = { ...off, afterDays: 30 };

describe('a retention rule that is chosen', () => {
  it.each<[string, RetentionRule, RetentionRule, boolean]>([
    ['nothing instead of a month', off, month, true],
    ['nothing, with inputs', { ...off, areInputsDeleted: true }, month, true],
    ['later', { ...off, afterDays: 90 }, month, true],
    ['the same', month, month, true],
    ['sooner', { ...off, afterDays: 7 }, month, false],
    ['a first age', month, off, false],
    ['inputs as well', { ...month, areInputsDeleted: true }, month, false],
    ['inputs no longer', month, { ...month, areInputsDeleted: true }, true],
    ['a first size', { ...month, maxBytes: 2e9 }, month, false],
    ['a smaller size', { ...off, maxBytes: 1e9 }, { ...off, maxBytes: 2e9 }, false],
    ['a size instead of an age', { ...off, maxBytes: 2e9 }, month, false],
  ])('%s', (_name, rule, than, isNoMore) => {
    expect(deletesNoMore(rule, than)).toBe(isNoMore);
  });
});
