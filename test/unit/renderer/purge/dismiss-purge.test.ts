import { afterEach, expect, test, vi } from 'vitest';
import { failed } from '../../../../src-preload/failure.ts';
import type { Purge } from '../../../../src-preload/purge.ts';
import { keptAnswer, queries } from '../../../../src-renderer/data/calls.ts';
import { dismissPurge } from '../../../../src-renderer/purge/use-purge.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

test('what a purge came to is shown again if it could not be dismissed', async () => {
  const of = { connectionId: 'c', endpointId: 'e' };
  const purge: Purge = {
    ...of,
    id: 'p',
    startedAtMs: 0,
    expected: 12,
    outcome: { kind: 'unknown', atMs: 0, reason: 'No answer.' },
    tracked: 2,
    purged: 2,
    purgedJobs: [],
    undecided: 0,
    submittedAgain: 0,
    isDismissed: false,
  };
  const allowance = { used: 0, of: 2, lockedUntilMs: null };
  queries.setQueryData(['purge:log', of], { allowance, purges: [purge] });
  const shown = (): boolean[] => (keptAnswer('purge:log', of)?.purges ?? []).map(({ isDismissed }) => !isDismissed);
  answerCalls({
    'purge:dismiss': () => {
      expect(shown()).toEqual([false]);
      return Promise.resolve(failed({ kind: 'storage', message: 'The disk is full.' }));
    },
  });
  expect(await dismissPurge(purge)).toBe(false);
  expect(shown()).toEqual([true]);
});
