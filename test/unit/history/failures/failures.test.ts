import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCause, readCauseNames, readCauses } from '../../../../src-main/history/failures/causes.ts';
import { alikeOf, causeOfJob, mutedAmong, sortFailures } from '../../../../src-main/history/failures/failures.ts';
import { muteCause } from '../../../../src-main/history/failures/mutes.ts';
import { normalised, signatureOf } from '../../../../src-main/history/failures/signature.ts';
import { commit, findJob } from '../../../../src-main/history/jobs/jobs.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import type { JobCommit } from '../../../../src-main/history/records.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { emptyFilter, type JobFilter, type JobSort } from '../../../../src-preload/history.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const nowMs = 100 * 3_600_000;

function failedJob(key: string, said: string, atMs: number, input = '{}'): JobCommit {
  return aNewJob(
    {
      key,
      phase: 'finished',
      status: 'FAILED',
      reason: { kind: 'failed', said },
      finishedSeenAtMs: atMs,
      inputBytes: input.length,
    },
    input,
  );
}

function completedJob(key: string, input: string): JobCommit {
  return aNewJob(
    { key, phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: nowMs, inputBytes: input.length },
    input,
  );
}

function sorted(db: DatabaseSync): { message: string; jobs: number }[] {
  while (sortFailures(db));
  return readCauses(db, 'connection-1', 0, nowMs).causes.map(({ message, jobs }) => ({ message, jobs }));
}

describe('a message without the parts that differ between jobs', () => {
  it.each([
    ['Tried to allocate 5.10 GiB. GPU 0 has 44.5 GiB in total', 'Tried to allocate … GiB. GPU … has … GiB in total'],
    ["KeyError: 'prompt'", "KeyError: 'prompt'"],
    ['403 from PUT https://bucket.example/a/b?x=1: AccessDenied', '403 from PUT … AccessDenied'],
    ['Worker exited, code 137', 'Worker exited, code 137'],
    ['file /tmp/job-91d4a6f3/in.wav not found', 'file … not found'],
    ['C:\\data\\in\\x.wav is missing', '… is missing'],
    ['job 9ce44946-489f-4549-8b58-af77a56c12ab-u1 on 10.1.2.3:8080', 'job … on …'],
    ['shape mismatch: [64, 3, 7, 7]', 'shape mismatch: […]'],
    ['14 of 20 frames', '… of … frames'],
  ])('%s', (said, message) => expect(normalised(said)).toBe(message));

  it('groups by the user’s frame where it broke, whatever the line, and timeouts as one', () => {
    const traceback = (line: number): string =>
      JSON.stringify({
        error_message: 'boom',
        error_traceback: `Traceback (most recent call last):\n  File "/app/handler.py", line ${line}, in run\n    go()\n  File "/usr/lib/python3.11/site-packages/torch/x.py", line 3, in y\n    z()\nRuntimeError: boom\n`,
      });
    const of = (errorText: string | null, status = 'FAILED') =>
      signatureOf({ reason: { kind: 'failed', said: 'boom' }, status }, errorText);
    expect(of(traceback(118))).toEqual({ message: 'boom', frame: 'handler.py, run' });
    expect(of(traceback(7))).toEqual(of(traceback(118)));
    expect(of(null).frame).toBe('');
    expect(of('job timed out: executionTimeout exceeded').message).toBe(of(null, 'TIMED_OUT').message);
  });
});

describe('failures by cause', () => {
  it('are the same as a count from scratch, whatever happened to the jobs', () => {
    const messages = ['boom 1', 'boom 2', 'no key', 'limit'];
    const state = fc.constantFrom('fail', 'done', 'delete');
    const steps = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 5 }),
        to: state,
        message: fc.constantFrom(...messages),
        sorts: fc.boolean(),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(steps, (wanted) => {
        const db = aDatabase();
        const kept = new Map<string, string | null>();
        for (const { at, to, message, sorts } of wanted) {
          const key = `k${at}`;
          if (to === 'delete') {
            removeJob(db, key);
            kept.delete(key);
          } else {
            commit(db, [to === 'fail' ? failedJob(key, message, nowMs) : completedJob(key, '{}')]);
            kept.set(key, to === 'fail' ? normalised(message) : null);
          }
          if (sorts) sortFailures(db);
        }
        const counts = new Map<string, number>();
        for (const message of kept.values()) if (message !== null) counts.set(message, (counts.get(message) ?? 0) + 1);
        expect(new Map(sorted(db).map(({ message, jobs }) => [message, jobs]))).toEqual(counts);
      }),
      { numRuns: 40 },
    );
  });

  it('end as their jobs failed, even while the last one is retried and not assigned again yet', () => {
    const db = aDatabase();
    commit(db, [failedJob('a', 'boom', nowMs)]);
    sorted(db);
    commit(db, [aNewJob({ key: 'a', phase: 'active', status: 'IN_QUEUE', attempt: 2 }, '{}')]);
    expect(readCauses(db, 'connection-1', 0, nowMs).causes.map(({ kind }) => kind)).toEqual(['fail']);
    expect(sorted(db)).toEqual([]);
  });

  it('have a trend over the requested time, and their first and last', () => {
    const db = aDatabase();
    const atMs = [nowMs - 27 * 3_600_000, nowMs - 3_600_000, nowMs - 1];
    commit(
      db,
      atMs.map((at, index) => failedJob(`k${index}`, 'boom', at)),
    );
    while (sortFailures(db));
    const [cause] = readCauses(db, 'connection-1', nowMs - 28 * 3_600_000, nowMs).causes;
    expect(cause).toMatchObject({ jobs: 3, firstAtMs: atMs[0], lastAtMs: atMs[2], mute: null, kind: 'fail' });
    expect(cause?.trend.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(cause?.trend.slice(0, 3).some((count) => count > 0)).toBe(true);
    expect(readCauses(db, 'connection-1', nowMs - 3_600_000, nowMs).causes[0]?.jobs).toBe(2);
    expect(readCauses(db, 'another', 0, nowMs).causes).toEqual([]);
  });

  it('say what they have in common that the completed ones have not, and stay in place when muted', () => {
    const db = aDatabase();
    for (let at = 0; at < 12; at += 1) {
      const input = JSON.stringify({ batch_size: 24, beam: at % 5, seconds: 7_200 + at });
      commit(db, [failedJob(`f${at}`, `boom ${at}`, nowMs, input)]);
      commit(db, [
        completedJob(`c${at}`, JSON.stringify({ batch_size: at === 0 ? 24 : 8, beam: at % 5, seconds: 60 + at })),
      ]);
    }
    while (sortFailures(db));
    const [cause] = readCauses(db, 'connection-1', 0, nowMs).causes;
    const detail = readCause(db, cause?.id ?? 0, 5);
    expect(detail?.jobs).toHaveLength(5);
    expect(detail?.common).toEqual([
      {
        name: 'seconds',
        trait: { kind: 'value', text: '≥ 7,200' },
        isNamed: false,
        failed: 12,
        completed: 0,
        instead: null,
      },
      {
        name: 'batch_size',
        trait: { kind: 'value', text: '24' },
        isNamed: false,
        failed: 12,
        completed: 1,
        instead: { json: '8', completed: 11 },
      },
    ]);
    expect(detail).toMatchObject({ total: 12, retried: 0, sentAgain: 0 });
    muteCause(db, cause?.id ?? 0, { untilMs: null, isUntilRise: false, reason: 'Known' }, nowMs);
    expect(readCauses(db, 'connection-1', 0, nowMs).causes[0]).toMatchObject({
      mute: { sinceMs: nowMs, untilMs: null, risesAbove: null, reason: 'Known' },
      jobs: 12,
    });
    expect(readCause(db, 9_999, 5)).toBeNull();
  });

  it('are muted until a time, until they rise again, or until they are unmuted', () => {
    const db = aDatabase();
    const dayMs = 86_400_000;
    const fail = (keys: readonly string[], atMs: number): void => {
      commit(
        db,
        keys.map((key) => failedJob(key, 'boom', atMs)),
      );
      while (sortFailures(db));
    };
    fail(['a1', 'a2', 'a3'], nowMs - 3_600_000);
    const { id } = readCauses(db, 'connection-1', 0, nowMs).causes[0] ?? { id: 0 };
    const muteAt = (atMs: number) => readCauses(db, 'connection-1', 0, atMs).causes[0]?.mute ?? null;

    muteCause(db, id, { untilMs: nowMs + dayMs, isUntilRise: false, reason: '' }, nowMs);
    expect(muteAt(nowMs + dayMs - 1)).toMatchObject({ untilMs: nowMs + dayMs });
    expect(muteAt(nowMs + dayMs)).toBeNull();
    expect(mutedAmong(db, ['a1'], nowMs)).toEqual(['a1']);
    expect(mutedAmong(db, ['a1'], nowMs + dayMs)).toEqual([]);

    muteCause(db, id, { untilMs: null, isUntilRise: true, reason: 'New driver' }, nowMs);
    // As often as in the day before is no rise, on however many days; more often is, and it stays one.
    fail(['b1', 'b2', 'b3'], nowMs + dayMs);
    expect(muteAt(nowMs + dayMs)).toMatchObject({ risesAbove: 3, reason: 'New driver' });
    fail(['c1', 'c2', 'c3'], nowMs + 3 * dayMs);
    expect(muteAt(nowMs + 3 * dayMs)).not.toBeNull();
    fail(['c4'], nowMs + 3 * dayMs + 7_200_000);
    expect(muteAt(nowMs + 3 * dayMs + 7_200_000)).toBeNull();
    expect(muteAt(nowMs + 9 * dayMs)).toBeNull();

    muteCause(db, id, { untilMs: null, isUntilRise: false, reason: '' }, nowMs + 9 * dayMs);
    expect(muteAt(nowMs + 99 * dayMs)).not.toBeNull();
    muteCause(db, id, null, nowMs + 99 * dayMs);
    expect(muteAt(nowMs + 99 * dayMs)).toBeNull();
  });

  it('are found by a job, assigned or not, and by none that did not fail', () => {
    const db = aDatabase();
    commit(db, [failedJob('a', 'boom', nowMs), failedJob('b', 'boom', nowMs), completedJob('c', '{}')]);
    const before = causeOfJob(db, 'a');
    expect(before).toMatchObject({ endpointId: 'echo', message: 'boom', jobs: 1 });
    while (sortFailures(db));
    expect(causeOfJob(db, 'b')).toEqual({ ...before, jobs: 2 });
    expect(causeOfJob(db, 'c')).toBeNull();
    expect(causeOfJob(db, 'nobody')).toBeNull();
  });

  it('are counted for a job that failed like others, assigned or not, without writing', () => {
    const db = aDatabase();
    const alike = (key: string): number | null => {
      const found = findJob(db, key);
      return found === null ? null : (alikeOf(db, found)?.jobs ?? null);
    };
    commit(db, [failedJob('a', 'boom 1', nowMs), failedJob('b', 'boom 2', nowMs), completedJob('c', '{}')]);
    // Nothing is known of a cause before a job was assigned to it.
    expect(alike('a')).toBeNull();
    while (sortFailures(db));
    expect([alike('a'), alike('b'), alike('c')]).toEqual([2, 2, null]);
    commit(db, [failedJob('d', 'boom 3', nowMs), failedJob('e', 'other', nowMs)]);
    expect([alike('d'), alike('d'), alike('e'), alike('a')]).toEqual([3, 3, null, 2]);
    const found = findJob(db, 'd');
    expect(found === null ? null : alikeOf(db, found)?.causeId).toBe(causeOfJob(db, 'a')?.id);
  });

  it('say how many of their jobs were retried, and how many resubmitted', () => {
    const db = aDatabase();
    for (const key of ['a', 'b', 'c']) commit(db, [failedJob(key, 'boom', nowMs)]);
    const retried = failedJob('a', 'boom', nowMs);
    commit(db, [{ job: { ...retried.job, attempt: 2 } }]);
    const again = failedJob('d', 'boom', nowMs);
    commit(db, [{ ...again, job: { ...again.job, originKey: 'b' } }]);
    while (sortFailures(db));
    const [cause] = readCauses(db, 'connection-1', 0, nowMs).causes;
    expect(readCause(db, cause?.id ?? 0, 1)).toMatchObject({ total: 4, retried: 1, sentAgain: 1 });
  });

  it('filter a list: by number, or by words of the message, with other filters and in any order', () => {
    const db = aDatabase();
    commit(db, [
      failedJob('f1', 'CUDA out of memory', nowMs),
      failedJob('f2', 'The rubric is missing', nowMs),
      failedJob('f3', 'cuda driver is missing', nowMs),
      failedJob('f4', 'CUDA out of memory', nowMs),
      completedJob('c1', '{}'),
    ]);
    while (sortFailures(db));
    const names = readCauseNames(db, 'connection-1');
    expect(names.map(({ message, jobs }) => [message, jobs])[0]).toEqual(['CUDA out of memory', 2]);
    const find = (asked: Partial<JobFilter>, sort: JobSort | null = null) => {
      const { jobs, total } = listJobs(db, { ...emptyFilter, ...asked }, { limit: 10, startOfTodayMs: 0, sort });
      expect(total).toBe(jobs.length);
      return jobs.map(({ key }) => key);
    };
    expect(find({ cause: String(names[0]?.id) })).toEqual(['f4', 'f1']);
    expect(find({ cause: 'Cuda' })).toEqual(['f4', 'f3', 'f1']);
    expect(find({ cause: 'is missing', view: 'failed' }, { column: 'created', isDescending: false })).toEqual([
      'f2',
      'f3',
    ]);
    expect(find({ cause: 'cuda', statuses: ['completed'] })).toEqual([]);
    expect(find({ cause: '9999' })).toEqual([]);
    expect(readCauseNames(db, 'another')).toEqual([]);
  });
});

it('an error with a megabyte of line ends or backslashes has its cause read in one pass', () => {
  for (const unit of ['\n', '\\'])
    expect(signatureOf({ reason: null, status: 'FAILED' }, `boom ${unit.repeat(1_000_000)}`).frame).toBe('');
});
