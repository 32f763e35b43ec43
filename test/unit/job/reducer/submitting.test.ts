import { describe, expect, it } from 'vitest';
import type { JobEvent, JobState } from '../../../../src-main/job/reducer/job-event.ts';
import { reduce } from '../../../../src-main/job/reducer/reducer.ts';
import { statusKind } from '../../../../src-preload/job.ts';
import { retentionMs } from '../../../../src-preload/service-retention.ts';
import { aFailure, aRecord, drained, queued, submitting } from '../records.ts';

describe('submitting', () => {
  it('stores the id when the service accepts; its ttl began when the request was sent', () => {
    const { job } = queued();
    expect(job).toMatchObject({
      phase: 'active',
      jobId: 'job-1',
      status: 'IN_QUEUE',
      acceptedAtMs: 2_000,
      ttlEndsAtMs: 1_000 + 86_400_000,
    });
    expect(queued({ policy: { ttl: 10_000 } }).job.ttlEndsAtMs).toBe(11_000);
  });

  it('saves an immediate answer of runsync as the result', () => {
    const record = aRecord({ status: 'COMPLETED', outputJson: '"done"', executionTimeMs: 7, delayTimeMs: 3 });
    const reduced = reduce(submitting({ operation: 'runsync' }), { kind: 'accepted', record }, 9_000);
    expect(reduced.job).toMatchObject({
      phase: 'active',
      status: 'COMPLETED',
      executionTimeMs: 7,
      delayTimeMs: 3,
      outputBytes: 6,
      retentionEndsAtMs: 9_000 + retentionMs.runsync,
    });
    expect(reduced.bodies).toEqual([{ part: 'output', attempt: 1, text: '"done"' }]);
    expect(reduce(reduced, drained(), 9_001).job).toMatchObject({
      phase: 'finished',
      isResultSaved: true,
      isWithoutOutput: false,
    });
  });

  it('continues by polling when runsync answers that the job still runs (ruling 13)', () => {
    const { job } = reduce(
      submitting({ operation: 'runsync' }),
      { kind: 'accepted', record: aRecord({ status: 'IN_PROGRESS' }) },
      9_000,
    );
    expect(job).toMatchObject({ phase: 'active', status: 'IN_PROGRESS', startedSeenAtMs: 9_000, isResultSaved: false });
  });

  it('waits in the outbox and is sent from there', () => {
    const waiting = reduce(submitting(), { kind: 'held-back', reason: { kind: 'offline' } }, 2_000);
    expect(waiting.job).toMatchObject({ phase: 'waiting', reason: { kind: 'offline' }, jobId: null });
    expect(reduce(waiting, { kind: 'sending', baseUrl: 'https://q.example' }, 3_000).job).toMatchObject({
      phase: 'submitting',
      reason: null,
    });
  });

  it('keeps the service’s words when it refuses', () => {
    const failure = aFailure({
      kind: 'invalid',
      httpStatus: 400,
      serviceSaid: 'input is missing',
      rawReply: '{"error":"input is missing"}',
    });
    const reduced = reduce(submitting(), { kind: 'refused', failure }, 2_000);
    expect(reduced.job).toMatchObject({ phase: 'refused', reason: { kind: 'refused', said: 'input is missing' } });
    expect(reduced.bodies).toEqual([
      { part: 'error', attempt: 1, text: 'input is missing' },
      { part: 'reply', attempt: 1, text: '{"error":"input is missing"}' },
    ]);
    expect(statusKind(reduced.job)).toBe('fail');
  });

  it('becomes unknown with the raw reply saved, and known again when the job is found', () => {
    const reduced = reduce(
      submitting(),
      {
        kind: 'outcome-unknown',
        why: { kind: 'no-answer', said: 'No answer came', mentionedId: null },
        rawReply: '<html>',
      },
      2_000,
    );
    expect(reduced.job).toMatchObject({
      phase: 'outcome-unknown',
      reason: { kind: 'unanswered', why: { kind: 'no-answer', said: 'No answer came', mentionedId: null } },
    });
    expect(reduced.bodies).toEqual([{ part: 'reply', attempt: 1, text: '<html>' }]);
    expect(reduce(reduced, { kind: 'accepted', record: aRecord() }, 3_000).job).toMatchObject({
      phase: 'active',
      jobId: 'job-1',
      reason: null,
    });
  });

  it('is withdrawn only while it waits', () => {
    const waiting = submitting({ phase: 'waiting' });
    expect(reduce(waiting, { kind: 'withdrawn' }, 2_000).job).toMatchObject({
      phase: 'finished',
      status: 'CANCELLED',
      isResultSaved: true,
    });
    expect(reduce(submitting(), { kind: 'withdrawn' }, 2_000).isChanged).toBe(false);
  });

  it('is pinned to the address it leaves for, and its time begins when it leaves, once', () => {
    const waiting = submitting({ phase: 'waiting', reason: { kind: 'offline' } });
    const sent = reduce(waiting, { kind: 'sending', baseUrl: 'https://q.example' }, 3_000);
    expect(sent).toMatchObject({
      isChanged: true,
      job: { phase: 'submitting', baseUrl: 'https://q.example', reason: null },
      attempt: { startedAtMs: 3_000 },
    });
    expect(reduce(sent, { kind: 'sending', baseUrl: 'https://other.example' }, 4_000)).toMatchObject({
      isChanged: false,
      job: sent.job,
    });
  });

  it('is held back again with a new reason, refused or unknown even while it waits', () => {
    const waiting = submitting({ phase: 'waiting', reason: { kind: 'offline' } });
    expect(
      reduce(waiting, { kind: 'held-back', reason: { kind: 'rate-limited', said: null } }, 2_000).job,
    ).toMatchObject({
      phase: 'waiting',
      reason: { kind: 'rate-limited', said: null },
    });
    expect(reduce(waiting, { kind: 'refused', failure: aFailure() }, 2_000).job.phase).toBe('refused');
  });

  it('gives its own reason for a refusal if the service gave none', () => {
    const reduced = reduce(
      submitting(),
      { kind: 'refused', failure: aFailure({ kind: 'too-large', message: 'Larger than 10 MiB.' }) },
      2_000,
    );
    expect(reduced).toMatchObject({
      job: { reason: { kind: 'refused', said: 'Larger than 10 MiB.' }, finishedSeenAtMs: 2_000 },
      attempt: { errorText: 'Larger than 10 MiB.', finishedSeenAtMs: 2_000 },
    });
    expect(reduced.bodies).toEqual([{ part: 'error', attempt: 1, text: 'Larger than 10 MiB.' }]);
  });

  it('is over with the first answer: later ones change nothing', () => {
    for (const late of [
      { kind: 'held-back', reason: { kind: 'offline' } },
      { kind: 'refused', failure: aFailure() },
      {
        kind: 'outcome-unknown',
        why: { kind: 'no-answer', said: 'No answer came', mentionedId: null },
        rawReply: null,
      },
      { kind: 'accepted', record: aRecord({ id: 'job-2' }) },
    ] satisfies JobEvent[])
      expect(reduce(queued(), late, 3_000)).toMatchObject({ isChanged: false, bodies: [], job: queued().job });
  });

  it('reads the status of a run as soon as possible, and counts the answer to runsync as a read', () => {
    expect(queued().job.statusReadAtMs).toBeNull();
    expect(queued({ operation: 'runsync' }).job.statusReadAtMs).toBe(2_000);
    expect(queued()).toMatchObject({ isChanged: true });
  });

  it('withdraws a job that was orphaned before it was sent, and says so', () => {
    const withdrawn = reduce(submitting({ phase: 'waiting' }), { kind: 'withdrawn' }, 2_000);
    expect(withdrawn).toMatchObject({
      job: { finishedSeenAtMs: 2_000, reason: { kind: 'withdrawn' } },
      attempt: { status: 'CANCELLED', finishedSeenAtMs: 2_000 },
    });
    expect(reduce(queued(), { kind: 'withdrawn' }, 2_000).isChanged).toBe(false);
  });
});

describe('a submission whose outcome is unknown', () => {
  const unknown = reduce(
    submitting(),
    { kind: 'outcome-unknown', why: { kind: 'no-answer', said: 'No answer came.', mentionedId: null }, rawReply: null },
    2_000,
  );

  it('saves no reply if none came', () => {
    expect(unknown).toMatchObject({ isChanged: true, bodies: [], job: { phase: 'outcome-unknown' } });
  });

  it('uses the id from a call on its own path, only the first', () => {
    const mentioned = reduce(unknown, { kind: 'id-mentioned', jobId: 'job-1' }, 3_000);
    expect(mentioned).toMatchObject({ isChanged: true, job: { phase: 'outcome-unknown', jobId: 'job-1' } });
    expect(reduce(mentioned, { kind: 'id-mentioned', jobId: 'job-2' }, 4_000)).toMatchObject({
      isChanged: false,
      job: { jobId: 'job-1' },
    });
    expect(reduce(submitting(), { kind: 'id-mentioned', jobId: 'job-1' }, 3_000)).toMatchObject({
      isChanged: false,
      job: { jobId: null },
    });
  });

  it('shows once what the endpoint’s counters say, until its id is known', () => {
    const evidence = (more: number): JobEvent => ({
      kind: 'evidence',
      counters: { more, unanswered: 1, readBeforeMs: null },
      isLikelyThere: more === 1,
    });
    const why = { kind: 'no-answer', said: 'No answer came.', mentionedId: null };
    const unlikely = reduce(unknown, evidence(0), 3_000);
    expect(unlikely).toMatchObject({ isChanged: true, job: { reason: { why, counters: { more: 0 } } } });
    expect(unlikely.job).not.toHaveProperty('isLikelyThere');
    expect(reduce(unlikely, evidence(0), 4_000).isChanged).toBe(false);
    const likely = reduce(unlikely, evidence(1), 4_000);
    expect(likely.job).toMatchObject({
      reason: { why, counters: { more: 1 } },
      isLikelyThere: true,
    });
    const bare: JobState = { ...unknown, job: { ...unknown.job, reason: null } };
    expect(reduce(bare, evidence(1), 4_000).job).toMatchObject({
      reason: { why: { said: '' }, counters: { more: 1 } },
      isLikelyThere: true,
    });
    const mentioned = reduce(unknown, { kind: 'id-mentioned', jobId: 'job-1' }, 3_000);
    for (const state of [mentioned, submitting(), queued()])
      expect(reduce(state, evidence(1), 5_000)).toMatchObject({
        isChanged: false,
        job: state.job,
      });
  });
});
