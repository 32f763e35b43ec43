import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyHeldMs } from '../../../src-main/connection/held-keys.ts';
import { createConnections } from '../../../src-main/connection/connections.ts';
import type { Connections, ConnectionsParts } from '../../../src-main/connection/connections.ts';
import { createSecretFiles } from '../../../src-main/connection/secret-files.ts';
import { createSecretStore } from '../../../src-main/connection/secret-store.ts';
import type { SecretStore } from '../../../src-main/connection/secret-store.ts';
import type { HealthRecord, Reply, ServiceTarget } from '../../../src-main/service/reply.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Connection, ConnectionDraft } from '../../../src-preload/connection.ts';
import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { keepDocuments } from './documents.ts';
import type { KeptDocuments } from './documents.ts';
import { failureOf, keptLog, manualTimer, scriptedKeytar, settled, valueOf } from './parts.ts';
import type { ScriptedKeytar } from './parts.ts';

const key = 'sk-live-0123456789abcdef';
const draft: ConnectionDraft = {
  name: 'Production',
  baseUrl: 'https://queue.example.test',
  restUrl: 'https://rest.example.test',
  authorization: 'bearer',
  endpoints: [{ id: 'ep-1', label: 'Text', flavour: 'text' }],
};

let kept: KeptDocuments;
let keytar: ScriptedKeytar;
let log = keptLog();
let nowMs = 1_000;
let told: Connection[][] = [];
let reopened: string[] = [];
let nextId = 0;
/** How the service answers a health request, by endpoint. */
let health: (target: ServiceTarget, endpointId: string) => Promise<Reply<HealthRecord>>;
let secrets: SecretStore;
let connections: Connections;

function answered(httpStatus: number | null, result: Reply<HealthRecord>['result']): Reply<HealthRecord> {
  return { result, exchange: { atMs: 0, method: 'GET', operation: 'health', path: '/v2/ep-1/health', httpStatus, tookMs: 3, bytesReceived: 2 } };
}
const healthy = (): Reply<HealthRecord> =>
  answered(200, ok({ jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 }, workers: { idle: 1, running: 0 }, extra: {} }));
const refusedWith = (httpStatus: number, serviceSaid?: string): Reply<HealthRecord> => {
  const failure: ServiceFailure = { kind: httpStatus === 404 ? 'not-found' : 'unauthorized', message: 'Refused.', httpStatus, mayHaveArrived: true };
  return answered(httpStatus, failed(serviceSaid === undefined ? failure : { ...failure, serviceSaid }));
};

async function openSecrets(): Promise<SecretStore> {
  return createSecretStore({ loadKeytar: () => Promise.resolve(keytar), safeStorage: null, files: createSecretFiles(join(kept.folder, 'secrets')), log: log.log });
}

function openConnections(parts: Partial<ConnectionsParts> = {}): Connections {
  return createConnections({
    documents: kept.history,
    secrets,
    now: () => nowMs,
    newId: () => `c${(nextId += 1)}`,
    onChange: (all) => told.push(all),
    onReopened: (connectionId) => reopened.push(connectionId),
    probeHealth: (target, endpointId) => health(target, endpointId),
    log: log.log,
    ...parts,
  });
}

beforeAll(async () => {
  kept = await keepDocuments();
});
afterAll(() => kept.close());

beforeEach(async () => {
  await kept.clear();
  keytar = scriptedKeytar();
  log = keptLog();
  nowMs = 1_000;
  told = [];
  reopened = [];
  nextId = 0;
  health = () => Promise.resolve(healthy());
  secrets = await openSecrets();
  connections = openConnections();
});

async function saved(extra: Partial<ConnectionDraft> = {}, withKey: string | null = key): Promise<Connection> {
  return valueOf(await connections.save({ draft: { ...draft, ...extra }, key: withKey ?? undefined })).connection;
}

describe('saving', () => {
  it('keeps the connection as a document and the key in the keychain, and both are there after a restart', async () => {
    const connection = await saved();
    expect(connection).toEqual({ ...draft, id: 'c1', isSandbox: false, hasKey: true, state: { kind: 'ready' }, createdAtMs: 1_000 });
    expect(told.at(-1)).toEqual([connection]);
    expect(JSON.stringify(await kept.history.documents('connection'))).not.toContain(key);
    expect(keytar.entries.get('connection:c1')).toBe(key);

    await kept.reopen();
    secrets = await openSecrets();
    const again = openConnections();
    expect(valueOf(await again.list())).toEqual([connection]);
    expect(await valueOf(await again.target('c1')).readKey()).toBe(key);
  });

  it('normalises both URLs and says so (ruling 28)', async () => {
    const { connection, notes } = valueOf(await connections.save({ draft: { ...draft, baseUrl: 'https://queue.example.test/v2/', restUrl: 'https://rest.example.test/v1' } }));
    expect(connection).toMatchObject({ baseUrl: 'https://queue.example.test', restUrl: 'https://rest.example.test', state: { kind: 'no-key' }, hasKey: false });
    expect(notes).toEqual([expect.stringMatching(/^Base URL: .*\/v2/), expect.stringMatching(/^REST URL: .*\/v1/)]);
  });

  it('takes a pasted "Bearer" and spaces off the key', async () => {
    const { notes } = valueOf(await connections.save({ draft, key: `  Bearer ${key}\n` }));
    expect(keytar.entries.get('connection:c1')).toBe(key);
    expect(notes.join()).toContain('"Bearer" was taken off');
  });

  it.each([
    ['a URL that is none', { baseUrl: 'ftp://x' }, undefined, 'baseUrl'],
    ['an empty name', { name: '  ' }, undefined, 'name'],
    ['a REST URL that is none', { restUrl: 'http://' }, undefined, 'restUrl'],
    ['an endpoint named twice', { endpoints: [draft.endpoints[0], draft.endpoints[0]].flatMap((one) => one ?? []) }, undefined, 'endpoints'],
    ['an endpoint id with a slash', { endpoints: [{ id: 'a/b', label: '', flavour: 'text' as const }] }, undefined, 'endpoints'],
    ['a key with a line break in it', {}, 'sk-live-0123\nsecond-line', 'key'],
    ['an empty key', {}, ' Bearer ', 'key'],
  ])('refuses %s, names the field and saves nothing', async (_, extra, typedKey, field) => {
    const failure = failureOf(await connections.save({ draft: { ...draft, ...extra }, key: typedKey }));
    expect(failure).toMatchObject({ kind: 'refused', field });
    expect(JSON.stringify(failure)).not.toContain('second-line');
    expect(valueOf(await connections.list())).toEqual([]);
    expect(keytar.entries.size).toBe(0);
  });

  it('does not lose the typed connection when the key cannot be kept, and says so', async () => {
    keytar.mood = 'throws';
    const { connection, notes } = valueOf(await connections.save({ draft, key }));
    expect(connection).toMatchObject({ name: 'Production', hasKey: false, state: { kind: 'no-key' } });
    expect(notes.join()).toMatch(/The connection is saved, but its key could not be kept\. .*keychain/);
    keytar.mood = 'works';
    valueOf(await connections.setKey(connection.id, key));
    expect(valueOf(await connections.get(connection.id)).hasKey).toBe(true);
  });

  it('keeps id, age and key of a changed connection, and says where the key goes from now on', async () => {
    await saved();
    nowMs = 2_000;
    const { connection, notes } = valueOf(await connections.save({ draft: { ...draft, id: 'c1', name: 'Renamed', baseUrl: 'https://other.example.test' } }));
    expect(connection).toMatchObject({ id: 'c1', name: 'Renamed', hasKey: true, createdAtMs: 1_000 });
    expect(notes).toEqual(['The kept key is sent to https://other.example.test from now on.']);
    expect(failureOf(await connections.save({ draft: { ...draft, id: 'nobody' } }))).toMatchObject({ kind: 'absent' });
  });

  it('says so when the disk refuses, and shows no connection that is not kept', async () => {
    connections = openConnections({ documents: { ...documentsOf(), putDocument: () => Promise.reject(new Error('disk full')) } });
    expect(failureOf(await connections.save({ draft, key }))).toMatchObject({ kind: 'storage', detail: 'disk full' });
    expect(valueOf(await connections.list())).toEqual([]);
    expect(told).toEqual([]);
  });

  it('skips a damaged document without touching it', async () => {
    await saved();
    await kept.history.putDocument('connection', 'broken', '{"name":');
    const again = openConnections();
    expect(valueOf(await again.list()).map(({ id }) => id)).toEqual(['c1']);
    expect(await kept.history.readDocument('connection', 'broken')).toBe('{"name":');
  });

  it('keeps every one of many changes made at once', async () => {
    await saved();
    const ids = Array.from({ length: 20 }, (_, index) => `ep-${index + 10}`);
    await Promise.all(ids.map((id) => connections.addEndpoint('c1', { id, label: '', flavour: 'other' })));
    expect(valueOf(await connections.get('c1')).endpoints.map(({ id }) => id)).toEqual(['ep-1', ...ids]);
  });
});

function documentsOf(): ConnectionsParts['documents'] {
  const { history } = kept;
  return {
    documents: (kind) => history.documents(kind),
    putDocument: (kind, id, json) => history.putDocument(kind, id, json),
    removeDocument: (kind, id) => history.removeDocument(kind, id),
  };
}

describe('endpoints and removal', () => {
  it('adds, relabels and removes endpoints', async () => {
    await saved();
    valueOf(await connections.addEndpoint('c1', { id: 'ep-2', label: '', flavour: 'image' }));
    const relabelled = valueOf(await connections.addEndpoint('c1', { id: 'ep-2', label: 'Pictures', flavour: 'image' }));
    expect(relabelled.endpoints).toEqual([draft.endpoints[0], { id: 'ep-2', label: 'Pictures', flavour: 'image' }]);
    expect(valueOf(await connections.removeEndpoint('c1', 'ep-1')).endpoints.map(({ id }) => id)).toEqual(['ep-2']);
    expect(failureOf(await connections.removeEndpoint('c1', 'ep-1')).kind).toBe('absent');
    expect(failureOf(await connections.addEndpoint('c1', { id: 'with space', label: '', flavour: 'other' }))).toMatchObject({ kind: 'refused', field: 'endpoints' });
  });

  it('removes the connection and its key', async () => {
    await saved();
    valueOf(await connections.remove('c1'));
    expect(keytar.entries.size).toBe(0);
    expect(await kept.history.documents('connection')).toEqual([]);
    expect(told.at(-1)).toEqual([]);
    expect(failureOf(await connections.target('c1')).kind).toBe('absent');
  });

  it('removes the connection even when the keychain does not let the key go, and says so', async () => {
    await saved();
    keytar.mood = 'locked';
    expect(failureOf(await connections.remove('c1')).message).toMatch(/The connection is removed, but its key could not be taken away yet/);
    expect(valueOf(await connections.list())).toEqual([]);
  });
});

describe('the key', () => {
  it('is set, replaced and deleted, and the target always reads the present one', async () => {
    await saved({}, null);
    const target = valueOf(await connections.target('c1'));
    expect(await target.readKey()).toBeNull();
    valueOf(await connections.setKey('c1', key));
    expect(await target.readKey()).toBe(key);
    valueOf(await connections.setKey('c1', 'sk-second-key'));
    expect(await target.readKey()).toBe('sk-second-key');
    valueOf(await connections.deleteKey('c1'));
    expect(await target.readKey()).toBeNull();
    expect(told.at(-1)?.[0]).toMatchObject({ hasKey: false, state: { kind: 'no-key' } });
    expect(failureOf(await connections.setKey('nobody', key)).kind).toBe('absent');
  });

  it('is read from the keychain once for many requests, and again after a minute', async () => {
    await saved();
    const target = valueOf(await connections.target('c1'));
    const reads = () => keytar.calls.filter((call) => call === 'get connection:c1').length;
    await Promise.all(Array.from({ length: 50 }, () => target.readKey()));
    expect(reads()).toBe(1);
    nowMs += keyHeldMs;
    await target.readKey();
    expect(reads()).toBe(2);
  });

  it('that cannot be read now is not taken for "no key": requests wait and the connection says why', async () => {
    await saved();
    keytar.mood = 'throws';
    await expect(valueOf(await connections.target('c1')).readKey()).rejects.toThrow(/keychain/);
    // Changes happen in order: after this one, the one above is done.
    await connections.reportState('nobody', { kind: 'ready' });
    expect(valueOf(await connections.get('c1'))).toMatchObject({ hasKey: true, state: { kind: 'offline', message: expect.stringContaining('keychain') as string } });
    keytar.mood = 'works';
    expect(await valueOf(await connections.target('c1')).readKey()).toBe(key);
  });

  it('that the keychain gives only after a long wait opens the connection again', async () => {
    const timer = manualTimer();
    await saved();
    secrets = await createSecretStore({ loadKeytar: () => Promise.resolve(keytar), safeStorage: null, files: createSecretFiles(join(kept.folder, 'secrets')), log: log.log, setTimer: timer.setTimer, callLimitMs: 30_000 });
    connections = openConnections();
    keytar.mood = 'hangs';
    const target = valueOf(await connections.target('c1'));
    const reading = target.readKey();
    await keytar.called('get connection:c1');
    const refused = expect(reading).rejects.toThrow(/does not answer/);
    await timer.pass(30_000);
    await refused;
    await connections.reportState('c1', { kind: 'no-key' });
    expect(valueOf(await connections.get('c1')).state).toMatchObject({ kind: 'offline', message: expect.stringContaining('Unlock it') as string });
    reopened = [];
    keytar.mood = 'works';
    keytar.release();
    await settled();
    await connections.reportState('nobody', { kind: 'ready' });
    expect(reopened).toEqual(['c1']);
    expect(valueOf(await connections.get('c1')).state).toEqual({ kind: 'ready' });
    expect(await target.readKey()).toBe(key);
  });

  it('that was removed outside Jobdeck shows as no key', async () => {
    await saved();
    keytar.entries.clear();
    expect(await valueOf(await connections.target('c1')).readKey()).toBeNull();
    expect(told.at(-1)?.[0]).toMatchObject({ hasKey: false, state: { kind: 'no-key' } });
  });

  it('goes with the base URL a job was pinned to', async () => {
    await saved({ restUrl: '' });
    expect(valueOf(await connections.target('c1', 'https://former.example.test'))).toMatchObject({ baseUrl: 'https://former.example.test', restUrl: null, authorization: 'bearer' });
    expect(valueOf(await connections.target('c1')).baseUrl).toBe(draft.baseUrl);
  });
});

describe('the state', () => {
  const refusal = { kind: 'key-refused', httpStatus: 401, path: '/v2/ep-1/status/1', sinceMs: 1_500 } as const;
  const state = async () => valueOf(await connections.get('c1')).state;

  it('shows a refused key, also after a restart, until the key changes', async () => {
    await saved();
    nowMs = 1_500;
    await connections.reportState('c1', refusal);
    await connections.reportState('c1', { kind: 'ready' });
    expect(await state()).toEqual(refusal);
    await kept.reopen();
    connections = openConnections();
    expect(await state()).toEqual(refusal);
    valueOf(await connections.setKey('c1', 'sk-second-key'));
    expect(await state()).toEqual({ kind: 'ready' });
    expect(told.at(-1)?.[0]?.state).toEqual({ kind: 'ready' });
    expect(reopened.at(-1)).toBe('c1');
  });

  it('is not spoiled by a refusal that was meant for the former key', async () => {
    await saved();
    nowMs = 5_000;
    valueOf(await connections.setKey('c1', 'sk-second-key'));
    await connections.reportState('c1', { ...refusal, sinceMs: 4_999 });
    expect(await state()).toEqual({ kind: 'ready' });
  });

  it('stays refused when the new key could not be kept', async () => {
    await saved();
    await connections.reportState('c1', refusal);
    keytar.mood = 'throws';
    failureOf(await connections.setKey('c1', 'sk-second-key'));
    expect(await state()).toEqual(refusal);
  });

  it('is asked anew at another address or with another form of authorization', async () => {
    await saved();
    await connections.reportState('c1', refusal);
    valueOf(await connections.save({ draft: { ...draft, id: 'c1', name: 'Only renamed' } }));
    expect(await state()).toEqual(refusal);
    reopened = [];
    valueOf(await connections.save({ draft: { ...draft, id: 'c1', authorization: 'bare' } }));
    expect(await state()).toEqual({ kind: 'ready' });
    expect(reopened).toEqual(['c1']);
  });

  it('keeps the beginning of an outage while its next try moves, and ends with ready', async () => {
    await saved();
    await connections.reportState('c1', { kind: 'offline', sinceMs: 10, nextTryMs: 20, message: 'No network' });
    await connections.reportState('c1', { kind: 'offline', sinceMs: 15, nextTryMs: 40, message: 'No network' });
    expect(await state()).toEqual({ kind: 'offline', sinceMs: 10, nextTryMs: 40, message: 'No network' });
    const tellings = told.length;
    await connections.reportState('c1', { kind: 'offline', sinceMs: 16, nextTryMs: 40, message: 'No network' });
    expect(told.length).toBe(tellings);
    await connections.reportState('c1', { kind: 'ready' });
    expect(await state()).toEqual({ kind: 'ready' });
  });
});

describe('testing', () => {
  it('clears a refused key when it passes, and sets it when the kept key is refused everywhere', async () => {
    await saved();
    health = () => Promise.resolve(refusedWith(401));
    expect(valueOf(await connections.test({ connectionId: 'c1' }))).toEqual([
      { endpointId: 'ep-1', method: 'GET', path: '/v2/ep-1/health', httpStatus: 401, tookMs: 3, problem: 'The service refused this key (401).' },
    ]);
    expect(valueOf(await connections.get('c1')).state).toMatchObject({ kind: 'key-refused', httpStatus: 401 });
    reopened = [];
    health = () => Promise.resolve(healthy());
    expect(valueOf(await connections.test({ connectionId: 'c1' }))[0]?.problem).toBeNull();
    expect(reopened).toEqual(['c1']);
    expect(valueOf(await connections.get('c1')).state).toEqual({ kind: 'ready' });
  });

  it('with a typed key says nothing about the kept one', async () => {
    await saved();
    health = async (target) => ((await target.readKey()) === key ? healthy() : refusedWith(401));
    expect(valueOf(await connections.test({ connectionId: 'c1', key: 'sk-typed-wrongly' }))[0]?.problem).toContain('refused this key');
    expect(valueOf(await connections.get('c1')).state).toEqual({ kind: 'ready' });
  });

  it('uses the kept key for a changed draft, and its typed address', async () => {
    await saved();
    const asked: string[] = [];
    health = async (target) => {
      asked.push(`${target.baseUrl} ${(await target.readKey()) === key}`);
      return healthy();
    };
    valueOf(await connections.test({ draft: { ...draft, id: 'c1', baseUrl: 'https://new.example.test/v2' } }));
    expect(asked).toEqual(['https://new.example.test true']);
  });

  it('asks every endpoint once and answers in their order', async () => {
    const endpoints = Array.from({ length: 15 }, (_, index) => ({ id: `ep-${index}`, label: '', flavour: 'other' as const }));
    const asked: string[] = [];
    health = (_, endpointId) => {
      asked.push(endpointId);
      return Promise.resolve(endpointId === 'ep-7' ? refusedWith(404) : healthy());
    };
    const checks = valueOf(await connections.test({ draft: { ...draft, endpoints }, key }));
    expect(checks.map(({ endpointId }) => endpointId)).toEqual(endpoints.map(({ id }) => id));
    expect(asked.toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
    expect(checks.filter(({ problem }) => problem !== null)).toMatchObject([{ endpointId: 'ep-7', problem: 'No endpoint with this id (404).' }]);
  });

  it('needs an endpoint and a key, and says which is missing', async () => {
    expect(failureOf(await connections.test({ draft: { ...draft, endpoints: [] }, key }))).toMatchObject({ kind: 'refused', field: 'endpoints' });
    expect(failureOf(await connections.test({ draft })).kind).toBe('no-key');
    expect(failureOf(await connections.test({ connectionId: 'nobody' })).kind).toBe('absent');
    expect(failureOf(await connections.test({ draft: { ...draft, baseUrl: 'nonsense nonsense' }, key }))).toMatchObject({ kind: 'refused', field: 'baseUrl' });
  });

  it('does not hand on the key where the service repeats it', async () => {
    health = () => Promise.resolve(refusedWith(401, `invalid key ${key}`));
    const checks = valueOf(await connections.test({ draft, key }));
    expect(checks[0]?.problem).toMatch(/It said: invalid key \[hidden\]/);
    expect(JSON.stringify(checks)).not.toContain(key);
  });
});

describe('the sandbox', () => {
  const address = { baseUrl: 'http://127.0.0.1:4001', restUrl: 'http://127.0.0.1:4001', apiKey: 'sandbox-key-1', endpoints: ['echo', 'text', 'image', 'mock'] };

  it('gets its connection on first use, and later only its address and key change', async () => {
    const made = valueOf(await connections.ensureSandboxConnection(address));
    expect(made).toMatchObject({ id: 'c1', name: 'Sandbox', isSandbox: true, hasKey: true, state: { kind: 'ready' }, authorization: 'bearer' });
    expect(made.endpoints.map(({ id, flavour }) => `${id} ${flavour}`)).toEqual(['echo other', 'text text', 'image image', 'mock other']);
    valueOf(await connections.addEndpoint('c1', { id: 'text', label: 'My text', flavour: 'text' }));
    await connections.reportState('c1', { kind: 'offline', sinceMs: 1, nextTryMs: null, message: 'stopped' });

    const later = valueOf(await connections.ensureSandboxConnection({ ...address, baseUrl: 'http://127.0.0.1:4002', apiKey: 'sandbox-key-2', endpoints: [...address.endpoints, 'slow'] }));
    expect(later).toMatchObject({ id: 'c1', baseUrl: 'http://127.0.0.1:4002', restUrl: 'http://127.0.0.1:4001', state: { kind: 'ready' } });
    expect(later.endpoints.map(({ label }) => label)).toEqual(['Echo', 'My text', 'Image', 'Mock', 'Slow']);
    expect(await valueOf(await connections.target('c1')).readKey()).toBe('sandbox-key-2');
    expect(valueOf(await connections.list())).toHaveLength(1);
  });
});

describe('secrets', () => {
  it('appear in no connection, check, failure, document or log line, whatever fails', async () => {
    const secretText = fc.string({ minLength: 12, maxLength: 60, unit: fc.constantFrom(...'abcdefXYZ0189-_.+/=%"\\\'{}') });
    const moods = fc.constantFrom('works', 'throws', 'locked') as fc.Arbitrary<'works' | 'throws' | 'locked'>;
    await fc.assert(
      fc.asyncProperty(secretText, secretText, moods, moods, async (first, second, moodAtSave, moodLater) => {
        log = keptLog();
        told = [];
        keytar = scriptedKeytar();
        secrets = await openSecrets();
        connections = openConnections();
        health = async (target) => refusedWith(401, `what is ${await target.readKey()} supposed to be`);
        const results: unknown[] = [];
        keytar.mood = moodAtSave;
        const made = await connections.save({ draft, key: first });
        results.push(made);
        const id = made.ok ? made.value.connection.id : 'nobody';
        keytar.mood = moodLater;
        results.push(await connections.test({ connectionId: id }), await connections.test({ connectionId: id, key: second }));
        results.push(await connections.setKey(id, second), await connections.setKey(id, `${second}\n${first}`));
        results.push(await connections.list(), await connections.deleteKey(id), await connections.remove(id));
        keytar.mood = 'works';
        const shown = JSON.stringify([results, told, await kept.history.documents('connection')]) + log.text();
        for (const secret of [first, second]) {
          expect(shown).not.toContain(secret);
          expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
      }),
      { numRuns: 40 },
    );
  });
});
