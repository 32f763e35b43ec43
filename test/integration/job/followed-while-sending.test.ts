import { afterAll, afterEach, expect, it } from 'vitest';
import type { Job, SubmissionDraft } from '../../../src-preload/job.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine, TestEngineOptions } from '../../kit/engine.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Reply, ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
let isOver = false;
/** Answers the submission that is held. */
let answer: () => void;

afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

/** A service that holds the answer to a submission, while its job runs and streams one chunk for each read. */
async function start(
  reply: Reply['body'] = { id: 'job-1', status: 'IN_QUEUE' },
  options: Pick<TestEngineOptions, 'wrapHistory'> = {},
): Promise<void> {
  const held = Promise.withResolvers<undefined>();
  answer = () => held.resolve(undefined);
  isOver = false;
  let chunks = 0;
  service = await createScriptedService({
    run: [() => ({ kind: 'held', until: held.promise, body: reply })],
    runsync: [() => ({ kind: 'held', until: held.promise, body: reply })],
    status: [() => ({ body: { id: 'job-1', ...(isOver ? { status: 'COMPLETED' } : { status: 'IN_PROGRESS' }) } })],
    stream: [() => ({ body: isOver ? [] : [{ output: (chunks += 1) }] })],
  });
  ({ engine, clock } = await startStillEngine({ connections: to(service), ...options }));
}

/** Submits, and tracks the job by its id before the answer comes. The time passes that this takes. */
async function submitAndFollow(draft: Partial<SubmissionDraft> = {}): Promise<{ sent: Job; followed: Job }> {
  const sent = await engine.jobs.submit({
    connectionId: 'main',
    endpointId: 'echo',
    operation: 'run',
    inputText: '{"seed": 7}',
    ...draft,
  });
  await service.received(0);
  const followed = await engine.jobs.followExternal({ connectionId: 'main', endpointId: 'echo', jobIds: ['job-1'] });
  if (!sent.ok || !followed.ok || followed.value[0] === undefined) throw new Error('Not submitted.');
  return { sent: sent.value, followed: followed.value[0] };
}

const jobNow = async (key: string): Promise<Job | undefined> => (await engine.history.get(key))?.job;

it('becomes one job with one reader of its stream, with the input, policy and title of the submission', async () => {
  await start();
  const { sent, followed } = await submitAndFollow({ policy: { ttl: 3_600_000 }, title: 'Mine', tags: ['a'] });
  answer();
  await clock.advance(30_000);
  isOver = true;
  await clock.advance(60_000);
  expect((await engine.history.counts()).all.all).toBe(1);
  expect(engine.removedKeys).toEqual([sent.key]);
  expect(await jobNow(sent.key)).toBeUndefined();
  const job = await jobNow(followed.key);
  expect(job).toMatchObject({
    phase: 'finished',
    status: 'COMPLETED',
    title: 'Mine',
    tags: ['a'],
    policy: { ttl: 3_600_000 },
    inputBytes: 11,
    createdAtMs: sent.createdAtMs,
    ttlEndsAtMs: sent.createdAtMs + 3_600_000,
  });
  // Each read drains: with a second reader some would be elsewhere.
  const chunks = (await engine.chunks(followed.key)).map(({ outputJson }) => Number(outputJson));
  expect(chunks.length).toBeGreaterThan(5);
  expect(chunks).toEqual(chunks.map((_, index) => index + 1));
  expect(await engine.jobs.draftOf(followed.key)).toMatchObject({ ok: true, value: { inputText: '{"seed": 7}' } });
  const requests = await engine.history.requests(followed.key);
  expect(requests.filter(({ operation }) => operation === 'run')).toHaveLength(1);
  expect(job?.requestCount).toBe(requests.length);
  expect(service.count('run')).toBe(1);
});

it('has the result that only the runsync answer contains', async () => {
  await start({ id: 'job-1', status: 'COMPLETED', output: 'once' });
  const { followed } = await submitAndFollow({ operation: 'runsync' });
  isOver = true;
  answer();
  await clock.advance(30_000);
  expect(await jobNow(followed.key)).toMatchObject({ phase: 'finished', operation: 'runsync', isResultSaved: true });
  expect(await engine.output(followed.key)).toBe('once');
});

it('stays in its batch, and a later answer with the same id does not change it', async () => {
  await start();
  const batch = await engine.jobs.batches.submit({
    name: 'Rows',
    inputs: ['{"row":1}'],
    draft: { connectionId: 'main', endpointId: 'echo', operation: 'run' },
  });
  if (!batch.ok || batch.value.kind !== 'accepted') throw new Error('Not submitted.');
  const sent = clock.advance(1_000);
  await service.received(0);
  const followed = await engine.jobs.followExternal({ connectionId: 'main', endpointId: 'echo', jobIds: ['job-1'] });
  const key = followed.ok ? (followed.value[0]?.key ?? '') : '';
  answer();
  await sent;
  expect(await jobNow(key)).toMatchObject({ batchId: batch.value.batch.id, batchRow: 1 });
  const [now] = await engine.history.batchesById([batch.value.batch.id]);
  expect(now).toMatchObject({ name: 'Rows', total: 1, counts: { active: 1 } });
  const { key: second } = await engine.submit({ input: { row: 2 } });
  await clock.advance(1_000);
  expect((await engine.history.get(key))?.submission.inputText).toBe('{"row":1}');
  expect((await engine.history.get(second))?.submission.inputText).toBe('{"row":2}');
});

it('is one job as well if its id is tracked after the answer, while the disk refuses to record it', async () => {
  let refusals = 3;
  await start(undefined, {
    wrapHistory: (history) => ({
      ...history,
      commit: (changes) =>
        changes.some(({ job, submission }) => job.phase === 'active' && submission === undefined) &&
        (refusals -= 1) >= 0
          ? Promise.reject(new Error('The disk is full.'))
          : history.commit(changes),
    }),
  });
  const { key } = await engine.submit({ input: { seed: 7 } });
  await service.received(0);
  answer();
  await clock.advance(0);
  expect(refusals).toBe(2);
  const followed = engine.jobs.followExternal({ connectionId: 'main', endpointId: 'echo', jobIds: ['job-1'] });
  await clock.advance(30_000);
  isOver = true;
  await clock.advance(60_000);
  expect(await followed).toMatchObject({ ok: true, value: [{ key, jobId: 'job-1' }] });
  expect((await engine.history.counts()).all.all).toBe(1);
  const chunks = (await engine.chunks(key)).map(({ outputJson }) => Number(outputJson));
  expect(chunks).toEqual(chunks.map((_, index) => index + 1));
});

it('counts for the failure limit of its batch if it failed before the answer came', async () => {
  const held = Promise.withResolvers<undefined>();
  service = await createScriptedService({
    run: [() => ({ kind: 'held', until: held.promise, body: { id: 'job-1', status: 'IN_QUEUE' } })],
    status: [{ body: { id: 'job-1', status: 'FAILED', error: 'No.' } }],
    stream: [{ body: [] }],
  });
  engine = await startEngine({ connections: to(service) });
  await engine.jobs.batches.submit({
    name: 'Rows',
    inputs: ['{"row":1}', '{"row":2}'],
    limits: { maxLive: 1, stopAfterFailures: 1 },
    draft: { connectionId: 'main', endpointId: 'echo', operation: 'run' },
  });
  await service.received(0);
  const followed = await engine.jobs.followExternal({ connectionId: 'main', endpointId: 'echo', jobIds: ['job-1'] });
  const key = followed.ok ? (followed.value[0]?.key ?? '') : '';
  expect(await engine.untilEnd(key)).toMatchObject({ status: 'FAILED', batchId: null });
  held.resolve(undefined);
  await engine.until(key, ({ batchRow }) => batchRow === 1);
  await engine.eventually(() => engine.stoppedBatches.length > 0 || service.count('run') > 1);
  expect([engine.stoppedBatches.length, service.count('run')]).toEqual([1, 1]);
});
