import { afterAll, expect, it, vi } from 'vitest';
import { serveContract } from '../../../../src-main/desktop/pages/ipc.ts';
import { createLog } from '../../../../src-main/log.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { createFaultService } from '../../../kit/fault-service.ts';
import { closeApps, openApp, removeAppFolders } from '../../engine/app-scene.ts';

/*
 * The door of main with the whole engine behind it, as in hostile-calls.test.ts.
 */
type Call = (event: unknown, name: unknown, input: unknown) => Promise<unknown>;
const desk = vi.hoisted(() => ({ call: null as null | Call }));
vi.mock('electron', () => ({
  ipcMain: { handle: (_channel: string, run: Call) => void (desk.call = run) },
  BrowserWindow: { fromWebContents: () => ({ id: 1 }), getAllWindows: () => [] },
  app: { isPackaged: true },
  protocol: {},
  session: {},
}));

afterAll(async () => {
  await closeApps();
  await removeAppFolders();
});

it('the events about what an answer shows go out before the answer', async () => {
  const service = await createFaultService();
  service.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 'done' } });
  const app = await openApp({ isSandboxAllowed: false });
  const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  const { key } = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
  await app.untilEnd(key);
  const { 'app:preparation': preparation } = app.handlers;
  const nothing = () => ok(null);
  serveContract(
    {
      'app:preparation': preparation,
      'window:minimize': nothing,
      'window:toggleMaximize': nothing,
      'window:close': nothing,
    },
    Promise.resolve(app.handlers),
    createLog({ write: () => {}, now: Date.now }),
  );

  const before = app.told['job:changed'].length;
  const event = { sender: {}, senderFrame: { parent: null, url: 'app://jobdeck/index.html' } };
  expect(await desk.call?.(event, 'job:star', { key, isStarred: true })).toMatchObject({ ok: true });
  const told = app.told['job:changed'].slice(before);
  expect(told.flatMap(({ jobs }) => jobs)).toMatchObject([{ key, isStarred: true }]);
  expect(told.at(-1)?.counts.all.starred).toBe(1);
  await service.close();
});
