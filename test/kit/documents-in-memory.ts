import type { Documents } from '../../src-main/history/collection.ts';

/** Documents that are kept in memory, on a disk that refuses or delays writes when a test says so. */
export interface DocumentsInMemory {
  documents: Documents;
  /** The saved texts, by `kind/id`. */
  texts: Map<string, string>;
  /** The next writes are refused: this many. */
  refuseWrites(count: number): void;
  /** Writes wait from now on, in the order in which they began. Returns the function that ends the wait. */
  holdWrites(): () => void;
}

/** Nothing is saved at first, and every write succeeds. */
export function documentsInMemory(): DocumentsInMemory {
  const texts = new Map<string, string>();
  let refused = 0;
  let held: Promise<void> = Promise.resolve();
  const write = async (change: () => void): Promise<void> => {
    await held;
    if (refused > 0) {
      refused -= 1;
      throw new Error('the disk is full');
    }
    change();
  };
  return {
    texts,
    documents: {
      documents: async (kind) =>
        [...texts].flatMap(([name, json]) =>
          name.startsWith(`${kind}/`) ? [{ id: name.slice(kind.length + 1), json }] : [],
        ),
      readDocument: async (kind, id) => texts.get(`${kind}/${id}`) ?? null,
      putDocument: (kind, id, json) => write(() => texts.set(`${kind}/${id}`, json)),
      removeDocument: (kind, id) => write(() => texts.delete(`${kind}/${id}`)),
    },
    refuseWrites(count) {
      refused = count;
    },
    holdWrites() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}
