import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { dispatch, isCallName, type CallName, type Handlers } from '../../src-preload/contract.ts';
import type { EventName, Events } from '../../src-preload/events.ts';
import { failed } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';
import { isTrustedUrl } from './app-protocol.ts';

/**
 * Calls that are answered before the engine is open: a window can be moved about and closed, and knows what it waits
 * for.
 */
export type EarlyCall = 'app:preparation' | 'window:minimize' | 'window:toggleMaximize' | 'window:close';

/**
 * Serves the contract on the one call channel: checks who asks (main frame of a window of ours, on our origin),
 * the name, then the input, and always answers a `Result`. Nothing is ever thrown across. Calls of `early` are answered
 * at once; the others wait for `later`.
 */
export function serveContract(early: Pick<Handlers, EarlyCall>, later: Promise<Handlers>, log: Log): void {
  const isEarly = (name: CallName): name is EarlyCall => Object.hasOwn(early, name);
  // Why they never come is said where the app gives up.
  later.catch(() => undefined);
  ipcMain.handle('call', async (event, name: unknown, input: unknown) => {
    try {
      if (!isTrustedSender(event)) {
        log.warn('a call came from a frame that is not ours', { url: event.senderFrame?.url ?? 'gone' });
        return failed({ kind: 'refused', message: 'Only Jobdeck’s own windows may do this.' });
      }
      if (!isCallName(name))
        return failed({
          kind: 'defect',
          message: 'Jobdeck does not know this request. Restart Jobdeck.',
          detail: describeName(name),
        });
      const windowId = BrowserWindow.fromWebContents(event.sender)?.id ?? -1;
      return await (isEarly(name)
        ? dispatch(early, name, input, { windowId })
        : dispatch(await later, name, input, { windowId }));
    } catch (thrown) {
      // Somebody else's words: they may quote what they were given.
      const detail = log.redact(errorText(thrown));
      log.error('a call failed', { call: describeName(name), detail });
      return failed({
        kind: 'defect',
        message: `Jobdeck could not finish this: ${detail}. Your saved data is safe.`,
        detail,
      });
    }
  });
}

/** What was asked for, short: a name that is no text cannot always be written as one. */
function describeName(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, 100) : typeof name;
}

/** Sends an event to every open window. */
export function broadcast<N extends EventName>(name: N, payload: Events[N]): void {
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send('event', name, payload);
  }
}

/** Sends an event to one window. */
export function tell<N extends EventName>(window: BrowserWindow, name: N, payload: Events[N]): void {
  if (!window.isDestroyed() && !window.webContents.isDestroyed()) window.webContents.send('event', name, payload);
}

function isTrustedSender(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return (
    frame !== null &&
    frame.parent === null &&
    isTrustedUrl(frame.url) &&
    BrowserWindow.fromWebContents(event.sender) !== null
  );
}
