import runpodSdk from 'runpod-sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndpointDefinition } from '../../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Transition } from '../../../src-main/sandbox/queue/job-record.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';

/**
 * The sandbox under a client that others wrote, used as its readme shows. The client keeps
 * `console.log` from when it is loaded, so what it prints is caught before that.
 */
const printed = vi.hoisted(() => {
  const lines: string[] = [];
  console.log = (...words: unknown[]) => void lines.push(words.join(' '));
  return lines;
});

const SCALING = { minWorkers: 0, coldStartMs: 0, idleTimeoutMs: 1e9 };
const ENDPOINTS: EndpointDefinition[] = [
  { id: 'echo', handler: { builtIn: 'echo' }, maxWorkers: 2, ...SCALING },
  { id: 'text', handler: { builtIn: 'text' }, maxWorkers: 1, ...SCALING },
  // One worker: whatever runs keeps the next job waiting.
  { id: 'mock', handler: { builtIn: 'mock' }, maxWorkers: 1, ...SCALING },
];
const LONG_MS = 600_000;

/** What the field sends, beyond the client's own types. */
interface FieldRecord {
  status: string;
  output?: unknown;
  workerId?: string;
}

type SdkEndpoint = NonNullable<ReturnType<ReturnType<typeof runpodSdk>['endpoint']>>;

function endpointOf(sandbox: Sandbox, endpointId: string, apiKey = sandbox.apiKey): SdkEndpoint {
  const endpoint = runpodSdk(apiKey, { baseUrl: `${sandbox.baseUrl}/v2` }).endpoint(endpointId);
  if (endpoint === null) throw new Error('The client made no endpoint.');
  return endpoint;
}

/** Asks as the readme's polling loop does, until the job has this status. */
async function until(endpoint: SdkEndpoint, jobId: string, status: string): Promise<FieldRecord> {
  for (;;) {
    const record: FieldRecord = await endpoint.status(jobId);
    if (record.status === status) return record;
  }
}

/** So that what follows waits for its job alone and not for the thread. */
async function startWorker(endpoint: SdkEndpoint): Promise<void> {
  await endpoint.runSync({ input: {} });
}

interface Chunk {
  output: unknown;
  metrics?: { stream_index: number };
}

async function collect(chunks: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const collected: Chunk[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return collected;
}

describe('runpod-sdk 1.1.2 against the observed dialect', () => {
  let sandbox: Sandbox;

  const movesOf = (jobId: string): Pick<Transition, 'to' | 'cause'>[] =>
    sandbox
      .transitions()
      .filter((move) => move.jobId === jobId)
      .map(({ to, cause }) => ({ to, cause }));
  const answersOf = (operation: string): number =>
    sandbox
      .requests()
      .filter((entry) => entry.operation === operation)
      .reduce((sum, entry) => sum + entry.count, 0);

  beforeEach(async () => {
    printed.length = 0;
    sandbox = await startSandbox({ dialect: 'observed', endpoints: ENDPOINTS });
  });
  afterEach(() => sandbox.close());

  it('run returns the id in IN_QUEUE, status returns the whole record', async () => {
    const echo = endpointOf(sandbox, 'echo');
    const input = { prompt: 'héllo 🎈', nested: { list: [1, null, true] } };
    const submitted = await echo.run({
      input,
      policy: { executionTimeout: 60_000, ttl: 120_000, lowPriority: false },
      webhookV2: 'https://example.test/hook',
    });
    expect(submitted).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}-u1$/), status: 'IN_QUEUE' });
    expect(await until(echo, submitted.id, 'COMPLETED')).toEqual({
      id: submitted.id,
      status: 'COMPLETED',
      output: input,
      delayTime: expect.any(Number),
      executionTime: expect.any(Number),
      workerId: expect.stringMatching(/^[a-z0-9]{14}$/),
      started: true,
      completed: true,
      succeeded: true,
    });
  });

  it('runSync returns the finished record in one request', async () => {
    const record = await endpointOf(sandbox, 'echo').runSync({ input: { a: 1 } });
    expect(record).toMatchObject({
      id: expect.stringMatching(/^sync-/),
      status: 'COMPLETED',
      output: { a: 1 },
      started: true,
      completed: true,
      succeeded: true,
    });
    expect([answersOf('runsync'), answersOf('status-sync')]).toEqual([1, 0]);
  });

  it('runSync of a failing job returns its error and that it did not succeed', async () => {
    const record = await endpointOf(sandbox, 'mock').runSync({
      input: { mock_error: 'Total pixels (262144) must be between 589824 and 2073600.' },
    });
    expect(record).toMatchObject({
      status: 'FAILED',
      error: 'Total pixels (262144) must be between 589824 and 2073600.',
      completed: true,
      succeeded: false,
    });
    expect(record).not.toHaveProperty('output');
  });

  it('runSync of a job that outlasts the wait continues through status-sync', async () => {
    const mock = endpointOf(sandbox, 'mock');
    await startWorker(mock);
    const record = await mock.runSync({ input: { mock_delay: 4_000, mock_return: 'late' } }, 3_000);
    expect(record).toMatchObject({ status: 'COMPLETED', output: 'late', completed: true, succeeded: true });
    expect(answersOf('status-sync')).toBeGreaterThanOrEqual(1);
    expect(printed.at(-1)).toBe(`${record.id}: COMPLETED`);
  });

  it('runSync gives up after its own timeout, and the job continues', async () => {
    const mock = endpointOf(sandbox, 'mock');
    await startWorker(mock);
    const record = await mock.runSync({ input: { mock_delay: LONG_MS } }, 1_000);
    expect(record).toMatchObject({ status: 'IN_PROGRESS', started: true, completed: false });
    expect(printed.at(-1)).toBe(`${record.id} timed out after 1 seconds`);
    expect(await mock.status(record.id)).toMatchObject({ status: 'IN_PROGRESS', completed: false, succeeded: false });
  });

  it('stream yields every chunk once and in order, held rather than polled', async () => {
    const mock = endpointOf(sandbox, 'mock');
    const chunks = Array.from({ length: 12 }, (_, index) => ({ index, word: `w${index}` }));
    const { id } = await mock.run({ input: { mock_stream: chunks, mock_delay: 40 } });
    const yielded = await collect(mock.stream(id));
    expect(yielded).toEqual(chunks.map((output) => ({ output })));
    // The client asks again at once after each reply: one request for a chunk at most, and one that tells the end.
    expect(answersOf('stream')).toBeLessThanOrEqual(chunks.length + 1);
    expect(await mock.status(id)).toMatchObject({ status: 'COMPLETED', output: chunks });
  });

  it('stream of a text worker carries text and metrics', async () => {
    const text = endpointOf(sandbox, 'text');
    const { id } = await text.run({ input: { prompt: 'Write a haiku', max_tokens: 60, tokens_per_second: 200 } });
    const yielded = await collect(text.stream(id));
    expect(yielded.length).toBeGreaterThan(10);
    expect(yielded.map((chunk) => chunk.metrics?.stream_index)).toEqual(yielded.map((_, index) => index));
    const record: FieldRecord = await text.status(id);
    expect(yielded.map((chunk) => chunk.output)).toEqual(record.output);
  });

  it('cancel stops a running job at the service: its worker is free for the next', async () => {
    const mock = endpointOf(sandbox, 'mock');
    const { id } = await mock.run({ input: { mock_delay: LONG_MS } });
    const running = await until(mock, id, 'IN_PROGRESS');
    expect(await mock.cancel(id)).toEqual({ id, status: 'CANCELLED' });
    expect(movesOf(id)).toEqual([
      { to: 'IN_QUEUE', cause: 'submitted' },
      { to: 'IN_PROGRESS', cause: 'worker free' },
      { to: 'CANCELLED', cause: 'cancel' },
    ]);
    const next: FieldRecord = await mock.runSync({ input: { mock_return: 'free' } });
    // The same worker took it, so the handler did yield and nothing had to be terminated.
    expect(next).toMatchObject({ output: 'free', workerId: running.workerId });
    expect(await mock.status(id)).toMatchObject({ status: 'CANCELLED', completed: true, succeeded: false });
  });

  it('purgeQueue removes exactly the waiting jobs', async () => {
    const mock = endpointOf(sandbox, 'mock');
    const running = await mock.run({ input: { mock_delay: LONG_MS } });
    await until(mock, running.id, 'IN_PROGRESS');
    const waiting = await Promise.all([1, 2, 3].map((mock_return) => mock.run({ input: { mock_return } })));
    expect(await mock.purgeQueue()).toEqual({ removed: 3, status: 'completed' });
    for (const { id } of waiting) {
      await expect(mock.status(id)).rejects.toMatchObject({
        response: { status: 404, data: { error: expect.stringContaining(id) } },
      });
      expect(movesOf(id)).toEqual([
        { to: 'IN_QUEUE', cause: 'submitted' },
        { to: 'REMOVED', cause: 'purge-queue' },
      ]);
    }
    expect(await mock.status(running.id)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await mock.purgeQueue()).toEqual({ removed: 0, status: 'completed' });
  });

  it('health counts jobs and workers', async () => {
    const mock = endpointOf(sandbox, 'mock');
    await mock.runSync({ input: { mock_return: 1 } });
    await mock.runSync({ input: { mock_return: 2 } });
    await mock.runSync({ input: { mock_error: 'x' } });
    const running = await mock.run({ input: { mock_delay: LONG_MS } });
    await until(mock, running.id, 'IN_PROGRESS');
    await mock.run({ input: {} });
    expect(await mock.health()).toEqual({
      jobs: { completed: 2, failed: 1, inProgress: 1, inQueue: 1, retried: 0 },
      workers: { idle: 0, initializing: 0, ready: 0, running: 1, throttled: 0, unhealthy: 0 },
    });
  });

  it('a refusal reaches the caller with its sentence', async () => {
    const wrongKey = endpointOf(sandbox, 'echo', `${TEST_API_KEY}x`);
    await expect(wrongKey.health()).rejects.toMatchObject({
      response: { status: 401, data: { error: expect.stringMatching(/key.*\.$/) } },
    });
    await expect(endpointOf(sandbox, 'nowhere').run({ input: {} })).rejects.toMatchObject({
      response: { status: 404 },
    });
    await expect(endpointOf(sandbox, 'echo').run({ input: 'no object' })).rejects.toMatchObject({
      response: { status: 400, data: { error: 'input must be an object.' } },
    });
  });
});
