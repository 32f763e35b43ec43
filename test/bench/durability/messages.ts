import type { SubmitOperation } from '../../../src-preload/job.ts';

/** From the bench to a client that it will kill. Each `ask` is answered once, unless the client dies first. */
export type ToClient =
  | { kind: 'start'; folder: string; baseUrl: string; apiKey: string; endpointId: string }
  | {
      kind: 'submit';
      ask: number;
      operation: SubmitOperation;
      inputText: string;
      ttlMs: number | null;
      isWatched: boolean;
    }
  /** The number of jobs for which it still expects changes. */
  | { kind: 'live'; ask: number }
  | { kind: 'close'; ask: number };

export type FromClient =
  | { kind: 'ready' }
  | { kind: 'submitted'; ask: number; isTaken: boolean; said: string }
  | { kind: 'live'; ask: number; count: number }
  | { kind: 'closed'; ask: number }
  /** What its listeners were called with. By contract, this is on disk already. */
  | { kind: 'reported'; key: string; chunkCount: number; isResultSaved: boolean };
