import type { Clock } from '../../time/clock.ts';

/** When it is asked whether the desktop shows tray icons: at the start, and later for a panel that starts after us. */
const askedAfterMs = [0, 5_000, 20_000] as const;
/** After this many answers of "no", a start without a window is one that the user cannot reach. */
const answersUntilAbsent = 2;

export interface TrayPresenceParts {
  /** Whether a program that shows tray icons runs. Null: it cannot be found out. */
  ask: () => Promise<boolean | null>;
  clock: Clock;
  /** Called once, if there is still none after five seconds. */
  onAbsent: () => void;
}

/**
 * Finds out whether the desktop shows tray icons. At login Jobdeck may start before the panel, so it asks again after a
 * "no". Returns a function that says what is known now: false while the last answer is "no".
 */
export function findTray({ ask, clock, onAbsent }: TrayPresenceParts): () => boolean {
  let isAbsent = false;
  async function askAgain(number: number): Promise<void> {
    const isThere = (await ask()) !== false;
    isAbsent = !isThere;
    if (isThere) return;
    if (number + 1 === answersUntilAbsent) onAbsent();
    const nextMs = askedAfterMs[number + 1];
    if (nextMs !== undefined) clock.after(nextMs - (askedAfterMs[number] ?? 0), () => void askAgain(number + 1));
  }
  void askAgain(0);
  return () => !isAbsent;
}
