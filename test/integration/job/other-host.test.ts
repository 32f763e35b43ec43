import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusKind, statusWord } from '../../../src-preload/job.ts';
import { BUILT_IN_ENDPOINTS } from '../../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine } from '../../kit/engine.ts';
import type { TestConnection, TestEngine } from '../../kit/engine.ts';
import { openPacedEndpoint } from '../../kit/paced-endpoint.ts';
import { TEST_API_KEY, startSandbox } from '../../kit/sandbox.ts';

let first: Sandbox;
let second: Sandbox;
let engine: TestEngine;
const paced = openPacedEndpoint();
beforeEach(async () => {
  paced.hold();
  first = await startSandbox({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] });
  second = await startSandbox();
  const connections = { main: { baseUrl: first.baseUrl, apiKey: TEST_API_KEY } };
  engine = await startEngine({
    connections,
    whyNotFollowed: ({ baseUrl }) => (baseUrl === connections.main.baseUrl ? null : 'other-host'),
  });
});
afterEach(async () => {
  await engine.close();
  await first.close();
  await second.close();
});
afterAll(async () => {
  paced.close();
  await removeEngineFolders();
});

function pointTo(service: Sandbox): void {
  Object.assign(engine.connections['main'] ?? {}, { baseUrl: service.baseUrl });
  engine.jobs.connectionChanged('main');
}

const asked = (service: Sandbox): number => service.requests().reduce((sum, { count }) => sum + count, 0);

describe('a job whose connection was pointed to another host', () => {
  it('is read at neither host, and is tracked again when the connection points back', async () => {
    const job = await engine.submit({ endpointId: 'paced', input: { paced_return: 'here' } });
    await engine.until(job.key, ({ status }) => status === 'IN_PROGRESS');
    pointTo(second);
    // Requests in progress have been answered; from here on, another job is tracked to its end.
    const other = await engine.submit({ endpointId: 'echo', input: { n: 1 } });
    await engine.untilEnd(other.key);
    const askedThen = asked(first);
    const later = await engine.submit({ endpointId: 'mock', input: { mock_delay: 500 } });
    await engine.untilEnd(later.key);
    expect(asked(first)).toBe(askedThen);
    expect(second.transitions().some(({ jobId }) => jobId === job.jobId)).toBe(false);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'active', baseUrl: first.baseUrl });
    // Nothing is in progress for it: it does not block quitting.
    expect(engine.jobs.trackerState().tracked).toBe(0);
    expect(await engine.jobs.checkNow(job.key)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('another address') },
    });

    paced.end();
    pointTo(first);
    expect(await engine.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(job.key)).toBe('here');
  });

  it('goes where the connection points if it was not sent yet, and is pinned there', async () => {
    await first.goOffline();
    const job = await engine.submit({ endpointId: 'echo', input: { n: 2 } });
    await engine.until(job.key, ({ phase }) => phase === 'waiting');
    pointTo(second);
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', baseUrl: second.baseUrl });
    expect(first.transitions()).toEqual([]);
  });
});

describe('a job whose connection was removed', () => {
  const other = (): TestConnection => ({ baseUrl: first.baseUrl, apiKey: TEST_API_KEY });
  function removeConnection(): void {
    delete engine.connections['other'];
    engine.jobs.connectionRemoved('other');
  }
  async function addConnection(): Promise<void> {
    engine.connections['other'] = other();
    await engine.jobs.connectionPresent('other');
  }
  beforeEach(async () => {
    await engine.close();
    engine = await startEngine({ connections: { other: other() } });
  });

  it('stays, says why nothing happens, and is not counted as tracked anywhere', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 600_000 } });
    await engine.until(job.key, ({ status }) => status === 'IN_PROGRESS');
    expect(engine.jobs.trackerState()).toMatchObject({ tracked: 1, orphans: 0 });
    removeConnection();
    expect(engine.jobs.trackerState().tracked).toBe(0);
    const left = await engine.until(job.key, ({ reason }) => reason !== null);
    expect(left).toMatchObject({
      phase: 'orphaned',
      status: 'IN_PROGRESS',
      reason: { kind: 'connection-removed', wasSent: true },
    });
    expect([statusKind(left), statusWord(left)]).toEqual(['orphaned', 'Orphaned']);
    await engine.eventually(() => engine.trackerStates.at(-1)?.tracked === 0);
    expect(engine.jobs.trackerState()).toMatchObject({ orphans: 1, nextStatusReadAtMs: null, connections: [] });
    expect(await engine.history.liveJobs()).toEqual([]);
    expect(engine.ended).toEqual([]);
    expect(await engine.jobs.checkNow(job.key)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('was removed') },
    });

    const askedThen = asked(first);
    await engine.close();
    engine = await startEngine({ connections: {}, dataDir: engine.dataDir });
    expect(engine.jobs.trackerState()).toMatchObject({ tracked: 0, orphans: 1 });
    await engine.settle();
    expect(asked(first)).toBe(askedThen);
  });

  it('is tracked to its end when its connection is back, even after a restart', async () => {
    const job = await engine.submit({
      endpointId: 'text',
      input: { prompt: 'x', max_tokens: 60, tokens_per_second: 20 },
    });
    await engine.until(job.key, ({ chunkCount }) => chunkCount > 2);
    removeConnection();
    await engine.until(job.key, ({ phase }) => phase === 'orphaned');
    await engine.close();
    engine = await startEngine({ connections: {}, dataDir: engine.dataDir });
    await addConnection();
    expect(engine.jobs.trackerState()).toMatchObject({ tracked: 1, orphans: 0 });
    const end = await engine.until(job.key, ({ phase }) => phase === 'finished');
    expect(end).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(job.key)).toHaveLength(end.chunkCount);
    // And orphaned again by the next removal.
    const next = await engine.submit({ connectionId: 'other', endpointId: 'mock', input: { mock_delay: 600_000 } });
    for (const _ of [1, 2]) {
      await engine.until(next.key, ({ phase }) => phase === 'active');
      removeConnection();
      await engine.until(next.key, ({ phase }) => phase === 'orphaned');
      await addConnection();
    }
    expect((await engine.history.get(next.key))?.job.phase).toBe('active');
  });

  it('that was never sent is not retried repeatedly, nor sent automatically when the connection is back, and can be withdrawn', async () => {
    engine.jobs.pause();
    const job = await engine.submit({ endpointId: 'echo' });
    expect(job.phase).toBe('waiting');
    removeConnection();
    engine.jobs.resume();
    await engine.until(job.key, ({ reason }) => reason?.kind === 'connection-removed');
    expect(engine.jobs.trackerState()).toMatchObject({ waitingToSend: 0, orphans: 1, nextStatusReadAtMs: null });
    await addConnection();
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'orphaned', jobId: null });
    expect(asked(first)).toBe(0);
    expect(await engine.jobs.cancel(job.key)).toMatchObject({
      ok: true,
      value: { phase: 'finished', status: 'CANCELLED' },
    });
    expect(engine.jobs.trackerState().orphans).toBe(0);
  });
});
