import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ShownNotification } from '../../../src-main/notifications/shown-notification.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';

let service: Sandbox | null = null;
afterEach(async () => {
  await closeApps();
  await service?.close();
  service = null;
});
afterAll(removeAppFolders);

describe('an alert in the whole engine', () => {
  it.each(['spec', 'observed'] as const)(
    'fires for one job that waits without workers, from the tracker’s own reads, and ends when the job ran (%s)',
    async (dialect) => {
      service = await startSandbox({ dialect, scaling: { minWorkers: 0, maxWorkers: 0 } });
      const clock = createFastClock(60);
      const app = await openApp({ clock, isSandboxAllowed: false });
      const shown: ShownNotification[] = [];
      app.engine.showNotificationsWith((notification) => shown.push(notification) > 0);
      const { id: connectionId } = await app.connect(service);
      await app.answer('alert:saveRule', {
        connectionId,
        endpointId: 'mock',
        condition: { kind: 'no-worker', forMs: 240_000 },
      });
      const beganAtMs = clock.now();
      const { key } = await app.submit({ connectionId, input: { mock_delay: 1 } });
      await app.untilEvent('alert:changed', ({ ruleStates }) => ruleStates.some(({ phase }) => phase === 'firing'));
      expect(shown).toEqual([
        {
          id: expect.any(Number),
          title: 'Scaled to zero on mock',
          body: '1 job waiting and no worker for 4 min or longer.',
          hasSound: false,
          destination: { kind: 'health', connectionId, endpointId: 'mock' },
          actions: [],
        },
      ]);
      // Besides the one after the acceptance no more than the tracker makes of a job that waits: one a minute. The
      // looks at the job do the rest.
      const waitedMinutes = Math.ceil((clock.now() - beganAtMs) / 60_000);
      expect(
        service
          .requests()
          .filter(({ operation }) => operation === 'health')
          .reduce((sum, { count }) => sum + count, 0),
      ).toBeLessThanOrEqual(2 + waitedMinutes);

      service.setScaling('mock', { maxWorkers: 1 });
      await app.untilEnd(key);
      await app.untilEvent('alert:changed', ({ ruleStates }) =>
        ruleStates.some(({ phase, lastFiredAtMs }) => phase === 'quiet' && lastFiredAtMs !== null),
      );
      expect(
        await app.answer('alert:history', { connectionId, endpointId: 'mock', beforeId: null, limit: 10 }),
      ).toEqual([expect.objectContaining({ kind: 'no-worker', delivery: 'notified', endedAtMs: expect.any(Number) })]);
    },
  );

  it('that fired before notifications could be shown is shown once they can', async () => {
    service = await startSandbox();
    const app = await openApp({ isSandboxAllowed: false });
    const { id: connectionId } = await app.connect(service);
    for (let index = 0; index < 4; index += 1) await app.submit({ connectionId, input: { mock_error: 'broken' } });
    await app.untilEvent('alert:changed', ({ ruleStates }) => ruleStates.some(({ phase }) => phase === 'firing'));
    expect(await app.answer('alert:history', { connectionId, endpointId: null, beforeId: null, limit: 10 })).toEqual([
      expect.objectContaining({ kind: 'failure-burst', delivery: 'due' }),
    ]);
    const shown: ShownNotification[] = [];
    app.engine.showNotificationsWith((notification) => shown.push(notification) > 0);
    await app.untilSeen(() => shown.some(({ title }) => title.startsWith('Failure burst')));
    expect(shown.find(({ title }) => title.startsWith('Failure burst'))).toMatchObject({
      title: 'Failure burst on mock',
      body: '4 failed within 5 min.',
    });
  });
});
