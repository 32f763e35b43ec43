import { describe, expect, it } from 'vitest';
import { isEndTold, wordEnd, wordMany } from '../../../src-main/desktop/notification-messages.ts';
import { trayModel } from '../../../src-main/desktop/tray-model.ts';
import type { TrayFacts } from '../../../src-main/desktop/tray-model.ts';
import { aJob } from '../../kit/a-job.ts';

const calm: TrayFacts = {
  live: [],
  recentlyEnded: [],
  failedUnseen: 0,
  isPaused: false,
  isOffline: false,
  refusals: [],
};

describe('trayModel', () => {
  it('is idle and says so when nothing is active', () => {
    expect(trayModel(calm)).toEqual({
      icon: 'idle',
      isPaused: false,
      tooltip: 'Jobdeck: nothing active',
      headline: 'Nothing active',
      refusals: [],
      jobs: [],
    });
  });

  it('counts running, queued and unsent jobs apart', () => {
    const live = [
      aJob({ key: 'a', phase: 'active', status: 'IN_PROGRESS' }),
      aJob({ key: 'b', phase: 'active', status: 'IN_QUEUE' }),
      aJob({ key: 'c', phase: 'active', status: 'IN_QUEUE' }),
      aJob({ key: 'd', phase: 'waiting', status: null }),
    ];
    expect(trayModel({ ...calm, live }).headline).toBe('1 running, 2 queued, 1 to send');
  });

  it('calls a job that is over and still read what it is, and never one to send', () => {
    const live = [
      aJob({ key: 'a', phase: 'active', status: 'COMPLETED' }),
      aJob({ key: 'b', phase: 'active', status: 'CANCELLED' }),
      aJob({ key: 'c', phase: 'active', status: 'RUNNING' }),
      aJob({ key: 'd', phase: 'submitting', status: null }),
    ];
    expect(trayModel({ ...calm, live }).headline).toBe('1 active, 2 being saved, 1 to send');
  });

  it('counts a job whose stream is still being fetched as that (ruling 36)', () => {
    const live = [
      aJob({
        phase: 'active',
        status: 'COMPLETED',
        pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' },
      }),
    ];
    expect(trayModel({ ...calm, live }).headline).toBe('1 with a stream to fetch');
  });

  it('shows the most pressing state in the icon: paused, offline, attention, failed, active', () => {
    const live = [aJob({ phase: 'active', status: 'IN_PROGRESS' })];
    const all = {
      live,
      recentlyEnded: [],
      failedUnseen: 2,
      isPaused: true,
      isOffline: true,
      refusals: ['Key refused: Production'],
    };
    expect(trayModel(all).icon).toBe('paused');
    expect(trayModel({ ...all, isPaused: false }).icon).toBe('offline');
    expect(trayModel({ ...all, isPaused: false, isOffline: false }).icon).toBe('attention');
    expect(trayModel({ ...all, isPaused: false, isOffline: false, refusals: [] }).icon).toBe('failed');
    expect(trayModel({ ...calm, live }).icon).toBe('active');
  });

  it('names what is refused in the tooltip and the menu, and counts what is too much (ruling 35)', () => {
    const live = [aJob({ phase: 'active', status: 'IN_PROGRESS' })];
    expect(trayModel({ ...calm, live, refusals: ['Refused: cancel on Chat'] })).toMatchObject({
      tooltip: 'Jobdeck: refused: cancel on Chat; 1 running',
      refusals: ['Refused: cancel on Chat'],
    });
    const many = trayModel({
      ...calm,
      refusals: [
        'Key refused: A',
        'Key refused: B',
        'Refused: status on C',
        'Refused: status on D',
        'Refused: status on E',
      ],
    });
    expect(many.tooltip).toBe('Jobdeck: key refused: A, and 4 more; nothing active');
    expect(many.refusals).toEqual(['Key refused: A', 'Key refused: B', 'Refused: status on C', 'and 2 more']);
  });

  it('lists live jobs before ended ones, five at most, long titles cut', () => {
    const live = [1, 2, 3].map((n) =>
      aJob({ key: `live-${n}`, phase: 'active', status: 'IN_PROGRESS', title: 'x'.repeat(200) }),
    );
    const recentlyEnded = [1, 2, 3].map((n) => aJob({ key: `done-${n}`, phase: 'finished', status: 'COMPLETED' }));
    const { jobs } = trayModel({ ...calm, live, recentlyEnded });
    expect(jobs.map((job) => job.key)).toEqual(['live-1', 'live-2', 'live-3', 'done-1', 'done-2']);
    expect(jobs[0]?.label.length).toBeLessThan(80);
  });
});

describe('what a notification says', () => {
  it('names the job and where it is kept when it completed', () => {
    expect(
      wordEnd(aJob({ phase: 'finished', status: 'COMPLETED', title: 'Fog ridges', executionTimeMs: 6_420 }), 'sdxl'),
    ).toEqual({ title: 'Fog ridges completed', body: '6.42 s on sdxl, saved here' });
  });

  it('gives the reason when it failed', () => {
    expect(
      wordEnd(
        aJob({
          phase: 'finished',
          status: 'FAILED',
          title: 'board-call.wav',
          reason: { kind: 'failed', said: 'CUDA out of memory' },
          executionTimeMs: 12_800,
        }),
        'whisper',
      ),
    ).toEqual({ title: 'board-call.wav failed', body: 'CUDA out of memory, after 12.8 s on whisper' });
  });

  it('calls an execution timeout a timeout in either form (ruling 14)', () => {
    expect(
      wordEnd(
        aJob({
          phase: 'finished',
          status: 'FAILED',
          reason: { kind: 'timed-out', limitMs: 600_000, said: null },
          title: 'T',
        }),
        'e',
      ).title,
    ).toBe('T timed out');
    expect(wordEnd(aJob({ phase: 'finished', status: 'TIMED_OUT', title: 'T' }), 'e').title).toBe('T timed out');
  });

  it('never calls an empty completion a plain success (ruling 30)', () => {
    expect(
      wordEnd(aJob({ phase: 'finished', status: 'COMPLETED', isWithoutOutput: true, title: 'T' }), 'e').title,
    ).toBe('T completed without output');
  });

  it('calls a cancelled job cancelled, and tells of it as no failure', () => {
    const cancelled = aJob({ phase: 'finished', status: 'CANCELLED', title: 'T' });
    expect(wordEnd(cancelled, 'e')).toEqual({ title: 'T was cancelled', body: 'e' });
    expect(isEndTold(cancelled, 'failures')).toBe(false);
    expect(isEndTold(cancelled, 'every-end')).toBe(true);
    expect(isEndTold(cancelled, 'nothing')).toBe(false);
  });

  it.each([
    ['FAILED', aJob({ phase: 'finished', status: 'FAILED' }), true],
    ['TIMED_OUT', aJob({ phase: 'finished', status: 'TIMED_OUT' }), true],
    ['refused', aJob({ phase: 'refused', status: null }), true],
    ['gone', aJob({ phase: 'gone', status: 'IN_PROGRESS' }), true],
    ['completed without output', aJob({ phase: 'finished', status: 'COMPLETED', isWithoutOutput: true }), true],
    ['completed', aJob({ phase: 'finished', status: 'COMPLETED' }), false],
  ])('tells only of failures where no more is wanted: %s', (_what, job, isTold) => {
    expect(isEndTold(job, 'failures')).toBe(isTold);
  });

  it('does not call a completion empty while the rest of its stream is still being fetched (ruling 36)', () => {
    const job = aJob({
      status: 'COMPLETED',
      isWithoutOutput: true,
      title: 'T',
      pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' },
    });
    expect(wordEnd(job, 'e')).toEqual({
      title: 'T completed',
      body: 'e. The rest of its stream is still being fetched.',
    });
    expect(isEndTold(job, 'failures')).toBe(false);
  });

  it('does not call a job gone whose reply is only too large (ruling 43)', () => {
    expect(wordEnd(aJob({ phase: 'gone', goneReason: 'too-large', title: 'T' }), 'e').title).toBe(
      'The reply for T is too large to read',
    );
    expect(wordEnd(aJob({ phase: 'finished', status: 'COMPLETED', unreadReply: 'r', title: 'T' }), 'e').body).toBe(
      'e. The reply is too large to read; the beginning is saved here.',
    );
  });

  it('gathers several ends into counts', () => {
    const jobs = [
      aJob({ phase: 'finished', status: 'COMPLETED', title: 'First' }),
      aJob({ phase: 'finished', status: 'COMPLETED' }),
      aJob({ phase: 'finished', status: 'FAILED' }),
    ];
    expect(wordMany(jobs)).toEqual({ title: '3 jobs ended', body: '2 completed, 1 failed. First, and 2 more' });
  });
});
