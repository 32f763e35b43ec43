import { guard } from './guard.ts';
import type { MessagePortMain } from './message-port.ts';
import type { WebContents } from './web-contents.ts';

/** The one frame of `contents` that main knows, as Electron's WebFrameMain; frames inside it have no preload and say nothing. */
export function createMainFrame(contents: WebContents): object {
  const frame: object = guard('WebFrameMain', {
    get url() {
      return contents.getURL();
    },
    get origin() {
      const parsed = URL.parse(contents.getURL());
      return parsed === null || parsed.origin === 'null' ? '' : parsed.origin;
    },
    parent: null,
    get top() {
      return frame;
    },
    name: '',
    frames: [],
    get framesInSubtree() {
      return [frame];
    },
    routingId: 1,
    processId: 1,
    frameTreeNodeId: 1,
    frameToken: String(contents.id),
    detached: false,
    isDestroyed: () => contents.isDestroyed(),
    send: (channel: string, ...args: unknown[]) => contents.send(channel, ...args),
    postMessage: (channel: string, message: unknown, transfer?: MessagePortMain[]) => contents.postMessage(channel, message, transfer),
  });
  return frame;
}
