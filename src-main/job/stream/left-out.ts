/**
 * Chunks equal to stored ones, left out though they may be new: which they equal, and in front of which place they
 * came.
 */
export interface LeftOut {
  at: number;
  from: number;
  count: number;
  receivedAtMs: number;
  /**
   * It is just being stored after all; that is done once so many chunks of the attempt are stored. A crash can come in
   * between.
   */
  storedAt?: number;
}

/** Reads what was noted as left out; null: nothing was. What cannot be read is passed over. */
export function readLeftOut(json: string | null): LeftOut[] {
  const notes: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(notes) ? notes.filter(isLeftOut) : [];
}

function isLeftOut(note: unknown): note is LeftOut {
  return (
    typeof note === 'object' &&
    note !== null &&
    'at' in note &&
    'from' in note &&
    'count' in note &&
    'receivedAtMs' in note &&
    [note.at, note.from, note.count, note.receivedAtMs, 'storedAt' in note ? note.storedAt : 0].every(
      (value) => typeof value === 'number',
    )
  );
}

/** To be noted before they are stored, one after the other, behind the rest. */
export function beingPutBack(notes: readonly LeftOut[]): LeftOut[] {
  let storedAt = notes[0]?.at ?? 0;
  return notes.map((note) => ({ ...note, storedAt: (storedAt += note.count) }));
}

/** To be noted before the stream is put in its order, in which they stand; `chunkCount`: how many it then has. */
export function beingOrdered(notes: readonly LeftOut[], chunkCount: number): LeftOut[] {
  return notes.map((note) => ({ ...note, storedAt: chunkCount }));
}

/** What a crash left of them, with so many chunks stored: those that are stored by now are no longer left out. */
export function leftOfThem(notes: readonly LeftOut[], chunkCount: number): LeftOut[] {
  const left = notes.filter(({ storedAt }) => storedAt === undefined || storedAt > chunkCount);
  const isBegun = left.length < notes.length;
  return left.map(({ storedAt, ...note }) => (isBegun && storedAt !== undefined ? { ...note, at: chunkCount } : note));
}
