import { describe, expect, it } from 'vitest';
import type { SandboxRequest } from '../../../../src-preload/sandbox.ts';
import {
  countChoices,
  isChosen,
  isFiltering,
  matchingRequests,
  noFilter,
  statusClass,
} from '../../../../src-renderer/sandbox/request-filter.ts';
import {
  addRequests,
  clearLog,
  emptyLog,
  maxShown,
  pauseLog,
  resumeLog,
} from '../../../../src-renderer/sandbox/request-log.ts';

function request(seq: number, facts: Partial<SandboxRequest> = {}): SandboxRequest {
  return {
    seq,
    atMs: seq,
    durationMs: 1,
    method: 'GET',
    operation: 'status',
    endpointId: 'echo',
    jobId: null,
    status: 200,
    requestBytes: 0,
    replyBytes: 2,
    fault: null,
    ...facts,
  };
}
const batch = (from: number, to: number, missed = 0) => ({
  requests: Array.from({ length: to - from + 1 }, (_, index) => request(from + index)),
  missed,
});
const seqs = (requests: readonly SandboxRequest[]) => requests.map(({ seq }) => seq);

describe('the list of requests', () => {
  it('adds each request once, in order, however batches overlap', () => {
    const log = [batch(1, 3), batch(2, 5), batch(4, 5)].reduce(addRequests, emptyLog);
    expect(seqs(log.shown)).toEqual([1, 2, 3, 4, 5]);
    expect(log.missed).toBe(0);
  });

  it('keeps the newest and says how many are missing', () => {
    const log = [batch(1, maxShown), batch(maxShown + 1, maxShown + 30, 7)].reduce(addRequests, emptyLog);
    expect(log.shown).toHaveLength(maxShown);
    expect([log.shown[0]?.seq, log.shown.at(-1)?.seq, log.missed]).toEqual([31, maxShown + 30, 37]);
  });

  it('does not change while paused, and adds the waiting requests when resumed', () => {
    const paused = addRequests(pauseLog(addRequests(emptyLog, batch(1, 2))), batch(3, 5));
    expect(seqs(paused.shown)).toEqual([1, 2]);
    expect(paused.held).toHaveLength(3);
    expect(pauseLog(paused)).toBe(paused);
    const resumed = resumeLog(paused);
    expect(seqs(resumed.shown)).toEqual([1, 2, 3, 4, 5]);
    expect(resumed.held).toBeNull();
  });

  it('is limited while paused, too', () => {
    const log = [batch(1, maxShown), batch(maxShown + 1, maxShown + 10)].reduce(
      addRequests,
      pauseLog(addRequests(emptyLog, batch(0, 0))),
    );
    expect(log.held).toHaveLength(maxShown);
    expect(resumeLog(log).shown).toHaveLength(maxShown);
  });

  it('once cleared adds no earlier request again', () => {
    const cleared = clearLog(addRequests(emptyLog, batch(1, 9, 4)));
    expect(cleared).toMatchObject({ shown: [], missed: 0 });
    expect(seqs(addRequests(cleared, batch(8, 11)).shown)).toEqual([10, 11]);
    expect(clearLog(pauseLog(cleared)).held).toEqual([]);
  });
});

describe('the filter of requests', () => {
  const all = [
    request(1, { method: 'POST', operation: 'run', jobId: 'aa11-u1' }),
    request(2, { jobId: 'aa11-u1', status: 503, fault: 'status' }),
    request(3, { endpointId: 'text', operation: 'stream', jobId: 'bb22-u1', status: 429 }),
    request(4, { endpointId: null, operation: 'get-pod', status: 404 }),
    request(5, { status: 0, fault: 'reset' }),
  ];

  it.each([
    ['', null, [1, 2, 3, 4, 5]],
    ['AA11', null, [1, 2]],
    ['aa11 post', null, [1]],
    ['503', null, [2]],
    ['reset', null, [5]],
    ['heliotrope', null, []],
    ['', 'text', [3]],
    ['status', 'echo', [2, 5]],
  ])('%j on %j', (text, endpointId, expected) => {
    expect(seqs(matchingRequests(all, { text, endpointId }))).toEqual(expected);
  });

  it('counts each choice as that choice then shows it', () => {
    const counts = countChoices(all);
    expect(counts).toEqual({ all: 5, done: 1, limited: 1, refused: 1, failed: 1, dropped: 1, faulted: 2 });
    for (const choice of ['all', 'done', 'limited', 'refused', 'failed', 'dropped', 'faulted'] as const)
      expect(all.filter((one) => isChosen(one, choice))).toHaveLength(counts[choice]);
  });

  it('matches a status by its class', () => {
    expect([200, 204, 301, 400, 401, 404, 429, 500, 503, 0].map(statusClass)).toEqual([
      'done',
      'done',
      'done',
      'refused',
      'refused',
      'refused',
      'limited',
      'failed',
      'failed',
      'dropped',
    ]);
  });

  it('is none while nothing is entered', () => {
    expect(isFiltering(noFilter)).toBe(false);
    expect(isFiltering({ ...noFilter, text: '  ' })).toBe(false);
    expect(
      [{ text: 'x' }, { choice: 'failed' as const }, { endpointId: 'echo' }].map((patch) =>
        isFiltering({ ...noFilter, ...patch }),
      ),
    ).toEqual([true, true, true]);
  });
});
