import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { ConfirmSubmission } from '../../../src-main/job/submission/confirm-submission.ts';
import { ExternalJobs } from '../../../src-main/job/submission/external-jobs.ts';
import { OneJobPerId } from '../../../src-main/job/submission/one-job-per-id.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { createJobContext } from '../../../src-main/job/context/job-context.ts';
import { createLog } from '../../../src-main/log.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import { removeEngineFolders, startEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller } from '../../sandbox/integration/caller.ts';

let engine: TestEngine;
let sandbox: Sandbox;
const main = 'main';
const second = 'second';

beforeEach(async () => {
  sandbox = await startSandbox();
  const connection = to(sandbox)[main];
  if (connection === undefined) throw new Error('There is a connection.');
  engine = await startEngine({ connections: { [main]: connection, [second]: { ...connection } } });
});
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

async function followExternal(connectionId: string, ...jobIds: string[]): Promise<Job[]> {
  const result = await engine.jobs.followExternal({ connectionId, endpointId: 'mock', jobIds });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const keysOf = (jobs: readonly Job[]): string[] => jobs.map(({ key }) => key);

describe('one job of one service (ruling 42)', () => {
  it('is one here, through whichever connections it is tracked, and its stream comes whole to the one reader', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `word ${index}`);
    const id = await createCaller(sandbox).run('mock', { mock_delay: 40, mock_stream: words });
    const [first] = await followExternal(main, id);
    const [again] = await followExternal(second, id);
    expect(again?.key).toBe(first?.key);
    await engine.untilEnd(first?.key ?? '');
    expect((await engine.chunks(first?.key ?? '')).map(({ outputJson }) => outputJson)).toEqual(
      words.map((word) => JSON.stringify(word)),
    );
    expect((await engine.history.counts()).all.all).toBe(1);
  });

  it('is one here even if two callers track it at the same moment', async () => {
    const id = await createCaller(sandbox).run('mock', { mock_delay: 1_000 });
    const asked = await Promise.all([followExternal(main, id), followExternal(second, id), followExternal(main, id)]);
    expect(new Set(asked.flatMap(keysOf)).size).toBe(1);
    expect((await engine.history.counts()).all.all).toBe(1);
  });

  it('is the one that was submitted from here', async () => {
    const own = await engine.submit({ endpointId: 'mock', input: { mock_delay: 200 } });
    const { jobId } = await engine.until(own.key, ({ phase }) => phase === 'active');
    expect(keysOf(await followExternal(second, jobId ?? ''))).toEqual([own.key]);
  });

  it('is another one on another endpoint, or if the first is no longer tracked', async () => {
    const id = await createCaller(sandbox).run('mock', { mock_delay: 60_000 });
    const [first] = await followExternal(main, id);
    const elsewhere = await engine.jobs.followExternal({ connectionId: main, endpointId: 'echo', jobIds: [id] });
    expect(elsewhere.ok && elsewhere.value[0]?.key !== first?.key).toBe(true);
    delete engine.connections[main];
    engine.jobs.connectionRemoved(main);
    await engine.until(first?.key ?? '', ({ phase }) => phase === 'orphaned');
    const [again] = await followExternal(second, id);
    expect(again?.key).not.toBe(first?.key);
    expect(again).toMatchObject({ phase: 'active', connectionId: second });
  });
});

describe('a submission of unknown outcome whose id is known', () => {
  async function lost(): Promise<Job> {
    sandbox.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
    const { key } = await engine.submit({ endpointId: 'mock', input: { mock_delay: 300, mock_return: 'found' } });
    await engine.until(key, ({ phase }) => phase === 'outcome-unknown');
    engine.jobs.noteWebhookCall({ jobId: sandbox.transitions()[0]?.jobId ?? '', jobKey: key });
    return await engine.until(key, ({ jobId }) => jobId !== null);
  }

  it('is tracked as itself when its id is tracked', async () => {
    const { key, jobId } = await lost();
    expect(keysOf(await followExternal(second, jobId ?? ''))).toEqual([key]);
    await engine.untilEnd(key);
    expect(await engine.output(key)).toBe('found');
    expect((await engine.history.counts()).all.all).toBe(1);
  });

  it('is claimed once by simultaneous callers', async () => {
    const { key, jobId } = await lost();
    const [confirmed, adopted] = await Promise.all([
      engine.jobs.confirmSubmission(key),
      followExternal(second, jobId ?? ''),
    ]);
    expect(confirmed).toMatchObject({ ok: true, value: { key } });
    expect(keysOf(adopted)).toEqual([key]);
  });

  it('returns the job of that id if it is already tracked, and makes no second reader', async () => {
    const { key, jobId } = await lost();
    const { job } = (await engine.history.get(key)) ?? {};
    if (job === undefined) throw new Error('There is a job.');
    // Another one has it already: that happens where the id was followed before it was named.
    const known: Job = {
      ...job,
      key: 'zzzz',
      connectionId: second,
      phase: 'finished',
      status: 'COMPLETED',
      isResultSaved: true,
    };
    await engine.history.commit([
      { job: known, submission: { inputText: '', policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
    ]);
    expect(await engine.jobs.confirmSubmission(key)).toMatchObject({ ok: true, value: { key: 'zzzz', jobId } });
    expect((await engine.history.get(key))?.job.phase).toBe('outcome-unknown');
  });
});

it('a job called gone is checked again when its id is tracked (ruling 34)', async () => {
  const asked: string[] = [];
  const [gone] = await followExternal(main, 'nobody-u1');
  if (gone === undefined) throw new Error('One job was to be answered.');
  const { job } = (await engine.history.get(gone.key)) ?? {};
  if (job === undefined) throw new Error('There is a job.');
  const { history } = engine;
  await history.commit([
    {
      job: { ...job, key: 'zzzz', jobId: 'gone-u1', phase: 'gone', goneReason: 'expired' },
      submission: { inputText: '', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    },
  ]);
  const context = createJobContext({
    history,
    clock: createVirtualClock(0),
    isClockDoubted: () => false,
    random: () => 0,
    log: createLog({ write: () => undefined, now: () => 0 }),
    baseUrlOf: async () => ok(job.baseUrl),
    apiFor: () => failed({ kind: 'absent', message: 'Nothing is sent here.' }),
    s3Config: async () => failed({ kind: 'absent', message: 'There is no such profile.' }),
    callbackFor: (webhook) => webhook,
    whyNotFollowed: () => null,
    rateShare: () => ({ rateShare: 0.5, concurrencyShare: 0.5 }),
  });
  const oneJobPerId = new OneJobPerId(context, async ({ key }) => {
    asked.push(key);
    await history.commit([{ job: { ...job, key: 'zzzz', jobId: 'gone-u1', phase: 'active' } }]);
    return ok(null);
  });
  const again = new ExternalJobs(
    context,
    oneJobPerId,
    new ConfirmSubmission(context, oneJobPerId, () => Promise.reject(new Error('Nothing is read here.'))),
  );
  expect(await again.follow({ connectionId: second, endpointId: 'mock', jobIds: ['gone-u1'] })).toMatchObject({
    ok: true,
    value: [{ key: 'zzzz', phase: 'active' }],
  });
  expect(asked).toEqual(['zzzz']);
});
