import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { serveContract } from '../../../../src-main/desktop/pages/ipc.ts';
import { createLog } from '../../../../src-main/log.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { createFaultService } from '../../../kit/fault-service.ts';
import type { FaultService } from '../../../kit/fault-service.ts';
import { closeApps, openApp, removeAppFolders } from '../../engine/app-scene.ts';
import type { App } from '../../engine/app-scene.ts';

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

let app: App;
let service: FaultService;
beforeAll(async () => {
  service = await createFaultService();
  service.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 'done' } });
  app = await openApp({ isSandboxAllowed: false });
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
});
afterAll(async () => {
  await closeApps();
  await service.close();
  await removeAppFolders();
});

const event = { sender: {}, senderFrame: { parent: null, url: 'app://jobdeck/index.html' } };

it('the events about what an answer shows go out before the answer', async () => {
  const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  const { key } = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
  await app.untilEnd(key);

  const before = app.told['job:changed'].length;
  expect(await desk.call?.(event, 'job:star', { key, isStarred: true })).toMatchObject({ ok: true });
  const told = app.told['job:changed'].slice(before);
  // In one event, so that no frame has the one without the other.
  expect(told.filter(({ jobs }) => jobs.length > 0)).toMatchObject([
    { jobs: [{ key, isStarred: true }], counts: { all: { starred: 1 } } },
  ]);
});

it('a list that is read with a change comes after one event that has the change with its counts', async () => {
  const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  const { key } = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
  await app.untilEnd(key);

  const before = app.told['job:changed'].length;
  // The history answers the two together, because it is asked for both while it answers another call.
  const busy = desk.call?.(event, 'job:tags', undefined);
  const starred = desk.call?.(event, 'job:star', { key, isStarred: true });
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
  const list = await desk.call?.(event, 'job:list', { filter: emptyFilter, beforeKey: null, limit: 10 });
  const told = app.told['job:changed'].slice(before);
  expect(told).toMatchObject([{ jobs: [{ key, isStarred: true }] }]);
  expect(list).toMatchObject({ ok: true, value: { counts: told[0]?.counts } });
  await Promise.all([busy, starred]);
});

it('an event about what changed after an answer was true goes out after the answer', async () => {
  const before = app.told['tracker:changed'].length;
  // The next that the event loop runs: before anything that waits for its end.
  setImmediate(() => app.engine.setPaused(true));
  const answer = await desk.call?.(event, 'tracker:state', undefined);
  const told = app.told['tracker:changed'].slice(before).filter(({ isPaused }) => isPaused);
  expect([answer, told]).toMatchObject([{ ok: true, value: { isPaused: false } }, []]);
  await app.untilEvent('tracker:changed', ({ isPaused }) => isPaused, before);
});
