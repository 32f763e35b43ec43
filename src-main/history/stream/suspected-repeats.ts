import { z } from 'zod';

/**
 * The beginning of a reply that equals the chunks stored before it. It was not stored, because the server may only have
 * repeated it (ruling 2), and is noted because it may be new after all. The note survives a crash, because the service
 * no longer has these chunks.
 */
export interface SuspectedRepeat {
  /** How many chunks were stored when it came: its place in the stream. */
  at: number;
  /** How many chunks it has. They equal the first stored ones. */
  count: number;
  receivedAtMs: number;
  /** Where the equal ones begin, if not at the start. Only former versions wrote it. */
  from?: number | undefined;
}

const note = z.object({
  at: z.number(),
  count: z.number(),
  receivedAtMs: z.number(),
  from: z.number().optional(),
});

/**
 * The documents with what is left out of the stream of one attempt, in the order it came. Invalid notes are skipped.
 */
export const suspectedRepeats = {
  kind: 'left-out-chunks',
  schema: z
    .array(note.nullable().catch(null))
    .catch([])
    .transform((notes): SuspectedRepeat[] => notes.filter((one) => one !== null)),
  id: ({ key, attempt }: { key: string; attempt: number }): string => `${key} ${attempt}`,
};

/** The job and the attempt in an id of `suspectedRepeats`. */
export function readSuspectedRepeatsId(id: string): { key: string; attempt: number } {
  const [key = '', attempt] = id.split(' ');
  return { key, attempt: Number(attempt) };
}

/**
 * The stream including what was left out of it, each part in its place. `copy` makes the suspected chunk from the equal
 * stored one.
 */
export function withSuspectedRepeats<T>(
  stored: readonly T[],
  suspected: readonly SuspectedRepeat[],
  copy: (equal: T, note: SuspectedRepeat) => T,
): T[] {
  const stream: T[] = [];
  let place = 0;
  const addUpTo = (end: number): void => {
    for (const chunk of stored.slice(place, end)) stream.push(chunk);
    place = Math.max(place, end);
  };
  for (const one of suspected) {
    const { at, count, from = 0 } = one;
    addUpTo(at);
    for (const equal of stored.slice(from, from + count)) stream.push(copy(equal, one));
  }
  addUpTo(stored.length);
  return stream;
}
