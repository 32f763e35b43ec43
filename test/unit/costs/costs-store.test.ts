import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EndpointCost } from '../../../src-preload/cost.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { listenToRates, useCosts } from '../../../src-renderer/costs/costs-store.ts';
import { answerCalls } from '../../kit/answering-bridge.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('rates that could not be read are asked for again until they are there, and then no more', async () => {
  const cost: EndpointCost = {
    connectionId: 'c1',
    endpointId: 'text',
    rates: [],
    limits: { perJob: 2, perDay: null },
    limitsSinceMs: 0,
  };
  const busy: Result<never> = failed({ kind: 'storage', message: 'The history is busy.' });
  const answers: Result<EndpointCost[]>[] = [busy, busy, ok([cost])];
  const { asked } = answerCalls({ 'cost:list': () => Promise.resolve(answers.shift() ?? ok([])) });
  listenToRates();
  listenToRates();
  await vi.advanceTimersByTimeAsync(9_000);
  expect([asked.length, useCosts.getState().costs]).toEqual([2, {}]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked.length, useCosts.getState().costs]).toEqual([3, { 'c1/text': cost }]);
});
