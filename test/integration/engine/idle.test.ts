import { afterAll, afterEach, expect, it, vi } from 'vitest';
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
  // The engine checks again for space to return, and then nothing.
  await app.answer('job:delete', { keys: [job.key] });
  expect(clock.pending()).toBeGreaterThan(0);
  await vi.waitFor(() => expect(clock.pending()).toBe(0), { timeout: 25_000 });
  await app.answer('settings:change', { isHealthReadInBackground: true });
  expect(clock.pending()).toBe(1);
  await service.close();
}, 60_000);
