import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';

let service: Sandbox;
beforeAll(async () => {
  service = await startSandbox();
});
afterEach(closeApps);
afterAll(async () => {
  await service.close();
  await removeAppFolders();
});

it('connections to one service with one key wait together for a 429 to either, and another service continues (ruling 42)', async () => {
  const elsewhere = await startSandbox();
  const app = await openApp();
  const [one, two, other] = [await app.connect(service), await app.connect(service), await app.connect(elsewhere)];
  for (const { id } of [one, two, other])
    await app.untilEnd((await app.submit({ connectionId: id, endpointId: 'echo', input: {} })).key);

  service.setFault({ kind: 'status', status: 429, operation: 'run', retryAfterS: 3_600, times: 1 });
  const held = await app.submit({ connectionId: one.id, endpointId: 'echo', input: {} });
  const heldBudget = (connectionId: string) =>
    app.engine
      .trackerState()
      .budgets.find(
        (each) => each.connectionId === connectionId && each.operation === 'run' && each.heldUntilMs !== null,
      );
  await app.untilEvent('tracker:changed', () => heldBudget(one.id) !== undefined);
  expect(heldBudget(two.id)).toEqual({ ...heldBudget(one.id), connectionId: two.id });
  expect(heldBudget(other.id)).toBeUndefined();

  const behind = await app.submit({ connectionId: two.id, endpointId: 'echo', input: {} });
  expect(
    await app.untilEnd((await app.submit({ connectionId: other.id, endpointId: 'echo', input: {} })).key),
  ).toMatchObject({ status: 'COMPLETED' });
  for (const { key } of [held, behind])
    expect((await app.answer('job:get', { key })).job).toMatchObject({ phase: 'waiting', jobId: null });
  await elsewhere.close();
});
