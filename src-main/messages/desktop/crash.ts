import type { NewNotice } from '../notices.ts';
import { asSentence } from '../../../src-preload/messages/sentence.ts';

/** The question about a window that crashed too often, or does not respond. */
export const windowQuestionText = {
  crashed: (times: number): string => `This window crashed ${times} times within a minute.`,
  notResponding: 'This window is not responding. Jobs are still being tracked.',
  detail: 'Reloading it loses only what you entered in it and did not save.',
  close: 'Close the window',
  wait: 'Wait',
  reload: 'Reload',
};

/** A window's process crashed. `reason`: Electron's word for it. */
export function windowReloadedNotice(reason: string, atMs: number): NewNotice {
  return {
    id: `window-died-${atMs}`,
    tone: 'warning',
    title: 'A window crashed and was reloaded',
    text: `Jobdeck itself kept running, so no job is affected. The reason is in the log: ${asSentence(reason)}`,
    path: null,
  };
}

/** An error in main that Jobdeck survived. */
export function mainTroubleNotice(error: string): NewNotice {
  return {
    id: 'main-trouble',
    tone: 'warning',
    title: 'Something inside Jobdeck failed',
    text:
      `${asSentence(error)} Saved jobs are safe, and tracking continues. Restart Jobdeck if something does not ` +
      'respond.',
    path: null,
  };
}

/** The start after such an error ended Jobdeck. `logPath`: where the log is. */
export function restartedNotice(logPath: string): NewNotice {
  return {
    id: 'restarted',
    tone: 'warning',
    title: 'Jobdeck restarted after an internal error',
    text: 'Everything that was saved is still here. Jobdeck is checking all active jobs again; the log has the error.',
    path: logPath,
  };
}

/** Jobdeck ends, because it failed again right after it restarted. */
export const stoppedText = {
  title: 'Jobdeck stopped',
  text: (error: string): string =>
    `${asSentence(error)}\n\nJobdeck failed twice within two minutes and does not restart. Saved jobs are safe.`,
};

/** Jobdeck cannot start. */
export const notStartedText = {
  title: 'Jobdeck could not start',
  text: (error: string, dataDir: string): string =>
    `${asSentence(error)}\n\nNothing that was saved has been changed. Its folder is ${dataDir}. Check that it can be ` +
    'written and that the disk has room, then start Jobdeck again.',
  /** For a user who started it in a terminal. */
  inTerminal: (error: string): string => `Jobdeck could not start: ${error}`,
};
