import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine, TestEngineOptions } from '../../kit/engine.ts';
import { TEST_API_KEY, startSandbox } from '../../kit/sandbox.ts';

let sandbox: Sandbox;
let engine: TestEngine;
let clock: VirtualClock;
beforeEach(async () => {
  sandbox = await startSandbox();
  clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
  await start();
});
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

async function start(options: Partial<TestEngineOptions> = {}): Promise<void> {
  engine = await startEngine({ connections: to(sandbox), clock, ...options });
}

/** Reads the endpoint's health and keeps it, as the app does with every reading. */
async function readHealth(): Promise<void> {
  const read = await engine.jobs.readHealth('main', 'mock');
  if (!read.ok) throw new Error(read.failure.message);
  await engine.history.addHealth(read.value);
}

/**
 * A submission that the service takes and whose answer the crash cuts off, or (`isLost`) one it never takes. Answers
 * its key.
 */
async function crashWhileSending(isLost = false): Promise<string> {
  const asked = (): number =>
    sandbox
      .requests()
      .filter(({ operation }) => operation === 'runsync')
      .reduce((sum, { count }) => sum + count, 0);
  const taken = (): number => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;
  const [askedBefore, takenBefore] = [asked(), taken()];
  if (isLost) sandbox.setFault({ kind: 'hang', operation: 'runsync', times: 1 });
  const { key } = await engine.submit({ endpointId: 'mock', operation: 'runsync', input: { mock_delay: 600_000 } });
  await turnsUntil(() => (isLost ? asked() > askedBefore : taken() > takenBefore));
  await engine.crash();
  sandbox.setFault(null);
  return key;
}

/** A job of someone else at the same endpoint. */
async function submitAsAnotherClient(): Promise<void> {
  const reply = await fetch(`${sandbox.baseUrl}/v2/mock/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: { mock_delay: 600_000 } }),
  });
  expect(reply.status).toBe(200);
}

/** Starts again `closedMs` later, with time enough for readings. What is then said of the job. */
async function saidAfter(key: string, closedMs = 20_000): Promise<string> {
  clock.jump(closedMs);
  await start({ dataDir: engine.dataDir });
  await clock.advance(20_000);
  const stored = await engine.history.get(key);
  expect(stored?.job).toMatchObject({ phase: 'outcome-unknown', jobId: null });
  const reason = stored?.job.reason ?? null;
  expect(reason).toMatchObject({ kind: 'unanswered', why: { kind: 'ended' } });
  return reason === null ? '' : reasonText(reason);
}

describe('a submission in progress when the app crashed', () => {
  it('probably arrived if the endpoint reports one job more than the last saved reading, and the reading’s age is shown', async () => {
    await readHealth();
    await clock.advance(40_000);
    const note = await saidAfter(await crashWhileSending());
    expect(note).toMatch(
      /It probably arrived: the endpoint reports one job more than Jobdeck knows\. Compared with a reading 40 s before it was sent; a job of another client would look the same\.$/,
    );
  });

  it('probably did not arrive if it reports no more', async () => {
    await readHealth();
    await clock.advance(12_000);
    expect(await saidAfter(await crashWhileSending(true))).toMatch(
      /It probably did not arrive: .* Compared with a reading 12 s before it was sent\.$/,
    );
  });

  it('is judged with our jobs that were answered since that reading', async () => {
    await readHealth();
    await clock.advance(5_000);
    const done = await engine.submit({ endpointId: 'mock', input: { mock_return: 'done' } });
    // A worker takes real time, however fast the clock of the app passes.
    await turnsUntil(() => sandbox.health('mock')?.jobs.completed === 1);
    for (let round = 0; (await engine.history.get(done.key))?.job.phase !== 'finished' && round < 60; round += 1)
      await clock.advance(1_000);
    expect((await engine.history.get(done.key))?.job.phase).toBe('finished');
    expect(await saidAfter(await crashWhileSending(true))).toMatch(/It probably did not arrive/);
  });

  it.each([
    ['nothing was ever read', async () => undefined],
    [
      'the last reading is too old',
      async () => {
        await readHealth();
        await clock.advance(10_000);
        clock.jump(300_000);
      },
    ],
    [
      'another submission was in progress at the reading',
      async () => {
        await engine.submit({ endpointId: 'mock', operation: 'runsync', input: { mock_delay: 600_000 } });
        await readHealth();
      },
    ],
    [
      'someone else submits there too',
      async () => {
        await readHealth();
        await clock.advance(20_000);
        await submitAsAnotherClient();
        await readHealth();
        await clock.advance(20_000);
      },
    ],
  ])('has no evidence if %s', async (_why, before) => {
    await before();
    expect(await saidAfter(await crashWhileSending())).not.toMatch(/probably/);
  });

  it('has no evidence if the app was closed for long, or the service restarted in between', async () => {
    await readHealth();
    await clock.advance(5_000);
    expect(await saidAfter(await crashWhileSending(), 400_000)).not.toMatch(/probably/);
    await engine.close();
    await sandbox.close();
    sandbox = await startSandbox();
    await start();
    const done = await engine.submit({ endpointId: 'mock', input: { mock_return: 'done' } });
    // A worker takes real time, however fast the clock of the app passes.
    await turnsUntil(() => sandbox.health('mock')?.jobs.completed === 1);
    for (let round = 0; (await engine.history.get(done.key))?.job.phase !== 'finished' && round < 60; round += 1)
      await clock.advance(1_000);
    await clock.advance(20_000);
    await readHealth();
    await clock.advance(1_000);
    const key = await crashWhileSending(true);
    await sandbox.close();
    sandbox = await startSandbox();
    // As many jobs as before, and none that completed.
    await submitAsAnotherClient();
    expect(await saidAfter(key)).not.toMatch(/probably/);
  });
});
