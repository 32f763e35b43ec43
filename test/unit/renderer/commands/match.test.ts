import { expect, test } from 'vitest';
import { matchLabel } from '../../../../src-renderer/commands/match.ts';

test('every word of the query must occur', () => {
  expect(matchLabel('res job', 'Resume polling')).toBeNull();
  expect(matchLabel('job sel', 'Select this job')?.parts).toEqual(['', 'Sel', 'ect this ', 'job', '']);
});

test('the start of the label beats the start of a word, and that beats the middle', () => {
  const score = (label: string): number => matchLabel('res', label)?.score ?? Infinity;
  expect(score('Resubmit')).toBeLessThan(score('Copy result'));
  expect(score('Copy result')).toBeLessThan(score('Presets'));
});

test('the matched parts put together again are the label', () => {
  for (const query of ['res', 'e', 'open own', 're res', '']) {
    const label = 'Open result in own window, restored';
    expect(matchLabel(query, label)?.parts.join('')).toBe(label);
  }
});

test('a word start is found behind an earlier hit in the middle of a word', () => {
  expect(matchLabel('it', 'Limit items')?.parts).toEqual(['Limit ', 'it', 'ems']);
});
