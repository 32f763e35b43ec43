import { createHmac, randomBytes } from 'node:crypto';

/** Which connections are one account of one service (ruling 42). In memory only; no key can be read from it. */
export interface Accounts {
  /** The account of a connection, or its own id as long as its key was not read. */
  of(connectionId: string): string;
  /** The connection's key was read for a request. `baseUrl`: its own, normalised. */
  learn(connectionId: string, baseUrl: string, key: string): void;
  forget(connectionId: string): void;
}

/** Accounts are told apart by a hash of base URL and key, under a secret of this session that is kept nowhere. */
export function createAccounts(): Accounts {
  const secret = randomBytes(32);
  const accounts = new Map<string, string>();
  return {
    of: (connectionId) => accounts.get(connectionId) ?? connectionId,
    learn(connectionId, baseUrl, key) {
      accounts.set(connectionId, createHmac('sha256', secret).update(`${baseUrl}\n${key}`).digest('base64url'));
    },
    forget: (connectionId) => void accounts.delete(connectionId),
  };
}
