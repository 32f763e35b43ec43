import { ok } from '../../src-preload/failure.ts';
import type { SecretPlace } from './keychain.ts';

/** Memory: secrets that are never written to disk. */
export interface SessionPlace extends SecretPlace {
  kind: 'session';
  has(id: string): boolean;
  ids(): string[];
  /** Reads synchronously. Null if none is kept. */
  peek(id: string): string | null;
  keep(id: string, secret: string): void;
  forget(id: string): void;
  clear(): void;
}

/** Keeps secrets in memory, until Jobdeck quits. */
export function createSessionPlace(): SessionPlace {
  const kept = new Map<string, string>();
  return {
    kind: 'session',
    read: (id) => Promise.resolve(ok(kept.get(id) ?? null)),
    write(id, secret) {
      kept.set(id, secret);
      return Promise.resolve(ok(null));
    },
    remove(id) {
      kept.delete(id);
      return Promise.resolve(ok(null));
    },
    has: (id) => kept.has(id),
    ids: () => [...kept.keys()],
    peek: (id) => kept.get(id) ?? null,
    keep: (id, secret) => void kept.set(id, secret),
    forget: (id) => void kept.delete(id),
    clear: () => kept.clear(),
  };
}
