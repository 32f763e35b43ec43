import { describe, expect, it } from 'vitest';
import { emptyOutputCauses, fateOf } from '../../../src-renderer/job/fate.ts';
import { acceptedAtMs, aJob } from './a-job.ts';

describe('the fate of a job', () => {
  it.each([['active'], ['finished'], ['submitting']] as const)('is no matter while it is %s', (phase) => {
    expect(fateOf(aJob({ phase }))).toBeNull();
  });

  it('of unknown outcome says that it may have run and never offers to submit again without that', () => {
    const fate = fateOf(aJob({ phase: 'outcome-unknown', status: null, jobId: null, note: 'The connection broke.' }));
    expect(fate).toMatchObject({ kind: 'outcome-unknown', title: 'It may have run', actions: ['submit-again', 'check-service', 'resubmit-edits'] });
    expect(fate?.text).toMatch(/The connection broke\. .*may run it twice/);
    const said = fateOf(aJob({ phase: 'outcome-unknown', status: null, jobId: null, note: 'It could run twice.' }));
    expect(said?.text.match(/twice/g)).toHaveLength(1);
  });

  it('of a refused job says that nothing ran', () => {
    expect(fateOf(aJob({ phase: 'refused', status: null, note: 'input.steps must be 1 to 50' }))).toMatchObject({ kind: 'refused', said: 'input.steps must be 1 to 50', actions: ['resubmit-edits', 'submit-again'] });
  });

  it('of a waiting job can only be cancelled or edited', () => {
    expect(fateOf(aJob({ phase: 'waiting', status: null }))?.actions).toEqual(['cancel', 'resubmit-edits']);
  });

  it('of a job whose ttl ran out says how the ttl was spent', () => {
    const fate = fateOf(aJob({
      phase: 'gone', goneReason: 'expired', delayTimeMs: 1_100_000, startedSeenAtMs: acceptedAtMs + 1_101_000, policy: { ttl: 1_800_000 },
      ttlEndsAtMs: acceptedAtMs + 1_800_000, finishedSeenAtMs: acceptedAtMs + 1_802_000, chunkCount: 1_118,
    }));
    expect(fate?.title).toMatch(/^Deleted when its ttl ran out at \d\d:\d\d$/);
    expect(fate?.text).toBe('It had run for 11:40. A ttl covers waiting and running together, and 18:20 of its 30:00 went to waiting.');
    expect(fate?.spent).toEqual({ queuedMs: 1_100_000, ranMs: 700_000, ttlMs: 1_800_000 });
    expect(fate).toMatchObject({ saved: 'Saved here: the input, and 1,118 chunks of output', actions: ['resubmit-edits', 'open-output', 'submit-again'] });
  });

  it('does not blame the ttl for a job that went before it', () => {
    const fate = fateOf(aJob({ phase: 'gone', goneReason: 'expired', finishedSeenAtMs: acceptedAtMs + 5_000 }));
    expect(fate).toMatchObject({ title: 'The service no longer knows this job', spent: null, actions: ['resubmit-edits', 'submit-again'] });
  });

  it('knows a purge from an endpoint that is gone', () => {
    expect(fateOf(aJob({ phase: 'gone', goneReason: 'purged' }))?.title).toBe('Removed from the queue before it ran');
    expect(fateOf(aJob({ phase: 'gone', goneReason: 'unknown-endpoint', endpointId: 'sdxl' }))).toMatchObject({ title: 'sdxl is not known to the service', actions: ['check-service', 'resubmit-edits', 'submit-again'] });
  });

  it('says that a restarted sandbox forgot the job', () => {
    expect(fateOf(aJob({ phase: 'gone', goneReason: 'sandbox-restarted', chunkCount: 12 }))).toMatchObject({
      title: 'Gone with the sandbox', text: 'The sandbox was restarted and forgot this job. Its input and what was received are saved here.',
      spent: null, actions: ['resubmit-edits', 'open-output', 'submit-again'],
    });
  });

  it('names three likely causes for a result without output', () => {
    expect(emptyOutputCauses('run')).toHaveLength(3);
  });
});
