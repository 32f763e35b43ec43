import { describe, expect, it } from 'vitest';
import { purgePreviewText, purgeReport } from '../../../../src-renderer/messages/purge.tsx';
import { lockSeconds, purgeCount, queueShares } from '../../../../src-renderer/purge/queue-shares.ts';
import type { Purge, PurgeOutcome } from '../../../../src-preload/purge.ts';

const health = (inQueue: number) => ({
  atMs: 0,
  jobs: { completed: 0, failed: 0, inProgress: 5, inQueue, retried: 0 },
});
const purge = (outcome: PurgeOutcome, changes: Partial<Purge> = {}): Purge => ({
  id: 'p',
  connectionId: 'c',
  endpointId: 'e',
  startedAtMs: 0,
  expected: 12,
  outcome,
  tracked: 2,
  purged: 2,
  purgedJobs: [],
  undecided: 0,
  submittedAgain: 0,
  isDismissed: false,
  ...changes,
});

describe('the waiting jobs', () => {
  it('are separated by where they were sent from', () => {
    expect(queueShares({ health: health(12), tracked: 2 })).toEqual({
      inQueue: 12,
      tracked: 2,
      external: 10,
      running: 5,
    });
  });
  it('do not add up with contradictory numbers: these are named, and none is invented', () => {
    const shares = queueShares({ health: health(1), tracked: 2 });
    expect(shares.external).toBeNull();
    expect(purgePreviewText.disagreement(1, 2)).toMatch(/1 waiting.* 2 sent from here/);
    expect(purgeCount(shares)).toEqual({ jobs: 2, isLeast: false });
  });
  it('without a health are at least those known here', () => {
    expect(purgeCount(queueShares({ health: null, tracked: 2 }))).toEqual({ jobs: 2, isLeast: true });
    expect(purgeCount(queueShares({ health: null, tracked: 0 }))).toBeNull();
  });
});

describe('the story of a purge', () => {
  it('compares the removed jobs with the waiting ones', () => {
    expect(purgeReport(purge({ kind: 'removed', atMs: 1, removed: 15 })).lines[0]).toBe(
      '3 more than were waiting before: they arrived in between.',
    );
    expect(purgeReport(purge({ kind: 'removed', atMs: 1, removed: 11 })).lines[0]).toMatch(/^1 fewer/);
    expect(purgeReport(purge({ kind: 'removed', atMs: 1, removed: 12 })).lines).toEqual([
      '2 of 2 sent from here are gone. Their inputs stay saved.',
    ]);
  });
  it('says what is known of our jobs and what is not', () => {
    expect(
      purgeReport(purge({ kind: 'removed', atMs: 1, removed: 12 }, { tracked: 5, purged: 1, undecided: 2 })).lines,
    ).toEqual([
      '1 of 5 sent from here is gone, 2 had left the queue before, 2 still being checked. Their inputs stay saved.',
    ]);
    // Counted a moment apart, the two never tell more than there were.
    expect(
      purgeReport(purge({ kind: 'unknown', atMs: 1, reason: 'No reply' }, { tracked: 9, purged: 9, undecided: 8 }))
        .lines[1],
    ).toBe('9 of 9 sent from here are gone. Their inputs stay saved.');
  });
  it('without a reply promises nothing, and says why it is not repeated', () => {
    const story = purgeReport(purge({ kind: 'unknown', atMs: 1, reason: 'The connection was reset' }));
    expect(story.title).toBe('Outcome unknown: 12 jobs may have been removed');
    expect(story.lines[0]).toBe(
      'The connection was reset. Jobdeck will not send it again, because a second purge would remove newer jobs.',
    );
  });
  it('of a refusal has the service’s words', () => {
    expect(
      purgeReport(
        purge({
          kind: 'refused',
          atMs: 1,
          failure: {
            kind: 'not-found',
            message: 'The service does not know this.',
            serviceSaid: 'no such endpoint',
            mayHaveArrived: true,
          },
        }),
      ).lines,
    ).toEqual(['The service does not know this.', 'The service said: no such endpoint']);
  });
});

describe('the lock', () => {
  it('counts down in whole seconds to zero', () => {
    expect(
      [0, 1, 9_000, 9_001, 10_000, 20_000].map((nowMs) =>
        lockSeconds({ used: 1, of: 2, lockedUntilMs: 10_000 }, nowMs),
      ),
    ).toEqual([10, 10, 1, 1, 0, 0]);
    expect(lockSeconds({ used: 0, of: 2, lockedUntilMs: null }, 5)).toBe(0);
  });
});
