import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusKind, statusWord } from '../../../src-preload/job.ts';
import { digestOf } from '../../../src-preload/stream-digest.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { openStreamPane } from '../../kit/stream-pane.ts';
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

/** The engine as the next start of the app finds things. */
async function restart(how: 'close' | 'crash'): Promise<void> {
  await engine[how]();
  engine = await startEngine({ connections: to(sandbox), dataDir: engine.dataDir });
}

const submissionsTaken = (): number => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;

describe('an engine that is stopped mid-stream', () => {
  it('goes on where it was, with every chunk once', async () => {
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 120, tokens_per_second: 60 },
    });
    engine.jobs.setOnView([job.key], []);
    await engine.until(job.key, ({ chunkCount }) => chunkCount > 5);
    await restart('close');
    engine.jobs.setOnView([job.key], []);
    const end = await engine.untilEnd(job.key);
    const indices = (await engine.chunks(job.key)).map(streamIndexOf);
    expect(indices).toEqual(indices.map((_, index) => index));
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true, chunkCount: indices.length });
    expect(await engine.output(job.key)).toHaveLength(indices.length);
    expect(submissionsTaken()).toBe(1);
  });

  it('loses no chunk that anyone was shown, however it ended, and doubles none', async () => {
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'y', max_tokens: 150, tokens_per_second: 40 },
    });
    const shown: string[] = [];
    let seen = 0;
    for (let round = 0; round < 4; round += 1) {
      const pane = openStreamPane(engine, job.key);
      const { reading } = pane;
      await engine.eventually(() => reading.log.chunkCount > seen + 2 || engine.ended.length > 0);
      seen = reading.log.chunkCount;
      shown.push(pane.text());
      pane.close();
      await restart('crash');
    }
    if ((await engine.history.get(job.key))?.job.phase === 'active') await engine.untilEnd(job.key);
    const stored = await engine.chunks(job.key);
    // What a crash swallowed stands between these since the output told of it; it has no metrics.
    const received = stored.filter(({ isRebuilt }) => isRebuilt !== true);
    for (const text of shown) expect(digestOf(received).text.startsWith(text)).toBe(true);
    expect(shown.at(-1)?.length).toBeGreaterThan(0);
    const indices = received.map(streamIndexOf);
    expect(indices).toEqual([...new Set(indices)].toSorted((a, b) => a - b));
    expect(stored.map(({ outputJson }) => JSON.parse(outputJson))).toEqual(await engine.output(job.key));
    expect(submissionsTaken()).toBe(1);
  });

  it('doubles nothing either where the server repeats from the start', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ isStreamReplayed: true });
    await engine.close();
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'z', max_tokens: 100, tokens_per_second: 40 },
    });
    for (let round = 0; round < 3; round += 1) {
      engine.jobs.setOnView([job.key], []);
      const before = (await engine.history.get(job.key))?.job.chunkCount ?? 0;
      await engine.eventually(
        () => engine.ended.length > 0 || engine.changes.some(({ chunkCount }) => chunkCount > before + 2),
      );
      await restart(round === 1 ? 'close' : 'crash');
    }
    if ((await engine.history.get(job.key))?.job.phase === 'active') await engine.untilEnd(job.key);
    const stored = await engine.chunks(job.key);
    expect(stored.map(({ outputJson }) => JSON.parse(outputJson))).toEqual(await engine.output(job.key));
  });

  it('drains what was left of a finished job before it is called saved', async () => {
    sandbox.setFault({ kind: 'hang', operation: 'stream' });
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 20, tokens_per_second: 1_000 },
    });
    const settling = await engine.until(job.key, ({ status }) => status === 'COMPLETED');
    expect(settling).toMatchObject({ phase: 'active', isResultSaved: false });
    // To whoever looks it reads as what the service says, not as running.
    expect([statusKind(settling), statusWord(settling)]).toEqual(['done', 'Completed']);
    expect(engine.ended).toEqual([]);
    await engine.crash();
    sandbox.setFault(null);
    engine = await startEngine({ connections: to(sandbox), dataDir: engine.dataDir });
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(job.key)).toHaveLength(end.chunkCount);
    expect(engine.ended.map(({ key }) => key)).toEqual([job.key]);
  });
});

describe('a submission under way when the engine ends', () => {
  it.each(['close', 'crash'] as const)(
    'is unknown at the next start, after a %s, and not sent again (ruling 9)',
    async (how) => {
      sandbox.setFault({ kind: 'hang', operation: 'run', times: 1 });
      const job = await engine.submit({ endpointId: 'echo', input: { n: 1 } });
      expect(job.phase).toBe('submitting');
      await turnsUntil(() => sandbox.requests().some(({ operation }) => operation === 'run'));
      await restart(how);
      const found = (await engine.history.get(job.key))?.job;
      expect(found).toMatchObject({ phase: 'outcome-unknown', jobId: null });
      expect(found?.reason).toMatchObject({ kind: 'unanswered', why: { kind: 'ended' } });
      expect(engine.jobs.trackerState()).toMatchObject({ outcomeUnknown: 1, tracked: 0, waitingToSend: 0 });
      await engine.untilEnd((await engine.submit({ endpointId: 'echo' })).key);
      expect(submissionsTaken()).toBe(1);
    },
  );

  it('that had not left yet waits, says why, and is sent once by the next start', async () => {
    const closings: Promise<void>[] = [];
    await engine.close();
    engine = await startEngine({
      connections: to(sandbox),
      dataDir: engine.dataDir,
      // It closes at the moment when the intent is on disk.
      wrapHistory: (history) => ({
        ...history,
        async commit(changes) {
          const jobs = await history.commit(changes);
          if (closings.length === 0) closings.push(engine.jobs.close());
          return jobs;
        },
      }),
    });
    const { key } = await engine.submit({ endpointId: 'echo', input: { n: 1 } });
    await Promise.all(closings);
    await engine.close();
    expect(engine.changes.findLast((job) => job.key === key)).toMatchObject({
      phase: 'waiting',
      reason: { kind: 'closing' },
    });
    expect(sandbox.requests()).toEqual([]);
    engine = await startEngine({ connections: to(sandbox), dataDir: engine.dataDir });
    expect(await engine.untilEnd(key)).toMatchObject({ status: 'COMPLETED' });
    expect(submissionsTaken()).toBe(1);
  });

  it('that came too late is refused, and nothing of it is kept', async () => {
    const submitted = engine.jobs.submit({
      connectionId: 'main',
      endpointId: 'echo',
      operation: 'run',
      inputText: '{"n":1}',
    });
    await engine.close();
    expect(await submitted).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('Jobdeck is closing') },
    });
    engine = await startEngine({ connections: to(sandbox), dataDir: engine.dataDir });
    expect(await engine.history.liveJobs()).toEqual([]);
    expect(sandbox.requests()).toEqual([]);
  });

  it('counts runsync too: the wait is the request', async () => {
    const job = await engine.submit({ endpointId: 'mock', operation: 'runsync', input: { mock_delay: 60_000 } });
    await turnsUntil(() => submissionsTaken() === 1);
    await restart('crash');
    expect((await engine.history.get(job.key))?.job.phase).toBe('outcome-unknown');
  });
});

describe('what waits', () => {
  it('is still in the outbox after a restart, in order, and sent once', async () => {
    await sandbox.goOffline();
    const keys: string[] = [];
    for (const name of ['first', 'second', 'third'])
      keys.push((await engine.submit({ endpointId: 'mock', input: { name, mock_return: name } })).key);
    for (const key of keys) await engine.until(key, ({ phase }) => phase === 'waiting');
    await restart('crash');
    expect(engine.jobs.trackerState().waitingToSend).toBe(3);
    await sandbox.goOnline();
    engine.jobs.tryNow();
    const ends = await Promise.all(keys.map((key) => engine.untilEnd(key)));
    expect(await Promise.all(keys.map((key) => engine.output(key)))).toEqual(['first', 'second', 'third']);
    expect(submissionsTaken()).toBe(3);
    expect(ends.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  it('of a cancel is still asked for after a restart', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    await sandbox.goOffline();
    expect(await engine.jobs.cancel(job.key)).toMatchObject({ ok: true, value: { isCancelling: true } });
    await restart('crash');
    await sandbox.goOnline();
    engine.jobs.tryNow();
    expect(await engine.untilEnd(job.key)).toMatchObject({ status: 'CANCELLED', phase: 'finished' });
  });
});

it('goes on with the second attempt of a retried job', async () => {
  const job = await engine.submit({ endpointId: 'mock', input: { mock_error: 'again', mock_delay: 300 } });
  await engine.untilEnd(job.key);
  expect((await engine.jobs.retry(job.key)).ok).toBe(true);
  await restart('crash');
  const end = await engine.until(job.key, ({ attempt, phase }) => attempt === 2 && phase === 'finished');
  expect(end).toMatchObject({ status: 'FAILED', reason: { kind: 'failed', said: 'again' }, isResultSaved: true });
  expect((await engine.history.get(job.key))?.attempts.map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
});
