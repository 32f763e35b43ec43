import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'react';
import { inSlices } from '../design/in-slices.ts';
import { createTextRows, type TextRows } from './text-rows.ts';
import type { TextSource } from './text-source.ts';

/** A text cut into rows, as far as that has progressed. */
export interface CutText {
  source: TextSource;
  rows: TextRows;
}

/**
 * Cuts the new text of `source` in steps of a few milliseconds per frame. Null until `columns` is known. If the width
 * or the text changes, the former rows stay until all new ones are there, so that the view is never empty.
 */
export function useTextRows(source: TextSource, version: unknown, columns: number | null): CutText | null {
  const cutting = useMemo(
    () => (columns === null ? null : { source, rows: createTextRows(columns), taken: 0 }),
    [source, columns],
  );
  const [shown, setShown] = useState<CutText | null>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const cut = useCallback(() => {
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
  }, [cutting]);
  // The first rows are cut before anything is painted. Later ones have a task of their own.
  const isFirst = shown === null;
  useLayoutEffect(() => (isFirst ? cut() : undefined), [cut, isFirst]);
  useEffect(() => (isFirst ? undefined : cut()), [cut, isFirst, version]);
  return shown;
}
