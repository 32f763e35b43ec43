import { describe, expect, it } from 'vitest';
import { createFrameTree } from '../../electron-stand-in/frame-tree.ts';
import type { FrameTree } from '../../electron-stand-in/frame-tree.ts';
import type { PageDocument } from '../../electron-stand-in/page-document.ts';

/** What an app reads of a WebFrameMain. */
interface Shown {
  url: string;
  origin: string;
  parent: Shown | null;
  top: Shown;
  frames: Shown[];
  framesInSubtree: Shown[];
  routingId: number;
  detached: boolean;
  isDestroyed(): boolean;
}

const shown = (frame: { shown: object } | null): Shown => frame?.shown as Shown;

/** A document that only reports whether it ended. */
function aDocument(contextId: number, ends: number[]): PageDocument {
  return {
    contextId,
    reply() {},
    send() {},
    takePorts: () => [],
    portMessage() {},
    portClosed() {},
    end: () => void ends.push(contextId),
  };
}

/** Begins the document of world `contextId` in the frame `frameId`. */
function speak(tree: FrameTree, contextId: number, frameId: string, url: string, ends: number[]): void {
  tree.worldMade(contextId, frameId);
  const frame = tree.ofWorld(contextId);
  if (frame === null) throw new Error(`No frame ${frameId}.`);
  tree.begin(frame, aDocument(contextId, ends));
  frame.url = url;
}

/** A page with a frame in a frame. */
function nested(ends: number[] = []): FrameTree {
  const tree = createFrameTree(1, () => false);
  speak(tree, 1, 'page', 'https://app.localhost/', ends);
  tree.attached('outer', 'page');
  speak(tree, 2, 'outer', 'https://app.localhost/outer', ends);
  tree.attached('inner', 'outer');
  speak(tree, 3, 'inner', 'about:blank', ends);
  return tree;
}

describe('the frames of a page', () => {
  it('know the one they are in, the top one and those within them', () => {
    const tree = nested();
    const [main, outer, inner] = [shown(tree.main), shown(tree.ofWorld(2)), shown(tree.ofWorld(3))];
    expect([main.parent, outer.parent, inner.parent]).toEqual([null, main, outer]);
    expect([main.top, inner.top]).toEqual([main, main]);
    expect(main.framesInSubtree).toEqual([main, outer, inner]);
    expect(main.frames).toEqual([outer]);
    expect([main.origin, inner.origin]).toEqual(['https://app.localhost', '']);
    expect(new Set([main, outer, inner].map(({ routingId }) => routingId)).size).toBe(3);
  });

  it('end with the one they are in, and then throw as in Electron', () => {
    const ends: number[] = [];
    const tree = nested(ends);
    const inner = shown(tree.ofWorld(3));
    tree.detached('outer');
    expect(new Set(ends)).toEqual(new Set([2, 3]));
    expect([inner.detached, inner.isDestroyed()]).toEqual([true, true]);
    expect(() => inner.url).toThrow('Render frame was disposed before WebFrameMain could be accessed');
    expect(shown(tree.main).framesInSubtree).toHaveLength(1);
  });

  it('end with their document, while the main frame stays', () => {
    const ends: number[] = [];
    const tree = nested(ends);
    const main = shown(tree.main);
    speak(tree, 4, 'page', 'https://app.localhost/next', ends);
    expect(new Set(ends)).toEqual(new Set([1, 2, 3]));
    expect([main.url, main.frames.length, main.detached]).toEqual(['https://app.localhost/next', 0, false]);
  });

  it('lose their document when its world ends, and not when an older one ends', () => {
    const ends: number[] = [];
    const tree = nested(ends);
    speak(tree, 5, 'outer', 'https://app.localhost/other', ends);
    tree.ended(2);
    expect(tree.ofWorld(5)?.document?.contextId).toBe(5);
    tree.ended(5);
    expect(tree.main.children[0]?.document).toBeNull();
    tree.ended(null);
    expect([tree.main.document, tree.main.children, tree.ofWorld(1)]).toEqual([null, [], null]);
  });
});
