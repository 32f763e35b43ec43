import type { Clock } from '../../time/clock.ts';

/** When to check whether the desktop shows tray icons: at the start, and later for a panel that starts after us. */
const checksAfterMs = [0, 5_000, 20_000] as const;
/** After this many answers of "no", a start without a window is one that the user cannot reach. */
const answersUntilAbsent = 2;

export interface TrayPresenceParts {
  /** Whether a program that shows tray icons runs. Null: it cannot be found out. */
  check: () => Promise<boolean | null>;
  clock: Clock;
  /** Called once, if there is still none after five seconds. */
  onAbsent: () => void;
}

/**
 * Finds out whether the desktop shows tray icons. At login Jobdeck may start before the panel, so it checks again after
 * a "no". Returns a function that says what is known now: false while the last answer is "no".
 */
export function findTray({ check, clock, onAbsent }: TrayPresenceParts): () => boolean {
  let isAbsent = false;
  async function checkAgain(number: number): Promise<void> {
    const hasTray = (await check()) !== false;
    isAbsent = !hasTray;
    if (hasTray) return;
    if (number + 1 === answersUntilAbsent) onAbsent();
    const nextMs = checksAfterMs[number + 1];
    if (nextMs !== undefined) clock.after(nextMs - (checksAfterMs[number] ?? 0), () => void checkAgain(number + 1));
  }
  void checkAgain(0);
  return () => !isAbsent;
}
