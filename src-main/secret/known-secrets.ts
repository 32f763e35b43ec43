import type { Log } from '../log.ts';
import { secretOf } from './secret-search.ts';
import type { Mark, Secret } from './secret-search.ts';

/**
 * The secrets this run has in memory: keys and s3 secrets as they are read or kept, and values of variables that are
 * called one. Whatever a service answers goes through them before it is kept or shown; the log hides them as well.
 * None is ever taken out again: a reply may repeat a key that was replaced since.
 */
export interface KnownSecrets {
  add(secret: string, mark: Mark): void;
  all(): readonly Secret[];
}

export function createKnownSecrets(log: Pick<Log, 'hide'>): KnownSecrets {
  const known = new Map<string, Secret>();
  return {
    add(secret, mark) {
      log.hide(secret);
      // A variable may hold the key: it is the key even so.
      const former = known.get(secret)?.mark;
      if (former === undefined || (former !== mark && mark === '[key]')) known.set(secret, secretOf(secret, mark));
    },
    all: () => [...known.values()],
  };
}
