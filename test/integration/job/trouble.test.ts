import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { streamIndexOf } from './stream-index.ts';

let sandbox: Sandbox;
let engine: TestEngine;
beforeEach(async () => {
  sandbox = await startSandbox();
  engine = await startEngine({ connections: to(sandbox) });
});
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

const submissionsTaken = (): number => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;
const answersOf = (endpointId: string, operation: string): Record<number, number> =>
  Object.fromEntries(
    sandbox
      .requests()
      .filter((count) => count.endpointId === endpointId && count.operation === operation)
      .map(({ status, count }) => [status, count]),
  );

describe('a submission', () => {
  it('with a lost answer is unknown and never sent again automatically (ruling 9)', async () => {
    sandbox.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
    const job = await engine.submit({ endpointId: 'echo', input: { once: true } });
    const unknown = await engine.untilEnd(job.key);
    expect(unknown).toMatchObject({ phase: 'outcome-unknown', jobId: null });
    expect(unknown.reason).toMatchObject({ kind: 'unanswered', why: { kind: 'no-answer' } });
    expect(engine.jobs.trackerState()).toMatchObject({ outcomeUnknown: 1, waitingToSend: 0, tracked: 0 });

    engine.jobs.tryNow();
    engine.jobs.connectionChanged('main');
    // Later jobs go their way, and the lost one is not sent beside them.
    await engine.untilEnd((await engine.submit({ endpointId: 'echo' })).key);
    expect(submissionsTaken()).toBe(2);
    expect(answersOf('echo', 'run')).toEqual({ 0: 1, 200: 1 });

    const again = await engine.jobs.resubmit(job.key);
    expect(again.ok).toBe(true);
    if (again.ok) expect((await engine.untilEnd(again.value.key)).status).toBe('COMPLETED');
    expect((await engine.history.get(job.key))?.job.phase).toBe('outcome-unknown');
  });

  it('answered by an error page is unknown, with the page saved', async () => {
    sandbox.setFault({ kind: 'html', operation: 'run', times: 1 });
    const job = await engine.submit({ endpointId: 'echo' });
    expect(await engine.untilEnd(job.key)).toMatchObject({ phase: 'outcome-unknown' });
    expect((await engine.history.body(job.key, 'reply', 1, null))?.text).toContain('The gateway could not answer');
    expect(engine.ended).toEqual([]);
  });

  it('that the service refuses says why, and no job exists', async () => {
    sandbox.setFault({ kind: 'status', status: 422, operation: 'run', times: 1 });
    const job = await engine.submit({ endpointId: 'echo' });
    expect(await engine.untilEnd(job.key)).toMatchObject({
      phase: 'refused',
      reason: { kind: 'refused', said: 'A fault of the sandbox answers 422.' },
    });
    expect(engine.ended.map(({ phase }) => phase)).toEqual(['refused']);
    expect(submissionsTaken()).toBe(0);
  });

  it('to an endpoint that does not exist is refused', async () => {
    const job = await engine.submit({ endpointId: 'nowhere' });
    expect(await engine.untilEnd(job.key)).toMatchObject({ phase: 'refused' });
  });

  it('answered 429 waits as requested, and is then sent once', async () => {
    sandbox.setFault({ kind: 'status', status: 429, operation: 'run', times: 1, retryAfterS: 5 });
    const job = await engine.submit({ endpointId: 'echo', input: { n: 1 } });
    await engine.until(job.key, ({ phase }) => phase === 'waiting');
    const held = engine.jobs.trackerState();
    expect(held.waitingToSend).toBe(1);
    expect(held.budgets.find(({ operation }) => operation === 'run')).toMatchObject({ backoffStep: 1 });
    const end = await engine.untilEnd(job.key);
    expect(end.status).toBe('COMPLETED');
    expect((end.acceptedAtMs ?? 0) - end.createdAtMs).toBeGreaterThanOrEqual(5_000);
    expect(answersOf('echo', 'run')).toEqual({ 200: 1, 429: 1 });
    expect(submissionsTaken()).toBe(1);
  });

  it('made while the service is away waits in the outbox and is sent in order', async () => {
    await sandbox.goOffline();
    const first = await engine.submit({ endpointId: 'mock', input: { name: 'first', mock_return: 1 } });
    await engine.until(first.key, ({ phase }) => phase === 'waiting');
    const second = await engine.submit({ endpointId: 'mock', input: { name: 'second', mock_return: 2 } });
    expect(second.phase).toBe('waiting');
    expect(engine.connectionState('main').kind).toBe('offline');
    const withdrawn = await engine.submit({ endpointId: 'mock', input: { name: 'third' } });
    expect(await engine.jobs.cancel(withdrawn.key)).toMatchObject({
      ok: true,
      value: { phase: 'finished', status: 'CANCELLED', jobId: null },
    });

    await sandbox.goOnline();
    engine.jobs.tryNow();
    const ends = await Promise.all([engine.untilEnd(first.key), engine.untilEnd(second.key)]);
    expect(ends.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    expect((ends[0]?.acceptedAtMs ?? 0) <= (ends[1]?.acceptedAtMs ?? 0)).toBe(true);
    expect(submissionsTaken()).toBe(2);
    expect(engine.connectionState('main')).toEqual({ kind: 'ready' });
  });
});

describe('a service that goes away mid-job', () => {
  it('is waited for, and everything continues automatically', async () => {
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 90, tokens_per_second: 30 },
    });
    engine.jobs.setOnView([job.key], []);
    const running = await engine.until(job.key, ({ chunkCount }) => chunkCount > 2);
    await sandbox.goOffline();
    await engine.eventually(() => engine.connectionState('main').kind === 'offline');
    expect(engine.connectionStates.at(-1)?.state).toMatchObject({ kind: 'offline', nextTryMs: expect.any(Number) });
    await sandbox.goOnline();
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(end.chunkCount).toBeGreaterThan(running.chunkCount);
    const indices = (await engine.chunks(job.key)).map(streamIndexOf);
    expect(indices).toEqual(indices.map((_, index) => index));
    expect(engine.connectionStates.at(-1)).toEqual({ connectionId: 'main', state: { kind: 'ready' } });
  });

  it('is tried with one request at a time, however many jobs wait', async () => {
    const jobs = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } })),
    );
    for (const { key } of jobs) await engine.until(key, ({ phase }) => phase === 'active');
    await sandbox.goOffline();
    await engine.eventually(() => engine.connectionStates.filter(({ state }) => state.kind === 'offline').length >= 3);
    await engine.jobs.close();
    const failures = await Promise.all(jobs.map(({ key }) => engine.history.requests(key)));
    const unreached = failures.flat().filter(({ failureKind }) => failureKind === 'network');
    // Each reported state is one probe; requests in progress when it went away come on top.
    expect(unreached.length).toBeLessThanOrEqual(engine.connectionStates.length + 6);
  });
});

describe('a key that is refused', () => {
  it('holds back its connection’s requests, except for an occasional try, and keeps the jobs', async () => {
    engine.connections['other'] = { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey };
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 1_200, mock_return: 'kept' } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    const connection = engine.connections['main'];
    if (connection !== undefined) connection.apiKey = 'wrong';
    await engine.eventually(() => engine.connectionState('main').kind === 'key-refused');
    expect(engine.connectionStates.at(-1)?.state).toMatchObject({
      kind: 'key-refused',
      httpStatus: 401,
      path: expect.stringContaining('/v2/mock/'),
    });

    const asked = answersOf('mock', 'status')[401];
    const other = await engine.submit({ connectionId: 'other', endpointId: 'echo' });
    await engine.untilEnd(other.key);
    expect(answersOf('mock', 'status')[401]).toBe(asked);
    expect((await engine.history.get(job.key))?.job.phase).toBe('active');
    expect((await engine.submit({ endpointId: 'echo' })).phase).toBe('waiting');

    if (connection !== undefined) connection.apiKey = sandbox.apiKey;
    engine.jobs.connectionChanged('main');
    await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toBe('kept');
  });

  it('that is missing sends nothing', async () => {
    const connection = engine.connections['main'];
    if (connection !== undefined) connection.apiKey = null;
    const job = await engine.submit({ endpointId: 'echo' });
    await engine.until(job.key, ({ phase }) => phase === 'waiting');
    expect(engine.connectionState('main')).toEqual({ kind: 'no-key' });
    expect(sandbox.requests()).toEqual([]);
    if (connection !== undefined) connection.apiKey = sandbox.apiKey;
    engine.jobs.connectionChanged('main');
    expect((await engine.untilEnd(job.key)).status).toBe('COMPLETED');
  });
});

describe('reads that fail', () => {
  it('are repeated with back-off, and malformed replies kept (ruling 7)', async () => {
    sandbox.setFault([
      { kind: 'invalid-json', operation: 'status', times: 1 },
      { kind: 'status', status: 503, operation: 'status', times: 1 },
      { kind: 'reset', operation: 'status', times: 1 },
    ]);
    const job = await engine.submit({ endpointId: 'echo', input: { still: 'here' } });
    engine.jobs.setOnView([job.key], []);
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(job.key)).toEqual({ still: 'here' });
    expect((await engine.history.body(job.key, 'reply', 1, null))?.text).toContain('oops');
    const kinds = (await engine.history.requests(job.key))
      .filter(({ operation }) => operation === 'status')
      .map(({ failureKind }) => failureKind);
    expect(kinds.slice(0, 3)).toEqual(['malformed', 'server', 'network']);
    expect(kinds.slice(3).every((kind) => kind === null)).toBe(true);
  });

  it('slow the whole endpoint on 429, and nothing else', async () => {
    sandbox.setFault({
      kind: 'status',
      status: 429,
      operation: 'status',
      endpointId: 'mock',
      times: 1,
      retryAfterS: 5,
    });
    const slowed = await engine.submit({ endpointId: 'mock', input: { mock_return: 1 } });
    const free = await engine.submit({ endpointId: 'echo' });
    engine.jobs.setOnView([slowed.key, free.key], []);
    await engine.eventually(() =>
      engine.jobs
        .trackerState()
        .budgets.some(
          ({ endpointId, operation, heldUntilMs }) =>
            endpointId === 'mock' && operation === 'status' && heldUntilMs !== null,
        ),
    );
    expect(
      engine.jobs
        .trackerState()
        .budgets.filter(({ endpointId, heldUntilMs }) => endpointId === 'echo' && heldUntilMs !== null),
    ).toEqual([]);
    const ends = await Promise.all([engine.untilEnd(free.key), engine.untilEnd(slowed.key)]);
    expect(ends.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    const statusReads = (await engine.history.requests(slowed.key)).filter(({ operation }) => operation === 'status');
    expect(statusReads[0]?.httpStatus).toBe(429);
    expect((statusReads[1]?.atMs ?? 0) - (statusReads[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(5_000);
  });

  it('of a cancel are repeated until the service answers', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    sandbox.setFault([
      { kind: 'status', status: 500, operation: 'cancel', times: 1 },
      { kind: 'drop-after-accept', operation: 'cancel', times: 1 },
    ]);
    expect(await engine.jobs.cancel(job.key)).toMatchObject({
      ok: true,
      value: { isCancelling: true, phase: 'active' },
    });
    expect(await engine.untilEnd(job.key)).toMatchObject({
      phase: 'finished',
      status: 'CANCELLED',
      isCancelling: false,
    });
  });

  it('of a retry whose answer was lost are settled by the job’s own state', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_error: 'no', mock_delay: 400 } });
    await engine.untilEnd(job.key);
    sandbox.setFault({ kind: 'drop-after-accept', operation: 'retry', times: 1 });
    expect(await engine.jobs.retry(job.key)).toMatchObject({ ok: true, value: { attempt: 2, phase: 'active' } });
    expect(await engine.until(job.key, ({ attempt, phase }) => attempt === 2 && phase === 'finished')).toMatchObject({
      status: 'FAILED',
    });
    expect(sandbox.transitions().filter(({ cause }) => cause === 'retry')).toHaveLength(1);
  });
});

describe('a job that no longer exists (ruling 11)', () => {
  it('expired when its ttl passed: then one answer in the service’s own words is enough', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 }, policy: { ttl: 10_000 } });
    expect(await engine.untilEnd(job.key)).toMatchObject({
      phase: 'gone',
      goneReason: 'expired',
      isResultSaved: false,
    });
    expect(answersOf('mock', 'status')[404]).toBe(1);
    expect(engine.ended.map(({ key }) => key)).toEqual([job.key]);
  });

  it('was purged if that was done here', async () => {
    const running = await Promise.all(
      [1, 2, 3].map(() => engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } })),
    );
    for (const { key } of running) await engine.until(key, ({ phase }) => phase === 'active');
    const queued = await engine.submit({ endpointId: 'mock', input: { mock_return: 1 } });
    await engine.until(queued.key, ({ phase }) => phase === 'active');
    const answer = await fetch(`${sandbox.baseUrl}/v2/mock/purge-queue`, {
      method: 'POST',
      headers: { authorization: sandbox.apiKey },
    });
    expect(await answer.json()).toMatchObject({ status: 'completed' });
    engine.jobs.purge.note('main', 'mock');
    expect(await engine.untilEnd(queued.key)).toMatchObject({ phase: 'gone', goneReason: 'purged' });
  });
});

describe('pausing', () => {
  it('stops everything, says so, and continues where it was', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 100, mock_return: 'later' } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    expect(engine.jobs.pause()).toMatchObject({ isPaused: true, tracked: 1, nextStatusReadAtMs: null });
    expect(await engine.jobs.checkNow(job.key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    const waiting = await engine.submit({ endpointId: 'echo' });
    expect(waiting).toMatchObject({ phase: 'waiting', reason: { kind: 'paused' } });
    expect(answersOf('echo', 'run')).toEqual({});
    expect(engine.jobs.resume().isPaused).toBe(false);
    await Promise.all([engine.untilEnd(job.key), engine.untilEnd(waiting.key)]);
    expect(await engine.output(job.key)).toBe('later');
  });
});
