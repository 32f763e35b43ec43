import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { binDays } from '../../../src-preload/bin.ts';
import { dayMs } from '../../../src-preload/durations.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

it('without active jobs the engine sets no timer but that of health in the background', async () => {
  const service = await createFaultService();
  service.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 'done' } });
  const clock = createFastClock(10);
  const app = await openApp({ clock, isSandboxAllowed: false });
  const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  app.engine.setWindowVisible(true);
  await app.answer('settings:change', { isHealthReadInBackground: false });
  const job = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
  expect(clock.pending()).toBeGreaterThan(0);
  await app.untilEnd(job.key);
  for (const isVisible of [true, false]) {
    app.engine.setWindowVisible(isVisible);
    // Events after an end are sent within seconds of the engine's time.
    await vi.waitFor(() => expect(clock.pending()).toBe(0), { timeout: 25_000 });
  }
  // A job in the bin has one timer, for the day on which it is deleted for good.
  await app.answer('job:delete', { keys: [job.key] });
  await vi.waitFor(() => expect(clock.pending()).toBe(1), { timeout: 25_000 });
  await app.answer('bin:delete', { keys: null });
  clock.skip(binDays * dayMs);
  // The engine checks again for space to return, and then nothing.
  const other = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
  await app.untilEnd(other.key);
  await app.answer('job:delete', { keys: [other.key], isForGood: true });
  expect(clock.pending()).toBeGreaterThan(0);
  await vi.waitFor(() => expect(clock.pending()).toBe(0), { timeout: 25_000 });
  await app.answer('settings:change', { isHealthReadInBackground: true });
  expect(clock.pending()).toBe(1);
  await service.close();
}, 60_000);
