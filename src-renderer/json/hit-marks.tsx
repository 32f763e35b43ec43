import { useMemo } from 'react';
import type { JsonFind } from './json-find.ts';
import type { JsonIndex } from './json-index.ts';
import type { TreeRow } from './tree-rows.ts';
import { hitsBetween, type FindInJson } from './json-search-bar.tsx';
import styles from './json-tree.module.css';

interface HitMarksProps {
  index: JsonIndex;
  rows: readonly TreeRow[];
  finding: FindInJson;
  /** The height of all rows together. */
  heightPx: number;
}

/** Shows beside the scroll bar where the hits are. A collapsed row stands for everything in it. */
export function HitMarks({ index, rows, finding, heightPx }: HitMarksProps) {
  const { search } = finding;
  const found = search.matches.length;
  const marks = useMemo(() => (found === 0 ? [] : markedShares(index, rows, search)), [index, rows, search, found]);
  if (marks.length === 0) return null;
  return (
    <div className={styles.marks} style={{ height: `min(100%, ${heightPx}px)` }} aria-hidden="true">
      {marks.map((share) => (
        <i key={share} style={{ top: `${(share * 100).toFixed(2)}%` }} />
      ))}
    </div>
  );
}

/** More marks could not be distinguished. */
const maxMarks = 200;

/** The positions of the rows with hits, from 0 to 1. */
export function markedShares(index: JsonIndex, rows: readonly TreeRow[], search: JsonFind): number[] {
  const parts = Math.min(maxMarks, rows.length);
  const placeAt = (at: number): number => {
    const row = rows[at];
    if (row === undefined) return index.text.length;
    return index.start[row.kind === 'value' ? row.node : -row.id - 1] ?? 0;
  };
  return Array.from({ length: parts }, (_, part) => part / parts).filter((share, part) => {
    const [from, to] = [Math.floor(share * rows.length), Math.floor(((part + 1) / parts) * rows.length)];
    return hitsBetween(search, placeAt(from), placeAt(to)) > 0;
  });
}
