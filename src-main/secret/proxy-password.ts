import { createHash } from 'node:crypto';
import { ok, type Result } from '../../src-preload/failure.ts';
import type { StorageFailure } from './keychain.ts';
import type { SecretStore } from './secret-store.ts';

/** A user name at a proxy. A password is sent only to the proxy it was entered for. */
interface ProxyUser {
  proxy: string;
  name: string;
}

/** Passwords for proxies, kept in the same place as keys. */
export interface ProxyPasswords {
  /** Null if none is saved, or its place does not answer. Read once, because every request needs it. */
  read(user: ProxyUser): Promise<string | null>;
  write(user: ProxyUser, password: string): Promise<Result<null, StorageFailure>>;
}

/** The passwords of proxies, read from the secret store once and then kept in memory. */
export function createProxyPasswords(secrets: Pick<SecretStore, 'read' | 'write'>): ProxyPasswords {
  const known = new Map<string, string>();
  return {
    async read(user) {
      const id = idOf(user);
      const before = known.get(id);
      if (before !== undefined) return before;
      const read = await secrets.read(id);
      // One that was saved meanwhile is newer.
      const saved = known.get(id);
      if (saved !== undefined) return saved;
      if (!read.ok || read.value === null) return null;
      known.set(id, read.value);
      return read.value;
    },
    async write(user, password) {
      const id = idOf(user);
      const written = await secrets.write(id, password);
      if (!written.ok) return written;
      known.set(id, password);
      return ok(null);
    },
  };
}

/** Short for any input, because it becomes part of a file name. */
function idOf({ proxy, name }: ProxyUser): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([proxy, name]))
    .digest('hex');
  return `proxy:${digest.slice(0, 32)}`;
}
