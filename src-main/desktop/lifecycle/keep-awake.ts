import { powerSaveBlocker } from 'electron';

/**
 * Keeps macOS from suspending Jobdeck while jobs are active: App Nap would slow the timers of a hidden window, and
 * results would be read late. Other systems have no such feature. The display may sleep.
 */
export function keepAwake(): { set(isAwake: boolean): void } {
  let blocker: number | null = null;
  return {
    set(isAwake) {
      if (process.platform !== 'darwin' || isAwake === (blocker !== null)) return;
      if (isAwake) blocker = powerSaveBlocker.start('prevent-app-suspension');
      else if (blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
    },
  };
}
