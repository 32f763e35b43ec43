import { createHmac, randomBytes } from 'node:crypto';

/** Which connections are the same account of a service (ruling 42). In memory only. No key can be derived from it. */
export interface Accounts {
  /** The account of a connection, or its own id until its key was read. */
  of(connectionId: string): string;
  /** The connection's key was read for a request. `baseUrl`: its own, normalised. */
  learn(connectionId: string, baseUrl: string, key: string): void;
  forget(connectionId: string): void;
}

/** Accounts are distinguished by a hash of base URL and key, with a secret of this session that is not saved. */
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
