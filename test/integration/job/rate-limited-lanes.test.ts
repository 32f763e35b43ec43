import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDispatch, type DispatchRequest, type Dispatch } from '../../../src-main/job/context/dispatch.ts';
import { Reachability } from '../../../src-main/job/context/reachability.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import { RateGovernor } from '../../../src-main/service/rate-governor.ts';
import { ok } from '../../../src-preload/failure.ts';
import { createFaultService, type FaultService } from '../../kit/fault-service.ts';

let service: FaultService;
let nowMs: number;
let dispatch: Dispatch;

beforeEach(async () => {
  service = await createFaultService();
  nowMs = 1_000_000;
  const now = (): number => nowMs;
  const random = (): number => 0.5;
  dispatch = createDispatch({
    governor: new RateGovernor({ share: () => ({ rateShare: 1, concurrencyShare: 1 }), random }),
    reachability: new Reachability({
      now,
      random,
      onChange: () => undefined,
      onClosures: () => undefined,
      onRefused: () => undefined,
    }),
    now,
    onRequest: () => undefined,
    apiFor: ({ baseUrl }) =>
      ok(
        createQueueApi(
          { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key-0123456789') },
          { now },
        ),
      ),
  });
});
afterEach(() => service.close());

const calls: { operation: 'status' | 'stream' | 'cancel'; call: DispatchRequest<unknown>['call'] }[] = [
  { operation: 'status', call: (api, signal) => api.status('echo', 'job-1', { signal }) },
  { operation: 'stream', call: (api, signal) => api.stream('echo', 'job-1', { signal }) },
  { operation: 'cancel', call: (api, signal) => api.cancel('echo', 'job-1', { signal }) },
];

describe.each(calls)('a 429 to $operation', ({ operation, call }) => {
  const ask = (endpointId = 'echo') =>
    dispatch.send({
      to: { connectionId: 'main', baseUrl: service.url, endpointId },
      operation,
      jobKey: null,
      call,
      describe: () => '',
    });

  it.each([
    ['of an hour', '3600', 3_600_000],
    ['of nothing: then the back-off applies', '0', 250],
  ])('pauses the endpoint’s operation for its Retry-After %s', async (_, retryAfter, waitMs) => {
    service.next({
      kind: 'reply',
      status: 429,
      headers: { 'retry-after': retryAfter },
      body: { error: 'Too many requests.' },
    });
    expect(await ask()).toMatchObject({ kind: 'answered', result: { ok: false, failure: { kind: 'rate-limited' } } });
    const untilMs = nowMs + waitMs;
    nowMs = untilMs - 1;
    expect(await ask()).toEqual({ kind: 'no-room', nextAtMs: untilMs });
    expect(service.requests).toHaveLength(1);
    nowMs = untilMs;
    expect((await ask()).kind).toBe('answered');
    expect(service.requests).toHaveLength(2);
  });

  it('leaves other endpoints and operations alone', async () => {
    service.next({
      kind: 'reply',
      status: 429,
      headers: { 'retry-after': '3600' },
      body: { error: 'Too many requests.' },
    });
    await ask();
    expect((await ask('image')).kind).toBe('answered');
    for (const other of calls.filter((each) => each.operation !== operation)) {
      const sent = await dispatch.send({
        to: { connectionId: 'main', baseUrl: service.url, endpointId: 'echo' },
        ...other,
        jobKey: null,
        describe: () => '',
      });
      expect(sent.kind).toBe('answered');
    }
  });
});
