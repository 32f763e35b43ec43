import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { TEST_API_KEY, startSandbox } from '../../kit/sandbox.ts';

let first: Sandbox;
let second: Sandbox;
let engine: TestEngine;
beforeEach(async () => {
  first = await startSandbox();
  second = await startSandbox();
  const connections = { main: { baseUrl: first.baseUrl, apiKey: TEST_API_KEY } };
  engine = await startEngine({ connections, isElsewhere: ({ baseUrl }) => baseUrl !== connections.main.baseUrl });
});
afterEach(async () => {
  await engine.close();
  await first.close();
  await second.close();
});
afterAll(removeEngineFolders);

function pointTo(service: Sandbox): void {
  Object.assign(engine.connections['main'] ?? {}, { baseUrl: service.baseUrl });
  engine.jobs.connectionChanged('main');
}

const asked = (service: Sandbox): number => service.requests().reduce((sum, { count }) => sum + count, 0);

describe('a job whose connection was pointed to another host', () => {
  it('is not asked for at either host, and is followed again when the connection comes back', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 1_500, mock_return: 'here' } });
    await engine.until(job.key, ({ status }) => status === 'IN_PROGRESS');
    pointTo(second);
    // What was under way has been answered; from here on, another job is followed to its end meanwhile.
    const other = await engine.submit({ endpointId: 'echo', input: { n: 1 } });
    await engine.untilEnd(other.key);
    const askedThen = asked(first);
    const later = await engine.submit({ endpointId: 'mock', input: { mock_delay: 500 } });
    await engine.untilEnd(later.key);
    expect(asked(first)).toBe(askedThen);
    expect(second.transitions().some(({ jobId }) => jobId === job.jobId)).toBe(false);
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'active', baseUrl: first.baseUrl });

    pointTo(first);
    expect(await engine.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await engine.output(job.key)).toBe('here');
  });

  it('goes where the connection points when it was not sent yet, and is pinned there', async () => {
    await first.goOffline();
    const job = await engine.submit({ endpointId: 'echo', input: { n: 2 } });
    await engine.until(job.key, ({ phase }) => phase === 'waiting');
    pointTo(second);
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ status: 'COMPLETED', baseUrl: second.baseUrl });
    expect(first.transitions()).toEqual([]);
  });
});

describe('a service that started with an empty memory', () => {
  it('has forgotten its live jobs: they are gone, said so, and nothing is asked for them', async () => {
    const job = await engine.submit({ endpointId: 'mock', input: { mock_delay: 600_000 } });
    await engine.until(job.key, ({ status }) => status === 'IN_PROGRESS');
    await engine.jobs.noteForgotten('main');
    expect((await engine.history.get(job.key))?.job).toMatchObject({ phase: 'gone', goneReason: 'sandbox-restarted', note: 'The sandbox was restarted and forgot it' });
    expect(engine.ended.map(({ key }) => key)).toEqual([job.key]);
  });
});
