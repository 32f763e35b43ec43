import type { Clock, ClockTimer } from '../clock.ts';
import { NotKept } from '../queue/store.ts';
import type { InTransaction } from './state-schema.ts';

/** One change of what the file keeps. */
export interface StateChange {
  /**
   * What of the file it concerns; a later change under the same name makes the rewriting of an earlier one superfluous.
   */
  name: string;
  write(): void;
  /** Writes all that is kept under the name as it is by then, whatever the file holds of it. */
  rewrite(): void;
}

/** The one way into the state file. */
export interface StateWrites {
  /**
   * Writes the changes as one transaction, before it returns. Never throws: where the disk refuses, they wait in
   * memory, and so does all that follows, until the file can be written again.
   */
  keep(...changes: StateChange[]): void;
  /** As {@link StateWrites.keep}, but throws a {@link NotKept} where the disk refuses, and then nothing has changed. */
  keepOrRefuse(...changes: StateChange[]): void;
  /** What `work` keeps is written together or, by a process that is killed meanwhile, not at all. */
  together(work: () => void): void;
  /** Why the file could not be written the last time; null when it could. */
  trouble(): string | null;
  /** Tries what waits a last time, and tells where it is lost. */
  close(): void;
}

/** Called when the file refuses to be written, and with null when it was written again. */
export type OnStateTrouble = (sentence: string | null) => void;

export interface StateWritesOptions {
  inTransaction: InTransaction;
  /** Real time: a disk has no other. */
  clock: Clock;
  /** A sentence for the user about what the disk has thrown. */
  sentenceFor(error: unknown): string;
  onTrouble: OnStateTrouble;
}

const TRY_AGAIN_MS = 2_000;

/** Writes changes to the state file at once or, when the disk refuses them, as soon as it does not. */
export function createStateWrites({ inTransaction, clock, sentenceFor, onTrouble }: StateWritesOptions): StateWrites {
  const waiting = new Map<string, StateChange>();
  let joined: StateChange[] | null = null;
  let timer: ClockTimer | null = null;
  let reportedSentence: string | null = null;

  function tell(sentence: string | null): void {
    if (sentence === reportedSentence) return;
    reportedSentence = sentence;
    onTrouble(sentence);
  }

  function disarm(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  /** Runs the work as one transaction: what the disk threw, as a sentence, or null. */
  function attempt(work: () => void): { sentence: string; error: unknown } | null {
    try {
      inTransaction(work);
      return null;
    } catch (error) {
      const sentence = sentenceFor(error);
      tell(sentence);
      return { sentence, error };
    }
  }

  function writeAll(changes: readonly StateChange[]): ReturnType<typeof attempt> {
    return attempt(() => changes.forEach(({ write }) => write()));
  }

  function writeWaiting(): void {
    disarm();
    if (attempt(() => waiting.forEach(({ rewrite }) => rewrite())) !== null) return arm();
    waiting.clear();
    tell(null);
  }

  function arm(): void {
    timer ??= clock.setTimeout(writeWaiting, TRY_AGAIN_MS);
  }

  function keep(...changes: StateChange[]): void {
    if (joined !== null) return void joined.push(...changes);
    // A disk that refused is left in peace until the timer asks it again: a full one would be asked for every move.
    if (waiting.size === 0 && writeAll(changes) === null) return tell(null);
    for (const change of changes) waiting.set(change.name, change);
    arm();
  }

  return {
    keep,
    keepOrRefuse: (...changes) => {
      const failure = writeAll(changes);
      if (failure !== null) throw new NotKept(failure.sentence, { cause: failure.error });
      for (const { name } of changes) waiting.delete(name);
      if (waiting.size > 0) writeWaiting();
      else tell(null);
    },
    together: (work) => {
      if (joined !== null) return work();
      const changes: StateChange[] = [];
      joined = changes;
      try {
        work();
      } finally {
        joined = null;
        if (changes.length > 0) keep(...changes);
      }
    },
    trouble: () => reportedSentence,
    close: () => {
      if (waiting.size > 0) writeWaiting();
      disarm();
      if (waiting.size > 0)
        onTrouble(`What the state file could not be given until the end is lost (changes: ${waiting.size}).`);
    },
  };
}
