import { useEffect, useMemo, useReducer, useState } from 'react';
import { createTextRows, type TextRows } from './text-rows.ts';
import type { TextSource } from './text-source.ts';

/** Work done a frame before the rest waits for the next one. */
const sliceMs = 6;

/** A text cut into rows, as far as that has come. */
export interface CutText {
  source: TextSource;
  rows: TextRows;
}

/**
 * Cuts what is new of `source` a few milliseconds a frame; null until `columns` is known. When the width or the text
 * changes, the former rows stand until the new ones are all there, so that the reader keeps a page to stand on.
 */
export function useTextRows(source: TextSource, version: unknown, columns: number | null): CutText | null {
  const cutting = useMemo(
    () => (columns === null ? null : { source, rows: createTextRows(columns), taken: 0 }),
    [source, columns],
  );
  const [shown, setShown] = useState<CutText | null>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    if (cutting === null) return undefined;
    return inSlices(
      () => {
        cutting.rows.append(cutting.source.segments[cutting.taken] ?? '');
        cutting.taken += 1;
      },
      () => cutting.taken >= cutting.source.segments.length,
      (isDone) => {
        setShown((before) => (isDone || before === null ? cutting : before));
        redraw();
      },
    );
  }, [cutting, version]);
  return shown;
}

/**
 * Takes steps for a few milliseconds a frame until it is done; tells after each frame's. Answers the function that
 * stops it.
 */
export function inSlices(step: () => void, isDone: () => boolean, onSlice: (isDone: boolean) => void): () => void {
  let frame = 0;
  const work = (): void => {
    const until = performance.now() + sliceMs;
    while (!isDone() && performance.now() < until) step();
    const isAll = isDone();
    if (!isAll) frame = requestAnimationFrame(work);
    onSlice(isAll);
  };
  work();
  return () => cancelAnimationFrame(frame);
}
