import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { failed } from '../../../../src-preload/failure.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { showsFailures, useActions } from '../../../../src-renderer/job/action-store.ts';
import {
  cancelJob,
  checkedInVain,
  checkNow,
  resubmitUnchanged,
  retryJob,
} from '../../../../src-renderer/job/actions.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

const refused: Result<never> = failed({ kind: 'refused', message: 'Polling is paused.' });

function said(): string[] {
  return useToasts.getState().items.map(({ message }) => message);
}

afterEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ items: [] });
});

test('the reason why a job was not checked appears on the job; if the job is not shown it is also a toast', async () => {
  answerCalls({ 'job:checkNow': () => Promise.resolve(refused) });
  const leave = showsFailures('k1');
  await checkNow({ key: 'k1', phase: 'active' });
  expect(useActions.getState().failures['k1']?.failure.message).toBe('Polling is paused.');
  expect(said()).toEqual([]);
  leave();
  await checkNow({ key: 'k1', phase: 'active' });
  expect(said()).toEqual(['Could not check the job. Polling is paused.']);
});

describe('a check of a gone job that found nothing', () => {
  it('is reported as its result', () => {
    const failure = { kind: 'not-found' as const, message: 'm', mayHaveArrived: true };
    expect(checkedInVain(failure)).toEqual({ title: 'Checked just now', failure, tone: 'neutral' });
    expect(checkedInVain({ ...failure, kind: 'malformed', isBeyondLimits: true })).toMatchObject({
      title: 'Checked just now',
      tone: 'neutral',
    });
  });

  it('does not count as a check if the service did not answer', () => {
    expect(checkedInVain({ kind: 'network', message: 'm', mayHaveArrived: false })).toMatchObject({
      title: 'Could not check the job',
    });
    expect(checkedInVain({ kind: 'network', message: 'm', mayHaveArrived: false }).tone).toBeUndefined();
  });
});

test('an immediate second press sends nothing more, and a later one does', async () => {
  vi.useFakeTimers();
  const { calls } = answerCalls({});
  const press = async (send: (key: string) => Promise<void>): Promise<string[]> => {
    await send('k2');
    return calls.splice(0);
  };
  expect(await press(retryJob)).toEqual(['job:retry']);
  // The same key and button, once the job waits for its retry.
  expect(await press(resubmitUnchanged)).toEqual([]);
  vi.advanceTimersByTime(400);
  expect(await press(resubmitUnchanged)).toEqual([]);
  vi.advanceTimersByTime(600);
  expect(await press(resubmitUnchanged)).toEqual(['job:resubmit']);
  expect(await press(retryJob)).toEqual([]);
  expect([await press(cancelJob), await press(retryJob)]).toEqual([['job:cancel'], ['job:retry']]);
  vi.useRealTimers();
});
