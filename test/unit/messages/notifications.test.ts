import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../src-preload/notification.ts';
import { endMessage, lateMessage, groupMessage } from '../../../src-main/messages/notifications.ts';
import { aJob } from '../../kit/a-job.ts';

describe('the text of a notification', () => {
  it('names the job and where it is saved when it completed', () => {
    expect(
      endMessage(aJob({ phase: 'finished', status: 'COMPLETED', title: 'Fog ridges', executionTimeMs: 6_420 }), 'sdxl'),
    ).toEqual({ title: 'Fog ridges completed', body: '6.42 s on sdxl, saved here' });
  });

  it('omits a negligible duration', () => {
    const quick = aJob({ phase: 'finished', status: 'COMPLETED', title: 'Fog ridges', executionTimeMs: 4 });
    expect(endMessage(quick, 'sdxl').body).toBe('sdxl, saved here');
  });

  it('writes the duration as the windows do', () => {
    const long = aJob({ phase: 'finished', status: 'COMPLETED', title: 'Fog ridges', executionTimeMs: 118_000 });
    expect(endMessage(long, 'sdxl').body).toBe('1:58 on sdxl, saved here');
  });

  it('gives the reason of a failure', () => {
    expect(
      endMessage(
        aJob({
          phase: 'finished',
          status: 'FAILED',
          title: 'board-call.wav',
          reason: { kind: 'failed', said: 'CUDA out of memory' },
          executionTimeMs: 12_800,
        }),
        'whisper',
      ),
    ).toEqual({ title: 'board-call.wav failed', body: 'CUDA out of memory. After 12.8 s on whisper.' });
  });

  it('ends a reason once, however the service ended it', () => {
    const failed = (said: string) => aJob({ phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said } });
    expect(endMessage(failed('Out of memory.'), 'Studio').body).toBe('Out of memory. On Studio.');
    expect(endMessage(failed('Out of memory'), 'Studio').body).toBe('Out of memory. On Studio.');
    expect(endMessage({ ...failed('Stop!'), executionTimeMs: 12_000 }, 'Studio').body).toBe(
      'Stop! After 12.0 s on Studio.',
    );
  });

  it('calls an execution timeout a timeout in either form (ruling 14)', () => {
    expect(
      endMessage(
        aJob({
          phase: 'finished',
          status: 'FAILED',
          reason: { kind: 'timed-out', limitMs: 600_000, said: null },
          title: 'T',
        }),
        'e',
      ).title,
    ).toBe('T timed out');
    expect(endMessage(aJob({ phase: 'finished', status: 'TIMED_OUT', title: 'T' }), 'e').title).toBe('T timed out');
  });

  it('never calls an empty completion a plain success (ruling 30)', () => {
    expect(
      endMessage(aJob({ phase: 'finished', status: 'COMPLETED', isWithoutOutput: true, title: 'T' }), 'e').title,
    ).toBe('T completed without output');
  });

  it('calls a cancelled job cancelled, and not a failure', () => {
    const cancelled = aJob({ phase: 'finished', status: 'CANCELLED', title: 'T' });
    expect(endMessage(cancelled, 'e')).toEqual({ title: 'T was cancelled', body: 'e' });
    expect(outcomeOf(cancelled)).toBe('completed');
  });

  it.each([
    ['FAILED', aJob({ phase: 'finished', status: 'FAILED' }), 'failed'],
    ['TIMED_OUT', aJob({ phase: 'finished', status: 'TIMED_OUT' }), 'timedOut'],
    ['refused', aJob({ phase: 'refused', status: null }), 'failed'],
    ['gone', aJob({ phase: 'gone', status: 'IN_PROGRESS' }), 'failed'],
    ['completed without output', aJob({ phase: 'finished', status: 'COMPLETED', isWithoutOutput: true }), 'failed'],
    ['completed', aJob({ phase: 'finished', status: 'COMPLETED' }), 'completed'],
  ])('counts an end correctly: %s', (_what, job, outcome) => {
    expect(outcomeOf(job)).toBe(outcome);
  });

  it('does not call a completion empty while the rest of its stream is pending (ruling 36)', () => {
    const job = aJob({
      status: 'COMPLETED',
      isWithoutOutput: true,
      title: 'T',
      pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' },
    });
    expect(endMessage(job, 'e')).toEqual({
      title: 'T completed',
      body: 'e. The rest of its stream is still being fetched.',
    });
    expect(outcomeOf(job)).toBe('completed');
  });

  it('does not call a job gone if its reply is only too large (ruling 43)', () => {
    expect(endMessage(aJob({ phase: 'gone', goneReason: 'too-large', title: 'T' }), 'e').title).toBe(
      'The reply for T is too large to read',
    );
    expect(endMessage(aJob({ phase: 'finished', status: 'COMPLETED', unreadReply: 'r', title: 'T' }), 'e').body).toBe(
      'e. The reply is too large to read; the beginning is saved here.',
    );
  });

  it('combines several ends into counts', () => {
    const of = (statusKind: 'done' | 'fail', title: string) => ({
      kind: 'job' as const,
      statusKind,
      title,
      body: '',
      atMs: 0,
    });
    const three = [of('done', 'First completed'), of('done', 'Second completed'), of('fail', 'Third failed')];
    const body = '2 completed, 1 failed. First completed, and 2 more';
    expect(groupMessage(three, 'shown-together')).toEqual({ title: '3 jobs ended', body });
    expect(groupMessage(three, 'in-digest')).toEqual({ title: 'Digest: 3 jobs ended', body });
    expect(groupMessage(three, 'after-quiet-hours')).toEqual({ title: '3 jobs ended in quiet hours', body });
  });

  it('gives the time if it comes late', () => {
    const atMs = new Date(2026, 10, 21, 22, 40).getTime();
    const one = { kind: 'job' as const, statusKind: 'done' as const, title: 'T completed', body: 'on e', atMs };
    expect(lateMessage(one, 'shown').body).toBe('on e');
    expect(lateMessage(one, 'after-quiet-hours').body).toBe('on e (at 22:40)');
  });
});
