import { expect, test } from 'vitest';
import type { Command } from '../../../../src-renderer/commands/command.ts';
import {
  matchLabel,
  rankCommands,
  refusedGroupsLast,
  wholeWordsFirst,
} from '../../../../src-renderer/commands/match.ts';

test('every word of the query must occur', () => {
  expect(matchLabel('res job', 'Resume polling')).toBeNull();
  expect(matchLabel('job sel', 'Select this job')?.parts).toEqual(['', 'Sel', 'ect this ', 'job', '']);
});

test('the start of the label beats the start of a word, and that beats the middle', () => {
  const score = (label: string): number => matchLabel('res', label)?.score ?? Infinity;
  expect(score('Resubmit')).toBeLessThan(score('Copy result'));
  expect(score('Copy result')).toBeLessThan(score('Presets'));
  expect(matchLabel('health', 'Health')?.score).toBeLessThan(
    matchLabel('health', 'Health of mock')?.score ?? -Infinity,
  );
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

test('a keyword finds a command after every label that has the word, and only from its beginning', () => {
  expect(matchLabel('settings', 'Preferences', ['settings', 'options'])?.parts).toEqual(['Preferences']);
  expect(matchLabel('ettings', 'Preferences', ['settings'])).toBeNull();
  const inLabel = matchLabel('settings', 'Notification settings')?.score ?? Infinity;
  expect(inLabel).toBeLessThan(matchLabel('settings', 'Preferences', ['settings'])?.score ?? -Infinity);
  expect(matchLabel('dark pref', 'Preferences', ['dark'])?.parts).toEqual(['', 'Pref', 'erences']);
});

test('of the jobs that were found, those with the very title come first, then those with the whole words', () => {
  const titles = ['Item 779 about cats', 'An old item 77', 'Item 7 and 77', 'item-77', 'Item 77 about dogs'];
  const found = titles.map((title) => ({ title }));
  expect(wholeWordsFirst(found, 'Item 77').map(({ title }) => title)).toEqual([
    'item-77',
    'An old item 77',
    'Item 77 about dogs',
    'Item 779 about cats',
    'Item 7 and 77',
  ]);
});

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  group: 'run',
  label,
  icon: null,
  run: () => {},
  ...more,
});

test('a refused command is listed last in a search, and left out of an empty one', () => {
  const commands = [command('Retry', { refusal: 'The job is finished' }), command('Retry all failed')];
  expect(rankCommands(commands, 'retry').map((one) => one.command.label)).toEqual(['Retry all failed', 'Retry']);
  expect(rankCommands(commands, '').map((one) => one.command.label)).toEqual(['Retry all failed']);
});

test('a group with nothing available comes last, so that Enter runs something', () => {
  const line = (group: string, label: string, isRefused = false) => ({ group, label, isRefused });
  const lines = [
    line('Selected jobs', 'Compare', true),
    line('This job', 'Resubmit'),
    line('This job', 'Retry', true),
    line('Go to', 'Health'),
  ];
  expect(refusedGroupsLast(lines).map(({ label }) => label)).toEqual(['Resubmit', 'Retry', 'Health', 'Compare']);
  expect(refusedGroupsLast(lines.slice(0, 1))).toEqual(lines.slice(0, 1));
});
