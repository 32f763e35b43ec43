import { describe, expect, it } from 'vitest';
import { statusKind, statusWord } from '../../../src-preload/job.ts';
import { digestOf } from '../../../src-preload/stream-digest.ts';
import { startEngine, to, turnsUntil, type TestConnection } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { openStreamPane } from '../../kit/stream-pane.ts';
import { streamIndexOf } from './stream-index.ts';
import { engineSceneForEachTest } from '../../kit/engine-scene.ts';

const scene = engineSceneForEachTest();

const submissionsTaken = (): number => scene.sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;

describe('an engine that is stopped mid-stream', () => {
  it('continues where it was, with every chunk once', async () => {
    const job = await scene.engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 120, tokens_per_second: 60 },
    });
    scene.engine.jobs.setOnView([job.key], []);
    await scene.engine.until(job.key, ({ chunkCount }) => chunkCount > 5);
    await scene.restart('close');
    scene.engine.jobs.setOnView([job.key], []);
    const end = await scene.engine.untilEnd(job.key);
    const indices = (await scene.engine.chunks(job.key)).map(streamIndexOf);
    expect(indices).toEqual(indices.map((_, index) => index));
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true, chunkCount: indices.length });
    expect(await scene.engine.output(job.key)).toHaveLength(indices.length);
    expect(submissionsTaken()).toBe(1);
  });

  it('loses no chunk that was shown, however it ended, and doubles none', async () => {
    const job = await scene.engine.submit({
      endpointId: 'text',
      input: { prompt: 'y', max_tokens: 150, tokens_per_second: 40 },
    });
    const shown: string[] = [];
    let seen = 0;
    for (let round = 0; round < 4; round += 1) {
      const pane = openStreamPane(scene.engine, job.key);
      const { reading } = pane;
      await scene.engine.eventually(() => reading.log.chunkCount > seen + 2 || scene.engine.ended.length > 0);
      seen = reading.log.chunkCount;
      shown.push(pane.text());
      pane.close();
      await scene.restart('crash');
    }
    if ((await scene.engine.history.get(job.key))?.job.phase === 'active') await scene.engine.untilEnd(job.key);
    const stored = await scene.engine.chunks(job.key);
    // Chunks lost in a crash are restored from the output between these; they have no metrics.
    const received = stored.filter(({ isRebuilt }) => isRebuilt !== true);
    for (const text of shown) expect(digestOf(received).text.startsWith(text)).toBe(true);
    expect(shown.at(-1)?.length).toBeGreaterThan(0);
    const indices = received.map(streamIndexOf);
    expect(indices).toEqual([...new Set(indices)].toSorted((a, b) => a - b));
    expect(stored.map(({ outputJson }) => JSON.parse(outputJson))).toEqual(await scene.engine.output(job.key));
    expect(submissionsTaken()).toBe(1);
  });

  it('doubles nothing even if the server repeats from the start', async () => {
    await scene.sandbox.close();
    scene.sandbox = await startSandbox({ isStreamReplayed: true });
    await scene.engine.close();
    scene.engine = await startEngine({ connections: to(scene.sandbox) });
    const job = await scene.engine.submit({
      endpointId: 'text',
      input: { prompt: 'z', max_tokens: 100, tokens_per_second: 40 },
    });
    for (let round = 0; round < 3; round += 1) {
      scene.engine.jobs.setOnView([job.key], []);
      const before = (await scene.engine.history.get(job.key))?.job.chunkCount ?? 0;
      await scene.engine.eventually(
        () => scene.engine.ended.length > 0 || scene.engine.changes.some(({ chunkCount }) => chunkCount > before + 2),
      );
      await scene.restart(round === 1 ? 'close' : 'crash');
    }
    if ((await scene.engine.history.get(job.key))?.job.phase === 'active') await scene.engine.untilEnd(job.key);
    const stored = await scene.engine.chunks(job.key);
    expect(stored.map(({ outputJson }) => JSON.parse(outputJson))).toEqual(await scene.engine.output(job.key));
  });

  it('drains the rest of a finished job before it is reported saved', async () => {
    scene.sandbox.setFault({ kind: 'hang', operation: 'stream' });
    const job = await scene.engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 20, tokens_per_second: 1_000 },
    });
    const settling = await scene.engine.until(job.key, ({ status }) => status === 'COMPLETED');
    expect(settling).toMatchObject({ phase: 'active', isResultSaved: false });
    // It reads as the service's status, not as running.
    expect([statusKind(settling), statusWord(settling)]).toEqual(['done', 'Completed']);
    expect(scene.engine.ended).toEqual([]);
    await scene.engine.crash();
    scene.sandbox.setFault(null);
    scene.engine = await startEngine({ connections: to(scene.sandbox), dataDir: scene.engine.dataDir });
    const end = await scene.engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await scene.engine.output(job.key)).toHaveLength(end.chunkCount);
    expect(scene.engine.ended.map(({ key }) => key)).toEqual([job.key]);
  });
});

describe('a submission in progress when the engine ends', () => {
  it.each(['close', 'crash'] as const)(
    'is unknown at the next start, after a %s, and not sent again (ruling 9)',
    async (how) => {
      scene.sandbox.setFault({ kind: 'hang', operation: 'run', times: 1 });
      const job = await scene.engine.submit({ endpointId: 'echo', input: { n: 1 } });
      expect(job.phase).toBe('submitting');
      await turnsUntil(() => scene.sandbox.requests().some(({ operation }) => operation === 'run'));
      await scene.restart(how);
      const found = (await scene.engine.history.get(job.key))?.job;
      expect(found).toMatchObject({ phase: 'outcome-unknown', jobId: null });
      expect(found?.reason).toMatchObject({ kind: 'unanswered', why: { kind: 'ended' } });
      expect(scene.engine.jobs.trackerState()).toMatchObject({ outcomeUnknown: 1, tracked: 0, waitingToSend: 0 });
      await scene.engine.untilEnd((await scene.engine.submit({ endpointId: 'echo' })).key);
      expect(submissionsTaken()).toBe(1);
    },
  );

  it('that had not left yet waits, says why, and is sent once by the next start', async () => {
    const closings: Promise<void>[] = [];
    await scene.engine.close();
    scene.engine = await startEngine({
      connections: to(scene.sandbox),
      dataDir: scene.engine.dataDir,
      // It closes at the moment when the intent is on disk.
      wrapHistory: (history) => ({
        ...history,
        async commit(changes) {
          const jobs = await history.commit(changes);
          if (closings.length === 0) closings.push(scene.engine.jobs.close());
          return jobs;
        },
      }),
    });
    const { key } = await scene.engine.submit({ endpointId: 'echo', input: { n: 1 } });
    await Promise.all(closings);
    await scene.engine.close();
    expect(scene.engine.changes.findLast((job) => job.key === key)).toMatchObject({
      phase: 'waiting',
      reason: { kind: 'closing' },
    });
    expect(scene.sandbox.requests()).toEqual([]);
    scene.engine = await startEngine({ connections: to(scene.sandbox), dataDir: scene.engine.dataDir });
    expect(await scene.engine.untilEnd(key)).toMatchObject({ status: 'COMPLETED' });
    expect(submissionsTaken()).toBe(1);
  });

  it('that came too late is refused, and nothing of it is saved', async () => {
    const submitted = scene.engine.jobs.submit({
      connectionId: 'main',
      endpointId: 'echo',
      operation: 'run',
      inputText: '{"n":1}',
    });
    await scene.engine.close();
    expect(await submitted).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('Jobdeck is closing') },
    });
    scene.engine = await startEngine({ connections: to(scene.sandbox), dataDir: scene.engine.dataDir });
    expect(await scene.engine.history.liveJobs()).toEqual([]);
    expect(scene.sandbox.requests()).toEqual([]);
  });

  it('includes runsync: the wait is the request', async () => {
    const job = await scene.engine.submit({ endpointId: 'mock', operation: 'runsync', input: { mock_delay: 60_000 } });
    await turnsUntil(() => submissionsTaken() === 1);
    await scene.restart('crash');
    expect((await scene.engine.history.get(job.key))?.job.phase).toBe('outcome-unknown');
  });
});

describe('pending work', () => {
  it('is still in the outbox after a restart, in order, and sent once', async () => {
    await scene.sandbox.goOffline();
    const keys: string[] = [];
    for (const name of ['first', 'second', 'third'])
      keys.push((await scene.engine.submit({ endpointId: 'mock', input: { name, mock_return: name } })).key);
    for (const key of keys) await scene.engine.until(key, ({ phase }) => phase === 'waiting');
    await scene.restart('crash');
    expect(scene.engine.jobs.trackerState().waitingToSend).toBe(3);
    await scene.sandbox.goOnline();
    scene.engine.jobs.tryNow();
    const ends = await Promise.all(keys.map((key) => scene.engine.untilEnd(key)));
    expect(await Promise.all(keys.map((key) => scene.engine.output(key)))).toEqual(['first', 'second', 'third']);
    expect(submissionsTaken()).toBe(3);
    expect(ends.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  it('includes a cancel, which is still sent after a restart', async () => {
    const job = await scene.engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } });
    await scene.engine.until(job.key, ({ phase }) => phase === 'active');
    await scene.sandbox.goOffline();
    expect(await scene.engine.jobs.cancel(job.key)).toMatchObject({ ok: true, value: { isCancelling: true } });
    await scene.restart('crash');
    await scene.sandbox.goOnline();
    scene.engine.jobs.tryNow();
    expect(await scene.engine.untilEnd(job.key)).toMatchObject({ status: 'CANCELLED', phase: 'finished' });
  });

  it('includes a cancel although the key is missing at the start: it waits for the key', async () => {
    const jobs = [
      await scene.engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } }),
      await scene.engine.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } }),
    ] as const;
    for (const job of jobs) await scene.engine.until(job.key, ({ phase }) => phase === 'active');
    const [before, after] = jobs;
    await scene.sandbox.goOffline();
    expect(await scene.engine.jobs.cancel(before.key)).toMatchObject({ ok: true, value: { isCancelling: true } });
    await scene.sandbox.goOnline();
    const connection: TestConnection = { baseUrl: scene.sandbox.baseUrl, apiKey: null };
    await scene.restart('crash', { connections: { main: connection } });
    await scene.engine.eventually(() => scene.engine.connectionState('main').kind === 'no-key');
    expect((await scene.engine.history.get(before.key))?.job.isCancelling).toBe(true);
    // So does one that is requested now.
    expect(await scene.engine.jobs.cancel(after.key)).toMatchObject({ ok: true, value: { isCancelling: true } });
    connection.apiKey = scene.sandbox.apiKey;
    scene.engine.jobs.connectionChanged('main');
    for (const { key } of jobs)
      expect(await scene.engine.untilEnd(key)).toMatchObject({ status: 'CANCELLED', phase: 'finished' });
  });
});

it('the second attempt of a retried job continues after a restart', async () => {
  const job = await scene.engine.submit({ endpointId: 'mock', input: { mock_error: 'again', mock_delay: 300 } });
  await scene.engine.untilEnd(job.key);
  expect((await scene.engine.jobs.retry(job.key)).ok).toBe(true);
  await scene.restart('crash');
  const end = await scene.engine.until(job.key, ({ attempt, phase }) => attempt === 2 && phase === 'finished');
  expect(end).toMatchObject({ status: 'FAILED', reason: { kind: 'failed', said: 'again' }, isResultSaved: true });
  expect((await scene.engine.history.get(job.key))?.attempts.map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
});
