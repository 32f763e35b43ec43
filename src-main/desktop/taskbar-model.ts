import type { TrayModel } from './tray-model.ts';

/** What dock and task bar show on the app's icon, as a value. */
export interface TaskbarModel {
  /** How much of the work since the last rest is done, from 0 to 1; null where there is nothing to show. */
  progress: number | null;
  isPaused: boolean;
  /** Over the icon, on Windows: something needs the user. */
  overlay: { icon: 'failed' | 'attention'; description: string } | null;
}

/** From one job a share would jump from nothing to all. */
const fewestJobs = 2;

/** The work since nothing was active: how much of it is done. */
export class WorkProgress {
  readonly #begun = new Set<string>();

  /** Takes the keys of all jobs that are active now. Null when nothing is, or too little was. */
  share(live: readonly string[]): number | null {
    if (live.length === 0) this.#begun.clear();
    for (const key of live) this.#begun.add(key);
    const begun = this.#begun.size;
    return begun < fewestJobs ? null : (begun - live.length) / begun;
  }
}

/** What the icon shows beside what the tray says. */
export function taskbarModel(tray: TrayModel, progress: number | null): TaskbarModel {
  const { icon, headline, isPaused } = tray;
  const needsUser = icon === 'failed' || icon === 'attention';
  return { progress, isPaused, overlay: needsUser ? { icon, description: headline } : null };
}

/** True where drawing the one after the other would change nothing. */
export function isSameTaskbar(one: TaskbarModel, other: TaskbarModel): boolean {
  return (
    one.progress === other.progress &&
    one.isPaused === other.isPaused &&
    one.overlay?.icon === other.overlay?.icon &&
    one.overlay?.description === other.overlay?.description
  );
}
