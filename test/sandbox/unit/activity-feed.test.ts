import { describe, expect, it } from 'vitest';
import {
  MOST_IN_BATCH,
  createActivityFeed,
  type EndpointActivity,
  type Activity,
} from '../../../src-main/sandbox/activity-feed.ts';
import type { RequestLogEntry } from '../../../src-main/sandbox/server/request-log.ts';

const entry = (seq: number): RequestLogEntry => ({
  seq,
  atMs: 5_000_000,
  durationMs: 2,
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

function scene() {
  const posted: Activity[] = [];
  let workers: EndpointActivity[] = [{ endpointId: 'echo', running: 0, idle: 0, starting: 0, inQueue: 0 }];
  let ticking: (() => void) | null = null;
  const sights = createActivityFeed({
    readWorkers: () => workers,
    post: (sight) => posted.push(sight),
    now: () => 42,
    every: (_everyMs, run) => {
      ticking = run;
      return () => {
        ticking = null;
      };
    },
  });
  return {
    sights,
    isTicking: () => ticking !== null,
    tick: () => ticking?.(),
    setRunning: (running: number) => (workers = workers.map((one) => ({ ...one, running }))),
    /** Takes what was posted since. */
    took: () => posted.splice(0),
  };
}
const seqs = (sights: Activity[]) =>
  sights.flatMap((sight) => (sight.type === 'requests' ? sight.requests.map(({ seq }) => seq) : []));

describe('the host’s reports about its sandbox', () => {
  it('start only with a watcher, who gets the last ones immediately, then batches', () => {
    const { sights, took, tick, isTicking } = scene();
    sights.note(entry(1));
    expect([took(), isTicking()]).toEqual([[], false]);
    sights.watch(true);
    expect(seqs(took())).toEqual([1]);
    sights.note(entry(2));
    sights.note(entry(3));
    expect(took()).toEqual([]);
    tick();
    expect(took()).toMatchObject([
      {
        type: 'requests',
        missed: 0,
        requests: [
          { seq: 2, atMs: 42 },
          { seq: 3, atMs: 42 },
        ],
      },
    ]);
    tick();
    expect(took()).toEqual([]);
    sights.watch(false);
    expect(isTicking()).toBe(false);
  });

  it('are bounded, and say how many were left out', () => {
    const { sights, took } = scene();
    for (let seq = 1; seq <= MOST_IN_BATCH * 3 + 5; seq += 1) sights.note(entry(seq));
    sights.watch(true);
    const [requests] = took().filter((sight) => sight.type === 'requests');
    expect(requests).toMatchObject({ missed: MOST_IN_BATCH * 2 + 5, requests: { length: MOST_IN_BATCH } });
    expect(seqs(requests === undefined ? [] : [requests]).at(-1)).toBe(MOST_IN_BATCH * 3 + 5);
  });

  it('include workers when they changed, and again for a new watcher', () => {
    const { sights, took, tick, setRunning } = scene();
    sights.watch(true);
    expect(took()).toMatchObject([{ type: 'workers' }]);
    for (let turn = 0; turn < 6; turn += 1) tick();
    expect(took()).toEqual([]);
    setRunning(2);
    for (let turn = 0; turn < 3; turn += 1) tick();
    expect(took()).toMatchObject([{ type: 'workers', workers: [{ running: 2 }] }]);
    sights.watch(false);
    sights.watch(true);
    expect(took()).toMatchObject([{ type: 'workers', workers: [{ running: 2 }] }]);
  });
});
