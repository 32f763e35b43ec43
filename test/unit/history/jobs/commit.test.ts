import { describe, expect, it } from 'vitest';
import { readAttempts } from '../../../../src-main/history/jobs/attempts.ts';
import { readRequests } from '../../../../src-main/history/jobs/requests.ts';
import { readBody } from '../../../../src-main/history/jobs/bodies.ts';
import { readSubmission } from '../../../../src-main/history/jobs/submissions.ts';
import {
  commit,
  markSeen,
  recordRequests,
  setStarred,
  setTags,
  findJob,
  findJobsByServiceId,
  findNewestByServiceId,
  isJobIdKnown,
  requireJob,
} from '../../../../src-main/history/jobs/jobs.ts';
import { JobCounter } from '../../../../src-main/history/jobs/counts.ts';
import { newestBlocks } from '../../../../src-main/history/jobs/id-blocks.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import type { Attempt, RequestRecord } from '../../../../src-preload/job.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aNewJob, aDatabase, spreadIds } from '../a-database.ts';

const attempt: Attempt = {
  number: 1,
  startedAtMs: 1_000,
  status: 'IN_PROGRESS',
  delayTimeMs: 12.5,
  executionTimeMs: null,
  workerId: 'w1',
  errorText: null,
  hasOutput: false,
  outputBytes: 0,
  chunkCount: 0,
  finishedSeenAtMs: null,
};
const request: Omit<RequestRecord, 'id'> = {
  atMs: 1_000,
  method: 'GET',
  operation: 'status',
  path: '/v2/echo/status/job-1',
  httpStatus: 200,
  tookMs: 3.25,
  bytesReceived: 70,
  failureKind: null,
  note: null,
};
const chunk = { outputJson: '"x"', metricsJson: null };

describe('a commit', () => {
  it('keeps every field of a job, and returns it as stored', () => {
    const db = aDatabase();
    const job = aJob({
      key: 'k1',
      jobId: null,
      operation: 'runsync',
      title: 'A\0"\u{1f642}',
      tags: ['b', 'a', 'b'],
      phase: 'gone',
      status: 'odd status',
      goneReason: 'purged',
      attempt: 2,
      createdAtMs: 1.5,
      acceptedAtMs: 2,
      startedSeenAtMs: 3,
      finishedSeenAtMs: 4,
      delayTimeMs: 5.5,
      executionTimeMs: 6,
      policy: { executionTimeout: 1, lowPriority: false, ttl: 9_999_999_999 },
      ttlEndsAtMs: 7,
      retentionEndsAtMs: 8,
      inputBytes: 9,
      outputBytes: 10,
      isResultSaved: true,
      isWithoutOutput: true,
      reason: { kind: 'prose', text: 'words' },
      statusReadAtMs: 11,
      isStarred: true,
      isSeen: true,
      isCancelling: true,
    });
    const [stored] = commit(db, [{ job }]);
    expect(stored).toEqual({ ...job, tags: ['b', 'a'] });
    expect(findJob(db, 'k1')?.job).toEqual(stored);
  });

  it('keeps the submission of the insert, whatever comes later', () => {
    const db = aDatabase();
    const submission = {
      inputText: ' { "a" : 1 }\n',
      policy: { ttl: 10_000 },
      webhook: 'http://127.0.0.1/hook',
      waitMs: 1_500,
      s3ProfileId: 's3',
    };
    commit(db, [{ job: aJob(), submission }]);
    commit(db, [{ job: aJob(), submission: { ...submission, inputText: 'other' } }]);
    expect(readSubmission(db, requireJob(db, 'key-1').id)).toEqual(submission);
  });

  it('leaves the user’s star, seen and tags unchanged after the insert', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ tags: ['first'], isStarred: true })]);
    setTags(db, 'key-1', ['mine']);
    markSeen(db, ['key-1']);
    const [after] = commit(db, [
      { job: aJob({ tags: ['engine'], isStarred: false, isSeen: false, status: 'IN_PROGRESS' }) },
    ]);
    expect(after).toMatchObject({ tags: ['mine'], isStarred: true, isSeen: true, status: 'IN_PROGRESS' });
  });

  it('counts requests and chunks as they are stored, not as the caller believes', () => {
    const db = aDatabase();
    commit(db, [{ ...aNewJob({ requestCount: 99, chunkCount: 99 }), requests: [request] }]);
    recordRequests(db, 'key-1', [
      request,
      { ...request, method: 'POST', httpStatus: null, failureKind: 'network', note: 'no reply' },
    ]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, [chunk, chunk], 5);
    const [after] = commit(db, [
      { job: aJob({ chunkCount: 0, requestCount: 0 }), attempt: { ...attempt, chunkCount: 7 }, requests: [request] },
    ]);
    const { id } = requireJob(db, 'key-1');
    expect(after).toMatchObject({ requestCount: 4, chunkCount: 2 });
    expect(readAttempts(db, id)).toEqual([{ ...attempt, chunkCount: 2 }]);
    expect(readRequests(db, id).map(({ failureKind, httpStatus }) => [failureKind, httpStatus])).toEqual([
      [null, 200],
      [null, 200],
      ['network', null],
      [null, 200],
    ]);
  });

  it('restarts the chunk count with a retry, and keeps the chunks of the attempt before', () => {
    const db = aDatabase();
    commit(db, [{ ...aNewJob({}), attempt }]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, [chunk, chunk, chunk], 5);
    const [retried] = commit(db, [{ job: aJob({ attempt: 2, chunkCount: 3 }), attempt: { ...attempt, number: 2 } }]);
    expect(retried?.chunkCount).toBe(0);
    expect(commitChunks(db, { key: 'key-1', attempt: 2 }, [chunk], 6).map(({ seq }) => seq)).toEqual([0]);
    const { id, job } = requireJob(db, 'key-1');
    expect(job.chunkCount).toBe(1);
    expect(readAttempts(db, id).map((kept) => kept.chunkCount)).toEqual([3, 1]);
  });

  it('keeps nothing of any change when one of them fails', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'k1' })]);
    const broken = { job: aJob({ key: 'k3', createdAtMs: Number.NaN }) };
    expect(() =>
      commit(db, [aNewJob({ key: 'k2' }), { job: aJob({ key: 'k1', status: 'COMPLETED' }) }, broken]),
    ).toThrow(/NOT NULL constraint failed: jobs.created_at_ms/);
    expect(findJob(db, 'k2')).toBeNull();
    expect(findJob(db, 'k1')?.job.status).toBe('IN_QUEUE');
  });

  it('replaces a body of the same part and attempt, and keeps the others', () => {
    const db = aDatabase();
    commit(db, [
      {
        ...aNewJob({}),
        bodies: [
          { part: 'output', attempt: 1, text: 'first' },
          { part: 'error', attempt: 1, text: 'why' },
        ],
      },
    ]);
    commit(db, [
      {
        job: aJob(),
        bodies: [
          { part: 'output', attempt: 1, text: 'second' },
          { part: 'output', attempt: 2, text: '' },
        ],
      },
    ]);
    const { id } = requireJob(db, 'key-1');
    expect(readBody(db, id, { part: 'output', attempt: 1 })).toEqual({ text: 'second', bytes: 6, isCut: false });
    expect(readBody(db, id, { part: 'output', attempt: 2 })).toEqual({ text: '', bytes: 0, isCut: false });
    expect(readBody(db, id, { part: 'error', attempt: 1 })?.text).toBe('why');
    expect(readBody(db, id, { part: 'reply', attempt: 1 })).toBeNull();
  });
});

describe('the user’s own fields', () => {
  it('return the changed job, or null if there is none', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ tags: ['old'] })]);
    expect(setStarred(db, 'key-1', true)?.isStarred).toBe(true);
    expect(setTags(db, 'key-1', ['b', 'a', 'b'])?.tags).toEqual(['b', 'a']);
    expect(setStarred(db, 'absent', true)).toBeNull();
    expect(setTags(db, 'absent', [])).toBeNull();
  });

  it('are marked seen once: only the changed jobs are returned', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'k1' }), aNewJob({ key: 'k2', isSeen: true })]);
    expect(markSeen(db, ['k1', 'k2', 'absent']).map((job) => job.key)).toEqual(['k1']);
    expect(markSeen(db, ['k1'])).toEqual([]);
  });

  it('are marked as not seen again: only the changed jobs are returned', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'k1', isSeen: true }), aNewJob({ key: 'k2' })]);
    expect(markSeen(db, ['k1', 'k2', 'absent'], false).map((job) => [job.key, job.isSeen])).toEqual([['k1', false]]);
  });
});

describe('a job', () => {
  it('is found by the service’s id on its own endpoint and service, by whatever connection, the newest of several first', () => {
    const db = aDatabase();
    const baseUrl = 'http://one.test';
    commit(db, [
      aNewJob({ key: 'k1', jobId: 'same', baseUrl }),
      aNewJob({ key: 'k2', jobId: 'same', baseUrl, connectionId: 'connection-2' }),
      aNewJob({ key: 'k3', jobId: 'same', baseUrl, endpointId: 'other' }),
      aNewJob({ key: 'k4', jobId: 'same', baseUrl: 'http://two.test' }),
    ]);
    expect(findJobsByServiceId(db, baseUrl, 'echo', 'same').map(({ key }) => key)).toEqual(['k2', 'k1']);
    expect(findJobsByServiceId(db, 'http://three.test', 'echo', 'same')).toEqual([]);
    expect(findNewestByServiceId(db, 'same')?.job.key).toBe('k4');
    expect(findNewestByServiceId(db, 'sam')).toBeNull();
  });

  it('is found by the service’s id in any block of ids', () => {
    const db = aDatabase();
    const of = (at: number): string => `k${String(at).padStart(2, '0')}`;
    commit(
      db,
      Array.from({ length: 20 }, (_, at) => aNewJob({ key: of(at), jobId: at % 10 === 0 ? 'same' : of(at) })),
    );
    spreadIds(db);
    expect(new Set(newestBlocks(db)).size).toBeGreaterThan(3);
    const { baseUrl } = aJob();
    expect(findJobsByServiceId(db, baseUrl, 'echo', 'same').map(({ key }) => key)).toEqual(['k10', 'k00']);
    expect(findJobsByServiceId(db, baseUrl, 'echo', 'k19').map(({ key }) => key)).toEqual(['k19']);
    expect([isJobIdKnown(db, 'k07'), isJobIdKnown(db, 'k07x')]).toEqual([true, false]);
  });

  it('is inserted without a trigger: with any, SQLite copies every page that the insert changes', () => {
    const db = aDatabase();
    new JobCounter(db, 0).read(0);
    const triggers = db
      .prepare(
        "SELECT sql FROM (SELECT * FROM sqlite_schema UNION ALL SELECT * FROM temp.sqlite_schema) WHERE type = 'trigger'",
      )
      .all()
      .map(({ sql }) => String(sql));
    expect(triggers.length).toBeGreaterThan(3);
    expect(triggers.filter((sql) => /\sINSERT ON jobs\b/.test(sql))).toEqual([]);
  });

  it('must exist before chunks or requests are added to it', () => {
    const db = aDatabase();
    expect(() => commitChunks(db, { key: 'absent', attempt: 1 }, [chunk], 0)).toThrow('There is no job absent');
    // It was deleted while its request was on its way.
    expect(() => recordRequests(db, 'absent', [request])).not.toThrow();
  });
});
