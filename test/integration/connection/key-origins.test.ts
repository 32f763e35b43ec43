import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { beginConnections, draft, healthy, key, keyAt } from './connection-kit.ts';
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

const elsewhere = 'https://elsewhere.example.test';
/** The key at each of these origins, as a request would be made with it. */
async function keyFor(...origins: string[]): Promise<(string | null)[]> {
  const target = valueOf(await kit.connections.target('c1'));
  return Promise.all(origins.map((origin) => target.readKey(origin)));
}
async function storedFields(): Promise<Record<string, unknown>> {
  const [document] = await kept.history.documents('connection');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(document?.json ?? '{}'));
}

describe('a saved key (ruling 44)', () => {
  it.each([
    ['the base URL', { baseUrl: `${elsewhere}/v2` }],
    ['the REST URL', { restUrl: `${elsewhere}/v1` }],
    ['the scheme', { baseUrl: 'https://queue.example.test:8443' }],
  ])('is asked for again if %s has another origin, and nothing is changed until then', async (_, change) => {
    const before = await kit.save();
    const refusal = failureOf(
      await kit.connections.save({ draft: { ...draft, id: 'c1', name: 'Renamed', ...change } }),
    );
    expect(refusal).toMatchObject({
      kind: 'refused',
      field: 'key',
      message: expect.stringMatching(
        /^Enter the key again to use it at https:\/\/\S+\. The saved key was entered for https:\/\/queue\.example\.test and https:\/\/rest\.example\.test/,
      ),
    });
    expect(valueOf(await kit.connections.get('c1'))).toEqual(before);

    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', ...change }, key }));
    expect(await keyAt(valueOf(await kit.connections.target('c1')))).toBe(key);
  });

  it('is sent to the origins of the form it was entered in, and no longer to those of an earlier form', async () => {
    await kit.save();
    expect(await keyFor('https://queue.example.test', 'https://rest.example.test', elsewhere)).toEqual([
      key,
      key,
      null,
    ]);
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', baseUrl: elsewhere }, key: 'sk-second-key' }));
    expect(await keyFor('https://queue.example.test', 'https://rest.example.test', elsewhere)).toEqual([
      null,
      'sk-second-key',
      'sk-second-key',
    ]);
    await kit.restart();
    expect(await keyFor('https://queue.example.test', 'https://rest.example.test', elsewhere)).toEqual([
      null,
      'sk-second-key',
      'sk-second-key',
    ]);
  });

  it('is not asked for again for another path, nor for a REST URL that is removed and comes back', async () => {
    await kit.save();
    valueOf(
      await kit.connections.save({
        draft: { ...draft, id: 'c1', baseUrl: 'https://queue.example.test/proxy', restUrl: '' },
      }),
    );
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', restUrl: 'https://rest.example.test/other' } }));
    expect(await keyFor('https://queue.example.test', 'https://rest.example.test')).toEqual([key, key]);
  });

  it('is not asked for if none is saved, nor after it was deleted', async () => {
    await kit.save({}, null);
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', baseUrl: elsewhere } }));
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', baseUrl: elsewhere }, key }));
    valueOf(await kit.connections.deleteKey('c1'));
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1' } }));
    valueOf(await kit.replaceKey('c1', key));
    expect(await keyFor('https://queue.example.test', elsewhere)).toEqual([key, null]);
  });

  it('of a former version, which did not note its origins, is for the addresses it was saved with', async () => {
    await kit.save();
    const { keyOrigins: _not, plainHttpOrigins: _either, ...former } = await storedFields();
    await kept.history.putDocument('connection', 'c1', JSON.stringify(former));
    await kit.restart();
    expect(await keyFor('https://queue.example.test', 'https://rest.example.test', elsewhere)).toEqual([
      key,
      key,
      null,
    ]);
    expect(failureOf(await kit.connections.save({ draft: { ...draft, id: 'c1', baseUrl: elsewhere } }))).toMatchObject({
      field: 'key',
    });
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', name: 'Renamed' } }));
    expect(await storedFields()).toMatchObject({
      name: 'Renamed',
      keyOrigins: ['https://queue.example.test', 'https://rest.example.test'],
    });
  });

  it('stays with its origins if its successor for another origin could not be saved', async () => {
    await kit.save();
    kit.keytar.mood = 'throws';
    const { connection, notes } = valueOf(
      await kit.connections.save({ draft: { ...draft, id: 'c1', baseUrl: elsewhere }, key: 'sk-second-key' }),
    );
    expect(notes.join()).toContain('could not save its key');
    expect(connection).toMatchObject({ baseUrl: elsewhere, hasKey: false, state: { kind: 'no-key' } });
    kit.keytar.mood = 'works';
    expect(await keyFor(elsewhere, 'https://rest.example.test')).toEqual([null, key]);
    await kit.restart();
    expect(await keyFor(elsewhere, 'https://rest.example.test')).toEqual([null, key]);
  });

  it('is never sent to the new origin while its successor is being written', async () => {
    await kit.save();
    kit.keytar.mood = 'hangs';
    kit.keytar.calls = [];
    const saving = kit.connections.save({ draft: { ...draft, id: 'c1', baseUrl: elsewhere }, key: 'sk-second-key' });
    await kit.keytar.called('set connection:c1');
    expect(await storedFields()).toMatchObject({ baseUrl: elsewhere, keyOrigins: ['https://rest.example.test'] });
    kit.keytar.mood = 'works';
    kit.keytar.release();
    valueOf(await saving);
    expect(await keyFor(elsewhere)).toEqual(['sk-second-key']);
  });

  it('is not sent to pods and templates at a REST URL that it was not entered for', async () => {
    await kit.save();
    await kept.history.putDocument(
      'connection',
      'c1',
      JSON.stringify({ ...(await storedFields()), restUrl: elsewhere }),
    );
    await kit.restart();
    expect(failureOf(await kit.connections.managementTarget('c1'))).toMatchObject({
      kind: 'refused',
      field: 'key',
      message: expect.stringContaining(`to use it at ${elsewhere}.`),
    });
    expect(await keyFor(elsewhere, 'https://queue.example.test')).toEqual([null, key]);
  });

  it('of the sandbox is sent to its current port, and to no former one', async () => {
    const address = {
      baseUrl: 'http://127.0.0.1:4001',
      restUrl: 'http://127.0.0.1:4001',
      apiKey: 'sandbox-key-1',
      endpoints: ['echo'],
    };
    valueOf(await kit.connections.ensureSandboxConnection(address));
    expect(await keyFor('http://127.0.0.1:4001')).toEqual(['sandbox-key-1']);
    valueOf(
      await kit.connections.ensureSandboxConnection({
        ...address,
        baseUrl: 'http://127.0.0.1:4002',
        restUrl: 'http://127.0.0.1:4002',
        apiKey: 'sandbox-key-2',
      }),
    );
    expect(await keyFor('http://127.0.0.1:4001', 'http://127.0.0.1:4002')).toEqual([null, 'sandbox-key-2']);
  });
});

describe('http:// to another machine (ruling 44)', () => {
  const plain = { ...draft, baseUrl: 'http://10.0.0.7:8080', restUrl: '' };
  const agreed = { ...plain, plainHttpOrigins: ['http://10.0.0.7:8080'] };
  const carries = 'The key and all inputs and outputs';

  it.each([
    [
      'baseUrl',
      'http://queue.example.test/v2',
      'The key and all inputs and outputs would travel unencrypted to queue.example.test.',
    ],
    [
      'restUrl',
      'http://10.0.0.7:8080',
      'The key and the variables of pods and templates would travel unencrypted to 10.0.0.7:8080.',
    ],
  ])('asks before %s is saved', async (field, url, words) => {
    const failure = failureOf(await kit.connections.save({ draft: { ...draft, [field]: url }, key }));
    expect(failure).toMatchObject({ kind: 'refused', field: 'plainHttp', message: expect.stringContaining(words) });
    expect(valueOf(await kit.connections.list())).toEqual([]);
    expect(kit.keytar.entries.size).toBe(0);
    for (const local of ['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost:8080'])
      valueOf(await kit.connections.save({ draft: { ...draft, [field]: local }, key }));
  });

  it('asks before an address is checked, even with a typed key', async () => {
    const asked: string[] = [];
    kit.health = ({ baseUrl }) => {
      asked.push(baseUrl);
      return Promise.resolve(healthy());
    };
    expect(failureOf(await kit.connections.check({ draft: plain, key }))).toMatchObject({
      kind: 'refused',
      field: 'plainHttp',
    });
    // What was agreed to is one origin, not every one.
    expect(
      failureOf(await kit.connections.check({ draft: { ...agreed, baseUrl: 'http://10.0.0.8:8080' }, key })),
    ).toMatchObject({ field: 'plainHttp' });
    expect(asked).toEqual([]);
    valueOf(await kit.connections.check({ draft: agreed, key }));
    expect(asked).toEqual(['http://10.0.0.7:8080']);
  });

  it('asks once: the consent stays with the address, and ends when the address changes', async () => {
    const { connection } = valueOf(await kit.connections.save({ draft: agreed, key }));
    expect(connection.plainHttp).toEqual([
      { origin: 'http://10.0.0.7:8080', host: '10.0.0.7:8080', carries, isAgreed: true },
    ]);
    await kit.restart();
    expect(
      valueOf(await kit.connections.save({ draft: { ...plain, id: 'c1', name: 'Renamed' } })).connection,
    ).toMatchObject({ name: 'Renamed', plainHttp: [{ isAgreed: true }] });
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1' }, key }));
    expect(failureOf(await kit.connections.save({ draft: { ...plain, id: 'c1' }, key }))).toMatchObject({
      field: 'plainHttp',
    });
  });

  it('is refused again without consent', async () => {
    const { connection } = valueOf(await kit.connections.save({ draft: agreed, key }));
    expect(
      failureOf(await kit.connections.save({ draft: { ...agreed, id: 'c1', plainHttpOrigins: [] } })),
    ).toMatchObject({ field: 'plainHttp' });
    expect(
      failureOf(await kit.connections.check({ draft: { ...agreed, id: 'c1', plainHttpOrigins: [] } })),
    ).toMatchObject({ field: 'plainHttp' });
    expect(valueOf(await kit.connections.get('c1'))).toEqual(connection);
  });

  it('of a connection saved before Jobdeck asked still works, shows a notice, and can be agreed to', async () => {
    valueOf(await kit.connections.save({ draft: agreed, key }));
    const { plainHttpOrigins: _not, ...former } = await storedFields();
    await kept.history.putDocument('connection', 'c1', JSON.stringify(former));
    await kit.restart();
    const open = valueOf(await kit.connections.get('c1'));
    expect(open).toMatchObject({ state: { kind: 'ready' }, plainHttp: [{ host: '10.0.0.7:8080', isAgreed: false }] });
    expect(await keyAt(valueOf(await kit.connections.target('c1')))).toBe(key);
    valueOf(await kit.connections.check({ connectionId: 'c1' }));
    // A change of something else is not the answer.
    expect(
      valueOf(await kit.connections.save({ draft: { ...plain, id: 'c1', name: 'Renamed' } })).connection.plainHttp,
    ).toMatchObject([{ isAgreed: false }]);
    expect(valueOf(await kit.connections.save({ draft: { ...agreed, id: 'c1' } })).connection.plainHttp).toMatchObject([
      { isAgreed: true },
    ]);
  });
});

describe('the requirements of addresses', () => {
  const needs = async (baseUrl: string, restUrl = '', connectionId?: string) =>
    valueOf(await kit.connections.addressNeeds({ baseUrl, restUrl, connectionId }));

  it('are none for a new https address or an invalid one', async () => {
    for (const typed of ['', 'https://', 'https://queue.example.test/v2/', '127.0.0.1:8080', 'ftp://x'])
      expect(await needs(typed)).toEqual({ key: null, plainHttp: [] });
  });

  it('include the key for a saved connection at another origin, as for a save', async () => {
    await kit.save();
    expect((await needs('https://queue.example.test/proxy/v2', draft.restUrl, 'c1')).key).toBeNull();
    const { key: words } = await needs('https://queue.exmaple.test/v2', '', 'c1');
    expect(words).toBe(
      failureOf(
        await kit.connections.save({
          draft: { ...draft, id: 'c1', baseUrl: 'https://queue.exmaple.test', restUrl: '' },
        }),
      ).message,
    );
    valueOf(await kit.connections.deleteKey('c1'));
    expect((await needs('https://queue.exmaple.test', '', 'c1')).key).toBeNull();
  });

  it('include consent to each http origin of another machine', async () => {
    expect(await needs(' http://10.0.0.7:8080/v2/ ', 'http://10.0.0.7:9000')).toEqual({
      key: null,
      plainHttp: [
        {
          origin: 'http://10.0.0.7:8080',
          host: '10.0.0.7:8080',
          carries: 'The key and all inputs and outputs',
          isAgreed: false,
        },
        {
          origin: 'http://10.0.0.7:9000',
          host: '10.0.0.7:9000',
          carries: 'The key and the variables of pods and templates',
          isAgreed: false,
        },
      ],
    });
  });
});
