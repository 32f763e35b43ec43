import { afterEach, expect, test, vi, it } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { applyRule } from '../../../../src-renderer/settings/retention-section.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { clockDoubtWords } from '../../../../src-renderer/messages/settings/storage.tsx';
import { dayMs } from '../../../../src-preload/durations.ts';

afterEach(() => void vi.unstubAllGlobals());

const rule = { afterDays: 7, maxBytes: null, areInputsDeleted: false };

test('a rule that main refuses confirms no clock, by which the former rule would delete', async () => {
  const { calls } = answerCalls({
    'settings:change': () => Promise.resolve(failed({ kind: 'storage', message: 'The disk is full.' })),
  });
  await applyRule(rule, 12);
  expect(calls).toEqual(['settings:change']);
});

test('a rule that deletes something confirms the clock that it was counted by, and one that deletes nothing does not', async () => {
  const { calls } = answerCalls({
    'settings:change': () => Promise.resolve(ok({ ...settingsDefaults, retention: rule })),
    'storage:confirmClock': () => Promise.resolve(ok(null)),
  });
  await applyRule(rule, 0);
  expect(calls).toEqual(['settings:change']);
  await applyRule(rule, 12);
  expect(calls).toEqual(['settings:change', 'settings:change', 'storage:confirmClock']);
});

const nowMs = new Date(2099, 2, 3, 12).getTime();

it.each([
  [
    { kind: 'moved-ahead', byMs: 73 * 365.25 * dayMs, nowMs },
    'The clock of this computer moved ahead by 73 years',
    'It shows 3 March 2099. Nothing is deleted until an answer of a service confirms this date. If it is right, you can delete now.',
  ],
  [
    { kind: 'ahead-of-service', byMs: 20 * dayMs, nowMs },
    'The clock of this computer is 20 days ahead of the service',
    'It shows 3 March 2099. Nothing is deleted until the two agree. Set the date of this computer, then restart Jobdeck.',
  ],
  [
    { kind: 'behind', byMs: dayMs, nowMs },
    'The clock of this computer is behind by 1 day',
    'It shows 3 March 2099. Nothing is deleted until it is right again. Set the date of this computer.',
  ],
] as const)('a doubted clock (%j) is described by its error and by what ends the doubt', (doubt, title, text) => {
  expect(clockDoubtWords(doubt)).toEqual({ title, text });
});
