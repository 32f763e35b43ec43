import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_ENDPOINTS } from '../../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { ok } from '../../../src-preload/failure.ts';
import type { StoredJob } from '../../../src-main/history/records.ts';
import { removeEngineFolders, startEngine, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { openPacedEndpoint } from '../../kit/paced-endpoint.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { streamIndexOf } from './stream-index.ts';

let sandbox: Sandbox;
let engine: TestEngine;
const paced = openPacedEndpoint();
beforeAll(async () => {
  sandbox = await startSandbox({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] });
});
afterEach(async () => engine.close());
afterAll(async () => {
  paced.close();
  await sandbox.close();
  await removeEngineFolders();
});

const requestsOf = (endpointId: string, operation: string): number =>
  sandbox
    .requests()
    .filter((count) => count.endpointId === endpointId && count.operation === operation)
    .reduce((sum, { count }) => sum + count, 0);

describe('a job that streams', () => {
  it('has every chunk in order and its result saved before it is reported finished', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'Write release notes for the importer', tokens_per_second: 60, max_tokens: 130 },
    });
    expect(job).toMatchObject({ phase: 'submitting', jobId: null, title: 'Write release notes for the importer' });
    engine.jobs.setOnView([job.key], []);
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isResultSaved: true,
      isWithoutOutput: false,
      attempt: 1,
    });
    const chunks = await engine.chunks(job.key);
    expect(chunks.length).toBeGreaterThan(20);
    expect(end.chunkCount).toBe(chunks.length);
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index));
    expect(chunks.map(streamIndexOf)).toEqual(chunks.map((_, index) => index));
    expect(await engine.output(job.key)).toEqual(chunks.map(({ outputJson }) => JSON.parse(outputJson)));
    // Seen while it ran, not only at the end.
    expect(
      engine.changes.some(
        ({ phase, status, chunkCount }) => phase === 'active' && status === 'IN_PROGRESS' && chunkCount > 0,
      ),
    ).toBe(true);
  });

  it('is found saved by a listener when its end is reported', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const found: Promise<StoredJob | null>[] = [];
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', tokens_per_second: 2_000, max_tokens: 40 },
    });
    await engine.eventually(() => {
      if (engine.ended.length > found.length) found.push(engine.history.get(job.key));
      return engine.ended.length === 1;
    });
    const [stored] = await Promise.all(found);
    expect(stored?.job).toMatchObject({ phase: 'finished', isResultSaved: true });
    expect(stored?.attempts[0]).toMatchObject({ hasOutput: true, status: 'COMPLETED' });
    expect(stored?.attempts[0]?.chunkCount).toBeGreaterThan(5);
  });
});

describe('a job that answers once', () => {
  it('has its output, its times and every request for it saved', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'echo',
      input: { a: [1, 2.5, 'ü'], big: 1 },
      policy: { ttl: 60_000 },
      tags: ['one'],
    });
    const end = await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toEqual({ a: [1, 2.5, 'ü'], big: 1 });
    expect(end).toMatchObject({
      status: 'COMPLETED',
      title: 'echo: a, big',
      tags: ['one'],
      ttlEndsAtMs: end.createdAtMs + 60_000,
    });
    expect(end.executionTimeMs).toBeTypeOf('number');
    expect(end.retentionEndsAtMs).toBe((end.finishedSeenAtMs ?? 0) + 30 * 60_000);
    const requests = await engine.history.requests(job.key);
    expect(requests.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['run', 'status', 'stream']));
    expect(requests[0]).toMatchObject({
      method: 'POST',
      operation: 'run',
      path: '/v2/echo/run',
      httpStatus: 200,
      failureKind: null,
    });
    expect(end.requestCount).toBe(requests.length);
    expect(engine.ended.map(({ key }) => key)).toEqual([job.key]);
  });

  it('shows its progress and does not treat it as the result', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'paced',
      input: { paced_progress: 'half way', paced_return: 'whole' },
    });
    engine.jobs.setOnView([job.key], []);
    const halfway = await engine.until(
      job.key,
      ({ reason }) => reason?.kind === 'progress' && reason.said === 'half way',
    );
    expect(halfway).toMatchObject({ status: 'IN_PROGRESS', isResultSaved: false, outputBytes: 0 });
    paced.end();
    await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toBe('whole');
  });

  it('says so when it returned nothing (ruling 30)', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({ endpointId: 'mock', input: {} });
    expect(await engine.untilEnd(job.key)).toMatchObject({
      status: 'COMPLETED',
      isWithoutOutput: true,
      isResultSaved: true,
      reason: { kind: 'no-output' },
    });
  });
});

describe('a job that fails', () => {
  it('keeps its error, and everything of its first attempt when it is retried', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'mock',
      input: { mock_error: { error_type: 'ValueError', error_message: 'no such style' } },
    });
    const first = await engine.untilEnd(job.key);
    expect(first).toMatchObject({
      phase: 'finished',
      status: 'FAILED',
      reason: { kind: 'failed', said: 'no such style' },
      isResultSaved: true,
    });

    const retried = await engine.jobs.retry(job.key);
    expect(retried).toMatchObject({
      ok: true,
      value: { attempt: 2, phase: 'active', status: 'IN_QUEUE', jobId: first.jobId },
    });
    const second = await engine.until(job.key, ({ attempt, phase }) => attempt === 2 && phase === 'finished');
    expect(second).toMatchObject({ status: 'FAILED', isResultSaved: true });
    const stored = await engine.history.get(job.key);
    expect(stored?.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 'FAILED'],
      [2, 'FAILED'],
    ]);
    expect(stored?.attempts[0]?.errorText).toContain('no such style');
    expect((await engine.history.body(job.key, 'error', 1, null))?.text).toContain('no such style');
    expect(engine.ended.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('cannot be retried if it did not fail', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({ endpointId: 'echo' });
    await engine.untilEnd(job.key);
    expect(await engine.jobs.retry(job.key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(requestsOf('echo', 'retry')).toBe(0);
  });
});

describe('cancelling', () => {
  it('stops a running job', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } });
    engine.jobs.setOnView([job.key], []);
    await engine.until(job.key, ({ status }) => status === 'IN_PROGRESS');
    const cancelled = await engine.jobs.cancel(job.key);
    expect(cancelled).toMatchObject({ ok: true, value: { status: 'CANCELLED' } });
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ phase: 'finished', status: 'CANCELLED', isCancelling: false, isResultSaved: true });
    expect(engine.changes.some(({ isCancelling }) => isCancelling)).toBe(true);
    // The sandbox is shared: others of its jobs are cancelled as well.
    const moves = sandbox.transitions().filter(({ jobId }) => jobId === end.jobId);
    expect(moves.map(({ to: state, cause }) => `${state} by ${cause}`).at(-1)).toBe('CANCELLED by cancel');
  });

  it('is refused for a finished job without a request to the service', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({ endpointId: 'echo' });
    await engine.untilEnd(job.key);
    expect(await engine.jobs.cancel(job.key)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: 'The job is finished' },
    });
    expect(await engine.jobs.cancel('nobody')).toMatchObject({ ok: false, failure: { kind: 'absent' } });
    expect(requestsOf('echo', 'cancel')).toBe(0);
  });
});

describe('runsync', () => {
  it('saves the result that arrives while it waits', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'mock',
      operation: 'runsync',
      input: { mock_delay: 300, mock_return: 'in time' },
    });
    const end = await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toBe('in time');
    expect(end.retentionEndsAtMs).toBe((end.finishedSeenAtMs ?? 0) + 60_000);
    const requests = await engine.history.requests(job.key);
    expect(requests.filter(({ operation }) => operation === 'status')).toEqual([]);
  });

  it('continues by polling when its wait ends first (ruling 13)', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'mock',
      operation: 'runsync',
      waitMs: 1_000,
      input: { mock_delay: 1_600, mock_return: 'later' },
    });
    const accepted = await engine.until(job.key, ({ phase }) => phase === 'active');
    expect(accepted.status).toMatch(/IN_QUEUE|IN_PROGRESS/);
    await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toBe('later');
    const [first] = await engine.history.requests(job.key);
    expect(first?.path).toBe('/v2/mock/runsync?wait=1000');
  });
});

describe('other operations', () => {
  it('a saved submission is sent again as a new job', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const inputText = '{ "prompt": "twice",  "n": 12345678901234567890 }';
    const job = await engine.submit({ endpointId: 'echo', inputText, policy: { lowPriority: true }, tags: ['t'] });
    await engine.untilEnd(job.key);
    const again = await engine.jobs.resubmit(job.key);
    if (!again.ok) throw new Error(again.failure.message);
    expect(again.value.key > job.key).toBe(true);
    const end = await engine.untilEnd(again.value.key);
    expect(end).toMatchObject({ title: 'twice', tags: ['t'], policy: { lowPriority: true } });
    expect(end.jobId).not.toBe((await engine.history.get(job.key))?.job.jobId);
    expect((await engine.history.get(end.key))?.submission.inputText).toBe(inputText);
    expect(await engine.jobs.draftOf(job.key)).toEqual(
      ok({
        connectionId: 'main',
        originKey: job.key,
        endpointId: 'echo',
        operation: 'run',
        inputText,
        policy: { lowPriority: true },
        tags: ['t'],
      }),
    );
  });

  it('an extension prolongs the life of an active job (ruling 19)', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 }, policy: { ttl: 20_000 } });
    const active = await engine.until(job.key, ({ phase }) => phase === 'active');
    const extended = await engine.jobs.extendTtl(job.key, 3_600_000);
    if (!extended.ok) throw new Error(extended.failure.message);
    expect((extended.value.ttlEndsAtMs ?? 0) - (active.ttlEndsAtMs ?? 0)).toBeGreaterThan(3_500_000);
    await engine.jobs.cancel(job.key);
    await engine.untilEnd(job.key);
  });

  it('an invalid submission is refused, and nothing is journalled', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const draft = { connectionId: 'main', endpointId: 'echo', operation: 'run' as const, inputText: '{}' };
    expect(await engine.jobs.submit({ ...draft, inputText: '{"a": tru}' })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'inputText', position: { line: 1, column: 7 } },
    });
    expect(
      await engine.jobs.submit({ ...draft, inputText: JSON.stringify({ big: 'x'.repeat(10_000_000) }) }),
    ).toMatchObject({ ok: false, failure: { kind: 'too-large' } });
    expect(await engine.jobs.submit({ ...draft, connectionId: 'nowhere' })).toMatchObject({
      ok: false,
      failure: { kind: 'absent' },
    });
    expect((await engine.history.counts()).all.all).toBe(0);
  });

  it('an endpoint’s health is read on request, at most once a second', async () => {
    // Its second does not pass.
    ({ engine } = await startStillEngine({ connections: to(sandbox) }));
    const read = await engine.jobs.readHealth('main', 'image');
    expect(read).toMatchObject({
      ok: true,
      value: { endpointId: 'image', connectionId: 'main', jobs: { completed: 0 } },
    });
    expect(await engine.jobs.readHealth('main', 'image')).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(engine.health.map(({ endpointId }) => endpointId)).toEqual(['image']);
    expect(requestsOf('image', 'health')).toBe(1);
  });

  it('a read of health that waits for its second ends when the engine closes, without a request', async () => {
    const still = await startStillEngine({ connections: to(sandbox) });
    engine = still.engine;
    expect(await engine.jobs.readHealthInTurn('main', 'text')).toMatchObject({ ok: true });
    const waiting = engine.jobs.readHealthInTurn('main', 'text');
    await engine.settle();
    await engine.close();
    expect(await waiting).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(requestsOf('text', 'health')).toBe(1);
  });
});

it('the s3 secret is added on the wire and saved nowhere', async () => {
  const secret = 'very-secret-0123456789';
  const service = await createFaultService();
  service.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 1 } });
  engine = await startEngine({
    connections: to(service),
    s3Config: async () =>
      ok({ accessId: 'me', accessSecret: secret, bucketName: 'b', endpointUrl: 'https://s3.example.test' }),
  });
  const job = await engine.submit({ input: { x: 1 }, s3ProfileId: 'p1', webhook: 'https://example.test/hook' });
  await engine.untilEnd(job.key);
  const sent = await service.received(0);
  expect(JSON.parse(sent.body)).toEqual({
    input: { x: 1 },
    webhook: 'https://example.test/hook',
    s3Config: { accessId: 'me', accessSecret: secret, bucketName: 'b', endpointUrl: 'https://s3.example.test' },
  });
  await engine.close();
  const files = await readdir(engine.dataDir);
  expect(files).toContain('history.db');
  for (const file of files) expect((await readFile(join(engine.dataDir, file))).includes(secret)).toBe(false);
  expect(engine.logLines.join('')).not.toContain(secret);
  await service.close();
});
