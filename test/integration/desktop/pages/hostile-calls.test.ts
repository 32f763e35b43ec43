import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveContract } from '../../../../src-main/desktop/pages/ipc.ts';
import { createLog } from '../../../../src-main/log.ts';
import { calls } from '../../../../src-preload/contract.ts';
import type { CallName } from '../../../../src-preload/contract.ts';
import { createFaultService } from '../../../kit/fault-service.ts';
import type { FaultService } from '../../../kit/fault-service.ts';
import { closeApps, openApp, removeAppFolders } from '../../engine/app-scene.ts';
import type { App } from '../../engine/app-scene.ts';
import { crossed, hostileValue, nearlyRight, withoutRefusedFields } from './hostile-inputs.ts';

/*
 * The one door of main, with the whole engine behind it. Electron is only what the door asks of it: a channel, and
 * which contents are a window's. What crosses to it in a real page: test/e2e/security.spec.ts.
 */
type Call = (event: unknown, name: unknown, input: unknown) => Promise<unknown>;
const desk = vi.hoisted(() => ({ call: null as null | Call, windows: new Map<unknown, { id: number }>() }));
vi.mock('electron', () => ({
  ipcMain: { handle: (_channel: string, run: Call) => void (desk.call = run) },
  BrowserWindow: {
    fromWebContents: (contents: unknown) => desk.windows.get(contents) ?? null,
    getAllWindows: () => [],
  },
  app: { isPackaged: true },
  protocol: {},
  session: {},
}));

const contents = { name: 'a window of ours' };
const ours = { sender: contents, senderFrame: { parent: null, url: 'app://jobdeck/index.html' } };
const names = Object.keys(calls) as CallName[];

let app: App;
let service: FaultService;
let watched: DatabaseSync;
let pool: string[];
const logLines: string[] = [];

beforeAll(async () => {
  service = await createFaultService();
  service.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 'done' } });
  app = await openApp({ isSandboxAllowed: false });
  const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  const job = await app.submit({ connectionId: connection.id, endpointId: 'ep', operation: 'runsync' });
  await app.untilEnd(job.key);
  pool = [connection.id, job.key, 'ep', 'main', 'p1', service.url, '{"a":1}', 'https://example.test/'];
  desk.windows.set(contents, { id: 1 });
  const { handlers } = app;
  serveContract(
    {
      'app:preparation': handlers['app:preparation'],
      'window:minimize': handlers['window:minimize'],
      'window:toggleMaximize': handlers['window:toggleMaximize'],
      'window:close': handlers['window:close'],
    },
    Promise.resolve(handlers),
    createLog({ write: (line) => void logLines.push(line), now: Date.now }),
  );
  watched = new DatabaseSync(join(app.dataDir, 'history.db'), { readOnly: true });
  await untilIdle();
});
afterAll(async () => {
  watched.close();
  await closeApps();
  await removeAppFolders();
  await service.close();
});

async function call(name: unknown, input: unknown, event: unknown = ours): Promise<unknown> {
  if (desk.call === null) throw new Error('Nothing is served.');
  return desk.call(event, name, input);
}

/** Resolves when everything is saved about the job: its notification, and what is done in idle moments. */
function untilIdle(): Promise<void> {
  return vi.waitFor(
    () => {
      const saved = watched.prepare('SELECT count(*) AS notifications FROM notifications').get();
      if (waitingForIdle() > 0 || saved?.['notifications'] === 0) throw new Error('Something is still to be done.');
    },
    { timeout: 20_000 },
  );
}

function waitingForIdle(): number {
  const row = watched
    .prepare(
      'SELECT (SELECT count(*) FROM search_dirty) + (SELECT count(*) FROM image_unknown) + ' +
        '(SELECT count(*) FROM failures_unsorted) AS jobs',
    )
    .get();
  return Number(row?.['jobs']);
}

/** A number that changes with every commit of another connection. */
function writes(): unknown {
  return watched.prepare('PRAGMA data_version').get();
}

const aResult = expect.toSatisfy(
  (answer: unknown) =>
    typeof answer === 'object' &&
    answer !== null &&
    'ok' in answer &&
    (answer.ok === true ? 'value' in answer : answer.ok === false && 'failure' in answer),
);

async function expectUsable(): Promise<void> {
  expect(await call('connection:list', undefined)).toMatchObject({ ok: true, value: [{ id: pool[0] }] });
  expect(Reflect.get({}, 'isOurs')).toBeUndefined();
}

/** Runs `act`, and says whether it sent or wrote anything. */
async function leavesNoTrace(act: () => Promise<void>): Promise<void> {
  const before = { sent: service.requests.length, writes: writes() };
  await act();
  expect({ sent: service.requests.length, writes: writes() }).toEqual(before);
}

describe('a call of a compromised page', () => {
  it.each(names)('%s with an input of another shape is refused, and nothing is sent or written', async (name) => {
    await leavesNoTrace(() =>
      fc.assert(
        fc.asyncProperty(fc.oneof(hostileValue, nearlyRight(name, pool)), async (made) => {
          const input = crossed(made());
          fc.pre(!calls[name].input.safeParse(input).success);
          const answer = await call(name, input);
          expect(answer).toMatchObject({
            ok: false,
            failure: { kind: 'refused', message: expect.stringMatching(/./) },
          });
          expect(crossed(answer)).toEqual(answer);
        }),
        { numRuns: 30, maxSkipsPerRun: 100 },
      ),
    );
    await expectUsable();
  });

  it('by an unknown name returns a failure, whatever the name is', async () => {
    const odd = fc.oneof(
      hostileValue,
      fc
        .oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('job:submit ', 'JOB:SUBMIT', 'job', 'call', 'hasOwnProperty', ['job:submit']),
        )
        .map((name) => () => name),
    );
    await leavesNoTrace(() =>
      fc.assert(
        fc.asyncProperty(odd, hostileValue, async (made, input) => {
          const answer = await call(crossed(made()), crossed(input()));
          expect(answer).toMatchObject({ ok: false, failure: { kind: 'defect' } });
          expect(JSON.stringify(answer).length).toBeLessThan(1_000);
        }),
        { numRuns: 500 },
      ),
    );
    await expectUsable();
  });
});

describe('a call of a foreign sender', () => {
  const gone = (what: string) => () => {
    throw new Error(`${what} was disposed before it could be accessed`);
  };
  const frames: unknown[] = [
    null,
    { parent: {}, url: 'app://jobdeck/index.html' },
    ...[
      '',
      'about:blank',
      'no address',
      'app://jobdeck.evil/index.html',
      'app://jobdeck@evil/index.html',
      'app://evil/app://jobdeck/',
      'https://app.localhost/index.html',
      'http://jobdeck/',
      'file:///app://jobdeck/index.html',
      'javascript:"app://jobdeck/"',
      'data:text/html,app://jobdeck/',
    ].map((url) => ({ parent: null, url })),
    Object.defineProperty({}, 'parent', { get: gone('Render frame') }),
    Object.defineProperty({ parent: null }, 'url', { get: gone('Render frame') }),
  ];
  const senders: unknown[] = [
    ...frames.map((senderFrame) => ({ sender: contents, senderFrame })),
    { sender: { name: 'in no window' }, senderFrame: ours.senderFrame },
    { sender: null, senderFrame: ours.senderFrame },
    Object.defineProperty({ sender: contents }, 'senderFrame', { get: gone('Contents') }),
  ];

  it('is never served, with a good input or a hostile one', async () => {
    const asked = fc.tuple(
      fc.constantFrom(...senders),
      fc.constantFrom(...names),
      fc.oneof(
        fc.constant(() => undefined),
        hostileValue,
      ),
    );
    await leavesNoTrace(() =>
      fc.assert(
        fc.asyncProperty(asked, async ([event, name, input]) => {
          expect(await call(name, crossed(input()), event)).toMatchObject({ ok: false });
        }),
        { numRuns: 500 },
      ),
    );
    await expectUsable();
    expect(logLines.join('')).toContain('a call came from a frame that is not ours');
  });
});

// Last, for these may do what they say.
describe('a call with an odd input of the right shape', () => {
  // Those that end what the others are about, or that take their time whatever they are given.
  const ending = new Set<CallName>(['connection:remove', 'connection:deleteKey', 'connection:save', 'storage:compact']);

  it.each(names.filter((name) => !ending.has(name)))('%s returns a result, and no defect', async (name) => {
    await fc.assert(
      fc.asyncProperty(nearlyRight(name, pool), async (made) => {
        const input = withoutRefusedFields(name, crossed(made()));
        fc.pre(calls[name].input.safeParse(input).success);
        const answer = await call(name, input);
        expect(answer).toEqual(aResult);
        expect(answer).not.toMatchObject({ failure: { kind: 'defect' } });
        expect(crossed(answer)).toEqual(answer);
      }),
      { numRuns: 6, maxSkipsPerRun: 300 },
    );
    await expectUsable();
  });
});
