import { QueryObserver, environmentManager } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CostSum, EndpointCost, EndpointCostSums } from '../../../../src-preload/cost.ts';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { keptAnswer, callQuery, changeAnswers, makeStale, queries } from '../../../../src-renderer/data/calls.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';

// Without a window Query takes itself to be on a server, where it sets no timers.
beforeAll(() => environmentManager.setIsServer(() => false));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queries.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  useToasts.setState({ items: [] });
});

const cost: EndpointCost = {
  connectionId: 'c1',
  endpointId: 'text',
  rates: [],
  limits: { perJob: 2, perDay: null },
  limitsSinceMs: 0,
};
const busy: Result<never> = failed({ kind: 'storage', message: 'The history is busy.' });
const all = { connectionId: null };

const sum: CostSum = { credits: 1, executionMs: 1, pricedJobs: 1, unpricedJobs: 0 };
const sums: EndpointCostSums = { today: sum, days7: sum, days30: sum, jobP50: null, jobCount: 1 };

/** A part of the window that shows the answer to a call; answers a function that takes it away. */
function show(...[name, input, options]: Parameters<typeof callQuery<'cost:list'>>): () => void {
  return new QueryObserver(queries, callQuery(name, input, options)).subscribe(() => {});
}

describe('a cached answer', () => {
  it('that could not be read is requested again until it is there, and then no more', async () => {
    const answers: Result<EndpointCost[]>[] = [busy, busy, ok([cost])];
    const { calls } = answerCalls({ 'cost:list': () => Promise.resolve(answers.shift() ?? ok([])) });
    const options = { isKeptByEvents: true, againAfterFailureMs: 5_000 };
    const ends = [show('cost:list', all, options), show('cost:list', all, options)];
    await vi.advanceTimersByTimeAsync(9_000);
    expect([calls.length, keptAnswer('cost:list', all)]).toEqual([2, undefined]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([calls.length, keptAnswer('cost:list', all)]).toEqual([3, [cost]]);
    for (const end of ends) end();
  });

  it('stays if it cannot be read again, and the failure is reported once if it has no other place', async () => {
    const answers: Result<EndpointCost[]>[] = [ok([cost]), busy];
    answerCalls({ 'cost:list': () => Promise.resolve(answers.shift() ?? ok([])) });
    const end = show('cost:list', all, { isFailureToast: true });
    await vi.advanceTimersByTimeAsync(1_000);
    makeStale('cost:list', null);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keptAnswer('cost:list', all)).toEqual([cost]);
    expect(useToasts.getState().items.map(({ message }) => message)).toEqual(['The history is busy.']);
    end();
  });

  it('that an event changed while it was read is shown changed, and is read again', async () => {
    const answers = [[cost], [], [cost, cost]];
    const { calls } = answerCalls({
      'cost:list': async () => {
        const answer = ok(answers.shift() ?? []);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return answer;
      },
    });
    const end = show('cost:list', all);
    await vi.advanceTimersByTimeAsync(1_000);
    makeStale('cost:list', null);
    await vi.advanceTimersByTimeAsync(500);
    changeAnswers('cost:list', null, (before) => [...before, cost]);
    expect(keptAnswer('cost:list', all)).toEqual([cost, cost]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([calls.length, keptAnswer('cost:list', all)]).toEqual([3, [cost, cost]]);
    end();
  });
});

describe('a stale answer', () => {
  const text = { connectionId: 'c1', endpointId: 'text' };

  it('is read again immediately, then at most once per interval, with one last read', async () => {
    const { calls } = answerCalls({ 'cost:ofEndpoint': () => Promise.resolve(ok(sums)) });
    const end = new QueryObserver(queries, callQuery('cost:ofEndpoint', text)).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls.length).toBe(1);
    for (let times = 0; times < 25; times += 1) {
      makeStale('cost:ofEndpoint', text, { everyMs: 2_000 });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(calls.length).toBe(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.length).toBe(4);
    end();
  });

  it('is read again only if its input matches, and only while something shows it', async () => {
    const { calls } = answerCalls({ 'cost:ofEndpoint': () => Promise.resolve(ok(sums)) });
    const end = new QueryObserver(queries, callQuery('cost:ofEndpoint', text)).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    makeStale('cost:ofEndpoint', { connectionId: 'c2' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls.length).toBe(1);
    makeStale('cost:ofEndpoint', { connectionId: 'c1' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls.length).toBe(2);
    end();
    makeStale('cost:ofEndpoint', null);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls.length).toBe(2);
  });
});
