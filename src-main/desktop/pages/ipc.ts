import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { dispatch, isCallName, type CallName, type Handlers } from '../../../src-preload/contract.ts';
import type { EventName, Events } from '../../../src-preload/events.ts';
import { failed } from '../../../src-preload/failure.ts';
import { endOfTurn } from '../../async/turns.ts';
import { errorText } from '../../async/error-text.ts';
import type { Log } from '../../log.ts';
import { callText } from '../../messages/desktop/calls.ts';
import { isTrustedUrl } from './app-protocol.ts';

/**
 * Calls that are answered before the engine is open, so that a window can be moved and closed and can show what it
 * waits for.
 */
export type EarlyCall = 'app:preparation' | 'window:minimize' | 'window:toggleMaximize' | 'window:close';

/**
 * Serves the contract on the one call channel. It checks the sender (main frame of one of our windows, on our origin),
 * the name and the input, and always answers a `Result`; it never throws. Calls of `early` are answered immediately,
 * the others wait for `later`.
 */
export function serveContract(early: Pick<Handlers, EarlyCall>, later: Promise<Handlers>, log: Log): void {
  const isEarly = (name: CallName): name is EarlyCall => Object.hasOwn(early, name);
  // The reason is shown where the app gives up.
  later.catch(() => undefined);
  ipcMain.handle('call', async (event, name: unknown, input: unknown) => {
    try {
      if (!isTrustedSender(event)) {
        log.warn('a call came from a frame that is not ours', { url: event.senderFrame?.url ?? 'gone' });
        return failed({ kind: 'refused', message: callText.notOurWindow });
      }
      if (!isCallName(name)) return failed({ kind: 'defect', message: callText.unknown, detail: describeName(name) });
      const windowId = BrowserWindow.fromWebContents(event.sender)?.id ?? -1;
      if (isEarly(name)) return await dispatch(early, name, input, { windowId });
      const answer = await dispatch(await later, name, input, { windowId });
      // Answers and events leave in the order in which they became true: what the answer shows is sent at the end of
      // this turn (`JobNews`), and what changes later is sent later.
      await endOfTurn();
      return answer;
    } catch (thrown) {
      // The error may come from a library and quote its input.
      const detail = log.redact(errorText(thrown));
      log.error('a call failed', { call: describeName(name), detail });
      return failed({ kind: 'defect', message: callText.defect(detail), detail });
    }
  });
}

/** A short text for the name of a call. A name that is not a string cannot always be converted to one. */
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
export function sendEvent<N extends EventName>(window: BrowserWindow, name: N, payload: Events[N]): void {
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
