import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connections } from '../../../src-main/connection/connections.ts';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import type { History } from '../../../src-main/history/history.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { createLog } from '../../../src-main/log.ts';
import { createSandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import { openedSecretStore, failureOf, valueOf } from '../../kit/connection-parts.ts';
import type { Endpoint } from '../../../src-preload/connection.ts';
import { openTestHistory } from '../../kit/threads.ts';

let folder = '';
let history: History;
let sandbox: Sandbox;
let connections: Connections;
let connectionId = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-connection-'));
  history = (await openTestHistory({ path: join(folder, 'history.db'), now: Date.now })).history;
  sandbox = await createSandbox({ apiKey: 'sandbox-key-for-tests' });
});
afterAll(async () => {
  await sandbox.close();
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const log = createLog({ write: () => undefined, now: Date.now });
  const loadKeytar = () => Promise.reject(new Error('not in this test'));
  const secrets = await openedSecretStore({
    loadKeytar,
    safeStorage: null,
    files: createSecretFiles(join(folder, 'secrets')),
    known: createKnownSecrets(log),
    log,
  });
  connections = new Connections({
    documents: history,
    secrets,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    onChange: () => undefined,
    onReopened: () => undefined,
    probeHealth: (target, endpointId) => createQueueApi(target, { now: Date.now }).health(endpointId),
    log,
  });
  const { baseUrl, restUrl, apiKey } = sandbox;
  connectionId = valueOf(
    await connections.ensureSandboxConnection({ baseUrl, restUrl, apiKey, endpoints: ['echo', 'text'] }),
  ).id;
});

const problems = async (input: Parameters<Connections['check']>[0]) =>
  valueOf(await connections.check(input)).map(({ endpointId, httpStatus, problem }) => ({
    endpointId,
    httpStatus,
    problem,
  }));
/** Saves the connection as it is but for these. */
async function save({ key, endpoints }: { key?: string; endpoints?: Endpoint[] }): Promise<void> {
  const now = valueOf(await connections.get(connectionId));
  const { id, name, baseUrl, restUrl, authorization } = now;
  valueOf(
    await connections.save({
      draft: { id, name, baseUrl, restUrl, authorization, endpoints: endpoints ?? now.endpoints },
      key,
    }),
  );
}
const state = async () => valueOf(await connections.get(connectionId)).state;

describe('testing a connection over HTTP', () => {
  it('passes for each endpoint with the right key, in both forms of authorization', async () => {
    const passed = [
      { endpointId: 'echo', httpStatus: 200, problem: null },
      { endpointId: 'text', httpStatus: 200, problem: null },
    ];
    expect(await problems({ connectionId })).toEqual(passed);
    const { id, name, baseUrl, restUrl, endpoints } = valueOf(await connections.get(connectionId));
    expect(await problems({ draft: { id, name, baseUrl, restUrl, endpoints, authorization: 'bare' } })).toEqual(passed);
  });

  it('reports a refused key (401), shows it on the connection, and clears it with the right key', async () => {
    await save({ key: 'a-wrong-key' });
    const checks = valueOf(await connections.check({ connectionId }));
    expect(checks[0]).toMatchObject({
      method: 'GET',
      path: '/v2/echo/health',
      httpStatus: 401,
      problem: expect.stringMatching(/^The service refused this key \(401\)\./) as string,
    });
    expect(JSON.stringify(checks)).not.toContain('a-wrong-key');
    expect(await state()).toMatchObject({ kind: 'key-refused', httpStatus: 401, path: '/v2/echo/health' });
    expect((await problems({ connectionId, key: sandbox.apiKey })).every(({ problem }) => problem === null)).toBe(true);
    await save({ key: sandbox.apiKey });
    expect(await state()).toEqual({ kind: 'ready' });
  });

  it('names the endpoint that does not exist (404)', async () => {
    const { endpoints } = valueOf(await connections.get(connectionId));
    await save({ endpoints: [...endpoints, { id: 'nowhere', label: '', flavour: 'other' }] });
    expect(await problems({ connectionId })).toEqual([
      { endpointId: 'echo', httpStatus: 200, problem: null },
      { endpointId: 'text', httpStatus: 200, problem: null },
      {
        endpointId: 'nowhere',
        httpStatus: 404,
        problem: expect.stringMatching(/^No endpoint with this id \(404\)\./) as string,
      },
    ]);
    await save({ endpoints });
  });

  it('reports that the service is unreachable, and passes when it is back', async () => {
    await sandbox.goOffline();
    const [first] = await problems({ connectionId });
    expect(first).toMatchObject({ httpStatus: null, problem: expect.stringMatching(/127\.0\.0\.1/) as string });
    // Until no connection is left that was kept from before.
    await expect.poll(async () => (await problems({ connectionId }))[0]?.problem).not.toContain('broke before');
    await sandbox.goOnline();
    expect((await problems({ connectionId }))[0]?.problem).toBeNull();
  });

  it('is not fooled by another server that answers', async () => {
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>It works</h1>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const [check] = await problems({
      draft: {
        name: 'x',
        baseUrl: `127.0.0.1:${port}/v2/`,
        restUrl: '',
        authorization: 'bearer',
        endpoints: [{ id: 'echo', label: '', flavour: 'other' }],
      },
      key: 'any-key',
    });
    expect(check).toMatchObject({
      httpStatus: 200,
      problem: expect.stringMatching(/not a queue service/) as string,
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it('sends nothing without a key', async () => {
    valueOf(await connections.deleteKey(connectionId));
    const before = JSON.stringify(sandbox.requests());
    expect(failureOf(await connections.check({ connectionId }))).toMatchObject({ kind: 'no-key', connectionId });
    expect(JSON.stringify(sandbox.requests())).toBe(before);
    expect(await state()).toEqual({ kind: 'no-key' });
  });
});
