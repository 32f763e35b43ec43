import { describe, expect, it } from 'vitest';
import { endpointKey } from '../../../../src-preload/endpoint-key.ts';
import { noJobs, type AllJobCounts } from '../../../../src-preload/history.ts';
import { RecentOurJobs } from '../../../../src-renderer/data/recent-our-jobs.ts';

const counts = (running: number, queued: number, sending = 0): AllJobCounts => ({
  revision: 1,
  all: noJobs,
  savedBytes: 0,
  byConnection: {
    c: { ...noJobs, byEndpoint: { e: { running, queued, sending, toSend: 0, unknown: 0, over: 0, failedUnseen: 0 } } },
  },
});

const key = endpointKey({ connectionId: 'c', endpointId: 'e' });

describe('our jobs at about the time of an endpoint’s health reading', () => {
  it('are the maximum within the ten seconds before', () => {
    const recent = new RecentOurJobs();
    recent.note(counts(9, 9), 0);
    recent.note(counts(1, 6), 5_000);
    recent.note(counts(3, 2), 12_000);
    recent.note(counts(0, 0), 12_500);
    recent.healthRead(key, 15_500);
    expect(recent.around(key)).toEqual({ running: 3, all: 7 });
  });

  it('are still there if nothing changed for a minute, and count until they changed', () => {
    const recent = new RecentOurJobs();
    recent.note(counts(3, 9), 0);
    recent.healthRead(key, 60_000);
    expect(recent.around(key)).toEqual({ running: 3, all: 12 });
    // They ended a moment before the next reading, which may have counted them still.
    recent.note(counts(0, 0), 119_000);
    recent.healthRead(key, 120_000);
    expect(recent.around(key)).toEqual({ running: 3, all: 12 });
  });

  it('include jobs being sent, and those known a moment later', () => {
    const recent = new RecentOurJobs();
    recent.note(counts(0, 0, 4), 1_000);
    recent.healthRead(key, 1_010);
    expect(recent.around(key)).toEqual({ running: 0, all: 4 });
    expect(recent.note(counts(2, 4), 1_500)).toEqual([key]);
    expect(recent.around(key)).toEqual({ running: 2, all: 6 });
    expect(recent.note(counts(8, 8), 9_000)).toEqual([]);
  });

  it('are none if nothing is known', () => {
    expect(new RecentOurJobs().around(key)).toEqual({ running: 0, all: 0 });
  });
});
