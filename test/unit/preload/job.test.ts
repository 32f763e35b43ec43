import { describe, expect, it } from 'vitest';
import { isTerminalStatus, runningSinceMs, statusKind, statusWord } from '../../../src-preload/job.ts';
import { allowedActions } from '../../../src-preload/job-actions.ts';
import type { Job } from '../../../src-preload/job.ts';
import { aJob } from '../../kit/a-job.ts';

const nowMs = 10_000;
const notKnown = { sinceMs: 8_000, times: 1, lastAtMs: 8_000, nextTryMs: 12_000 };
const pendingStream = { sinceMs: 8_000, failures: 2, nextTryMs: 12_000, untilMs: 90_000, reason: '503' };
const allowed = (changes: Partial<Job>): string[] =>
  Object.entries(allowedActions(aJob(changes), nowMs)).flatMap(([name, { isAllowed }]) => (isAllowed ? [name] : []));

describe('the actions of a job (spec: States and transitions; ruling 15)', () => {
  it.each([
    ['waiting to be sent', { phase: 'waiting', status: null }, ['cancel', 'resubmit']],
    ['being sent', { phase: 'submitting', status: null }, ['resubmit']],
    ['in the queue', { status: 'IN_QUEUE' }, ['cancel', 'resubmit', 'extendTtl', 'check']],
    ['running', { status: 'IN_PROGRESS' }, ['cancel', 'resubmit', 'extendTtl', 'check']],
    ['being cancelled', { status: 'IN_PROGRESS', isCancelling: true }, ['resubmit', 'extendTtl', 'check']],
    ['ended, its stream still being read', { status: 'COMPLETED' }, ['resubmit', 'check']],
    ['failed, the rest of its stream still pending', { status: 'FAILED', pendingStream }, ['resubmit', 'check']],
    [
      'not known to the service right now',
      { status: 'IN_PROGRESS', notKnown },
      ['cancel', 'resubmit', 'extendTtl', 'check'],
    ],
    ['completed', { phase: 'finished', status: 'COMPLETED', outputBytes: 2 }, ['resubmit']],
    ['completed with a stream', { phase: 'finished', status: 'COMPLETED', chunkCount: 2 }, ['resubmit']],
    [
      'completed without an output that may still come',
      { phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: nowMs - 30 * 60_000 + 1 },
      ['resubmit', 'check'],
    ],
    [
      'completed without output, its result expired',
      { phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: nowMs - 30 * 60_000 },
      ['resubmit'],
    ],
    ['failed', { phase: 'finished', status: 'FAILED' }, ['retry', 'resubmit']],
    ['timed out', { phase: 'finished', status: 'TIMED_OUT' }, ['retry', 'resubmit']],
    [
      'failed, its result still there',
      { phase: 'finished', status: 'FAILED', retentionEndsAtMs: nowMs + 1 },
      ['retry', 'resubmit'],
    ],
    ['failed, its result expired', { phase: 'finished', status: 'FAILED', retentionEndsAtMs: nowMs }, ['resubmit']],
    ['cancelled', { phase: 'finished', status: 'CANCELLED' }, ['resubmit']],
    ['refused', { phase: 'refused', status: null }, ['resubmit']],
    ['gone', { phase: 'gone', status: 'FAILED' }, ['resubmit', 'check']],
    ['gone, and never given an id', { phase: 'gone', status: null, jobId: null }, ['resubmit']],
    ['orphaned', { phase: 'orphaned', status: 'IN_PROGRESS' }, ['resubmit']],
    ['orphaned before it was sent', { phase: 'orphaned', status: null, jobId: null }, ['cancel', 'resubmit']],
    ['of unknown outcome', { phase: 'outcome-unknown', status: null }, ['resubmit']],
  ] satisfies [string, Partial<Job>, string[]][])('a job %s', (_what, changes, actions) => {
    expect(allowed(changes)).toEqual(actions);
  });

  it('does not offer to resubmit an input that it never had', () => {
    expect(allowed({ phase: 'gone', status: 'FAILED', inputBytes: 0 })).toEqual(['check']);
    expect(allowedActions(aJob({ phase: 'gone', inputBytes: 0 }), nowMs).retry.reason).not.toContain('input');
  });

  it('says why a job whose stream is pending is not retried or cancelled (ruling 36)', () => {
    const { retry, cancel } = allowedActions(aJob({ status: 'FAILED', pendingStream }), nowMs);
    expect(retry.reason).toBe('A retry would delete the rest of its stream on the service; stop waiting first');
    expect(cancel.reason).toContain('only the rest of its stream is still being fetched');
  });

  it('gives a reason for everything it does not allow', () => {
    for (const phase of [
      'waiting',
      'submitting',
      'active',
      'finished',
      'refused',
      'gone',
      'outcome-unknown',
      'orphaned',
    ] as const) {
      for (const status of [null, 'IN_QUEUE', 'COMPLETED', 'FAILED', 'RUNNING']) {
        for (const { isAllowed, reason } of Object.values(allowedActions(aJob({ phase, status }), nowMs)))
          expect(reason === '').toBe(isAllowed);
      }
    }
  });
});

describe('the display of a job', () => {
  it('does not call a job gone if its reply is only too large (ruling 43)', () => {
    expect(statusWord(aJob({ phase: 'gone', goneReason: 'too-large' }))).toBe('Too large to read');
    expect(statusWord(aJob({ phase: 'gone', goneReason: 'expired' }))).toBe('Gone');
  });

  it('shows an execution timeout as a timeout in either form (ruling 14)', () => {
    expect(statusKind({ phase: 'finished', status: 'TIMED_OUT', reason: null })).toBe('timeout');
    expect(
      statusKind({ phase: 'finished', status: 'FAILED', reason: { kind: 'timed-out', limitMs: 600_000, said: null } }),
    ).toBe('timeout');
    expect(
      statusKind({ phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said: 'CUDA out of memory' } }),
    ).toBe('fail');
  });

  it('keeps an unlisted status, neutral and literal (ruling 8)', () => {
    expect(statusKind({ phase: 'active', status: 'RUNNING', reason: null })).toBe('unknown');
    expect(statusWord({ phase: 'active', status: 'RUNNING', reason: null })).toBe('RUNNING');
    expect(isTerminalStatus('RUNNING')).toBe(false);
    expect(isTerminalStatus('ERROR')).toBe(false);
  });
});

describe('the moment since which a job runs', () => {
  const accepted = {
    status: 'IN_PROGRESS',
    acceptedAtMs: 10_000,
    startedSeenAtMs: 14_000,
    statusReadAtMs: 40_000,
  } as const;

  it.each([
    ['the first reply that showed it, before its delay time is known', {}, 14_000],
    ['its delay time, which is more exact', { delayTimeMs: 3_100 }, 13_100],
    ['that reply, if the clocks differ a little', { delayTimeMs: 4_500 }, 14_000],
    ['its second start, if it went back into the queue between two reads', { delayTimeMs: 19_880 }, 29_880],
    ['that reply, if its delay time cannot be true', { delayTimeMs: 90_000 }, 14_000],
    ['the reply that showed its second start', { delayTimeMs: 4_000, formerStartsAtMs: [12_000] }, 14_000],
  ])('is %s', (_what, changes, sinceMs) => {
    expect(runningSinceMs(aJob({ ...accepted, delayTimeMs: null, ...changes }))).toBe(sinceMs);
  });
});
