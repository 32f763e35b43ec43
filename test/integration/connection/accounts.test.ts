import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginConnections, draft, key, keyAt } from './connection-kit.ts';
import type { ConnectionKit } from './connection-kit.ts';
import { keepDocuments } from './documents.ts';
import type { SavedDocuments } from './documents.ts';
import { valueOf } from '../../kit/connection-parts.ts';

let kept: SavedDocuments;
let kit: ConnectionKit;

beforeAll(async () => {
  kept = await keepDocuments();
});
afterAll(() => kept.close());
beforeEach(async () => {
  kit = await beginConnections(kept);
});

/** The account after a request was made with the connection's key. */
async function accountOf(connectionId: string): Promise<string> {
  await keyAt(valueOf(await kit.connections.target(connectionId)));
  return kit.connections.accountOf(connectionId);
}

describe('the account of a connection (ruling 42)', () => {
  it('is separate until its key is read for a request', async () => {
    const { id } = await kit.save();
    expect(kit.connections.accountOf(id)).toBe(id);
    expect(await accountOf(id)).not.toBe(id);
  });

  it('is shared by connections with the same base URL and key, and differs by address, path or key', async () => {
    const [one, same, path, port, otherKey] = await Promise.all([
      kit.save(),
      kit.save({
        name: 'The same again',
        endpoints: [{ id: 'ep-2', label: '', flavour: 'other' }],
        restUrl: '',
        authorization: 'bare',
      }),
      kit.save({ baseUrl: `${draft.baseUrl}/proxy` }),
      kit.save({ baseUrl: `${draft.baseUrl}:8443` }),
      kit.save({}, 'sk-second-key'),
    ]);
    const accounts = await Promise.all([one, same, path, port, otherKey].map(({ id }) => accountOf(id)));
    expect(accounts[1]).toBe(accounts[0]);
    expect(new Set(accounts).size).toBe(4);
  });

  it('follows a replaced key, and a removed connection has none', async () => {
    const [one, two] = [await kit.save(), await kit.save({}, 'sk-second-key')];
    const former = await accountOf(one.id);
    valueOf(await kit.replaceKey(one.id, 'sk-second-key'));
    expect(await accountOf(one.id)).toBe(await accountOf(two.id));
    expect(await accountOf(one.id)).not.toBe(former);
    valueOf(await kit.connections.remove(one.id));
    expect(kit.connections.accountOf(one.id)).toBe(one.id);
  });

  it('reveals nothing of the key, and differs after a restart', async () => {
    const { id } = await kit.save();
    const account = await accountOf(id);
    expect(account).not.toContain(key);
    await kit.restart();
    expect(await accountOf(id)).not.toBe(account);
    expect(kit.log.text() + JSON.stringify([kit.told, await kept.history.documents('connection')])).not.toContain(
      account,
    );
  });
});
