import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { History } from '../../../src-main/history/history.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { createFastClock } from '../../kit/clock.ts';
import type { Clock } from '../../../src-main/time/clock.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { streamIndexOf } from './stream-index.ts';

let engine: TestEngine;
let sandbox: Sandbox;
let clock: Clock;
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

/** The real history, but its disk is full for as long as `isFull` says. */
function fullDisk(history: History, isFull: (write: 'commit' | 'chunks') => boolean): History {
  const refuse = (): Promise<never> => Promise.reject(new Error('The disk is full; nothing was saved.'));
  return {
    ...history,
    commit: (changes) => (isFull('commit') ? refuse() : history.commit(changes)),
    appendChunks: (key, attempt, chunks, receivedAtMs) =>
      isFull('chunks') ? refuse() : history.appendChunks(key, attempt, chunks, receivedAtMs),
  };
}

async function start(isFull: (write: 'commit' | 'chunks') => boolean): Promise<void> {
  sandbox = await startSandbox();
  clock = createFastClock(5);
  engine = await startEngine({ connections: to(sandbox), clock, wrapHistory: (history) => fullDisk(history, isFull) });
}

/** Resolves when the job has ended at the service, and its result was read and refused by the disk. */
async function untilEndRefused(): Promise<void> {
  await engine.eventually(() => sandbox.transitions().some(({ to: status }) => status === 'COMPLETED'));
  // One of them may be about a read that left before the end.
  const before = engine.storageTroubles.length;
  await engine.eventually(() => engine.storageTroubles.length >= before + 3);
}

describe('a disk that refuses', () => {
  it('lets nothing be sent that is not written first', async () => {
    let isFull = true;
    await start(() => isFull);
    const result = await engine.jobs.submit({
      connectionId: 'main',
      endpointId: 'echo',
      operation: 'run',
      inputText: '{}',
    });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    // Whatever was sent would have been answered by then.
    await engine.settle();
    expect(sandbox.requests()).toEqual([]);
    isFull = false;
    expect((await engine.untilEnd((await engine.submit({ endpointId: 'echo' })).key)).status).toBe('COMPLETED');
  });

  it('does not lose the id of a job that the service accepted', async () => {
    let commits = 0;
    await start((write) => write === 'commit' && (commits += 1) > 1 && commits < 5);
    const job = await engine.submit({ endpointId: 'echo', input: { a: 1 } });
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(engine.storageTroubles.length).toBeGreaterThanOrEqual(3);
    expect(sandbox.transitions().filter(({ cause }) => cause === 'submitted')).toHaveLength(1);
  });

  it('does not lose a chunk that the service has deleted', async () => {
    let appends = 0;
    await start((write) => write === 'chunks' && (appends += 1) % 3 !== 0);
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 60, tokens_per_second: 150 },
    });
    engine.jobs.setOnView([job.key], []);
    const end = await engine.untilEnd(job.key);
    const indices = (await engine.chunks(job.key)).map(streamIndexOf);
    expect(indices).toEqual(indices.map((_, index) => index));
    expect(await engine.output(job.key)).toHaveLength(indices.length);
    expect(end.chunkCount).toBe(indices.length);
  });

  it('does not make a finished stream be read repeatedly', async () => {
    let isFull = false;
    await start((write) => write === 'commit' && isFull);
    const reads = (): number =>
      sandbox
        .requests()
        .filter(({ operation }) => operation === 'stream')
        .reduce((sum, { count }) => sum + count, 0);
    const job = await engine.submit({ endpointId: 'mock', input: { mock_stream: ['a', 'b'], mock_delay: 100 } });
    await engine.until(job.key, ({ status }) => status === 'COMPLETED');
    isFull = true;
    const before = reads();
    await engine.eventually(() => engine.storageTroubles.length >= 5);
    // One that brings the rest, and one that finds nothing more.
    expect(reads() - before).toBeLessThanOrEqual(2);
    isFull = false;
    await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toEqual(['a', 'b']);
    expect(engine.ended).toHaveLength(1);
  });

  it('does not lose a result that the service deletes before the disk accepts it', async () => {
    let isFull = false;
    await start((write) => write === 'commit' && isFull);
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 300, mock_return: 'only once' } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    isFull = true;
    await untilEndRefused();
    await sandbox.close();
    const readBeforeMs = clock.now();
    isFull = false;
    const { finishedSeenAtMs } = await engine.until(job.key, ({ isResultSaved }) => isResultSaved);
    expect(await engine.output(job.key)).toBe('only once');
    // From then on the service counts how long it keeps the result.
    expect(finishedSeenAtMs).toBeLessThanOrEqual(readBeforeMs);
  });

  it('does not lose such a result either if Jobdeck closes and the disk accepts it then', async () => {
    let isFull = false;
    await start((write) => write === 'commit' && isFull);
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 300, mock_return: 'at the end' } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    isFull = true;
    await untilEndRefused();
    isFull = false;
    await sandbox.close();
    await engine.jobs.close();
    expect(await engine.output(job.key)).toBe('at the end');
  });

  it('never leads to an unsaved result being reported as saved', async () => {
    let isFull = false;
    await start((write) => write === 'commit' && isFull);
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 300, mock_return: 'late' } });
    await engine.until(job.key, ({ phase }) => phase === 'active');
    isFull = true;
    await engine.eventually(() => engine.storageTroubles.length >= 2);
    expect(engine.ended).toEqual([]);
    expect(engine.changes.some(({ isResultSaved }) => isResultSaved)).toBe(false);
    isFull = false;
    await engine.untilEnd(job.key);
    expect(await engine.output(job.key)).toBe('late');
    expect(engine.ended).toHaveLength(1);
  });
});
