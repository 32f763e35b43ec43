import type { Block } from './markdown-blocks.ts';

/** The most markdown parsed in one frame, in characters. */
const parsedPerFrame = 1_500;

/** Which of the blocks in view are parsed. The others are shown as plain text until then. */
export interface ParseTurns {
  /**
   * Takes the blocks in view in reading order, and allows as many more to be parsed as fit into one frame, however
   * often the frame is drawn. `frame` is the same for all drawings of one. Blocks that left the view are forgotten.
   */
  next(inView: readonly Block[], frame: unknown): { isParsed: (block: Block) => boolean; isAll: boolean };
}

/** Nothing is parsed until `next` is called with the blocks in view. */
export function createParseTurns(): ParseTurns {
  let parsed: ReadonlySet<number> = new Set();
  let lastFrame: unknown;
  let budget = 0;
  return {
    next(inView, frame) {
      const now = new Set<number>();
      if (frame !== lastFrame) budget = parsedPerFrame;
      lastFrame = frame;
      let isAll = true;
      for (const { start, text } of inView) {
        if (!parsed.has(start)) {
          if (budget <= 0) {
            isAll = false;
            continue;
          }
          budget -= text.length;
        }
        now.add(start);
      }
      parsed = now;
      return { isParsed: ({ start }) => now.has(start), isAll };
    },
  };
}
