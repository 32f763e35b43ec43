import { describe, expect, test } from 'vitest';
import { type TrackerState, healthRoute, jobRoute, resourceRoute, sandboxRoute } from '../../../../src-preload/app.ts';
import { describeBudgets, onlineStatus } from '../../../../src-renderer/data/budget.ts';
import { describePolling } from '../../../../src-renderer/data/polling.ts';
import { readRoute } from '../../../../src-renderer/navigation/route.ts';
import { widthBand } from '../../../../src-renderer/windows/list-and-job.tsx';

const calm: TrackerState = {
  nowMs: 0,
  clockSettings: [],
  isPaused: false,
  tracked: 5,
  waitingToSend: 0,
  outcomeUnknown: 0,
  orphans: 0,
  nextStatusReadAtMs: 1_800,
  connections: [],
  closures: [],
  budgets: [],
};

describe('the poller’s status text', () => {
  test('active jobs and the next check', () => {
    expect(describePolling(calm, { kind: 'ready' }, 1_000)).toEqual({
      title: 'Polling 5 jobs',
      text: 'Next check within 2 s',
      dot: 'live',
    });
    // The engine's next report says what is planned after it.
    expect(describePolling(calm, { kind: 'ready' }, 2_500).text).toBe('Next check within 2 s');
    expect(describePolling(calm, { kind: 'ready' }, 9_000).text).toBe('Checking now');
    expect(
      describePolling({ ...calm, tracked: 1, nextStatusReadAtMs: 31_000 }, { kind: 'ready' }, 1_000),
    ).toMatchObject({
      title: 'Polling 1 job',
      text: 'Next check in 30 s',
    });
  });

  test('nothing active, paused, offline and a refused key each have a text', () => {
    expect(describePolling({ ...calm, tracked: 0 }, { kind: 'ready' }, 0)).toMatchObject({
      title: 'Polling idle',
      text: 'No jobs at the service',
    });
    expect(describePolling({ ...calm, isPaused: true }, { kind: 'ready' }, 0)).toMatchObject({
      title: 'Polling paused',
      text: '5 jobs not checked',
    });
    expect(describePolling(calm, { kind: 'offline', sinceMs: 0, nextTryMs: 12_000, message: '' }, 0)).toMatchObject({
      text: 'Offline, next try in 12 s',
      dot: 'off',
    });
    const refused = { kind: 'key-refused' as const, httpStatus: 401, path: '/', sinceMs: 0, nextTryMs: 24_000 };
    expect(describePolling(calm, refused, 0)).toEqual({
      title: 'Key refused (401)',
      text: 'Next try in 24 s',
      dot: 'off',
    });
    expect(describePolling(calm, { ...refused, nextTryMs: null }, 0).text).toBe('Trying now');
    expect(describePolling(calm, { kind: 'sandbox-stopped' }, 0)).toEqual({
      title: 'Polling stopped',
      text: 'Sandbox stopped',
      dot: 'off',
    });
  });
});

describe('request budget', () => {
  const connection = {
    id: 'c1',
    name: 'P',
    baseUrl: '',
    restUrl: '',
    authorization: 'bearer',
    endpoints: [{ id: 'e1', label: 'llama', flavour: 'text' }],
    isSandbox: false,
    hasKey: true,
    state: { kind: 'ready' },
    createdAtMs: 0,
  } as const;
  const budget = {
    connectionId: 'c1',
    endpointId: 'e1',
    operation: 'status',
    spent: 143,
    allowed: 500,
    limit: 2_000,
    heldUntilMs: null,
    heldSinceMs: null,
    backoffStep: 0,
    reason: null,
  };
  const mutable = {
    ...connection,
    endpoints: [...connection.endpoints],
    plainHttp: [],
    state: { kind: 'ready' as const },
  };

  test('the budget closest to its limit is shown, others of the connection are listed, other connections are not', () => {
    const told = describeBudgets(
      [{ ...budget, operation: 'run', spent: 10, allowed: 20 }, budget, { ...budget, connectionId: 'c2', spent: 500 }],
      mutable,
      { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] },
    );
    expect(told).toMatchObject({ spent: 10, allowed: 20, held: null });
    expect(told?.lines).toEqual([
      { name: 'run, llama', figures: '10 / 20 of 2,000, slowed to 4 %' },
      { name: 'status, llama', figures: '143 / 500 of 2,000' },
    ]);
    expect(told?.why).toContain('25 %');
  });

  test('the one purge allowed at a time does not count as a budget that is used up', () => {
    const purge = { ...budget, operation: 'purge-queue', spent: 1, allowed: 1, limit: 2 };
    expect(
      describeBudgets([purge, budget], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] }),
    ).toMatchObject({
      spent: 143,
      allowed: 500,
      used: null,
    });
    expect(describeBudgets([purge], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] })).toBeNull();
  });

  test('a budget below its share says that a 429 is the reason', () => {
    expect(describeBudgets([budget], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] })?.slowed).toBeNull();
    expect(
      describeBudgets([{ ...budget, allowed: 15 }], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] })
        ?.slowed,
    ).toContain('429');
  });

  test('a hold says why and for how long, and ends when its time is over', () => {
    const held = [{ ...budget, heldUntilMs: 5_000, reason: 'The service answered 429' }];
    expect(describeBudgets(held, mutable, { share: 0.25, nowMs: 1_000, readAtMs: 1_000, closures: [] })?.held).toBe(
      'The service answered 429. Next status in 4 s.',
    );
    expect(
      describeBudgets(held, mutable, { share: 0.25, nowMs: 5_000, readAtMs: 5_000, closures: [] })?.held,
    ).toBeNull();
  });

  test('a 429 still shows how much of the share is left once its hold is over', () => {
    const told = describeBudgets([{ ...budget, allowed: 250, heldUntilMs: 5_000 }], mutable, {
      share: 0.25,
      nowMs: 6_000,
      readAtMs: 6_000,
      closures: [],
    });
    expect(told).toMatchObject({ held: null, lines: [{ figures: '143 / 250 of 2,000, slowed to 50 %' }] });
    expect(told?.slowed).toContain('less of its share');
  });

  test('a used-up share says whose next request waits; a held one says that instead', () => {
    expect(describeBudgets([budget], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] })?.used).toBeNull();
    expect(
      describeBudgets([{ ...budget, spent: 500 }], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] })?.used,
    ).toBe('Used up: status, llama. New requests there wait a few seconds.');
    expect(
      describeBudgets([{ ...budget, spent: 500, heldUntilMs: 5_000 }], mutable, {
        share: 0.25,
        nowMs: 0,
        readAtMs: 0,
        closures: [],
      })?.used,
    ).toBeNull();
    expect(
      describeBudgets([{ ...budget, spent: 500 }], mutable, { share: 0.25, nowMs: 10_001, readAtMs: 0, closures: [] })
        ?.used,
    ).toBeNull();
  });

  test('ten seconds after they arrived the figures count as unspent; health has no share of the service’s limits', () => {
    expect(describeBudgets([budget], mutable, { share: 0.25, nowMs: 10_000, readAtMs: 0, closures: [] })?.spent).toBe(
      143,
    );
    expect(describeBudgets([budget], mutable, { share: 0.25, nowMs: 10_001, readAtMs: 0, closures: [] })?.spent).toBe(
      0,
    );
    expect(
      describeBudgets([{ ...budget, operation: 'health' }], mutable, {
        share: 0.25,
        nowMs: 0,
        readAtMs: 0,
        closures: [],
      }),
    ).toBeNull();
  });

  test('a refused operation has a line of its own, with its next try (ruling 35)', () => {
    const closure = {
      connectionId: budget.connectionId,
      endpointId: budget.endpointId,
      operation: 'cancel',
      httpStatus: 403,
      path: '/',
      serviceSaid: null,
      sinceMs: 0,
      nextTryMs: 130_000,
    };
    expect(
      describeBudgets([budget], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [closure] })?.refused,
    ).toEqual([{ name: 'cancel, llama', figures: 'refused (403), next try in 2:10' }]);
    expect(
      describeBudgets([budget], mutable, {
        share: 0.25,
        nowMs: 0,
        readAtMs: 0,
        closures: [{ ...closure, nextTryMs: null }],
      })?.refused[0]?.figures,
    ).toBe('refused (403), trying now');
  });

  test('without spending, nothing is shown', () => {
    expect(describeBudgets([], mutable, { share: 0.25, nowMs: 0, readAtMs: 0, closures: [] })).toBeNull();
  });
});

test('the status word distinguishes trouble from choice', () => {
  expect(onlineStatus({ kind: 'ready' }, false)).toMatchObject({ word: 'Online', isTrouble: false });
  expect(onlineStatus({ kind: 'ready' }, true)).toMatchObject({ word: 'Paused', isTrouble: false });
  expect(onlineStatus({ kind: 'offline', sinceMs: 0, nextTryMs: null, message: '' }, true)).toMatchObject({
    word: 'Offline',
    isTrouble: true,
  });
  expect(onlineStatus({ kind: 'sandbox-stopped' }, false)).toMatchObject({ word: 'Sandbox stopped', isTrouble: true });
  expect(onlineStatus(null, false).word).toBe('No connection');
});

test('routes: a job key survives the address, anything unknown is the main window', () => {
  expect(readRoute(jobRoute('00017 a/b'))).toEqual({ kind: 'job', jobKey: '00017 a/b' });
  expect(readRoute(sandboxRoute)).toEqual({ kind: 'sandbox' });
  expect(readRoute(healthRoute('c 1', 'a/b'))).toEqual({ kind: 'health', connectionId: 'c 1', endpointId: 'a/b' });
  expect(readRoute(healthRoute('c 1', null))).toEqual({ kind: 'health', connectionId: 'c 1', endpointId: null });
  expect(readRoute(resourceRoute('pod', 'c1', 'p/1'))).toEqual({ kind: 'pod', connectionId: 'c1', id: 'p/1' });
  expect(readRoute('/health/a/b/c')).toEqual({ kind: 'main' });
  expect(readRoute('/onboarding')).toEqual({ kind: 'onboarding' });
  expect(readRoute('/')).toEqual({ kind: 'main' });
  expect(readRoute('/?job=1')).toEqual({ kind: 'main' });
  expect(readRoute('/job/a/b')).toEqual({ kind: 'main' });
});

test.each([
  [819, 'single'],
  [820, 'slim'],
  [959, 'slim'],
  [960, 'full'],
])('%i px is %s', (px, band) => {
  expect(widthBand(px)).toBe(band);
});
