import { describe, expect, it } from 'vitest';
import { certainUntilMs, knownAtMs } from '../../../../src-renderer/data/certainty.ts';
import { jobOf, queued, running } from '../jobs/job-of.ts';

const noKey = { kind: 'no-key' as const };

describe('outdated data', () => {
  const ready = { connectionState: { kind: 'ready' as const }, isPaused: false };

  it('is data read more than five seconds ago, even if the service can be asked', () => {
    expect(certainUntilMs(10_000, ready, 15_000)).toBeNull();
    expect(certainUntilMs(10_000, ready, 15_001)).toBe(10_000);
  });

  it('is all data from the moment at which nothing is read: paused, unreachable, without a key', () => {
    const asked = [
      { ...ready, isPaused: true },
      { ...ready, connectionState: { kind: 'offline' as const, sinceMs: 0, nextTryMs: null, message: '' } },
      { ...ready, connectionState: noKey },
      { ...ready, connectionState: null },
    ];
    // The banner and the sidebar say so in the same frame.
    for (const asking of asked) expect(certainUntilMs(10_000, asking, 10_000)).toBe(10_000);
  });

  it('never includes jobs that are over, or were not sent', () => {
    expect(knownAtMs(jobOf(1_000))).toBeNull();
    expect(knownAtMs(jobOf(1_000, { ...queued, phase: 'waiting' }))).toBeNull();
    expect(certainUntilMs(null, { ...ready, isPaused: true }, 99_000)).toBeNull();
  });

  it('is dated by the service’s last answer about it, or its acceptance', () => {
    expect(knownAtMs(jobOf(1_000, { ...running, statusReadAtMs: 7_000 }))).toBe(7_000);
    expect(knownAtMs(jobOf(1_000, { ...queued, acceptedAtMs: 1_200, statusReadAtMs: null }))).toBe(1_200);
  });
});
