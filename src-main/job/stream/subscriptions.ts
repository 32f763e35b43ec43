import type { StreamMessage } from '../../../src-preload/contract.ts';
import { isLive, type StreamChunk } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';

/** What a pane gets of a stream while it listens: each chunk as soon as it is stored. */
export type StreamListener = (news: StreamMessage) => void;

interface Pane {
  attempt: number;
  listener: StreamListener;
  hasEnded: boolean;
}

/** Any number of panes on one reader. `statusAtEnd` says whether an attempt is already over. */
export class Subscriptions {
  readonly #parts: {
    /** For an attempt that is over: its status. Null while more can come. */
    statusAtEnd: (key: string, attempt: number) => Promise<{ status: string | null } | null>;
    onAttention: () => void;
    onTrouble: (error: unknown) => void;
  };
  readonly #panes = new Map<string, Set<Pane>>();

  constructor(parts: {
    /** For an attempt that is over: its status. Null while more can come. */
    statusAtEnd: (key: string, attempt: number) => Promise<{ status: string | null } | null>;
    onAttention: () => void;
    onTrouble: (error: unknown) => void;
  }) {
    this.#parts = parts;
  }

  /**
   * Sends events of `attempt` from now on; stored chunks are read separately. Subscribe first, then read, and nothing
   * is missed. Continues into the next attempt after a retry. Returns the function that ends it.
   */
  subscribe(key: string, attempt: number, listener: StreamListener): () => void {
    const pane: Pane = { attempt, listener, hasEnded: false };
    const others = this.#panes.get(key) ?? new Set();
    others.add(pane);
    this.#panes.set(key, others);
    this.#parts.statusAtEnd(key, attempt).then((over) => {
      if (over !== null && this.#on(key, attempt).includes(pane)) this.#end(pane, over.status);
    }, this.#parts.onTrouble);
    this.#parts.onAttention();
    return () => {
      others.delete(pane);
      if (others.size === 0 && this.#panes.get(key) === others) this.#panes.delete(key);
    };
  }

  /** Chunks were committed. */
  kept(key: string, attempt: number, chunks: readonly StreamChunk[]): void {
    if (chunks.length > 0)
      for (const pane of this.#on(key, attempt)) pane.listener({ kind: 'chunks', chunks: [...chunks] });
  }

  /** The stored chunks of this attempt have other indices now. */
  replaced(key: string, attempt: number): void {
    for (const pane of this.#on(key, attempt)) pane.listener({ kind: 'replaced' });
  }

  /** Nothing more will come for this attempt. */
  ended(key: string, attempt: number, status: string | null): void {
    for (const pane of this.#on(key, attempt)) this.#end(pane, status);
  }

  /** A retry began this attempt. */
  began(key: string, attempt: number): void {
    // A pane that shows an older attempt stays there.
    for (const pane of this.#on(key, attempt - 1)) {
      pane.attempt = attempt;
      pane.hasEnded = false;
      pane.listener({ kind: 'attempt', attempt });
    }
  }

  /** Whether any pane shows this job's stream. */
  isAttended(key: string): boolean {
    return (this.#panes.get(key)?.size ?? 0) > 0;
  }

  /** Drops all subscriptions. Nothing is sent after this. */
  close(): void {
    this.#panes.clear();
  }

  #on(key: string, attempt: number): Pane[] {
    return [...(this.#panes.get(key) ?? [])].filter((pane) => pane.attempt === attempt);
  }

  #end(pane: Pane, status: string | null): void {
    if (pane.hasEnded) return;
    pane.hasEnded = true;
    pane.listener({ kind: 'ended', status });
  }
}

/** For an attempt that is over: its status. Null while more can come. */
export async function statusAtEnd(
  { ledger, history }: Pick<JobContext, 'ledger' | 'history'>,
  key: string,
  attempt: number,
): Promise<{ status: string | null } | null> {
  const live = ledger.live().get(key);
  if (live !== undefined && live.job.attempt === attempt) return null;
  const stored = await history.get(key);
  if (stored === null) return null;
  // An orphaned one may be tracked again.
  const mayGoOn = stored.job.attempt === attempt && (isLive(stored.job) || stored.job.phase === 'orphaned');
  return mayGoOn ? null : { status: stored.attempts.find(({ number }) => number === attempt)?.status ?? null };
}
