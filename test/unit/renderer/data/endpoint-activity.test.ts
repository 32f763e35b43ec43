import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activityNow, activityText } from '../../../../src-renderer/data/endpoint-activity.ts';

const ours = (running: number, queued: number) => ({ running, queued, all: running + queued });
const health = (inProgress: number, inQueue: number, workers = { idle: 0, running: inProgress }) => ({
  jobs: { completed: 0, failed: 0, retried: 0, inProgress, inQueue },
  workers,
});
const anyOurs = fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 50 })).map(([running, queued]) => ours(running, queued));

describe('an endpoint with newer information than its last reading', () => {
  it('runs nothing once our only job ended, whatever the reading said', () => {
    const now = activityNow(health(1, 0, { idle: 2, running: 1 }), ours(1, 0), ours(0, 0));
    expect(now).toEqual({ queued: 0, running: 0, idleWorkers: 3, startingWorkers: 0 });
    expect(activityText(now)).toBe('3 idle');
  });

  it('agrees with the list if there are no jobs of others', () => {
    fc.assert(
      fc.property(anyOurs, anyOurs, (then, now) => {
        const read = health(then.running, then.queued);
        expect(activityNow(read, then, now)).toMatchObject({ running: now.running, queued: now.queued });
      }),
    );
  });

  it('never reports fewer of our own jobs running or waiting than the list does', () => {
    fc.assert(
      fc.property(anyOurs, anyOurs, anyOurs, (read, then, now) => {
        const { running, queued } = activityNow(health(read.running, read.queued), then, now);
        expect(running).toBeGreaterThanOrEqual(now.running);
        expect(queued).toBeGreaterThanOrEqual(now.queued);
      }),
    );
  });

  it('keeps others’ jobs as they were read', () => {
    expect(activityNow(health(5, 7), ours(2, 3), ours(1, 0))).toMatchObject({ running: 4, queued: 4 });
    expect(activityNow(health(5, 7))).toMatchObject({ running: 5, queued: 7 });
  });

  it('does not count our own jobs that we did not see start as jobs of others', () => {
    expect(activityNow(health(3, 3), ours(0, 6), ours(3, 3))).toMatchObject({ running: 3, queued: 3 });
  });
});
