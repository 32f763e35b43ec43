import { notCheckedText } from '../../../src-preload/messages/job.ts';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startStillEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { Answer } from './ordinary-answers.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

const minuteMs = 60_000;

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
/** From this time of the clock on the service has the output of every job. */
let outputFromMs = Infinity;

afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

/** A service that reports every job as completed at once, and has its output later, or never. */
async function start(status?: Answer): Promise<void> {
  outputFromMs = Infinity;
  let jobs = 0;
  service = await createScriptedService({
    run: [() => ({ body: { id: `job-${(jobs += 1)}`, status: 'IN_QUEUE' } })],
    status: [
      ({ path }) =>
        status ?? {
          body: {
            id: idOf(path),
            status: 'COMPLETED',
            ...(clock.now() >= outputFromMs ? { output: { of: idOf(path) } } : {}),
          },
        },
    ],
    stream: [{ body: [] }],
  });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
}

const jobNow = async (key: string) => (await engine.history.get(key))?.job;
const readsOf = (jobId: string): number =>
  service.requests.filter(({ path }) => path.endsWith(`/status/${jobId}`)).length;

it.each([
  ['three seconds', 3_000],
  ['a minute', minuteMs],
  ['twenty minutes', 20 * minuteMs],
])('an output that appears %s after the end was reported is saved', async (_, afterMs) => {
  await start();
  const { key } = await engine.submit({});
  outputFromMs = clock.now() + afterMs;
  await clock.advance(2_000);
  expect(await jobNow(key)).toMatchObject({ phase: 'finished', isWithoutOutput: true, reason: { kind: 'no-output' } });
  await clock.advance(28 * minuteMs);
  expect(await jobNow(key)).toMatchObject({ phase: 'finished', isWithoutOutput: false, reason: null, outputBytes: 14 });
  expect(await engine.output(key)).toEqual({ of: 'job-1' });
  expect(service.count('run')).toBe(1);
});

it('a late output is saved even if Jobdeck was restarted in between', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(60_000);
  await engine.close();
  outputFromMs = clock.now() + 100_000;
  const atMs = clock.now();
  ({ engine, clock } = await startStillEngine({ connections: to(service), dataDir: engine.dataDir }));
  await clock.advance(atMs - clock.now() + 15 * minuteMs);
  expect(await engine.output(key)).toEqual({ of: 'job-1' });
});

it('"Check now" and tracking the id fetch it at any time before it expires; afterwards a check says that the job is over', async () => {
  await start();
  const [first, second] = [await engine.submit({}), await engine.submit({})];
  await clock.advance(11 * minuteMs);
  outputFromMs = 0;
  expect(await engine.jobs.checkNow(first.key)).toMatchObject({ ok: true });
  expect(await engine.output(first.key)).toEqual({ of: 'job-1' });
  expect(await engine.jobs.checkNow(first.key)).toEqual({
    ok: false,
    failure: { kind: 'refused', message: `${notCheckedText.finished}.` },
  });
  expect(await engine.jobs.checkNow('no-such-job')).toMatchObject({ ok: false, failure: { kind: 'absent' } });
  const followed = await engine.jobs.followExternal({ connectionId: 'main', endpointId: 'echo', jobIds: ['job-2'] });
  expect(followed).toMatchObject({ ok: true, value: [{ key: second.key, isWithoutOutput: false }] });
});

it('a job without output is not read before the service wants to be asked again (ruling 10)', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(2_000);
  service.script({ status: [() => ({ kind: 'reply', status: 503, body: {}, headers: { 'retry-after': '600' } })] });
  await clock.advance(10_000);
  const before = readsOf('job-1');
  service.script({ status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 'late' } }] });
  await clock.advance(9 * minuteMs);
  expect(readsOf('job-1')).toBe(before);
  await clock.advance(2 * minuteMs);
  expect(await engine.output(key)).toBe('late');
});

it('a webhook call about it triggers a read', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(3 * minuteMs);
  outputFromMs = 0;
  engine.jobs.noteWebhookCall({ jobId: 'job-1', jobKey: null });
  await clock.advance(1_000);
  expect(await engine.output(key)).toEqual({ of: 'job-1' });
});

it('a webhook call during the last read is not lost: the output is read again', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(24 * minuteMs);
  const readsBefore = readsOf('job-1');
  const held = Promise.withResolvers<undefined>();
  const empty = { id: 'job-1', status: 'COMPLETED' };
  service.script({ status: [() => ({ kind: 'held', until: held.promise, body: empty })] });
  const lastRead = clock.advance(2 * minuteMs);
  await turnsUntil(() => readsOf('job-1') > readsBefore);
  engine.jobs.noteWebhookCall({ jobId: 'job-1', jobKey: null });
  held.resolve(undefined);
  service.script({ status: [{ body: { ...empty, output: 'late' } }] });
  await lastRead;
  expect(await engine.output(key)).toBe('late');
});

it('if jobs return nothing, that costs few requests: five for a job, and none for most of many', async () => {
  await start();
  await engine.submit({});
  await clock.advance(40 * minuteMs);
  expect(readsOf('job-1')).toBe(1 + 5);
  for (let count = 0; count < 50; count += 1) await engine.submit({ input: { count } });
  await clock.advance(40 * minuteMs);
  // Six of them are read three times, and one of these twice more.
  expect(service.count('status') - readsOf('job-1')).toBe(50 + 18 + 2);
  for (let count = 0; count < 10; count += 1) await engine.submit({ input: { more: count } });
  await clock.advance(40 * minuteMs);
  // One of them is read five times.
  expect(service.count('status') - readsOf('job-1')).toBe(50 + 18 + 2 + 10 + 5);
});

it('an answer that the service does not know it does not end that; a deleted job is not read again', async () => {
  await start();
  const [first, second] = [await engine.submit({}), await engine.submit({})];
  await clock.advance(2_000);
  await engine.jobs.delete([first.key], false);
  const unknown: Answer = { status: 404, body: { error: 'not found' } };
  service.script({ status: [unknown, { body: { id: 'job-2', status: 'COMPLETED', output: 'late' } }] });
  await clock.advance(29 * minuteMs);
  expect(readsOf('job-1')).toBe(1);
  expect(readsOf('job-2')).toBe(3);
  expect(await engine.output(second.key)).toBe('late');
});

it('a job without output is read at most five times once the service no longer knows it', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(2_000);
  service.script({ status: [{ status: 404, body: { error: 'gone' } }] });
  await clock.advance(29 * minuteMs);
  expect(readsOf('job-1')).toBe(1 + 5);
  expect(await jobNow(key)).toMatchObject({ phase: 'finished', isWithoutOutput: true });
});

it('the outputs of jobs that end together are all saved when they come together, some seconds late', async () => {
  await start();
  const keys: string[] = [];
  for (let count = 0; count < 40; count += 1) keys.push((await engine.submit({ input: { count } })).key);
  await clock.advance(2_000);
  outputFromMs = clock.now() + 15_000;
  await clock.advance(25 * minuteMs);
  for (const key of keys) expect(await engine.output(key)).toEqual({ of: (await jobNow(key))?.jobId });
});

it.each([5, 20])(
  'the outputs of jobs that end together are all saved when they come together, %i minutes late',
  async (lateMinutes) => {
    await start();
    const keys: string[] = [];
    for (let count = 0; count < 40; count += 1) keys.push((await engine.submit({ input: { count } })).key);
    await clock.advance(2_000);
    outputFromMs = clock.now() + lateMinutes * minuteMs;
    await clock.advance(27 * minuteMs);
    for (const key of keys) expect(await engine.output(key)).toEqual({ of: (await jobNow(key))?.jobId });
    expect(service.count('status')).toBeLessThan(40 + 20 + 2 * 40);
  },
);

it('an endpoint that returned nothing for long is noticed when an output comes late after all', async () => {
  await start();
  for (let count = 0; count < 10; count += 1) await engine.submit({ input: { count } });
  await clock.advance(40 * minuteMs);
  const keys: string[] = [];
  for (let count = 0; count < 10; count += 1) keys.push((await engine.submit({ input: { more: count } })).key);
  outputFromMs = clock.now() + 60_000;
  await clock.advance(27 * minuteMs);
  for (const key of keys) expect(await engine.output(key)).toEqual({ of: (await jobNow(key))?.jobId });
});

it.each([false, true])(
  'where jobs have outputs, twenty that have none are read at the same time (after a restart: %s)',
  async (isRestarted) => {
    await start();
    outputFromMs = 0;
    await engine.submit({});
    await clock.advance(2_000);
    outputFromMs = Infinity;
    if (isRestarted) {
      await engine.close();
      ({ engine, clock } = await startStillEngine({ connections: to(service), dataDir: engine.dataDir }));
      await clock.advance(minuteMs);
    }
    for (let count = 0; count < 30; count += 1) await engine.submit({ input: { count } });
    await clock.advance(2_000);
    const before = service.count('status');
    await clock.advance(8_000);
    expect(service.count('status') - before).toBe(20);
  },
);

it('after a sleep an output is looked for once, not once for each time that passed', async () => {
  await start();
  await engine.submit({});
  await clock.advance(6_000);
  expect(readsOf('job-1')).toBe(2);
  clock.jump(15 * minuteMs);
  await clock.advance(1_000);
  expect(readsOf('job-1')).toBe(3);
});

it('a clock that was set ahead does not end it: that time did not pass', async () => {
  await start();
  const [first, second] = [await engine.submit({}), await engine.submit({})];
  await clock.advance(10_000);
  clock.set(45 * minuteMs);
  outputFromMs = clock.now() + minuteMs;
  await clock.advance(3 * minuteMs);
  expect(await engine.output(first.key)).toEqual({ of: 'job-1' });
  expect(await engine.output(second.key)).toEqual({ of: 'job-2' });
});

it('"Check now" fetches it although the clock was set ahead', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(10_000);
  clock.set(45 * minuteMs);
  outputFromMs = 0;
  expect(await engine.jobs.checkNow(key)).toMatchObject({ ok: true });
  expect(await engine.output(key)).toEqual({ of: 'job-1' });
});

it('a late output that is too large to be read is downloaded once, and the job says so', async () => {
  await start();
  const { key } = await engine.submit({});
  await clock.advance(2_000);
  const tooLarge = { id: 'job-1', status: 'COMPLETED', output: 'x'.repeat(65 * 1024 * 1024) };
  service.script({ status: [{ body: tooLarge }] });
  await clock.advance(10 * minuteMs);
  expect(readsOf('job-1')).toBe(2);
  expect(await jobNow(key)).toMatchObject({
    phase: 'finished',
    isWithoutOutput: false,
    reason: { kind: 'reply-too-large' },
  });
  service.script({ status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 'small' } }] });
  expect(await engine.jobs.checkNow(key)).toMatchObject({ ok: true });
  expect(await jobNow(key)).toMatchObject({ reason: null, outputBytes: 7 });
  expect((await jobNow(key))?.unreadReply).toBeUndefined();
});
