import { createHash } from 'node:crypto';
import { ok, type Result } from '../../src-preload/failure.ts';
import type { StorageFailure } from './keychain.ts';
import type { SecretStore } from './secret-store.ts';

/** Who signs in at which proxy. The password typed for one of them is given to no other. */
interface ProxyUser {
  proxy: string;
  name: string;
}

/** Passwords for proxies, kept where keys are. */
export interface ProxyPasswords {
  /** Null where none is kept, or the place where it lies does not answer. Read once: every request asks. */
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

/** Short, whatever was typed, for it becomes the name of a file. */
function idOf({ proxy, name }: ProxyUser): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([proxy, name]))
    .digest('hex');
  return `proxy:${digest.slice(0, 32)}`;
}
