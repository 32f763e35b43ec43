import { deliverWord } from './held-words.ts';
import { ipcMain } from './ipc-main.ts';
import type { Speaker } from './ipc-main.ts';
import type { FromPage } from './page/words.ts';
import type { WantedWindow } from './window-open-answer.ts';

/** What a window does for its contents when the page sends a message. */
export interface PageWishes {
  closeAsked(): void;
  resized(width: number, height: number): void;
  key(word: Extract<FromPage, { type: 'key' }>): void;
  windowWanted(wanted: WantedWindow): void;
  preloadFailed(message: string): void;
}

/** Delivers a message of `speaker` to its receiver: ipcMain, a port, or the window through its `wishes`. */
export function takeWord(word: Exclude<FromPage, { type: 'hello' }>, speaker: Speaker, wishes: PageWishes): void {
  const { document } = speaker;
  switch (word.type) {
    case 'invoke':
      deliverWord(() => void ipcMain.dispatchInvoke(speaker, word.id, word.channel, word.args));
      return;
    case 'send':
      deliverWord(() => ipcMain.dispatchSend(speaker, word.channel, word.args, []));
      return;
    case 'post': {
      const ports = document.takePorts(word.ports);
      deliverWord(() => ipcMain.dispatchSend(speaker, word.channel, word.args, ports));
      return;
    }
    case 'port-message':
      document.portMessage(word.port, word.data);
      return;
    case 'port-close':
      document.portClosed(word.port);
      return;
    case 'close-window':
      wishes.closeAsked();
      return;
    case 'open-window':
      wishes.windowWanted({
        url: word.target,
        frameName: word.frameName,
        features: word.features === '' ? [] : word.features.split(','),
      });
      return;
    case 'resized':
      wishes.resized(word.width, word.height);
      return;
    case 'key':
      wishes.key(word);
      return;
    case 'preload-failed':
      wishes.preloadFailed(word.message);
  }
}
