import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Connection, ConnectionDraft } from '../../../src-preload/connection.ts';
import { TEST_API_KEY, startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

/** The server at the mistyped address: accepts everything, and records what it receives. */
interface Stranger {
  url: string;
  seen: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

async function startStranger(): Promise<Stranger> {
  const seen: Stranger['seen'] = [];
  const server: Server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers });
    response.setHeader('content-type', 'application/json').end('{"jobs":{},"workers":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stranger has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

let service: Sandbox;
let stranger: Stranger;
let app: App;
let connection: Connection;

beforeEach(async () => {
  service = await startSandbox();
  stranger = await startStranger();
  app = await openApp();
  connection = await app.connect(service);
});
afterEach(async () => {
  await closeApps();
  await stranger.close();
  await service.close();
});
afterAll(removeAppFolders);

function draftOf({ id, name, baseUrl, restUrl, authorization, endpoints }: Connection): ConnectionDraft {
  return { id, name, baseUrl, restUrl, authorization, endpoints };
}
const typeAgain = (url: string) => ({
  ok: false,
  failure: {
    kind: 'refused',
    field: 'key',
    message: expect.stringContaining(`Enter the key again to use it at ${url}.`),
  },
});

describe('a saved key (ruling 44)', () => {
  it('is not sent to a mistyped address by a check or a save; a newly typed one is', async () => {
    const draft = { ...draftOf(connection), baseUrl: `${stranger.url}/v2` };
    expect(await app.call('connection:check', { connectionId: connection.id, draft })).toMatchObject(
      typeAgain(stranger.url),
    );
    expect(await app.call('connection:check', { draft })).toMatchObject(typeAgain(stranger.url));
    expect(await app.call('connection:save', { draft })).toMatchObject(typeAgain(stranger.url));
    expect(stranger.seen).toEqual([]);
    expect(await app.answer('connection:list', undefined)).toMatchObject([
      { id: connection.id, baseUrl: service.baseUrl },
    ]);
    // Jobs continue in the meantime where the key belongs.
    const job = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: {} });
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED' });

    await app.answer('connection:check', { draft, key: 'typed-anew-0123456789' });
    expect(stranger.seen.length).toBe(service.endpoints.length);
    expect(new Set(stranger.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer typed-anew-0123456789']),
    );
  });

  it('is not sent to a REST URL that it was not entered for; one entered for it is', async () => {
    const draft = { ...draftOf(connection), restUrl: `${stranger.url}/v1` };
    expect(await app.call('connection:save', { draft })).toMatchObject(typeAgain(stranger.url));
    await app.call('pod:read', { connectionId: connection.id, podId: 'pod-1', include: [] });
    expect(stranger.seen).toEqual([]);
    await app.answer('connection:save', { draft, key: TEST_API_KEY });
    await app.call('pod:read', { connectionId: connection.id, podId: 'pod-1', include: [] });
    expect(stranger.seen).toMatchObject([
      { path: expect.stringContaining('/v1/pods/pod-1'), headers: { authorization: `Bearer ${TEST_API_KEY}` } },
    ]);
  });

  it('entered for another address is no longer sent to the former one, even if a job waits there', async () => {
    const running = await app.submit({ connectionId: connection.id, input: { mock_delay: 600_000 } });
    await app.untilJob(running.key, ({ phase }) => phase === 'active');
    await app.answer('connection:save', {
      draft: { ...draftOf(connection), baseUrl: stranger.url },
      key: 'for-the-stranger-0123',
    });
    expect(await app.call('job:cancel', { key: running.key })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining(`was sent to ${service.baseUrl}`) },
    });
    const readAll = async (): Promise<void> => {
      await app.answer('tracker:tryNow', undefined);
      await app.call('health:refresh', { connectionId: connection.id });
    };
    await readAll();
    expect(stranger.seen.length).toBeGreaterThan(0);
    // Reads that were in progress when the address changed, with this service's own key, have ended by now.
    const asked = service.requests();
    await readAll();
    expect(service.requests()).toEqual(asked);
    expect(service.requests().filter(({ status }) => status === 401)).toEqual([]);
  });
});
