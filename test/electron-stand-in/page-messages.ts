import { deliverMessage } from './held-messages.ts';
import { ipcMain } from './ipc-main.ts';
import type { Speaker } from './ipc-main.ts';
import type { FromPage } from './page/words.ts';
import type { WantedWindow } from './window-open-answer.ts';

/** What a window does for its contents when the page sends a message. */
export interface PageRequests {
  closeAsked(): void;
  resized(width: number, height: number): void;
  key(word: Extract<FromPage, { type: 'key' }>): void;
  windowWanted(wanted: WantedWindow): void;
  preloadFailed(message: string): void;
}

/** Delivers a message of `speaker` to its receiver: ipcMain, a port, or the window through its `requests`. */
export function handlePageMessage(
  word: Exclude<FromPage, { type: 'hello' }>,
  speaker: Speaker,
  requests: PageRequests,
): void {
  const { document } = speaker;
  switch (word.type) {
    case 'invoke':
      deliverMessage(() => void ipcMain.dispatchInvoke(speaker, word.id, word.channel, word.args));
      return;
    case 'send':
      deliverMessage(() => ipcMain.dispatchSend(speaker, word.channel, word.args, []));
      return;
    case 'post': {
      const ports = document.takePorts(word.ports);
      deliverMessage(() => ipcMain.dispatchSend(speaker, word.channel, word.args, ports));
      return;
    }
    case 'port-message':
      document.portMessage(word.port, word.data);
      return;
    case 'port-close':
      document.portClosed(word.port);
      return;
    case 'close-window':
      requests.closeAsked();
      return;
    case 'open-window':
      requests.windowWanted({
        url: word.target,
        frameName: word.frameName,
        features: word.features === '' ? [] : word.features.split(','),
      });
      return;
    case 'resized':
      requests.resized(word.width, word.height);
      return;
    case 'key':
      requests.key(word);
      return;
    case 'preload-failed':
      requests.preloadFailed(word.message);
  }
}
