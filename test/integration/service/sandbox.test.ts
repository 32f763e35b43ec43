import { afterEach, describe, expect, it } from 'vitest';
import { isTerminalStatus } from '../../../src-preload/job.ts';
import type { Result, ServiceFailure } from '../../../src-preload/failure.ts';
import { readJobError } from '../../../src-main/service/job-error.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { Exchange, JobRecord, QueueApi, Reply } from '../../../src-main/service/reply.ts';
import { buildSubmissionBody } from '../../../src-main/service/submission-body.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';
import { startSandbox } from '../../kit/sandbox.ts';

let sandbox: Sandbox;
let exchanges: Exchange[] = [];
afterEach(() => sandbox.close());

async function start(
  options: SandboxOptions,
  authorization: 'bearer' | 'bare' = 'bearer',
  key: string | null = null,
): Promise<QueueApi> {
  sandbox = await startSandbox({
    ...options,
    endpoints: [
      { id: 'mock', handler: { builtIn: 'mock' }, minWorkers: 1, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 60_000 },
    ],
  });
  exchanges = [];
  return createQueueApi(
    { baseUrl: sandbox.baseUrl, restUrl: null, authorization, readKey: () => Promise.resolve(key ?? sandbox.apiKey) },
    { now: Date.now, onExchange: (exchange) => exchanges.push(exchange) },
  );
}

function body(input: object): string {
  return buildSubmissionBody({ inputText: JSON.stringify(input) });
}

async function value<T>(reply: Promise<Reply<T>>): Promise<T> {
  const { result } = await reply;
  if (!result.ok)
    throw new Error(`${result.failure.kind}: ${result.failure.message} ${result.failure.serviceSaid ?? ''}`);
  return result.value;
}

async function failure(reply: Promise<Reply<unknown>>): Promise<ServiceFailure> {
  const { result }: { result: Result<unknown, ServiceFailure> } = await reply;
  if (result.ok) throw new Error('it went well');
  return result.failure;
}

/** Asks until the job says what is waited for. */
async function statusWhen(queue: QueueApi, jobId: string, isIt: (record: JobRecord) => boolean): Promise<JobRecord> {
  for (;;) {
    const record = await value(queue.status('mock', jobId));
    if (isIt(record)) return record;
  }
}

const ended = (record: JobRecord): boolean => isTerminalStatus(record.status);

describe.each(['spec', 'observed'] as const)('all eight operations against the sandbox, dialect %s', (dialect) => {
  it('run, status, stream, cancel, retry, purge-queue, health and runsync', async () => {
    const queue = await start({ dialect });

    const sync = await value(queue.runsync('mock', body({ mock_return: { seed: 1.5, text: 'ü' } }), 20_000));
    expect(sync).toMatchObject({
      status: 'COMPLETED',
      outputJson: '{"seed":1.5,"text":"ü"}',
      delayTimeMs: expect.any(Number),
      executionTimeMs: expect.any(Number),
    });

    const streamed = await value(queue.run('mock', body({ mock_stream: ['one', { two: 2 }, ['three']] })));
    expect(streamed).toMatchObject({ status: 'IN_QUEUE', id: expect.stringMatching(/./) });
    await statusWhen(queue, streamed.id, ended);
    const chunks = await value(queue.stream('mock', streamed.id));
    expect(chunks.chunks.map((chunk) => chunk.outputJson)).toEqual(['"one"', '{"two":2}', '["three"]']);
    expect(chunks.status).toBe(dialect === 'spec' ? null : 'COMPLETED');
    expect((await value(queue.stream('mock', streamed.id))).chunks).toEqual([]);

    const failing = await value(queue.run('mock', body({ mock_error: 'no weights' })));
    const failed = await statusWhen(queue, failing.id, ended);
    expect(failed.status).toBe('FAILED');
    expect(readJobError(failed.errorText ?? '').summary).toContain('no weights');
    expect(await value(queue.retry('mock', failing.id))).toMatchObject({ id: failing.id, status: 'IN_QUEUE' });
    await statusWhen(queue, failing.id, ended);

    const long = await value(queue.run('mock', body({ mock_delay: 600_000 })));
    await statusWhen(queue, long.id, (record) => record.status === 'IN_PROGRESS');
    const waiting = await value(queue.run('mock', body({ mock_delay: 600_000 })));
    const health = await value(queue.health('mock'));
    expect(health.jobs).toMatchObject({ inProgress: 1, inQueue: 1 });
    expect(health.workers.throttled).toBe(dialect === 'spec' ? undefined : 0);
    expect(await value(queue.purgeQueue('mock'))).toEqual({ removed: 1, status: 'completed' });
    expect(await failure(queue.status('mock', waiting.id))).toMatchObject({
      kind: 'not-found',
      httpStatus: 404,
      serviceSaid: expect.stringMatching(/./),
    });
    expect(await value(queue.status('mock', long.id, { ttlMs: 60_000 }))).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await value(queue.cancel('mock', long.id))).toMatchObject({ id: long.id, status: 'CANCELLED' });

    expect(new Set(exchanges.map((exchange) => exchange.operation))).toEqual(
      new Set(['run', 'runsync', 'status', 'stream', 'cancel', 'retry', 'purge-queue', 'health']),
    );
    expect(JSON.stringify(exchanges)).not.toContain(sandbox.apiKey);
  });

  it('refusals have the kinds of ruling 7', async () => {
    const queue = await start({ dialect });
    expect(await failure(queue.health('nobody'))).toMatchObject({ kind: 'not-found', httpStatus: 404 });
    expect(await failure(queue.run('mock', '{"prompt":"no input"}'))).toMatchObject({
      kind: 'invalid',
      httpStatus: 400,
    });
    expect(await failure(queue.run('mock', '{"input":'))).toMatchObject({ kind: 'invalid', httpStatus: 400 });
    const done = await value(queue.runsync('mock', body({ mock_return: 1 }), 20_000));
    expect(await failure(queue.retry('mock', done.id))).toMatchObject({ kind: 'invalid', httpStatus: 400 });
    expect(await failure(queue.cancel('mock', done.id))).toMatchObject({ kind: 'invalid', httpStatus: 400 });
  });
});

describe('keys and faults of the sandbox', () => {
  it('accepts the bare form on queue calls', async () => {
    const queue = await start({}, 'bare');
    await value(queue.runsync('mock', body({ mock_return: 1 }), 20_000));
    expect((await value(queue.health('mock'))).jobs).toMatchObject({ completed: 1, failed: 0 });
  });

  it('refuses a wrong key', async () => {
    const queue = await start({}, 'bearer', 'some-wrong-key-000');
    expect(await failure(queue.health('mock'))).toMatchObject({
      kind: 'unauthorized',
      httpStatus: 401,
      message: expect.stringContaining('refused this key (401)'),
    });
  });

  it('the service is unreachable while offline, and reachable again afterwards', async () => {
    const queue = await start({});
    await sandbox.goOffline();
    expect(await failure(queue.run('mock', body({})))).toMatchObject({ kind: 'network', mayHaveArrived: false });
    await sandbox.goOnline();
    expect(await value(queue.run('mock', body({})))).toMatchObject({ status: 'IN_QUEUE' });
  });
});
