import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeChunks } from '../../../../src-main/history/stream/chunks.ts';
import {
  asComingFrom,
  compareStates,
  mergeJobs,
  type KnownJob,
} from '../../../../src-main/history/backup/merge-rule.ts';
import type { StoredChunk } from '../../../../src-main/history/stream/repair-chunks.ts';
import type { Attempt, Job } from '../../../../src-preload/job.ts';
import { aJob } from '../../../kit/a-job.ts';

const word = fc.constantFrom('red', 'green', 'blue', 'red one');
const moment = fc.option(fc.integer({ min: 1, max: 9 }));

const attempt = (number: number): fc.Arbitrary<Attempt> =>
  fc.record({
    number: fc.constant(number),
    startedAtMs: fc.integer({ min: 1, max: 9 }),
    status: fc.constantFrom(null, 'IN_PROGRESS', 'COMPLETED', 'FAILED'),
    delayTimeMs: moment,
    executionTimeMs: moment,
    workerId: fc.option(word),
    errorText: fc.option(word),
    hasOutput: fc.boolean(),
    outputBytes: fc.integer({ min: 0, max: 9 }),
    chunkCount: fc.integer({ min: 0, max: 9 }),
    finishedSeenAtMs: moment,
  });

const states: fc.Arbitrary<Partial<Job>> = fc.constantFrom<Partial<Job>>(
  { phase: 'waiting', status: null, jobId: null },
  { phase: 'active', status: 'IN_PROGRESS' },
  { phase: 'outcome-unknown', status: null, jobId: null },
  { phase: 'gone', status: 'IN_QUEUE', goneReason: 'expired' },
  { phase: 'finished', status: 'COMPLETED', isResultSaved: true, outputBytes: 8 },
  { phase: 'finished', status: 'FAILED', isResultSaved: true },
  { phase: 'finished', status: 'COMPLETED', isResultSaved: true, outputForgottenAtMs: 5 },
  { phase: 'finished', status: 'COMPLETED', isResultSaved: true, outputForgottenAtMs: 5, inputForgottenAtMs: 6 },
);

/** The same job as some computer may know it. */
const known: fc.Arbitrary<KnownJob> = fc
  .record({
    state: states,
    attempts: fc.oneof(
      attempt(1).map((one) => [one]),
      fc.tuple(attempt(1), attempt(2)).map((both): Attempt[] => both),
    ),
    title: fc.constantFrom('Made by Jobdeck', 'Mine', 'Other'),
    tags: fc.uniqueArray(word),
    isStarred: fc.boolean(),
    mark: fc.option(fc.constantFrom(1 as const, 4 as const), { nil: undefined }),
    label: fc.option(word, { nil: undefined }),
    note: fc.constantFrom('', 'A note', 'A note\n\nwith more', 'Another'),
    statusReadAtMs: moment,
  })
  .map(({ state, attempts, mark, label, note, ...rest }) => ({
    job: aJob({
      ...rest,
      ...state,
      attempt: attempts.length,
      ...(mark === undefined ? {} : { mark }),
      ...(label === undefined ? {} : { label }),
      ...(note === '' ? {} : { noteLine: note.split('\n')[0] ?? '' }),
    }),
    attempts,
    note,
    automaticTitle: 'Made by Jobdeck',
  }));

const merged = (mine: KnownJob, theirs: KnownJob): KnownJob => ({
  ...mergeJobs(mine, theirs, []),
  automaticTitle: mine.automaticTitle,
});

/** Everything the user said, wherever it is now. */
const saidOf = ({ job, note }: KnownJob): string => [job.title, job.label ?? '', note].join('\n');

describe('merging two histories of a job', () => {
  it('twice gives the same result as once', () => {
    fc.assert(
      fc.property(known, known, (mine, theirs) => {
        const once = merged(mine, theirs);
        expect(merged(once, theirs)).toEqual(once);
        expect(merged(mine, mine)).toMatchObject({
          note: mine.note,
          job: { title: mine.job.title, tags: mine.job.tags },
        });
      }),
    );
  });

  it('gives the same state, outputs, attempts, star and tags on both sides', () => {
    fc.assert(
      fc.property(known, known, (one, other) => {
        // One that sends nothing: what is live is another matter on the side that tracks it.
        const [a, b] = [one, other].map((side) => ({ ...side, job: asComingFrom(side.job, []) }));
        if (a === undefined || b === undefined) return;
        const [here, there] = [merged(a, b), merged(b, a)];
        expect(compareStates(here.job, there.job)).toBe(0);
        const numbers = (side: KnownJob) => side.attempts.map(({ number, hasOutput }) => [number, hasOutput]);
        expect(numbers(here)).toEqual(numbers(there));
        expect(here.job.isStarred).toBe(there.job.isStarred);
        expect(here.job.tags.toSorted()).toEqual(there.job.tags.toSorted());
      }),
    );
  });

  it('keeps the more advanced state, and never loses an output or a saved result of either', () => {
    fc.assert(
      fc.property(known, known, (mine, theirs) => {
        const { job, attempts } = merged(mine, theirs);
        expect(compareStates(job, mine.job)).toBeGreaterThanOrEqual(0);
        // What waits there to be sent is no news of what became of it here.
        if (theirs.job.phase === 'waiting') expect(job.phase).toBe(mine.job.phase);
        else expect(compareStates(job, asComingFrom(theirs.job, []))).toBeGreaterThanOrEqual(0);
        for (const side of [mine, theirs]) {
          for (const before of side.attempts) {
            const after = attempts.find(({ number }) => number === before.number);
            expect(after?.hasOutput || !before.hasOutput).toBe(true);
            expect(after?.outputBytes).toBeGreaterThanOrEqual(before.outputBytes);
          }
        }
      }),
    );
  });

  it('prefers an end to a state before the end, whichever was read last', () => {
    const richer = (mine: Partial<Job>, theirs: Partial<Job>): Job['phase'] => {
      const side = (changes: Partial<Job>): KnownJob => ({
        job: aJob(changes),
        attempts: [],
        note: '',
        automaticTitle: '',
      });
      return mergeJobs(side({ statusReadAtMs: 1, ...mine }), side({ statusReadAtMs: 9, ...theirs }), []).job.phase;
    };
    expect(richer({ phase: 'finished', status: 'FAILED' }, { phase: 'orphaned' })).toBe('finished');
    expect(richer({ phase: 'gone', goneReason: 'expired' }, { phase: 'orphaned' })).toBe('gone');
    expect(richer({ phase: 'refused' }, { phase: 'outcome-unknown', jobId: null })).toBe('refused');
    expect(richer({ phase: 'finished', status: 'FAILED' }, { phase: 'gone', attempt: 2 })).toBe('gone');
  });

  it.each<[string, Partial<Job>]>([
    ['withdrawn', { phase: 'finished', status: 'CANCELLED', isResultSaved: true, reason: { kind: 'withdrawn' } }],
    ['refused', { phase: 'refused', status: null, reason: { kind: 'refused', said: 'No.' } }],
  ])('does not return to %s from an older backup, once a call-back showed that the service has it', (_, before) => {
    const as = (job: Partial<Job>): KnownJob => ({ job: aJob(job), attempts: [], note: '', automaticTitle: '' });
    const old = as({ ...before, jobId: null, statusReadAtMs: null });
    for (const now of [
      as({ phase: 'outcome-unknown', status: null, jobId: 'job-1' }),
      as({ phase: 'active', status: 'IN_PROGRESS', jobId: 'job-1', isResultSaved: false }),
    ]) {
      expect(mergeJobs(now, old, []).job).toMatchObject({ phase: now.job.phase, jobId: 'job-1' });
      expect(mergeJobs(old, now, []).job.phase).not.toBe(old.job.phase);
    }
  });

  it('has an input if one of them has it, unless the other never had one', () => {
    const inputOf = (mine: Partial<Job>, theirs: Partial<Job>): number | undefined => {
      const side = (changes: Partial<Job>): KnownJob => ({
        job: aJob(changes),
        attempts: [],
        note: '',
        automaticTitle: '',
      });
      return mergeJobs(side(mine), side(theirs), []).job.inputForgottenAtMs;
    };
    expect(inputOf({ inputForgottenAtMs: 5 }, {})).toBeUndefined();
    expect(inputOf({ inputForgottenAtMs: 5 }, { inputForgottenAtMs: 7 })).toBe(7);
    expect(inputOf({ inputForgottenAtMs: 5 }, { inputBytes: 0 })).toBe(5);
  });

  it('never loses a user’s note, tag, mark, label or title', () => {
    fc.assert(
      fc.property(known, known, (mine, theirs) => {
        const after = merged(mine, theirs);
        for (const { job, note, automaticTitle } of [mine, theirs]) {
          expect(after.job.isStarred || !job.isStarred).toBe(true);
          expect(after.job.tags).toEqual(expect.arrayContaining(job.tags));
          expect(saidOf(after)).toContain(note);
          if (job.title !== automaticTitle) expect(saidOf(after)).toContain(job.title);
          if (job.label !== undefined) expect(saidOf(after)).toContain(job.label);
          if (job.mark !== undefined)
            expect(after.job.mark === job.mark || after.note.includes('Mark elsewhere')).toBe(true);
        }
        expect(after.job.noteLine ?? '').toBe(after.note.split('\n')[0]);
      }),
    );
  });
});

describe('a job of another history', () => {
  it('that was active there is not tracked here, and sends nothing', () => {
    fc.assert(
      fc.property(known, ({ job }) => {
        const { phase, retryRequestedAtMs } = asComingFrom({ ...job, retryRequestedAtMs: 3 }, []);
        expect(['waiting', 'submitting', 'active']).not.toContain(phase);
        expect(retryRequestedAtMs).toBeUndefined();
      }),
    );
  });

  it('uses a connection here that reaches its service, preferably its own', () => {
    const job = aJob({ connectionId: 'there', baseUrl: 'https://a.example/v2' });
    const here = { id: 'here', baseUrl: 'https://a.example/v2' };
    expect(asComingFrom(job, [here]).connectionId).toBe('here');
    expect(asComingFrom(job, [here, { ...here, id: 'there' }]).connectionId).toBe('there');
    expect(asComingFrom(job, [{ id: 'there', baseUrl: 'https://b.example/v2' }]).connectionId).toBe('there');
  });
});

describe('the chunks of a stream read by both', () => {
  const chunk = fc.record({
    outputJson: fc.constantFrom('"a"', '"b"'),
    metricsJson: fc.constant(null),
    receivedAtMs: fc.integer({ min: 1, max: 4 }),
  });
  const stream = fc
    .array(chunk, { maxLength: 8 })
    .map((chunks): StoredChunk[] => chunks.toSorted((a, b) => a.receivedAtMs - b.receivedAtMs));
  const countOf = (chunks: readonly StoredChunk[], { outputJson, receivedAtMs }: StoredChunk): number =>
    chunks.filter((each) => each.outputJson === outputJson && each.receivedAtMs === receivedAtMs).length;

  it('all appear once, in order of arrival, and merging again adds none', () => {
    fc.assert(
      fc.property(stream, stream, (mine, theirs) => {
        const all = mergeChunks(mine, theirs) ?? mine;
        for (const each of [...mine, ...theirs])
          expect(countOf(all, each)).toBe(Math.max(countOf(mine, each), countOf(theirs, each)));
        expect(all.map(({ receivedAtMs }) => receivedAtMs)).toEqual(
          all.map(({ receivedAtMs }) => receivedAtMs).toSorted((a, b) => a - b),
        );
        expect(mergeChunks(all, theirs)).toBeNull();
      }),
    );
  });
});
