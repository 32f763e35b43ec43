import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, it, onTestFinished } from 'vitest';
import { dayMs } from '../../../src-preload/durations.ts';
import type { Job } from '../../../src-preload/job.ts';
import { closeApps, openApp, removeAppFolders, type App } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

const yearMs = 365 * dayMs;
const serviceKey = 'a-key-of-the-service';
const elsewhere = 'http://queue.example';

/**
 * A service with a clock of its own under each of its two names: it is reached directly, or as its own proxy under the
 * name of another machine. Null: the answers under that name have no date.
 */
async function startService() {
  const offByMs: { here: number; elsewhere: number | null } = { here: 0, elsewhere: 0 };
  /** What it says of every job's status. */
  const script: { status: 'IN_PROGRESS' | 'COMPLETED' | 404 } = { status: 'COMPLETED' };
  let accepted = 0;
  const server = createServer((request, response) => {
    request.resume();
    const isSubmission = request.url?.endsWith('/run') === true;
    const isStream = request.url?.includes('/stream/') === true;
    const isStatus = request.url?.includes('/status/') === true;
    const id = isSubmission ? `job-${(accepted += 1)}` : (request.url?.split('/').at(-1) ?? '');
    const { status } = script;
    const record = isSubmission
      ? { id, status: 'IN_QUEUE' }
      : request.url?.endsWith('/health') === true
        ? { jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 }, workers: { idle: 0, running: 1 } }
        : status === 404
          ? { error: 'job not found' }
          : { id, status, ...(status === 'COMPLETED' ? { output: `the output of ${id}` } : {}) };
    if (isStatus && status === 404) response.statusCode = 404;
    const offMs = request.url?.startsWith(elsewhere) === true ? offByMs.elsewhere : offByMs.here;
    response.sendDate = false;
    if (offMs !== null) response.setHeader('date', new Date(Date.now() + offMs).toUTCString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isStream ? [] : record));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port.');
  return { offByMs, script, url: `http://127.0.0.1:${address.port}` };
}

async function connectTo(app: App, baseUrl: string): Promise<string> {
  const draft = {
    name: baseUrl,
    baseUrl,
    restUrl: '',
    authorization: 'bearer' as const,
    endpoints: [{ id: 'mock', label: '', flavour: 'other' as const }],
    plainHttpOrigins: [elsewhere],
  };
  return (await app.answer('connection:save', { draft, key: serviceKey })).connection.id;
}

async function runJob(app: App, connectionId: string): Promise<Job> {
  return app.untilEnd((await app.submit({ connectionId })).key);
}

async function outputOf(app: App, { key }: Job): Promise<string | undefined> {
  return (await app.answer('job:body', { key, part: 'output', attempt: 1, isWhole: true }))?.text;
}

/** A changed rule is applied immediately, before any later call. */
async function applyRule(app: App, areInputsDeleted: boolean): Promise<void> {
  await app.answer('settings:change', { retention: { afterDays: 30, areInputsDeleted, maxBytes: null } });
}

it('a clock that jumps by 73 years deletes nothing until a service confirms the date', async () => {
  const service = await startService();
  const clock = createFastClock(10);
  const app = await openApp({ clock, isSandboxAllowed: false });
  await app.answer('settings:change', { proxy: { kind: 'manual', url: service.url } });
  const [here, other] = [await connectTo(app, service.url), await connectTo(app, elsewhere)];
  const job = await runJob(app, other);
  expect(await app.answer('storage:clockDoubt', undefined)).toBeNull();

  // Health is read after the end of a job too. By the end of another job, the last answer with a date has arrived.
  service.offByMs.elsewhere = null;
  await runJob(app, other);
  clock.skip(73 * yearMs);
  await applyRule(app, false);
  expect(await app.answer('storage:clockDoubt', undefined)).toMatchObject({ kind: 'moved-ahead' });
  expect(await outputOf(app, job)).toContain('the output of');
  // A service on this computer has the same clock, so it confirms nothing.
  service.offByMs.here = 73 * yearMs;
  await runJob(app, here);
  await applyRule(app, true);
  expect(await app.answer('storage:clockDoubt', undefined)).toMatchObject({ kind: 'moved-ahead' });
  service.offByMs.elsewhere = 0;
  await runJob(app, other);
  await applyRule(app, false);
  expect(await app.answer('storage:clockDoubt', undefined)).toMatchObject({ kind: 'ahead-of-service' });
  expect(await outputOf(app, job)).toContain('the output of');

  service.offByMs.elsewhere = 73 * yearMs;
  const late = await runJob(app, other);
  await app.untilJob(job.key, ({ outputForgottenAtMs }) => outputForgottenAtMs !== undefined);
  expect(await app.answer('storage:clockDoubt', undefined)).toBeNull();
  expect(await outputOf(app, late)).toContain('the output of');
});

it('a service that briefly does not know a job ends nothing while the clock is ahead by 73 years', async () => {
  const service = await startService();
  const clock = createFastClock(30);
  const app = await openApp({ clock, isSandboxAllowed: false });
  await app.answer('settings:change', { proxy: { kind: 'manual', url: service.url } });
  const connectionId = await connectTo(app, elsewhere);
  service.script.status = 'IN_PROGRESS';
  const { key } = await app.submit({ connectionId });
  await app.untilJob(key, ({ status }) => status === 'IN_PROGRESS');
  clock.skip(73 * yearMs);
  service.script.status = 404;
  const job = await app.untilJob(key, ({ notKnown, phase }) => (notKnown?.times ?? 0) > 0 || phase === 'gone');
  expect(job.phase).toBe('active');
  service.script.status = 'COMPLETED';
  expect(await app.untilEnd(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED' });

  // After an absence as long, the date of the endpoint's health settles it: the job's time is over.
  service.script.status = 'IN_PROGRESS';
  const late = await app.submit({ connectionId });
  await app.untilJob(late.key, ({ status }) => status === 'IN_PROGRESS');
  clock.skip(yearMs);
  service.offByMs.elsewhere = 74 * yearMs;
  service.script.status = 404;
  // The first 404 may come while a health is read that was asked for before, with the date of then.
  const gone = await app.untilJob(late.key, ({ notKnown, phase }) => (notKnown?.times ?? 0) > 1 || phase === 'gone');
  expect(gone).toMatchObject({ phase: 'gone', goneReason: 'expired' });
});

it('jobs that ended while the clock was in 1970 are kept after it is set right, for the days of the rule from then on', async () => {
  const service = await startService();
  const clock = createFastClock(10);
  const first = await openApp({ clock, isSandboxAllowed: false });
  await first.answer('settings:change', { proxy: { kind: 'manual', url: service.url } });
  const [here, other] = [await connectTo(first, service.url), await connectTo(first, elsewhere)];
  const before = await runJob(first, other);
  await first.close();

  clock.skip(-56 * yearMs);
  const reset = await openApp({ clock, dataDir: first.dataDir, isSandboxAllowed: false });
  await reset.replaceKey(here, serviceKey);
  const job = await runJob(reset, here);
  expect(job.finishedSeenAtMs).toBeLessThan(10 * yearMs);
  await applyRule(reset, false);
  expect(await reset.answer('storage:clockDoubt', undefined)).toMatchObject({ kind: 'behind' });
  await reset.close();

  clock.skip(56 * yearMs + 40 * dayMs);
  service.offByMs.elsewhere = 40 * dayMs;
  const again = await openApp({ clock, dataDir: first.dataDir, isSandboxAllowed: false });
  await again.replaceKey(other, serviceKey);
  await runJob(again, other);
  await applyRule(again, true);
  await again.untilJob(before.key, ({ inputForgottenAtMs }) => inputForgottenAtMs !== undefined);
  expect(await again.answer('storage:clockDoubt', undefined)).toBeNull();
  expect(await outputOf(again, job)).toContain('the output of');

  // It had ended by that day, so it is kept for the days of the rule from then on, over a restart too.
  for (let time = 1; time <= 3; time += 1) {
    expect(await outputOf(again, job)).toContain('the output of');
    // A health that is read after the end of a job has the date of then. By the end of another one, it has arrived.
    service.offByMs.elsewhere = null;
    await runJob(again, other);
    clock.skip(14 * dayMs);
    service.offByMs.elsewhere = (40 + 14 * time) * dayMs;
    await runJob(again, other);
  }
  await again.close();
  const later = await openApp({ clock, dataDir: first.dataDir, isSandboxAllowed: false });
  await applyRule(later, false);
  await later.untilJob(job.key, ({ outputForgottenAtMs }) => outputForgottenAtMs !== undefined);
});
