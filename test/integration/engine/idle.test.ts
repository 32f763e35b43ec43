import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { binDays } from '../../../src-preload/bin.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import { dayMs } from '../../../src-preload/durations.ts';
import type { Job } from '../../../src-preload/job.ts';
import { createFaultService, type FaultService } from '../../kit/fault-service.ts';
import { closeApps, openApp, removeAppFolders, type App } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';

/** Events after an end are sent within seconds of the engine's time. */
const soon = { timeout: 25_000 };

describe('the timers of an engine without active jobs', () => {
  const clock = createFastClock(10);
  let service: FaultService;
  let app: App;
  let connection: Connection;

  const endedJob = async (): Promise<Job> => {
    const job = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
    return app.untilEnd(job.key);
  };

  beforeAll(async () => {
    service = await createFaultService();
    service.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 'done' } });
    app = await openApp({ clock, isSandboxAllowed: false });
    connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  });
  afterAll(async () => {
    await closeApps();
    await service.close();
    await removeAppFolders();
  });

  it.each([true, false])('are none soon after the last end, if a window is visible (%s)', async (isVisible) => {
    app.engine.setWindowVisible(isVisible);
    const job = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
    expect(clock.pending()).toBeGreaterThan(0);
    await app.untilEnd(job.key);
    await vi.waitFor(() => expect(clock.pending()).toBe(0), soon);
  });

  it('are one while a job is in the bin, for the day on which it is deleted for good', async () => {
    const job = await endedJob();
    await app.answer('job:delete', { keys: [job.key] });
    await vi.waitFor(() => expect(clock.pending()).toBe(1), soon);
    await app.answer('bin:delete', { keys: null });
    clock.skip(binDays * dayMs);
    await vi.waitFor(() => expect(clock.pending()).toBe(0), soon);
  });

  it('are none after a deletion for good, as soon as space was returned', async () => {
    const job = await endedJob();
    await app.answer('job:delete', { keys: [job.key], isForGood: true });
    expect(clock.pending()).toBeGreaterThan(0);
    await vi.waitFor(() => expect(clock.pending()).toBe(0), soon);
  });

  it('are one while health is read in the background', async () => {
    await app.answer('settings:change', { isHealthReadInBackground: true });
    expect(clock.pending()).toBe(1);
  });
});
