import { QueryObserver, environmentManager } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../../../../src-preload/contract.ts';
import type { EventName, Events } from '../../../../src-preload/events.ts';
import { ok } from '../../../../src-preload/failure.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import type { JobDetail } from '../../../../src-preload/job.ts';
import { answerOf, callQuery, queries } from '../../../../src-renderer/data/calls.ts';
import { listenForStale } from '../../../../src-renderer/data/stale-on.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aJob } from '../job/a-job.ts';

beforeAll(() => environmentManager.setIsServer(() => false));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queries.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const counts = { revision: 1, all: noJobs, byConnection: {}, savedBytes: 0 };

function detailOf(isStarred: boolean): JobDetail {
  return {
    job: aJob({ isStarred }),
    attempts: [],
    webhook: null,
    waitMs: null,
    s3ProfileId: null,
    note: '',
    lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
    error: null,
    extraFields: {},
  };
}

test('a job that changes while it is first read is shown as after the change', async () => {
  const reads: ((detail: Result<JobDetail>) => void)[] = [];
  const listeners: { [N in EventName]?: (payload: Events[N]) => void } = {};
  answerCalls({ 'job:get': () => new Promise((resolve) => void reads.push(resolve)) });
  const on: Bridge['on'] = (name, listener) => {
    Object.assign(listeners, { [name]: listener });
    return () => {};
  };
  vi.stubGlobal('window', { bridge: { ...window.bridge, on } });
  listenForStale();
  const hide = new QueryObserver(queries, callQuery('job:get', { key: 'k1' })).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toHaveLength(1);
  listeners['job:changed']?.({ jobs: [aJob({ isStarred: false })], removedKeys: [], counts });
  reads[0]?.(ok(detailOf(true)));
  await vi.advanceTimersByTimeAsync(1_000);
  reads[1]?.(ok(detailOf(false)));
  await vi.advanceTimersByTimeAsync(0);
  expect(answerOf('job:get', { key: 'k1' })?.job.isStarred).toBe(false);
  hide();
});
