import type { History } from '../history/history.ts';
import type { Clock } from '../time/clock.ts';

interface SeenMarksParts {
  history: Pick<History, 'markNotificationsSeen' | 'markNotificationsUnseen'>;
  clock: Clock;
}

interface Turns {
  /** In turn with everything else that is done with notifications. */
  run: (work: () => Promise<void>) => Promise<void>;
  /** As `run`, for a caller that does not wait for it. */
  later: (work: () => Promise<void>) => void;
  /** The number of unseen notifications changed. */
  onChanged: () => Promise<void>;
}

/** Which notifications the user has seen. */
export class SeenMarks {
  readonly #parts: SeenMarksParts;
  readonly #turns: Turns;

  constructor({ history, clock }: SeenMarksParts, turns: Turns) {
    this.#parts = { history, clock };
    this.#turns = turns;
  }

  /** Marks the notifications about these jobs. */
  jobsSeen(jobKeys: readonly string[]): void {
    const { history } = this.#parts;
    this.#turns.later(() => this.#report(history.markNotificationsSeen({ jobKeys: [...jobKeys] })));
  }

  /** Marks all up to an id, or those with the ids. Returns when: the epoch time in milliseconds. */
  async mark(which: { upToId: number } | { ids: number[] }): Promise<number> {
    const { history, clock } = this.#parts;
    const atMs = clock.now();
    await this.#turns.run(() => this.#report(history.markNotificationsSeen(which)));
    return atMs;
  }

  /** Undoes that for those up to an id, or about these jobs, that were marked at `sinceMs` or later. */
  async unmark(which: { upToId: number } | { jobKeys: string[] }, sinceMs: number): Promise<void> {
    await this.#turns.run(() => this.#report(this.#parts.history.markNotificationsUnseen(which, sinceMs)));
  }

  async #report(changed: Promise<number>): Promise<void> {
    if ((await changed) > 0) await this.#turns.onChanged();
  }
}
