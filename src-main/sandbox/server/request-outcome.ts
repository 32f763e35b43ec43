import type { FaultKind } from '../faults/faults.ts';
import type { Reply } from '../http/reply.ts';
import type { BodyRead } from '../http/request-body.ts';
import type { ToldChunks } from '../queue/stream-buffer.ts';

/** What becomes of a request. `hang`: left without an answer on purpose. `gone`: the client left. */
export type Outcome = { kind: 'reply'; reply: Reply } | { kind: 'reset' } | { kind: 'hang' } | { kind: 'gone' };

/** The connection side of a request, as far as answering it needs it. */
export interface RequestAccess {
  readBody(maxBytes: number): Promise<BodyRead>;
  /** Aborted when the client hangs up. */
  signal(): AbortSignal;
  /** How much of the body has come in. */
  receivedBytes(): number;
}

/** What is learnt of a request on its way, for the log. */
export interface RequestTrace {
  fault: FaultKind | null;
  /** The job a submission became; its path names none. */
  submittedJobId: string | null;
  told: ToldChunks | null;
}
