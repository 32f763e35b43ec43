import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { ShownNotification } from '../../../src-main/notifications/shown-notification.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';

let service: Sandbox | null = null;
afterEach(async () => {
  await closeApps();
  await service?.close();
  service = null;
});
afterAll(removeAppFolders);

/** Jobs of somebody else with the same service. */
async function submitElsewhere({ baseUrl }: Sandbox, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const reply = await fetch(`${baseUrl}/v2/mock/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: { mock_delay: 1 } }),
    });
    expect(reply.status).toBe(200);
    await reply.arrayBuffer();
  }
}

function healthReads({ requests }: Sandbox): number {
  return requests()
    .filter(({ operation }) => operation === 'health')
    .reduce((sum, { count }) => sum + count, 0);
}

describe('an endpoint without active jobs', () => {
  it('whose queue is stuck by jobs of others fires its alert, without a window, and the alert ends', async () => {
    service = await startSandbox({ scaling: { minWorkers: 0, maxWorkers: 0 } });
    const clock = createFastClock(120);
    const app = await openApp({ clock, isSandboxAllowed: false });
    await app.answer('settings:change', { isHealthReadInBackground: true });
    const shown: ShownNotification[] = [];
    app.engine.showNotificationsWith((notification) => shown.push(notification) > 0);
    app.engine.setWindowVisible(false);
    const { id: connectionId } = await app.connect(service);
    await submitElsewhere(service, 9);
    const beganAtMs = clock.now();
    await app.untilSeen(() => shown.length > 0);
    expect(shown).toEqual([
      {
        id: expect.any(Number),
        title: 'Stuck queue on mock',
        body: expect.stringMatching(/^9 jobs waiting, no idle worker, for 2 min or longer\.$/),
        hasSound: false,
        destination: { kind: 'health', connectionId, endpointId: 'mock' },
        actions: [],
      },
    ]);
    const minutes = (clock.now() - beganAtMs) / 60_000;
    expect(healthReads(service)).toBeLessThanOrEqual(service.endpoints.length * (minutes + 2));

    service.setScaling('mock', { maxWorkers: 3 });
    await app.untilEvent('alert:changed', ({ ruleStates }) =>
      ruleStates.some(({ phase, lastFiredAtMs }) => phase === 'quiet' && lastFiredAtMs !== null),
    );
  });

  it('is read only if the user turns that on: before, no timer is left that could', async () => {
    service = await startSandbox();
    const clock = createFastClock(120);
    const app = await openApp({ clock, isSandboxAllowed: false });
    const { id: connectionId } = await app.connect(service);
    await vi.waitFor(() => expect(clock.pending()).toBe(0), { timeout: 25_000 });
    const before = healthReads(service);
    await app.answer('settings:change', { isHealthReadInBackground: true });
    await app.untilEvent('health:changed', ({ health }) => health.connectionId === connectionId);
    expect(healthReads(service)).toBeGreaterThan(before);
  });
});
