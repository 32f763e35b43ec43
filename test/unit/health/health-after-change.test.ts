import { describe, expect, it } from 'vitest';
import { createHealthAfterChange } from '../../../src-main/health/health-after-change.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';

function follow() {
  const clock = createVirtualClock();
  const read: string[] = [];
  const after = createHealthAfterChange({
    clock,
    refresh: async (connectionId, endpointId) => void read.push(`${connectionId}/${endpointId}`),
  });
  return { clock, read, after };
}
const queued = aJob({ key: 'a', endpointId: 'text', status: 'IN_QUEUE' });
const running = { ...queued, status: 'IN_PROGRESS' as const };
const done = { ...queued, phase: 'finished' as const, status: 'COMPLETED' as const };

describe('health after a job changed', () => {
  it('is read immediately, and a second time only for changes since then, five seconds later', async () => {
    const { clock, read, after } = follow();
    after.jobsChanged([queued]);
    expect(read).toEqual(['connection-1/text']);
    after.jobsChanged([running]);
    after.jobsChanged([done]);
    expect(read).toHaveLength(1);
    await clock.advance(4_900);
    expect(read).toHaveLength(1);
    await clock.advance(200);
    expect(read).toHaveLength(2);
    await clock.advance(60_000);
    expect(read).toHaveLength(2);
  });

  it('is not read for changes that do not affect the service: chunks, stars, an unsent job', () => {
    const { read, after } = follow();
    after.jobsChanged([aJob({ key: 'b', jobId: null, phase: 'waiting', status: null })]);
    expect(read).toEqual([]);
    after.jobsChanged([running]);
    after.jobsChanged([
      { ...running, chunkCount: 9 },
      { ...running, isStarred: true },
    ]);
    expect(read).toHaveLength(1);
  });

  it('is read for each endpoint separately, and never after closing', async () => {
    const { clock, read, after } = follow();
    after.jobsChanged([running, { ...running, key: 'c', endpointId: 'image' }]);
    expect(read).toEqual(['connection-1/text', 'connection-1/image']);
    after.jobsChanged([done]);
    after.close();
    await clock.advance(10_000);
    expect(read).toHaveLength(2);
  });
});
