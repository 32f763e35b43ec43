import type { Block } from './markdown-blocks.ts';

/** Markdown parsed in one frame at most, in characters. */
const parsedPerFrame = 1_500;

/** Which of the blocks in view are parsed; those whose turn has not come stand as plain text until then. */
export interface ParseTurns {
  /**
   * Takes the blocks in view in the order they are read, and lets as many more be parsed as one frame can, however
   * often the frame is drawn. `frame` is the same for all drawings of one. Blocks that left the view are forgotten.
   */
  next(inView: readonly Block[], frame: unknown): { isParsed: (block: Block) => boolean; isAll: boolean };
}

/** Nothing is parsed until `next` is called with what is in view. */
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
