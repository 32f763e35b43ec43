import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JobEvent, JobState } from '../../../../src-main/job/reducer/job-event.ts';
import { newJob } from '../../../../src-main/job/reducer/new-job.ts';
import { reduceAll } from '../../../../src-main/job/reducer/reducer.ts';
import { recordOfId } from '../../../../src-main/job/submission/submission-request.ts';
import { aFailure, aRecord, drained } from '../records.ts';

/**
 * One submission, from the journal to its result, in every order of what the user does, what the service answers, and
 * crashes. What the engine does around the reducer is played here in its plainest form: a request leaves only if the job
 * says so, and a start finds what was on disk.
 */

/** How one try to send ends. `isAtService`: the service has the job, whatever it answered. */
interface Try {
  isAtService: boolean;
  answer: 'accepted' | 'refused' | '429' | 'not-connected' | 'lost' | 'crash';
}
type Step =
  | ({ kind: 'send' } & Try)
  | { kind: 'withdraw' | 'connection-removed' | 'connection-back' | 'call-back' | 'confirm' | 'crash' | 'read' };

const tries: Try[] = [
  { isAtService: true, answer: 'accepted' },
  { isAtService: true, answer: 'lost' },
  { isAtService: false, answer: 'lost' },
  { isAtService: true, answer: 'crash' },
  { isAtService: false, answer: 'crash' },
  { isAtService: false, answer: 'refused' },
  { isAtService: false, answer: '429' },
  { isAtService: false, answer: 'not-connected' },
];
/** Answers that say something untrue, as a proxy may. */
const lies: Try[] = [
  { isAtService: true, answer: 'refused' },
  { isAtService: true, answer: '429' },
];
const others: Step[] = [
  { kind: 'withdraw' },
  { kind: 'connection-removed' },
  { kind: 'connection-back' },
  { kind: 'call-back' },
  { kind: 'confirm' },
  { kind: 'crash' },
  { kind: 'read' },
];
const anyStep = (of: readonly Try[]): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.constantFrom(...of).map((each) => ({ kind: 'send' as const, ...each })),
    fc.constantFrom(...others),
  );

/** The job and the service, and how often the service took it. */
interface World {
  state: JobState;
  taken: number;
}

const jobId = 'job-1';
const answers: Record<Try['answer'], JobEvent[]> = {
  accepted: [{ kind: 'accepted', record: aRecord({ id: jobId, status: 'IN_QUEUE' }) }],
  refused: [{ kind: 'refused', failure: aFailure({ kind: 'invalid', httpStatus: 400 }) }],
  '429': [{ kind: 'held-back', reason: { kind: 'rate-limited', said: null } }],
  'not-connected': [{ kind: 'held-back', reason: { kind: 'not-sent', said: 'Nothing answers.' } }],
  lost: [{ kind: 'outcome-unknown', why: { kind: 'no-answer', said: 'Reset.', mentionedId: null }, rawReply: null }],
  crash: [],
};

function eventsOf(step: Exclude<Step, { kind: 'send' }>, { state: { job }, taken }: World): JobEvent[] {
  switch (step.kind) {
    case 'withdraw':
      return [{ kind: 'withdrawn' }];
    case 'connection-removed':
    case 'connection-back':
      return [{ kind: step.kind }];
    case 'call-back':
      // Only the service knows the path (ruling 25).
      return taken === 0
        ? []
        : [
            { kind: 'outcome-unknown', why: { kind: 'called-back' }, rawReply: null },
            { kind: 'id-mentioned', jobId },
          ];
    case 'confirm':
      return job.phase === 'outcome-unknown' && job.jobId !== null
        ? [{ kind: 'accepted', record: recordOfId(job.jobId) }]
        : [];
    case 'crash':
      return job.phase === 'submitting' ? [{ kind: 'outcome-unknown', why: { kind: 'ended' }, rawReply: null }] : [];
    case 'read':
      return job.phase === 'active'
        ? [{ kind: 'status', record: aRecord({ id: jobId, status: 'IN_PROGRESS' }), attempt: 1, requestedAtMs: 2_000 }]
        : [];
  }
}

function play(world: World, step: Step, nowMs: number): World {
  if (step.kind !== 'send') return { ...world, state: reduceAll(world.state, eventsOf(step, world), nowMs) };
  const { phase } = world.state.job;
  // A new job is sent at once, and one of the outbox after it was journalled again.
  const sending =
    phase === 'waiting'
      ? reduceAll(world.state, [{ kind: 'sending', baseUrl: 'https://q.example' }], nowMs)
      : world.state;
  if (sending.job.phase !== 'submitting') return world;
  const taken = world.taken + Number(step.isAtService);
  const after = { state: reduceAll(sending, answers[step.answer], nowMs), taken };
  return step.answer === 'crash' ? play(after, { kind: 'crash' }, nowMs) : after;
}

const start = (phase: 'waiting' | 'submitting'): World => ({
  state: newJob(
    {
      key: 'key-1',
      connectionId: 'main',
      baseUrl: 'https://q.example',
      endpointId: 'echo',
      operation: 'run',
      title: 'A job',
      tags: [],
      policy: {},
      inputBytes: 2,
      phase,
      reason: phase === 'waiting' ? { kind: 'offline' } : null,
    },
    1_000,
  ),
  taken: 0,
});
const anyStart = fc.constantFrom('waiting' as const, 'submitting' as const).map(start);

it('a job that the service has is never sent again, and a withdrawn one is never sent', () => {
  fc.assert(
    fc.property(anyStart, fc.array(anyStep(tries), { maxLength: 30 }), (first, steps) => {
      let world = first;
      for (const [index, step] of steps.entries()) {
        const isOver = world.state.job.reason?.kind === 'withdrawn';
        const next = play(world, step, 2_000 + index * 100);
        if (isOver) expect(next.taken).toBe(world.taken);
        world = next;
        expect(world.taken).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('the result of a job that the service has is eventually available, whatever was answered and done, even after wrong answers', () => {
  fc.assert(
    fc.property(anyStart, fc.array(anyStep([...tries, ...lies]), { maxLength: 30 }), (first, steps) => {
      let world = first;
      // After a lie it may be sent again until the service calls back (ruling 9).
      for (const [index, step] of steps.entries()) world = play(world, step, 2_000 + index * 100);
      fc.pre(world.taken > 0);
      for (const kind of ['crash', 'connection-back', 'call-back', 'confirm', 'connection-back'] as const)
        world = play(world, { kind }, 10_000);
      const record = aRecord({ id: jobId, status: 'COMPLETED', outputJson: '"paid for"' });
      const end = reduceAll(
        world.state,
        [{ kind: 'status', record, attempt: 1, requestedAtMs: 11_000 }, drained()],
        12_000,
      );
      expect(end.job).toMatchObject({ phase: 'finished', status: 'COMPLETED', jobId, isResultSaved: true });
      expect(end.attempt.hasOutput).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
