import type { Clock, ClockTimer } from '../clock.ts';
import { NotSaved } from '../queue/store.ts';
import type { InTransaction } from './state-schema.ts';

/** One change of the file's content. */
export interface StateChange {
  /**
   * The part of the file that it changes. A later change with the same name makes it unnecessary to repeat an earlier
   * one.
   */
  name: string;
  write(): void;
  /** Writes everything under the name in its present state, whatever the file has. */
  rewrite(): void;
}

/** All writes to the state file pass through here. */
export interface StateWrites {
  /**
   * Writes the changes as one transaction, before it returns. Never throws: if the disk refuses, they wait in memory,
   * and so do all later ones, until the file can be written again.
   */
  keep(changes: readonly StateChange[]): void;
  /** As {@link StateWrites.keep}, but throws a {@link NotSaved} if the disk refuses. Nothing has changed then. */
  keepOrRefuse(...changes: StateChange[]): void;
  /** The changes of `work` are written together or, if the process is killed meanwhile, not at all. */
  together(work: () => void): void;
  /** Why the file could not be written the last time. Null if it could. */
  trouble(): string | null;
  /** Tries the waiting changes a last time, and reports if they are lost. */
  close(): void;
}

/** Called if the file cannot be written, and with null when it can be again. */
export type OnStateTrouble = (sentence: string | null) => void;

export interface StateWritesOptions {
  inTransaction: InTransaction;
  /** Real time, because disks know no other. */
  clock: Clock;
  /** A sentence for the user about an error of the disk. */
  sentenceFor(error: unknown): string;
  onTrouble: OnStateTrouble;
}

const TRY_AGAIN_MS = 2_000;

/** Writes changes to the state file immediately or, if the disk refuses them, as soon as possible. */
export function createStateWrites({ inTransaction, clock, sentenceFor, onTrouble }: StateWritesOptions): StateWrites {
  const waiting = new Map<string, StateChange>();
  let joined: StateChange[] | null = null;
  let timer: ClockTimer | null = null;
  let reportedSentence: string | null = null;

  function report(sentence: string | null): void {
    if (sentence === reportedSentence) return;
    reportedSentence = sentence;
    onTrouble(sentence);
  }

  function disarm(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  /** Runs the work as one transaction. Returns the disk's error as a sentence, or null. */
  function attempt(work: () => void): { sentence: string; error: unknown } | null {
    try {
      inTransaction(work);
      return null;
    } catch (error) {
      const sentence = sentenceFor(error);
      report(sentence);
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
    report(null);
  }

  function arm(): void {
    timer ??= clock.setTimeout(writeWaiting, TRY_AGAIN_MS);
  }

  function keep(changes: readonly StateChange[]): void {
    if (joined !== null) {
      for (const change of changes) joined.push(change);
      return;
    }
    // After a refusal, only the timer tries again. Otherwise a full disk would be tried for every change.
    if (waiting.size === 0 && writeAll(changes) === null) return report(null);
    for (const change of changes) waiting.set(change.name, change);
    arm();
  }

  return {
    keep,
    keepOrRefuse: (...changes) => {
      const failure = writeAll(changes);
      if (failure !== null) throw new NotSaved(failure.sentence, { cause: failure.error });
      for (const { name } of changes) waiting.delete(name);
      if (waiting.size > 0) writeWaiting();
      else report(null);
    },
    together: (work) => {
      if (joined !== null) return work();
      const changes: StateChange[] = [];
      joined = changes;
      try {
        work();
      } finally {
        joined = null;
        if (changes.length > 0) keep(changes);
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
