import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keyHeldMs } from '../../../src-main/connection/connections.ts';
import type { Documents } from '../../../src-main/history/collection.ts';
import { beginConnections, draft, healthy, key, keyAt, refusedWith } from './connection-kit.ts';
import type { ConnectionKit } from './connection-kit.ts';
import { keepDocuments } from './documents.ts';
import type { SavedDocuments } from './documents.ts';
import { failureOf, manualTimer, settled, valueOf } from '../../kit/connection-parts.ts';

let kept: SavedDocuments;
let kit: ConnectionKit;

beforeAll(async () => {
  kept = await keepDocuments();
});
afterAll(() => kept.close());
beforeEach(async () => {
  kit = await beginConnections(kept);
});

describe('the key', () => {
  it('is set, replaced and deleted, and the target always reads the current one', async () => {
    await kit.save({}, null);
    const target = valueOf(await kit.connections.target('c1'));
    expect(await keyAt(target)).toBeNull();
    valueOf(await kit.replaceKey('c1', key));
    expect(await keyAt(target)).toBe(key);
    valueOf(await kit.replaceKey('c1', 'sk-second-key'));
    expect(await keyAt(target)).toBe('sk-second-key');
    valueOf(await kit.connections.deleteKey('c1'));
    expect(await keyAt(target)).toBeNull();
    expect(kit.told.at(-1)?.[0]).toMatchObject({ hasKey: false, state: { kind: 'no-key' } });
  });

  it('is read from the keychain once for many requests, and again after a minute', async () => {
    await kit.save();
    const target = valueOf(await kit.connections.target('c1'));
    const reads = () => kit.keytar.calls.filter((call) => call === 'get connection:c1').length;
    await Promise.all(Array.from({ length: 50 }, () => keyAt(target)));
    expect(reads()).toBe(1);
    kit.nowMs += keyHeldMs;
    await keyAt(target);
    expect(reads()).toBe(2);
  });

  it('that cannot be read now is not treated as "no key": requests wait and the connection says why', async () => {
    await kit.save();
    kit.keytar.mood = 'throws';
    await expect(keyAt(valueOf(await kit.connections.target('c1')))).rejects.toThrow(/keychain/);
    // Changes happen in order: after this one, the one above is done.
    await kit.connections.reportState('nobody', { kind: 'ready' });
    expect(valueOf(await kit.connections.get('c1'))).toMatchObject({
      hasKey: true,
      state: { kind: 'offline', message: expect.stringContaining('keychain') as string },
    });
    kit.keytar.mood = 'works';
    expect(await keyAt(valueOf(await kit.connections.target('c1')))).toBe(key);
  });

  it('opens the connection again when the keychain returns it after a long wait', async () => {
    const timer = manualTimer();
    await kit.save();
    await kit.restart({ after: timer.after, callLimitMs: 30_000 });
    kit.keytar.mood = 'hangs';
    const target = valueOf(await kit.connections.target('c1'));
    const reading = keyAt(target).catch((error: unknown) => String(error));
    await kit.keytar.called('get connection:c1');
    await timer.pass(30_000);
    expect(await reading).toMatch(/does not respond/);
    await kit.connections.reportState('c1', { kind: 'no-key' });
    expect(valueOf(await kit.connections.get('c1')).state).toMatchObject({
      kind: 'offline',
      message: expect.stringContaining('Unlock it') as string,
    });
    kit.reopened = [];
    kit.keytar.mood = 'works';
    kit.keytar.release();
    await settled();
    await kit.connections.reportState('nobody', { kind: 'ready' });
    expect(kit.reopened).toEqual(['c1']);
    expect(valueOf(await kit.connections.get('c1')).state).toEqual({ kind: 'ready' });
    expect(await keyAt(target)).toBe(key);
  });

  it('of a connection whose removal the disk refused is shown as deleted', async () => {
    await kit.save();
    const fullDisk: Documents = {
      documents: (kind) => kept.history.documents(kind),
      readDocument: (kind, id) => kept.history.readDocument(kind, id),
      putDocument: (kind, id, json) => kept.history.putDocument(kind, id, json),
      removeDocument: () => Promise.reject(new Error('full')),
    };
    await kit.restart({}, { documents: fullDisk });
    expect(failureOf(await kit.connections.remove('c1'))).toMatchObject({ kind: 'storage', detail: 'full' });
    expect(kit.told.at(-1)?.[0]).toMatchObject({ id: 'c1', hasKey: false, state: { kind: 'no-key' } });
  });

  it('removed outside Jobdeck shows as no key', async () => {
    await kit.save();
    kit.keytar.entries.clear();
    expect(await keyAt(valueOf(await kit.connections.target('c1')))).toBeNull();
    expect(kit.told.at(-1)?.[0]).toMatchObject({ hasKey: false, state: { kind: 'no-key' } });
  });

  it('is sent to the base URL a job was pinned to if it was entered for that origin (ruling 44)', async () => {
    await kit.save({ restUrl: '' });
    const pinned = valueOf(await kit.connections.target('c1', `${draft.baseUrl}/former`));
    expect(pinned).toMatchObject({ baseUrl: `${draft.baseUrl}/former`, restUrl: null, authorization: 'bearer' });
    expect(await keyAt(pinned)).toBe(key);
    expect(await keyAt(valueOf(await kit.connections.target('c1', 'https://former.example.test')))).toBeNull();
    expect(valueOf(await kit.connections.target('c1')).baseUrl).toBe(draft.baseUrl);
  });
});

const parsed = (json = '{}'): object => z.looseObject({}).parse(JSON.parse(json));

describe('the state', () => {
  const refusal = {
    kind: 'key-refused',
    httpStatus: 401,
    path: '/v2/ep-1/status/1',
    sinceMs: 1_500,
    nextTryMs: null,
  } as const;
  const state = async () => valueOf(await kit.connections.get('c1')).state;

  it('shows since when a key is refused while its next try moves, until the key is accepted', async () => {
    await kit.save();
    await kit.connections.reportState('c1', refusal);
    await kit.connections.reportState('c1', { ...refusal, sinceMs: 32_000, nextTryMs: 90_000 });
    expect(await state()).toEqual({ ...refusal, nextTryMs: 90_000 });
    await kit.connections.reportState('c1', { kind: 'ready' });
    expect(await state()).toEqual({ kind: 'ready' });
    expect(kit.told.at(-1)?.[0]?.state).toEqual({ kind: 'ready' });
  });

  it('of a refused key ends with a restart, which tries it again, and an old record that contains it is still read (ruling 35)', async () => {
    await kit.save();
    await kit.connections.reportState('c1', refusal);
    const [stored] = await kept.history.documents('connection');
    expect(stored?.json).not.toContain('refusal');
    await kept.history.putDocument(
      'connection',
      'c1',
      JSON.stringify({ ...parsed(stored?.json), refusal: { httpStatus: 401, path: '/', sinceMs: 1 } }),
    );
    await kit.restart();
    expect(await state()).toEqual({ kind: 'ready' });
    valueOf(await kit.replaceKey('c1', key));
    expect((await kept.history.documents('connection'))[0]?.json).not.toContain('refusal');
  });

  it('of a refused key ends when the key changes', async () => {
    await kit.save();
    kit.nowMs = 1_500;
    await kit.connections.reportState('c1', refusal);
    valueOf(await kit.replaceKey('c1', 'sk-second-key'));
    expect(await state()).toEqual({ kind: 'ready' });
    expect(kit.told.at(-1)?.[0]?.state).toEqual({ kind: 'ready' });
    expect(kit.reopened.at(-1)).toBe('c1');
  });

  it('ignores a refusal of the former key', async () => {
    await kit.save();
    kit.nowMs = 5_000;
    valueOf(await kit.replaceKey('c1', 'sk-second-key'));
    await kit.connections.reportState('c1', { ...refusal, sinceMs: 4_999 });
    expect(await state()).toEqual({ kind: 'ready' });
  });

  it('stays refused if the new key could not be saved', async () => {
    await kit.save();
    await kit.connections.reportState('c1', refusal);
    kit.keytar.mood = 'throws';
    expect(valueOf(await kit.replaceKey('c1', 'sk-second-key')).notes.join()).toContain('could not save its key');
    expect(await state()).toEqual(refusal);
  });

  it('is tried again at another address or with another form of authorization', async () => {
    await kit.save();
    await kit.connections.reportState('c1', refusal);
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', name: 'Only renamed' } }));
    expect(await state()).toEqual(refusal);
    kit.reopened = [];
    valueOf(await kit.connections.save({ draft: { ...draft, id: 'c1', authorization: 'bare' } }));
    expect(await state()).toEqual({ kind: 'ready' });
    expect(kit.reopened).toEqual(['c1']);
  });

  it('keeps the start of an outage while its next try moves, and ends with ready', async () => {
    await kit.save();
    await kit.connections.reportState('c1', { kind: 'offline', sinceMs: 10, nextTryMs: 20, message: 'No network' });
    await kit.connections.reportState('c1', { kind: 'offline', sinceMs: 15, nextTryMs: 40, message: 'No network' });
    expect(await state()).toEqual({ kind: 'offline', sinceMs: 10, nextTryMs: 40, message: 'No network' });
    const deliveries = kit.told.length;
    await kit.connections.reportState('c1', { kind: 'offline', sinceMs: 16, nextTryMs: 40, message: 'No network' });
    expect(kit.told.length).toBe(deliveries);
    await kit.connections.reportState('c1', { kind: 'ready' });
    expect(await state()).toEqual({ kind: 'ready' });
  });
});

describe('testing', () => {
  it('clears a refused key when it passes, and sets it when the saved key is refused everywhere', async () => {
    await kit.save();
    kit.health = () => Promise.resolve(refusedWith(401));
    expect(valueOf(await kit.connections.check({ connectionId: 'c1' }))).toEqual([
      {
        endpointId: 'ep-1',
        method: 'GET',
        path: '/v2/ep-1/health',
        httpStatus: 401,
        tookMs: 3,
        problem: 'The service refused this key (401).',
      },
    ]);
    expect(valueOf(await kit.connections.get('c1')).state).toMatchObject({ kind: 'key-refused', httpStatus: 401 });
    kit.reopened = [];
    kit.health = () => Promise.resolve(healthy());
    expect(valueOf(await kit.connections.check({ connectionId: 'c1' }))[0]?.problem).toBeNull();
    expect(kit.reopened).toEqual(['c1']);
    expect(valueOf(await kit.connections.get('c1')).state).toEqual({ kind: 'ready' });
  });

  it('with a key refused everywhere sets a state that lasts until the service accepts a later request', async () => {
    await kit.save();
    kit.nowMs = 5_000;
    kit.health = () => Promise.resolve(refusedWith(403));
    valueOf(await kit.connections.check({ connectionId: 'c1' }));
    kit.connections.noteAccepted('c1', 4_999);
    expect(valueOf(await kit.connections.get('c1')).state).toMatchObject({ kind: 'key-refused', httpStatus: 403 });
    kit.connections.noteAccepted('c1', 5_000);
    expect(valueOf(await kit.connections.get('c1')).state).toEqual({ kind: 'ready' });
    await settled();
    expect(kit.told.at(-1)?.[0]?.state).toEqual({ kind: 'ready' });
  });

  it('with a typed key does not change the state of the saved one', async () => {
    await kit.save();
    kit.health = async (target) => ((await keyAt(target)) === key ? healthy() : refusedWith(401));
    expect(valueOf(await kit.connections.check({ connectionId: 'c1', key: 'sk-typed-wrongly' }))[0]?.problem).toContain(
      'refused this key',
    );
    expect(valueOf(await kit.connections.get('c1')).state).toEqual({ kind: 'ready' });
  });

  it('uses the saved key for a changed draft at an origin it was entered for, and at no other (ruling 44)', async () => {
    await kit.save();
    const asked: string[] = [];
    kit.health = async (target) => {
      asked.push(`${target.baseUrl} ${(await keyAt(target)) ?? 'none'}`);
      return healthy();
    };
    valueOf(await kit.connections.check({ draft: { ...draft, id: 'c1', baseUrl: `${draft.baseUrl}/proxy/v2` } }));
    expect(asked.splice(0)).toEqual([`${draft.baseUrl}/proxy ${key}`]);
    expect(
      failureOf(
        await kit.connections.check({ draft: { ...draft, id: 'c1', baseUrl: 'https://queue.exmaple.test/v2' } }),
      ),
    ).toEqual({
      kind: 'refused',
      field: 'key',
      message:
        'Enter the key again to use it at https://queue.exmaple.test. The saved key was entered for ' +
        'https://queue.example.test and https://rest.example.test, and is sent nowhere else.',
    });
    expect(asked).toEqual([]);
    valueOf(
      await kit.connections.check({
        draft: { ...draft, id: 'c1', baseUrl: 'https://new.example.test' },
        key: 'sk-typed-anew',
      }),
    );
    expect(asked).toEqual(['https://new.example.test sk-typed-anew']);
  });

  it('asks every endpoint once and answers in their order', async () => {
    const endpoints = Array.from({ length: 15 }, (_, index) => ({
      id: `ep-${index}`,
      label: '',
      flavour: 'other' as const,
    }));
    const asked: string[] = [];
    kit.health = (_, endpointId) => {
      asked.push(endpointId);
      return Promise.resolve(endpointId === 'ep-7' ? refusedWith(404) : healthy());
    };
    const checks = valueOf(await kit.connections.check({ draft: { ...draft, endpoints }, key }));
    expect(checks.map(({ endpointId }) => endpointId)).toEqual(endpoints.map(({ id }) => id));
    expect(asked.toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
    expect(checks.filter(({ problem }) => problem !== null)).toMatchObject([
      { endpointId: 'ep-7', problem: 'No endpoint with this id (404).' },
    ]);
  });

  it('needs an endpoint and a key, and says which is missing', async () => {
    expect(failureOf(await kit.connections.check({ draft: { ...draft, endpoints: [] }, key }))).toMatchObject({
      kind: 'refused',
      field: 'endpoints',
    });
    expect(failureOf(await kit.connections.check({ draft })).kind).toBe('no-key');
    expect(failureOf(await kit.connections.check({ connectionId: 'nobody' })).kind).toBe('absent');
    expect(
      failureOf(await kit.connections.check({ draft: { ...draft, baseUrl: 'nonsense nonsense' }, key })),
    ).toMatchObject({ kind: 'refused', field: 'baseUrl' });
  });

  it('does not pass on the key if the service repeats it', async () => {
    kit.health = () => Promise.resolve(refusedWith(401, `invalid key ${key}`));
    const checks = valueOf(await kit.connections.check({ draft, key }));
    expect(checks[0]?.problem).toMatch(/It said: invalid key \[hidden\]/);
    expect(JSON.stringify(checks)).not.toContain(key);
  });
});

describe('secrets', () => {
  it('appear in no connection, check, failure, document or log line, whatever fails', async () => {
    const secretText = fc.string({
      minLength: 12,
      maxLength: 60,
      unit: fc.constantFrom(...'abcdefXYZ0189-_.+/=%"\\\'{}'),
    });
    const moods = fc.constantFrom('works', 'throws', 'locked') as fc.Arbitrary<'works' | 'throws' | 'locked'>;
    await fc.assert(
      fc.asyncProperty(secretText, secretText, moods, moods, async (first, second, moodAtSave, moodLater) => {
        kit = await beginConnections(kept);
        kit.health = async (target) => refusedWith(401, `what is ${await keyAt(target)} supposed to be`);
        const results: unknown[] = [];
        kit.keytar.mood = moodAtSave;
        const made = await kit.connections.save({ draft, key: first });
        results.push(made);
        const id = made.ok ? made.value.connection.id : 'nobody';
        kit.keytar.mood = moodLater;
        results.push(
          await kit.connections.check({ connectionId: id }),
          await kit.connections.check({ connectionId: id, key: second }),
        );
        results.push(await kit.replaceKey(id, second), await kit.replaceKey(id, `${second}\n${first}`));
        results.push(
          await kit.connections.list(),
          await kit.connections.deleteKey(id),
          await kit.connections.remove(id),
        );
        kit.keytar.mood = 'works';
        const shown = JSON.stringify([results, kit.told, await kept.history.documents('connection')]) + kit.log.text();
        for (const secret of [first, second]) {
          expect(shown).not.toContain(secret);
          expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
      }),
      { numRuns: 40 },
    );
  });
});
