import type { Result } from '../../src-preload/failure.ts';
import type { StorageFailure } from './secret-place.ts';

/**
 * How long a key stays in memory after it was read. Polling asks for it many times a second; a keychain is not made for
 * that.
 */
export const keyHeldMs = 60_000;

type KeyRead = Result<string | null, StorageFailure>;

export interface HeldKeys {
  /** The key as kept, read from the storage at most once in `keyHeldMs`. */
  read(id: string): Promise<KeyRead>;
  /** The kept key changed or must not stay in memory. */
  drop(id: string): void;
  close(): void;
}

/** Spares the key storage: reads that come together share one, and a key that was found is held for `keyHeldMs`. */
export function createHeldKeys(parts: { read: (id: string) => Promise<KeyRead>; now: () => number }): HeldKeys {
  const held = new Map<string, { readAtMs: number; reading: Promise<KeyRead> }>();

  return {
    async read(id) {
      const current = held.get(id);
      if (current !== undefined && parts.now() - current.readAtMs < keyHeldMs) return current.reading;
      const entry = { readAtMs: parts.now(), reading: parts.read(id) };
      held.set(id, entry);
      const read = await entry.reading;
      // "None" and failures are asked for again. A read that was dropped meanwhile is no longer in the map.
      if ((!read.ok || read.value === null) && held.get(id) === entry) held.delete(id);
      return read;
    },
    drop: (id) => void held.delete(id),
    close: () => held.clear(),
  };
}
