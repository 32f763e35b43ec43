import type { TrayModel } from './tray-model.ts';

/** What dock and task bar show on the app's icon. */
export interface TaskbarModel {
  /** The part of the work since the last idle time that is done, from 0 to 1. Null if there is nothing to show. */
  progress: number | null;
  isPaused: boolean;
  /** A sign on the icon, on Windows only: something needs the user. */
  overlay: { icon: 'failed' | 'attention'; description: string } | null;
}

/** With a single job, the progress would jump from nothing to all. */
const minJobs = 2;

/** The progress of the work since no job was active. */
export class WorkProgress {
  readonly #begun = new Set<string>();

  /** Takes the keys of all active jobs. Null if there are none, or too few. */
  share(live: readonly string[]): number | null {
    if (live.length === 0) this.#begun.clear();
    for (const key of live) this.#begun.add(key);
    const begun = this.#begun.size;
    return begun < minJobs ? null : (begun - live.length) / begun;
  }
}

/** What the icon shows in addition to the tray. */
export function taskbarModel(tray: TrayModel, progress: number | null): TaskbarModel {
  const { icon, headline, isPaused } = tray;
  const needsUser = icon === 'failed' || icon === 'attention';
  return { progress, isPaused, overlay: needsUser ? { icon, description: headline } : null };
}

/** True if drawing one after the other would change nothing. */
export function isSameTaskbar(one: TaskbarModel, other: TaskbarModel): boolean {
  return (
    one.progress === other.progress &&
    one.isPaused === other.isPaused &&
    one.overlay?.icon === other.overlay?.icon &&
    one.overlay?.description === other.overlay?.description
  );
}
