import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { applyRule } from '../../../../src-renderer/settings/retention-section.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';

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
