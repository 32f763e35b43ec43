import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginConnections, draft, key, keyAt } from './connection-kit.ts';
import type { ConnectionKit } from './connection-kit.ts';
import { keepDocuments } from './documents.ts';
import type { SavedDocuments } from './documents.ts';
import { failureOf, valueOf } from '../../kit/connection-parts.ts';

let kept: SavedDocuments;
let kit: ConnectionKit;

beforeAll(async () => {
  kept = await keepDocuments();
});
afterAll(() => kept.close());
beforeEach(async () => {
  kit = await beginConnections(kept);
});

describe('saving', () => {
  it('saves the connection as a document and the key in the keychain, and both are there after a restart', async () => {
    const connection = await kit.save();
    expect(connection).toEqual({
      ...draft,
      id: 'c1',
      isSandbox: false,
      hasKey: true,
      plainHttp: [],
      state: { kind: 'ready' },
      createdAtMs: 1_000,
    });
    expect(kit.told.at(-1)).toEqual([connection]);
    expect(JSON.stringify(await kept.history.documents('connection'))).not.toContain(key);
    expect(kit.keytar.entries.get('connection:c1')).toBe(key);

    await kit.restart();
    expect(valueOf(await kit.connections.list())).toEqual([connection]);
    expect(await keyAt(valueOf(await kit.connections.target('c1')))).toBe(key);
  });

  it('normalises both URLs and says so (ruling 28)', async () => {
    const { connection, notes } = valueOf(
      await kit.connections.save({
        draft: { ...draft, baseUrl: 'https://queue.example.test/v2/', restUrl: 'https://rest.example.test/v1' },
      }),
    );
    expect(connection).toMatchObject({
      baseUrl: 'https://queue.example.test',
      restUrl: 'https://rest.example.test',
      state: { kind: 'no-key' },
      hasKey: false,
    });
    expect(notes).toEqual([expect.stringMatching(/^Base URL: .*\/v2/), expect.stringMatching(/^REST URL: .*\/v1/)]);
  });

  it('removes a pasted "Bearer" and spaces from the key', async () => {
    const { notes } = valueOf(await kit.connections.save({ draft, key: `  Bearer ${key}\n` }));
    expect(kit.keytar.entries.get('connection:c1')).toBe(key);
    expect(notes.join()).toContain('Removed the word "Bearer"');
  });

  it.each([
    ['quotes', (text: string) => `"${text}"`],
    ['quotes of a text program', (text: string) => `“${text}”`],
    ['a whole header', (text: string) => `Authorization: Bearer ${text}`],
    ['characters that cannot be seen', (text: string) => `\u200B${text.slice(0, 5)}\u00AD${text.slice(5)}\u2060`],
  ])('removes from a pasted key %s, and says so', async (_what, around) => {
    const { notes } = valueOf(await kit.connections.save({ draft, key: around(key) }));
    expect(kit.keytar.entries.get('connection:c1')).toBe(key);
    expect(notes).toHaveLength(1);
    expect(notes.join()).not.toContain(key);
  });

  it.each([
    ['an invalid URL', { baseUrl: 'ftp://x' }, undefined, 'baseUrl'],
    ['an empty name', { name: '  ' }, undefined, 'name'],
    ['an invalid REST URL', { restUrl: 'http://' }, undefined, 'restUrl'],
    [
      'an endpoint named twice',
      { endpoints: [draft.endpoints[0], draft.endpoints[0]].flatMap((one) => one ?? []) },
      undefined,
      'endpoints',
    ],
    [
      'an endpoint id with a slash',
      { endpoints: [{ id: 'a/b', label: '', flavour: 'text' as const }] },
      undefined,
      'endpoints',
    ],
    ['a key with a line break in it', {}, 'sk-live-0123\nsecond-line', 'key'],
    ['an empty key', {}, ' Bearer ', 'key'],
  ])('refuses %s, names the field and saves nothing', async (_, extra, typedKey, field) => {
    const failure = failureOf(await kit.connections.save({ draft: { ...draft, ...extra }, key: typedKey }));
    expect(failure).toMatchObject({ kind: 'refused', field });
    expect(JSON.stringify(failure)).not.toContain('second-line');
    expect(valueOf(await kit.connections.list())).toEqual([]);
    expect(kit.keytar.entries.size).toBe(0);
  });

  it('keeps the typed connection when the key cannot be saved, and says so', async () => {
    kit.keytar.mood = 'throws';
    const { connection, notes } = valueOf(await kit.connections.save({ draft, key }));
    expect(connection).toMatchObject({ name: 'Production', hasKey: false, state: { kind: 'no-key' } });
    expect(notes.join()).toMatch(/Saved the connection, but could not save its key\. .*keychain/);
    kit.keytar.mood = 'works';
    valueOf(await kit.replaceKey(connection.id, key));
    expect(valueOf(await kit.connections.get(connection.id)).hasKey).toBe(true);
  });

  it('keeps id, age and key of a changed connection', async () => {
    await kit.save();
    kit.nowMs = 2_000;
    const { connection, notes } = valueOf(
      await kit.connections.save({ draft: { ...draft, id: 'c1', name: 'Renamed', baseUrl: `${draft.baseUrl}/proxy` } }),
    );
    expect(connection).toMatchObject({
      id: 'c1',
      name: 'Renamed',
      baseUrl: `${draft.baseUrl}/proxy`,
      hasKey: true,
      createdAtMs: 1_000,
    });
    expect(notes).toEqual([]);
    expect(failureOf(await kit.connections.save({ draft: { ...draft, id: 'nobody' } }))).toMatchObject({
      kind: 'absent',
    });
  });

  it('reports a disk that refuses, and shows no connection that is not saved', async () => {
    const documents = {
      documents: () => Promise.resolve([]),
      readDocument: () => Promise.resolve(null),
      putDocument: () => Promise.reject(new Error('disk full')),
      removeDocument: () => Promise.resolve(),
    };
    await kit.restart({}, { documents });
    expect(failureOf(await kit.connections.save({ draft, key }))).toMatchObject({
      kind: 'storage',
      detail: 'disk full',
    });
    expect(valueOf(await kit.connections.list())).toEqual([]);
    expect(kit.told).toEqual([]);
  });

  it('skips a damaged document without touching it', async () => {
    await kit.save();
    await kept.history.putDocument('connection', 'broken', '{"name":');
    await kit.restart();
    expect(valueOf(await kit.connections.list()).map(({ id }) => id)).toEqual(['c1']);
    expect(await kept.history.readDocument('connection', 'broken')).toBe('{"name":');
  });

  it('saves every one of many simultaneous changes', async () => {
    await kit.save();
    const names = Array.from({ length: 20 }, (_, index) => `Service ${index + 10}`);
    await Promise.all(names.map((name) => kit.connections.save({ draft: { ...draft, name } })));
    expect(valueOf(await kit.connections.list()).map(({ name }) => name)).toEqual([draft.name, ...names]);
  });
});

describe('removal', () => {
  it('removes the connection and its key', async () => {
    await kit.save();
    valueOf(await kit.connections.remove('c1'));
    expect(kit.keytar.entries.size).toBe(0);
    expect(await kept.history.documents('connection')).toEqual([]);
    expect(kit.told.at(-1)).toEqual([]);
    expect(failureOf(await kit.connections.target('c1')).kind).toBe('absent');
  });

  it('removes the connection even if the keychain does not release the key, and says so', async () => {
    await kit.save();
    kit.keytar.mood = 'locked';
    expect(failureOf(await kit.connections.remove('c1')).message).toMatch(
      /Removed the connection, but could not delete its key yet/,
    );
    expect(valueOf(await kit.connections.list())).toEqual([]);
  });
});

describe('a connection that is added again after it was removed', () => {
  it('gets its former id if the base URL and an endpoint are the same, and says so', async () => {
    const { id } = await kit.save();
    valueOf(await kit.connections.remove(id));
    await kit.restart();
    const again = valueOf(
      await kit.connections.save({
        draft: {
          ...draft,
          name: 'Once more',
          endpoints: [{ id: 'ep-9', label: '', flavour: 'other' }, ...draft.endpoints],
        },
        key,
      }),
    );
    expect(again.connection).toMatchObject({ id, name: 'Once more', createdAtMs: kit.nowMs });
    expect(again.notes.join(' ')).toContain('its jobs appear with it again');
  });

  const links = {
    consoleUrl: 'https://console.example.test/{{endpoint_id}}',
    logUrl: 'https://logs.example.test/{{endpoint_id}}/{{job_id}}',
  };
  const named = [
    { id: 'ep-1', label: 'Text', flavour: 'text', titleRule: '{{prompt}}' },
    { id: 'ep-2', label: 'Pictures', flavour: 'image' },
  ] as const;
  const bare = (id: string) => ({ id, label: '', flavour: 'unknown' }) as const;

  it('gets its names of endpoints, titles and links back if none is entered, and not its key', async () => {
    const { id } = await kit.save({ ...links, endpoints: [...named] });
    valueOf(await kit.connections.remove(id));
    const saved = JSON.stringify(await kept.history.documents('removed-connection'));
    expect(saved).toContain(links.logUrl);
    expect(saved).not.toContain(key);
    await kit.restart();
    // As the form sends untouched fields.
    const again = await kit.save({ consoleUrl: '', logUrl: '', endpoints: [bare('ep-1')] }, null);
    expect(again).toMatchObject({ id, ...links, endpoints: [named[0]], hasKey: false });

    // An endpoint that is only added later has its name, too.
    const later = await kit.save({ id, ...links, endpoints: [...again.endpoints, bare('ep-2'), bare('ep-3')] }, null);
    expect(later.endpoints).toEqual([...named, bare('ep-3')]);

    // What is cleared by hand stays cleared.
    const cleared = { id, consoleUrl: '', logUrl: '', endpoints: [bare('ep-1')] };
    expect(await kit.save(cleared, null)).toMatchObject(cleared);
  });

  it('keeps newly entered names', async () => {
    const { id } = await kit.save({ ...links, endpoints: [...named] });
    valueOf(await kit.connections.remove(id));
    const entered = {
      logUrl: 'https://new.example.test/{{job_id}}',
      endpoints: [{ id: 'ep-1', label: 'Mine', flavour: 'audio', titleRule: '{{seed}}' } as const],
    };
    expect(await kit.save(entered)).toMatchObject({ id, consoleUrl: links.consoleUrl, ...entered });
  });

  it('that was removed by a former version, which saved no names, gets its id back', async () => {
    await kept.history.putDocument(
      'removed-connection',
      'c-old',
      JSON.stringify({ id: 'c-old', baseUrl: draft.baseUrl, endpointIds: ['ep-1'], removedAtMs: 1 }),
    );
    await kit.restart();
    expect(await kit.save({ endpoints: [bare('ep-1')] })).toMatchObject({ id: 'c-old', endpoints: [bare('ep-1')] });
  });

  it('is a new one at another address, without a common endpoint, or while the former exists', async () => {
    const { id } = await kit.save();
    valueOf(await kit.connections.remove(id));
    const elsewhere = await kit.save({ baseUrl: 'https://other.example.test' });
    const other = await kit.save({ endpoints: [{ id: 'ep-2', label: '', flavour: 'other' }] });
    const again = await kit.save();
    const second = await kit.save();
    expect(again.id).toBe(id);
    expect(new Set([id, elsewhere.id, other.id, second.id]).size).toBe(4);
  });
});

describe('the sandbox', () => {
  const address = {
    baseUrl: 'http://127.0.0.1:4001',
    restUrl: 'http://127.0.0.1:4001',
    apiKey: 'sandbox-key-1',
    endpoints: ['echo', 'text', 'image', 'mock'],
  };

  it('gets its connection on first use, and later only its address and key change', async () => {
    const made = valueOf(await kit.connections.ensureSandboxConnection(address));
    expect(made).toMatchObject({
      id: 'c1',
      name: 'Sandbox',
      isSandbox: true,
      hasKey: true,
      state: { kind: 'ready' },
      authorization: 'bearer',
    });
    expect(made.endpoints.map(({ id, flavour }) => `${id} ${flavour}`)).toEqual([
      'echo unknown',
      'text text',
      'image image',
      'mock unknown',
    ]);
    const { name, baseUrl, restUrl, authorization } = made;
    valueOf(
      await kit.connections.save({
        draft: {
          id: 'c1',
          name,
          baseUrl,
          restUrl,
          authorization,
          endpoints: made.endpoints.map((endpoint) =>
            endpoint.id === 'text' ? { ...endpoint, label: 'My text' } : endpoint,
          ),
        },
      }),
    );
    await kit.connections.reportState('c1', { kind: 'offline', sinceMs: 1, nextTryMs: null, message: 'stopped' });

    const later = valueOf(
      await kit.connections.ensureSandboxConnection({
        ...address,
        baseUrl: 'http://127.0.0.1:4002',
        apiKey: 'sandbox-key-2',
        endpoints: [...address.endpoints, 'slow'],
      }),
    );
    expect(later).toMatchObject({
      id: 'c1',
      baseUrl: 'http://127.0.0.1:4002',
      restUrl: 'http://127.0.0.1:4001',
      state: { kind: 'ready' },
    });
    expect(later.endpoints.map(({ label }) => label)).toEqual(['Echo', 'My text', 'Image', 'Mock', 'Slow']);
    expect(await keyAt(valueOf(await kit.connections.target('c1')))).toBe('sandbox-key-2');
    expect(valueOf(await kit.connections.list())).toHaveLength(1);
  });
});
