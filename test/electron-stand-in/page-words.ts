import { ipcMain } from './ipc-main.ts';
import type { PageDocument } from './page-document.ts';
import type { FromPage } from './page/words.ts';
import type { WebContents } from './web-contents.ts';
import type { WantedWindow } from './window-open-answer.ts';

/** What a window does for its contents when the page asks or tells. */
export interface PageWishes {
  closeAsked(): void;
  resized(width: number, height: number): void;
  key(word: Extract<FromPage, { type: 'key' }>): void;
  windowWanted(wanted: WantedWindow): void;
  preloadFailed(message: string): void;
}

/** Takes a word of the document `page` in `contents` to whom it is for: ipcMain, a port, or the window by its `wishes`. */
export function takeWord(word: Exclude<FromPage, { type: 'hello' }>, contents: WebContents, page: PageDocument, wishes: PageWishes): void {
  switch (word.type) {
    case 'invoke':
      void ipcMain.dispatchInvoke(contents, page, word.id, word.channel, word.args);
      return;
    case 'send':
      ipcMain.dispatchSend(contents, word.channel, word.args, []);
      return;
    case 'post':
      ipcMain.dispatchSend(contents, word.channel, word.args, page.takePorts(word.ports));
      return;
    case 'port-message':
      page.portMessage(word.port, word.data);
      return;
    case 'port-close':
      page.portClosed(word.port);
      return;
    case 'close-window':
      wishes.closeAsked();
      return;
    case 'open-window':
      wishes.windowWanted({ url: word.target, frameName: word.frameName, features: word.features === '' ? [] : word.features.split(',') });
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
