import { useEffect, useMemo, useReducer } from 'react';
import { createMarkdownSections, type MarkdownSections } from './markdown-sections.ts';
import type { TextSource } from './text-source.ts';

/** How many characters are cut into sections in one frame: a few milliseconds of work. */
const cutPerFrame = 160_000;

/** The sections of a growing text. A long one is cut over several frames. */
export function useSections(source: TextSource): MarkdownSections {
  const sections = useMemo(() => createMarkdownSections(source), [source]);
  const isAll = sections.take(cutPerFrame);
  useNextFrame(!isAll);
  return sections;
}

/** Draws again in the next frame while something is waiting. */
export function useNextFrame(isWaiting: boolean): void {
  const [frame, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const next = requestAnimationFrame(redraw);
    return () => cancelAnimationFrame(next);
  }, [isWaiting, frame]);
}
