import { describe, expect, it } from 'vitest';
import { faultRules, maxKeptRequests, SeenRequests } from '../../../src-main/engine/sandbox-control.ts';
import type { SandboxFault } from '../../../src-preload/sandbox.ts';
import type { SeenRequest } from '../../../src-main/sandbox/activity-feed.ts';

const fault: SandboxFault = {
  id: 'f1',
  isOn: true,
  kind: 'status',
  operation: null,
  endpointId: null,
  status: null,
  probability: 1,
  times: null,
  forMs: null,
  isProcessed: false,
  delayMs: null,
};

describe('faults sent to the sandbox', () => {
  it('are the enabled ones, in order, without empty fields', () => {
    expect(
      faultRules([
        fault,
        { ...fault, isOn: false },
        { ...fault, kind: 'delay', operation: 'run', endpointId: 'echo', probability: 0.2, times: 3, delayMs: 50 },
        { ...fault, status: 503, forMs: 10_000, isProcessed: true },
      ]),
    ).toEqual([
      { kind: 'status' },
      { kind: 'delay', operation: 'run', endpointId: 'echo', probability: 0.2, times: 3, delayMs: 50 },
      { kind: 'status', status: 503, forMs: 10_000, isProcessed: true },
    ]);
  });
});

describe('the reported requests', () => {
  const seen = (seq: number): SeenRequest => ({
    seq,
    atMs: 7,
    durationMs: 1,
    method: 'GET',
    area: 'queue',
    endpointId: 'echo',
    operation: 'status',
    jobId: null,
    status: 200,
    requestBytes: 0,
    replyBytes: 2,
    fault: null,
    sentChunks: null,
  });

  it('continue their numbers when the sandbox starts again', () => {
    const requests = new SeenRequests();
    requests.take([seen(1), seen(2)], 0);
    requests.sandboxStarted();
    expect(requests.take([seen(1)], 0).requests.map(({ seq }) => seq)).toEqual([3]);
    expect(requests.last().requests.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('are bounded, and dropped ones are counted', () => {
    const requests = new SeenRequests();
    for (let from = 0; from <= maxKeptRequests; from += 1_000)
      requests.take(
        Array.from({ length: 1_000 }, (_, index) => seen(from + index + 1)),
        2,
      );
    const last = requests.last();
    expect(last.requests).toHaveLength(maxKeptRequests);
    expect(last.requests[0]?.seq).toBe(1_001);
    expect(last.missed).toBe(1_000 + 6 * 2);
  });
});
