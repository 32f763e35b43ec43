import { guard } from './guard.ts';
import type { MessagePortMain } from './message-port.ts';
import type { PageDocument } from './page-document.ts';

/** One frame of a page: the object that main gets, and the document in it whose preload has run. */
export interface Frame {
  /** Electron's WebFrameMain. */
  shown: object;
  /** As the frame's own isolated world reads it. */
  url: string;
  /** Null while there is no document, or none with a preload. */
  document: PageDocument | null;
  parent: Frame | null;
  children: Frame[];
  /** It is no longer in its page. */
  isGone: boolean;
  routingId: number;
}

/** The parts of a frame that only its page knows. */
export interface FrameParts {
  parent: Frame | null;
  routingId: number;
  /** The page's frame tokens begin with it. */
  contentsId: number;
  /** True if the whole page is gone. */
  isPageGone: () => boolean;
}

/** A frame without a document yet. Reading it after it left its page throws with Electron's message. */
export function createFrame({ parent, routingId, contentsId, isPageGone }: FrameParts): Frame {
  const requireThere = (): void => {
    if (frame.isGone) throw new Error('Render frame was disposed before WebFrameMain could be accessed');
  };
  const shown: object = guard('WebFrameMain', {
    get url() {
      requireThere();
      return frame.url;
    },
    get origin() {
      requireThere();
      const parsed = URL.parse(frame.url);
      return parsed === null || parsed.origin === 'null' ? '' : parsed.origin;
    },
    get parent() {
      requireThere();
      return parent?.shown ?? null;
    },
    get top() {
      requireThere();
      return topOf(frame).shown;
    },
    name: '',
    get frames() {
      requireThere();
      return frame.children.map((child) => child.shown);
    },
    get framesInSubtree() {
      requireThere();
      return subtreeOf(frame).map((one) => one.shown);
    },
    routingId,
    processId: 1,
    frameTreeNodeId: routingId,
    frameToken: `${contentsId}-${routingId}`,
    get detached() {
      return frame.isGone;
    },
    isDestroyed: () => frame.isGone || isPageGone(),
    send(channel: string, ...args: unknown[]) {
      requireThere();
      frame.document?.send(channel, args, []);
    },
    postMessage(channel: string, message: unknown, transfer: MessagePortMain[] = []) {
      requireThere();
      frame.document?.send(channel, [message], transfer);
    },
  });
  const frame: Frame = { shown, url: '', document: null, parent, children: [], isGone: false, routingId };
  return frame;
}

/** The frame and all frames in it, outer ones first. */
export function subtreeOf(frame: Frame): Frame[] {
  return [frame, ...frame.children.flatMap(subtreeOf)];
}

function topOf(frame: Frame): Frame {
  return frame.parent === null ? frame : topOf(frame.parent);
}
