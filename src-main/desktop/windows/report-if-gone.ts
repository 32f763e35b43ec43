import type { BrowserWindow, WebContents } from 'electron';
import type { Result } from '../../../src-preload/failure.ts';
import { lateFailureNotice, type LateWork } from '../../messages/desktop/notices.ts';
import type { NewNotice } from '../../messages/notices.ts';
import type { Windows } from './windows.ts';

/**
 * Does work that a page waits for, and returns its result. If it fails and that page is gone by then, the failure is
 * shown as a notice.
 */
export type ReportIfGone = <R extends Result<unknown>>(
  kind: LateWork,
  windowId: number,
  work: (window: BrowserWindow | null) => Promise<R>,
) => Promise<R>;

interface ReportIfGoneParts {
  addNotice: (notice: NewNotice) => void;
  windows: Pick<Windows, 'byId'>;
}

/**
 * A dialog for a file may be open for long, and the work after it may take long too. Meanwhile the window may be
 * closed, or its page may crash or be reloaded.
 */
export function createReportIfGone({ addNotice, windows }: ReportIfGoneParts): ReportIfGone {
  const pageNumberOf = createPageNumbers();
  return async (kind, windowId, work) => {
    const window = windows.byId(windowId);
    const pageBefore = window === null ? null : pageNumberOf(window.webContents);
    const result = await work(window);
    const now = windows.byId(windowId);
    if (!result.ok && (now === null || pageNumberOf(now.webContents) !== pageBefore))
      addNotice(lateFailureNotice(kind, result.failure.message));
    return result;
  };
}

/** Returns a function that gives each page of a window another number: a reload and a crash begin a new one. */
function createPageNumbers(): (contents: WebContents) => number {
  const numbers = new WeakMap<WebContents, number>();
  return (contents) => {
    const known = numbers.get(contents);
    if (known !== undefined) return known;
    const countOn = (): void => void numbers.set(contents, (numbers.get(contents) ?? 0) + 1);
    contents.on('did-navigate', countOn);
    contents.on('render-process-gone', countOn);
    numbers.set(contents, 0);
    return 0;
  };
}
