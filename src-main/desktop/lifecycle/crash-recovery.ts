import { app, BrowserWindow, dialog, type WebContents } from 'electron';
import { errorText } from '../../async/error-text.ts';
import type { Log } from '../../log.ts';
import {
  mainTroubleNotice,
  restartedNotice,
  stoppedText,
  windowQuestionText as questionText,
  windowReloadedNotice,
} from '../../messages/desktop/crash.ts';
import type { NewNotice } from '../../messages/notices.ts';
import { within } from '../../time/timers.ts';
import { startAgainAtTheEnd } from './restart.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

interface CrashReports {
  log: Log;
  now: () => number;
  /** Shows the notice in every window, when there are windows. */
  addNotice: (notice: NewNotice) => void;
}

export interface CrashRecoveryParts extends CrashReports {
  /** The file in which a crash of main is remembered over the restart. */
  recordPath: string;
  /** The log file, for a notice. */
  logPath: string;
  /** Resolves when everything in progress is on disk. */
  close: () => Promise<void>;
}

/** Recovers windows and main from crashes, and reports that main was restarted after one. */
export function recoverFromCrashes({ recordPath, logPath, close, ...reports }: CrashRecoveryParts): void {
  const record = openCrashRecord(recordPath);
  if (record.isRecent(reports.now())) reports.addNotice(restartedNotice(logPath));
  recoverWindows(reports);
  recoverMain(reports, { record, close });
}

/** A page that crashes this often within that time is not reloaded automatically. */
const maxDeaths = 3;
const deathsMs = 60_000;

/**
 * Reloads a window whose process crashed, with the same address: everything it showed is in main or on disk. If it
 * crashes repeatedly, or no longer responds, the user decides, as long as there is something to decide.
 */
function recoverWindows({ log, now, addNotice }: CrashReports): void {
  const deaths = new Map<number, number[]>();
  const question = createQuestion(log);
  app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
    question.withdraw(contents);
    if (reason === 'clean-exit') return;
    log.error('a window died', { reason, exitCode, url: contents.getURL() });
    const recent = [...(deaths.get(contents.id) ?? []), now()].filter((atMs) => now() - atMs < deathsMs);
    deaths.set(contents.id, recent);
    if (recent.length >= maxDeaths) {
      void question.ask(contents, questionText.crashed(recent.length), 'close');
      return;
    }
    contents.reload();
    addNotice(windowReloadedNotice(reason, now()));
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') log.error('a helper process died', { type, reason, exitCode });
  });
  app.on('web-contents-created', (_event, contents) => {
    const { id } = contents;
    contents.on('unresponsive', () => {
      log.error('a window does not answer', { url: contents.getURL() });
      void question.ask(contents, questionText.notResponding, 'wait');
    });
    contents.on('responsive', () => question.withdraw(contents));
    contents.on('destroyed', () => {
      question.withdraw(contents);
      deaths.delete(id);
    });
  });
}

interface Question {
  /** Asks once about a window: to reload it, or what `other` says. Nothing while it is asked about already. */
  ask(contents: WebContents, message: string, other: 'wait' | 'close'): Promise<void>;
  /** Takes the question away: the window answers again, was reloaded or is gone. A late click must not reload it. */
  withdraw(contents: WebContents): void;
}

function createQuestion(log: Log): Question {
  const open = new Map<WebContents, AbortController>();
  return {
    async ask(contents, message, other) {
      if (open.has(contents)) return;
      const withdrawal = new AbortController();
      open.set(contents, withdrawal);
      const options = {
        type: 'warning' as const,
        message,
        detail: questionText.detail,
        buttons: [questionText[other], questionText.reload],
        defaultId: 1,
        cancelId: 0,
        signal: withdrawal.signal,
      };
      // macOS takes a question away only from the window it belongs to.
      const window = BrowserWindow.fromWebContents(contents);
      const response = await (
        window === null || !window.isVisible() ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options)
      ).then(
        (answer) => answer.response,
        (error: unknown) => {
          log.error('a question could not be shown', { error });
          return null;
        },
      );
      if (withdrawal.signal.aborted || contents.isDestroyed()) return;
      open.delete(contents);
      if (response === null) return;
      if (response === 1) {
        // The process may hang in a loop, and a reload alone would wait for it.
        if (!contents.isCrashed() && other === 'wait') contents.forcefullyCrashRenderer();
        else contents.reload();
        // By its window, which then saves its place: contents that are closed take it with them without a word.
      } else if (other === 'close') (BrowserWindow.fromWebContents(contents) ?? contents).close();
    },
    withdraw(contents) {
      open.get(contents)?.abort();
      open.delete(contents);
    },
  };
}

/** How long main waits for what is in progress before it ends. */
const closeLimitMs = 5_000;

/**
 * After an uncaught error main cannot trust its state, so it writes what it can and restarts. If that happened a moment
 * ago already, it shows the error and ends. A rejection without a handler is logged and shown.
 */
function recoverMain(
  { log, now, addNotice }: CrashReports,
  { record, close }: { record: CrashRecord; close: () => Promise<void> },
): void {
  let isEnding = false;

  async function end(thrown: unknown): Promise<void> {
    const isLoop = record.isRecent(now());
    record.save(now());
    await within(
      close().catch((closing: unknown) => log.error('main could not close cleanly', { error: closing })),
      closeLimitMs,
    );
    if (isLoop) dialog.showErrorBox(stoppedText.title, stoppedText.text(log.redact(errorText(thrown))));
    else startAgainAtTheEnd();
    app.exit(1);
  }

  process.on('uncaughtException', (thrown) => {
    log.error('main failed', { error: thrown });
    if (isEnding) return;
    isEnding = true;
    void end(thrown);
  });
  process.on('unhandledRejection', (reason) => {
    log.error('a promise was rejected without a handler', { error: reason });
    addNotice(mainTroubleNotice(log.redact(errorText(reason))));
  });
}

/** When main last crashed, remembered over the restart. */
interface CrashRecord {
  /** Whether that was less than two minutes ago. */
  isRecent(nowMs: number): boolean;
  save(atMs: number): void;
}

const recentMs = 120_000;
const shape = z.object({ atMs: z.number() });

/** The file with the time of the last crash. A file that cannot be read counts as none. */
function openCrashRecord(path: string): CrashRecord {
  return {
    isRecent(nowMs) {
      try {
        const { atMs } = shape.parse(JSON.parse(readFileSync(path, 'utf8')));
        return nowMs - atMs >= 0 && nowMs - atMs < recentMs;
      } catch {
        return false;
      }
    },
    save(atMs) {
      try {
        writeFileSync(path, JSON.stringify({ atMs }), { mode: 0o600 });
      } catch {
        // Without the file, a second crash restarts Jobdeck again. That is acceptable.
      }
    },
  };
}
