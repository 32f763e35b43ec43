import type { PageDocument } from './page-document.ts';
import { createFrame, subtreeOf } from './web-frame.ts';
import type { Frame } from './web-frame.ts';

/** The frames of one window's contents. The main frame stays for their whole life, whatever page is in it. */
export interface FrameTree {
  readonly main: Frame;
  /** Chromium reports a new frame. `parentId` is a frame's id, or the page's own for its main frame. */
  attached(id: string, parentId: string): void;
  /** A frame left the page, with all frames in it. */
  detached(id: string): void;
  /** The isolated world `contextId` was created for a frame. `frameId` as above. */
  worldMade(contextId: number, frameId: string): void;
  /** Null for an unknown world. */
  ofWorld(contextId: number): Frame | null;
  /** A document sends its first message in its frame. The one before it there ends. Frames in that one go. */
  begin(frame: Frame, document: PageDocument | null): void;
  /** The document of the world `contextId` ended. Null: all of them. */
  ended(contextId: number | null): void;
}

/** `isPageGone` returns whether the contents are destroyed. */
export function createFrameTree(contentsId: number, isPageGone: () => boolean): FrameTree {
  let lastRoutingId = 1;
  const main = createFrame({ parent: null, routingId: lastRoutingId, contentsId, isPageGone });
  const inner = new Map<string, Frame>();
  const worlds = new Map<number, Frame>();

  const endDocument = (frame: Frame): void => {
    frame.document?.end();
    frame.document = null;
  };
  const remove = (frame: Frame): void => {
    for (const one of subtreeOf(frame)) {
      endDocument(one);
      one.isGone = true;
    }
    for (const [id, one] of inner) if (one.isGone) inner.delete(id);
    if (frame.parent !== null) frame.parent.children = frame.parent.children.filter((one) => one !== frame);
  };
  const removeChildren = (frame: Frame): void => {
    for (const child of frame.children) remove(child);
  };

  return {
    main,
    attached(id, parentId) {
      const parent = inner.get(parentId) ?? main;
      lastRoutingId += 1;
      const frame = createFrame({ parent, routingId: lastRoutingId, contentsId, isPageGone });
      inner.set(id, frame);
      parent.children.push(frame);
    },
    detached(id) {
      const frame = inner.get(id);
      if (frame !== undefined) remove(frame);
    },
    worldMade: (contextId, frameId) => void worlds.set(contextId, inner.get(frameId) ?? main),
    ofWorld: (contextId) => worlds.get(contextId) ?? null,
    begin(frame, document) {
      removeChildren(frame);
      endDocument(frame);
      frame.document = document;
    },
    ended(contextId) {
      if (contextId === null) {
        worlds.clear();
        removeChildren(main);
        endDocument(main);
        return;
      }
      const frame = worlds.get(contextId);
      worlds.delete(contextId);
      if (frame !== undefined && frame.document?.contextId === contextId) endDocument(frame);
    },
  };
}
