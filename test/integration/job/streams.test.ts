import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { StreamMessage } from '../../../src-preload/contract.ts';
import type { StreamChunk } from '../../../src-preload/job.ts';
import { digestOf } from '../../../src-preload/stream-digest.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { openStreamPane } from '../../kit/stream-pane.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Script, ScriptedService } from './scripted-service.ts';
import { streamIndexOf } from './stream-index.ts';

let engine: TestEngine | null = null;
let sandbox: Sandbox | null = null;
let service: ScriptedService | null = null;
afterEach(async () => {
  await engine?.close();
  await sandbox?.close();
  await service?.close();
  engine = null;
  sandbox = null;
  service = null;
});
afterAll(removeEngineFolders);

const running = { body: { id: 'job-1', status: 'IN_PROGRESS' } };
const completed = (output?: unknown) => ({
  body: { id: 'job-1', status: 'COMPLETED', ...(output === undefined ? {} : { output }) },
});
const chunks = (...outputs: unknown[]) => outputs.map((output) => ({ output }));
const outputsOf = (stored: readonly StreamChunk[]): unknown[] => stored.map(({ outputJson }) => JSON.parse(outputJson));

async function start(script: Script): Promise<{ engine: TestEngine; service: ScriptedService }> {
  service = await createScriptedService(script);
  engine = await startEngine({ connections: to(service) });
  return { engine, service };
}

describe('one reader, any number of panes', () => {
  it('shows each pane every chunk from its start, without further requests to the service', async () => {
    sandbox = await startSandbox();
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 60, tokens_per_second: 100 },
    });
    const panes = [openStreamPane(engine, job.key)];
    await engine.until(job.key, ({ chunkCount }) => chunkCount > 3);
    panes.push(openStreamPane(engine, job.key), openStreamPane(engine, job.key));
    await engine.untilEnd(job.key);
    panes.push(openStreamPane(engine, job.key));
    const stored = await engine.chunks(job.key);
    expect(stored.map(streamIndexOf)).toEqual(stored.map((_, index) => index));
    await turnsUntil(() => panes.every(({ isOver }) => isOver()));
    for (const { reading, text } of panes) {
      expect(text()).toBe(digestOf(stored).text);
      expect(reading.log.chunkCount).toBe(stored.length);
      expect(reading.log.ended).toEqual({ status: 'COMPLETED' });
    }
    const reads = sandbox.requests().find(({ operation }) => operation === 'stream')?.count ?? 0;
    expect((await engine.history.requests(job.key)).filter(({ operation }) => operation === 'stream')).toHaveLength(
      reads,
    );
  });

  it('has each shown chunk on disk', async () => {
    sandbox = await startSandbox();
    engine = await startEngine({ connections: to(sandbox) });
    const { history } = engine;
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 30, tokens_per_second: 100 },
    });
    const found: Promise<boolean>[] = [];
    engine.jobs.subscribe(job.key, 1, (message) => {
      if (message.kind !== 'chunks') return;
      const last = message.chunks.at(-1)?.seq ?? 0;
      found.push(history.chunks(job.key, 1, last, 1).then((stored) => stored[0]?.seq === last));
    });
    await engine.untilEnd(job.key);
    expect(found.length).toBeGreaterThan(0);
    expect((await Promise.all(found)).every(Boolean)).toBe(true);
  });
});

describe('formats and servers', () => {
  it('reads the bare and the wrapped format alike, and reads the status immediately when a reply reports the end (ruling 1)', async () => {
    const { engine, service } = await start({
      status: [running, completed()],
      stream: [
        { body: chunks('a', 'a') },
        { body: { status: 'IN_PROGRESS', stream: chunks({ b: 1 }) } },
        { body: { status: 'COMPLETED', stream: chunks('c') } },
        { body: { status: 'COMPLETED', stream: [] } },
      ],
    });
    const job = await engine.submit({});
    engine.jobs.setOnView([job.key], []);
    const end = await engine.untilEnd(job.key);
    expect(outputsOf(await engine.chunks(job.key))).toEqual(['a', 'a', { b: 1 }, 'c']);
    expect(end).toMatchObject({ status: 'COMPLETED', chunkCount: 4, isResultSaved: true, isWithoutOutput: false });
    expect(service.count('status')).toBe(2);
  });

  it('stores a stream once if the server repeats from the start (ruling 2)', async () => {
    sandbox = await startSandbox({ isStreamReplayed: true });
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 80, tokens_per_second: 80 },
    });
    engine.jobs.setOnView([job.key], []);
    const end = await engine.untilEnd(job.key);
    const stored = await engine.chunks(job.key);
    expect(stored.map(streamIndexOf)).toEqual(stored.map((_, index) => index));
    expect(outputsOf(stored)).toEqual(await engine.output(job.key));
    expect(end.chunkCount).toBe(stored.length);
  });

  it('keeps chunks that arrive only after the end was seen', async () => {
    const { engine } = await start({
      status: [completed()],
      stream: [{ body: chunks('late', 'later') }, { body: chunks('last') }, { body: [] }],
    });
    const job = await engine.submit({});
    const end = await engine.untilEnd(job.key);
    expect(outputsOf(await engine.chunks(job.key))).toEqual(['late', 'later', 'last']);
    expect(end).toMatchObject({ isWithoutOutput: false, isResultSaved: true, chunkCount: 3 });
    const told = engine.changes.filter(({ isResultSaved }) => isResultSaved);
    expect(told.every(({ chunkCount }) => chunkCount === 3)).toBe(true);
  });

  it('continues after an unreadable stream reply, and keeps it raw', async () => {
    const { engine } = await start({
      status: [running, completed()],
      stream: [{ body: '[{"output": "cut' }, { body: chunks('whole') }, { body: [] }],
    });
    const job = await engine.submit({});
    engine.jobs.setOnView([job.key], []);
    await engine.untilEnd(job.key);
    expect(outputsOf(await engine.chunks(job.key))).toEqual(['whole']);
    expect((await engine.history.body(job.key, 'reply', 1, null))?.text).toBe('[{"output": "cut');
  });

  it('starts again with a retry, in the same pane', async () => {
    const { engine, service } = await start({
      status: [{ body: { id: 'job-1', status: 'FAILED', error: 'boom' } }],
      stream: [{ body: chunks('one') }, { body: [] }],
      retry: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
    });
    const job = await engine.submit({});
    const news: StreamMessage[] = [];
    engine.jobs.subscribe(job.key, 1, (message) => news.push(message));
    await engine.untilEnd(job.key);
    service.script({ status: [completed('two')], stream: [{ body: chunks('one', 'two') }, { body: [] }] });
    expect((await engine.jobs.retry(job.key)).ok).toBe(true);
    await engine.until(job.key, ({ attempt, phase }) => attempt === 2 && phase === 'finished');
    expect(outputsOf(await engine.chunks(job.key, 1))).toEqual(['one']);
    expect(outputsOf(await engine.chunks(job.key, 2))).toEqual(['one', 'two']);
    expect(news.map(({ kind }) => kind)).toEqual(['chunks', 'ended', 'attempt', 'chunks', 'ended']);
    expect(news[1]).toEqual({ kind: 'ended', status: 'FAILED' });
  });
});

describe('odd replies', () => {
  it('to a submission that broke off leave its outcome unknown, with the id they mention as evidence (ruling 9)', async () => {
    const { engine, service } = await start({
      run: [{ body: '{"id":"job-1","status":"IN_QU' }],
      status: [completed('found')],
      stream: [{ body: [] }],
    });
    const job = await engine.submit({});
    const end = await engine.until(job.key, ({ phase }) => phase === 'outcome-unknown');
    expect(end).toMatchObject({ jobId: null, reason: { kind: 'unanswered', why: { mentionedId: 'job-1' } } });
    expect((await engine.history.body(job.key, 'reply', 1, null))?.text).toBe('{"id":"job-1","status":"IN_QU');
    expect([service.count('run'), service.count('status')]).toEqual([1, 0]);
    // The user may track it by that id: then its result is not lost, and nothing is submitted again.
    service.script({ status: [{ status: 404, body: { error: 'job not found' } }] });
    expect(await engine.jobs.confirmSubmission(job.key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'outcome-unknown', jobId: null });
    service.script({ status: [completed('found')] });
    expect(await engine.jobs.confirmSubmission(job.key)).toMatchObject({
      ok: true,
      value: { key: job.key, jobId: 'job-1' },
    });
    expect(await engine.until(job.key, ({ phase }) => phase === 'finished')).toMatchObject({ status: 'COMPLETED' });
    expect(await engine.output(job.key)).toBe('found');
    expect(service.count('run')).toBe(1);
  });

  it('keep unknown statuses and fields unchanged (rulings 7 and 8)', async () => {
    const { engine } = await start({
      status: [
        { body: { id: 'job-1', status: 'RUNNING', delayTime: 5 } },
        { body: { id: 'job-1', status: 'COMPLETED', output: null, workerId: 'w-9', retries: 2, executionTime: 12 } },
      ],
      stream: [{ body: [] }],
    });
    const job = await engine.submit({});
    engine.jobs.setOnView([job.key], []);
    expect(await engine.until(job.key, ({ status }) => status === 'RUNNING')).toMatchObject({
      phase: 'active',
      delayTimeMs: 5,
    });
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', executionTimeMs: 12, isWithoutOutput: true });
    const stored = await engine.history.get(job.key);
    expect(stored?.attempts[0]).toMatchObject({ workerId: 'w-9', hasOutput: false });
    expect((await engine.history.body(job.key, 'reply', 1, null))?.text).toBe(
      '{"id":"job-1","status":"COMPLETED","retries":2}',
    );
  });

  it('read an execution timeout in either form (ruling 14)', async () => {
    for (const body of [
      { id: 'job-1', status: 'TIMED_OUT' },
      { id: 'job-1', status: 'FAILED', error: 'executionTimeout exceeded' },
    ]) {
      const { engine: one, service: at } = await start({ status: [{ body }], stream: [{ body: [] }] });
      const job = await one.submit({ policy: { executionTimeout: 90_000 } });
      expect(await one.untilEnd(job.key)).toMatchObject({
        status: body.status,
        reason: { kind: 'timed-out', limitMs: 90_000, said: null },
      });
      await one.close();
      await at.close();
    }
    engine = null;
    service = null;
  });
});
