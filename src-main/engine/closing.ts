import { WorkInProgress } from '../async/queues.ts';
import type { Log } from '../log.ts';
import { isCallName, type CallName, type HandlerFor, type Handlers } from '../../src-preload/contract.ts';
import { failed, type Failure } from '../../src-preload/failure.ts';
import { within } from '../time/timers.ts';
import { closingText } from '../messages/engine.ts';

/** What was opened and must be closed, in the reverse order. */
export interface Closing {
  /** Adds a part. It is closed before all parts that were added earlier. */
  later(part: string, end: () => Promise<void> | void): void;
  /** Closes everything, once. If a part fails, the others are still closed. */
  all(): Promise<void>;
}

/** Collects what must be closed. Errors of a part are logged. */
export function createClosing(log: Log): Closing {
  const ends: { part: string; end: () => Promise<void> | void }[] = [];
  let closing: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    for (const { part, end } of ends.toReversed()) {
      try {
        await end();
      } catch (error) {
        log.error('A part of Jobdeck did not close cleanly', { part, error });
      }
    }
  }

  return {
    later: (part, end) => void ends.push({ part, end }),
    all: () => (closing ??= endAll()),
  };
}

/** The answer to calls that come while Jobdeck closes. */
export const closingFailure: Failure = { kind: 'refused', message: closingText.nothingDone };

function hasHandler<N extends CallName>(handlers: object, name: N): handlers is { [K in N]: HandlerFor<K> } {
  return Object.hasOwn(handlers, name);
}

/**
 * All calls from windows pass through this. Windows still call while the app closes, and such a call must not begin
 * work that nothing would end.
 */
export class CallGuard {
  readonly #inProgress = new WorkInProgress();
  #isClosed = false;

  /** The same handlers, which refuse calls from `close` on. */
  guard<H extends Partial<Handlers>>(handlers: H): H {
    const guarded = { ...handlers };
    for (const name of Object.keys(handlers))
      if (isCallName(name) && hasHandler(guarded, name)) this.#guardOne(guarded, name);
    return guarded;
  }

  #guardOne<N extends CallName>(handlers: { [K in N]: HandlerFor<K> }, name: N): void {
    const handler: HandlerFor<N> = handlers[name];
    const guarded: HandlerFor<N> = (input, from) => {
      if (this.#isClosed) return failed(closingFailure);
      const answer = handler(input, from);
      return answer instanceof Promise ? this.#inProgress.follow(answer) : answer;
    };
    handlers[name] = guarded;
  }

  /** From now on every call is refused. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when every accepted call has its answer, but after `limitMs` at the latest. */
  async idle(limitMs: number): Promise<void> {
    await within(this.#inProgress.idle(), limitMs);
  }
}
