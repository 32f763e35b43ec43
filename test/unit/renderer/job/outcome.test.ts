import { describe, expect, it } from 'vitest';
import type { HeldBackReason } from '../../../../src-preload/job-reason.ts';
import { lastKnownFacts, outcomeOf } from '../../../../src-renderer/job/outcome.ts';
import { emptyOutputCauses } from '../../../../src-renderer/messages/job/output.ts';
import { acceptedAtMs, aJob } from './a-job.ts';

describe('the outcome card of a job', () => {
  it.each([['active'], ['finished'], ['submitting']] as const)('is not shown while it is %s', (phase) => {
    expect(outcomeOf(aJob({ phase }))).toBeNull();
  });

  it('of unknown outcome says that it may have run and never offers to submit again without that', () => {
    const outcome = outcomeOf(
      aJob({
        phase: 'outcome-unknown',
        status: null,
        jobId: null,
        reason: { kind: 'unanswered', why: { kind: 'no-answer', said: 'The connection broke.', mentionedId: null } },
      }),
    );
    expect(outcome).toMatchObject({
      kind: 'outcome-unknown',
      title: 'It may have run',
      actions: ['submit-again', 'check-service', 'resubmit-edits'],
    });
    expect(outcome?.text).toMatch(/The connection broke\. .*may run it twice/);
    const said = outcomeOf(
      aJob({
        phase: 'outcome-unknown',
        status: null,
        jobId: null,
        reason: { kind: 'prose', text: 'It could run twice.' },
      }),
    );
    expect(said?.text.match(/twice/g)).toHaveLength(1);
  });

  it('of unknown outcome that most likely runs first offers to check the service, not to send it again', () => {
    const outcome = outcomeOf(
      aJob({
        phase: 'outcome-unknown',
        status: null,
        jobId: null,
        reason: { kind: 'unanswered', why: { kind: 'no-answer', said: 'The connection broke.', mentionedId: null } },
        isLikelyThere: true,
      }),
    );
    expect(outcome).toMatchObject({
      title: 'It probably arrived',
      actions: ['check-service', 'submit-again', 'resubmit-edits'],
    });
  });

  it('of unknown outcome whose reply mentions an id first offers to track that, and says what it does', () => {
    const outcome = outcomeOf(
      aJob({
        phase: 'outcome-unknown',
        status: null,
        jobId: null,
        reason: { kind: 'unanswered', why: { kind: 'no-answer', said: 'It broke off.', mentionedId: 'job-1' } },
      }),
    );
    expect(outcome?.actions).toEqual(['confirm', 'submit-again', 'resubmit-edits']);
    expect(outcome?.text).toContain('The reply mentions the id job-1. Track it, and Jobdeck asks the service');
    expect(outcome?.text).not.toContain('no job id to check');
  });

  it('of a job submitted elsewhere never claims its input, and offers a next step if the id is not known', () => {
    const external = { phase: 'gone', goneReason: 'expired', inputBytes: 0, ttlEndsAtMs: null } as const;
    expect(outcomeOf(aJob({ ...external, status: null }))).toMatchObject({
      title: 'The service does not know this id',
      saved: 'Nothing saved here: it was submitted elsewhere',
      actions: ['follow-at-other-endpoint', 'check-now'],
    });
    expect(outcomeOf(aJob({ ...external, status: 'IN_PROGRESS', chunkCount: 3 }))).toMatchObject({
      title: 'The service no longer knows this job',
      saved: 'Saved here: 3 chunks of output',
      actions: ['check-now', 'open-output'],
    });
    expect(outcomeOf(aJob({ ...external, goneReason: 'sandbox-restarted', status: 'IN_QUEUE' }))?.text).not.toContain(
      'input',
    );
  });

  it('of a job whose connection was removed says how it is tracked again, and of one never sent that it stays so', () => {
    const atMs = Date.parse('2026-05-04T10:42:07');
    const left = aJob({ phase: 'orphaned', status: 'IN_PROGRESS', statusReadAtMs: atMs });
    expect(outcomeOf(left)).toMatchObject({
      title: 'This job is no longer tracked',
      text: expect.stringMatching(/may still run the job.*add the connection/),
      actions: ['add-connection', 'resubmit-edits'],
    });
    expect(lastKnownFacts(left, atMs + 1_000)).toMatchObject([
      { value: 'In progress', note: 'as of 10:42:07' },
      { value: left.baseUrl },
    ]);
    for (const other of [aJob({ phase: 'gone' }), aJob({ phase: 'orphaned', status: null, jobId: null })])
      expect(lastKnownFacts(other, atMs)).toEqual([]);
    expect(outcomeOf(aJob({ phase: 'orphaned', status: null, jobId: null }))).toMatchObject({
      title: 'Not sent: its connection was removed',
      actions: ['resubmit-edits', 'cancel'],
    });
  });

  it('of a refused job says that nothing ran', () => {
    expect(
      outcomeOf(
        aJob({ phase: 'refused', status: null, reason: { kind: 'refused', said: 'input.steps must be 1 to 50' } }),
      ),
    ).toMatchObject({
      kind: 'refused',
      detail: 'input.steps must be 1 to 50',
      actions: ['resubmit-edits', 'submit-again'],
    });
  });

  it('of a waiting job can only be cancelled or edited', () => {
    expect(outcomeOf(aJob({ phase: 'waiting', status: null }))?.actions).toEqual(['cancel', 'resubmit-edits']);
  });

  it('of a job that is retried stays while it is being sent', () => {
    expect(outcomeOf(aJob({ phase: 'submitting', status: null, jobId: null, requestCount: 3 }))).toMatchObject({
      kind: 'waiting',
      title: 'Sending…',
      actions: ['cancel', 'resubmit-edits'],
    });
  });

  it('of a waiting job gives the reason as a sentence of its own', () => {
    const why = (reason: HeldBackReason): string | null | undefined =>
      outcomeOf(aJob({ phase: 'waiting', status: null, reason }))?.detail;
    expect(why({ kind: 'rate-limited', said: 'Slow down.' })).toBe('Rate limited (429). Slow down.');
    expect(why({ kind: 'paused' })).toBe('Jobdeck is paused');
    expect(why({ kind: 'not-sent', said: 'the keychain is locked.' })).toBe('The keychain is locked.');
  });

  it('of a job whose ttl ran out says how the ttl was spent', () => {
    const outcome = outcomeOf(
      aJob({
        phase: 'gone',
        goneReason: 'expired',
        delayTimeMs: 1_100_000,
        startedSeenAtMs: acceptedAtMs + 1_101_000,
        policy: { ttl: 1_800_000 },
        ttlEndsAtMs: acceptedAtMs + 1_800_000,
        finishedSeenAtMs: acceptedAtMs + 1_802_000,
        chunkCount: 1_118,
      }),
    );
    expect(outcome?.title).toMatch(/^Deleted when its ttl ran out at \d\d:\d\d$/);
    expect(outcome?.text).toBe(
      'It had run for 11:40. A ttl covers waiting and running together, and 18:20 of its 30:00 went to waiting.',
    );
    expect(outcome?.spent).toEqual({ queuedMs: 1_100_000, ranMs: 700_000, ttlMs: 1_800_000 });
    expect(outcome).toMatchObject({
      saved: 'Saved here: the input, and 1,118 chunks of output',
      actions: ['resubmit-edits', 'check-now', 'open-output', 'submit-again'],
    });
  });

  it('does not blame the ttl for a job that was gone before it', () => {
    const outcome = outcomeOf(aJob({ phase: 'gone', goneReason: 'expired', finishedSeenAtMs: acceptedAtMs + 5_000 }));
    expect(outcome).toMatchObject({
      title: 'The service no longer knows this job',
      spent: null,
      actions: ['resubmit-edits', 'check-now', 'submit-again'],
    });
  });

  it('distinguishes a purge from a missing endpoint', () => {
    expect(outcomeOf(aJob({ phase: 'gone', goneReason: 'purged' }))?.title).toBe(
      'Removed from the queue before it ran',
    );
    expect(outcomeOf(aJob({ phase: 'gone', goneReason: 'unknown-endpoint', endpointId: 'sdxl' }))).toMatchObject({
      title: 'sdxl is not known to the service',
      actions: ['check-service', 'resubmit-edits', 'check-now', 'submit-again'],
    });
  });

  it('says that a restarted sandbox forgot the job', () => {
    expect(outcomeOf(aJob({ phase: 'gone', goneReason: 'sandbox-restarted', chunkCount: 12 }))).toMatchObject({
      title: 'Lost when the sandbox restarted',
      text: 'The sandbox was restarted and forgot this job. Its input and what was received are saved here.',
      spent: null,
      actions: ['resubmit-edits', 'check-now', 'open-output', 'submit-again'],
    });
  });

  it('of a gone job always offers a check, if there is an id to read (ruling 34)', () => {
    for (const goneReason of ['expired', 'purged', 'unknown-endpoint', 'sandbox-restarted'] as const) {
      expect(outcomeOf(aJob({ phase: 'gone', goneReason }))?.actions).toContain('check-now');
      expect(outcomeOf(aJob({ phase: 'gone', goneReason, inputBytes: 0 }))?.actions).toContain('check-now');
      expect(outcomeOf(aJob({ phase: 'gone', goneReason, jobId: null }))?.actions).not.toContain('check-now');
    }
  });

  it('of a reply that is too large says what is saved, and first offers to try again (ruling 43)', () => {
    const outcome = outcomeOf(
      aJob({
        phase: 'gone',
        goneReason: 'too-large',
        ttlEndsAtMs: acceptedAtMs,
        finishedSeenAtMs: acceptedAtMs + 9_000,
      }),
    );
    expect(outcome).toMatchObject({
      title: 'The service’s reply is too large to read',
      spent: null,
      actions: ['try-once-more', 'resubmit-edits'],
    });
    expect(outcome?.text).toContain('saved under Output as the raw reply');
  });

  it('names three likely causes for a result without output', () => {
    expect(emptyOutputCauses('run')).toHaveLength(3);
  });
});
