import type { TreeRow } from './tree-rows.ts';

export interface TreePosition {
  rows: readonly TreeRow[];
  /** The id of the selected row. */
  selected: number;
  expanded: ReadonlySet<number>;
  /** How many rows a page key moves. */
  page: number;
  /** True for a row that can be expanded. */
  isHolder: (row: TreeRow) => boolean;
}

export interface TreeMove {
  /** The id of the row to select. */
  select?: number;
  /** The id of the row to expand or collapse. */
  toggle?: number;
}

/** The effect of a key in a tree (WAI-ARIA tree view). Null for a key without one. */
export function moveInTree(key: string, position: TreePosition): TreeMove | null {
  const { rows, selected, expanded, page, isHolder } = position;
  const at = Math.max(
    0,
    rows.findIndex((row) => row.id === selected),
  );
  const row = rows[at];
  if (row === undefined) return null;
  const to = (next: number): TreeMove => ({ select: rows[Math.min(rows.length - 1, Math.max(0, next))]?.id ?? row.id });
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'PageDown':
      return to(at + page);
    case 'PageUp':
      return to(at - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'Enter':
    case ' ':
      return isHolder(row) ? { toggle: row.id } : {};
    case 'ArrowRight':
      if (!isHolder(row)) return {};
      return expanded.has(row.id) ? to(at + 1) : { toggle: row.id };
    case 'ArrowLeft': {
      if (isHolder(row) && expanded.has(row.id)) return { toggle: row.id };
      let holder = at - 1;
      while (holder >= 0 && (rows[holder]?.depth ?? 0) >= row.depth) holder -= 1;
      return holder < 0 ? {} : to(holder);
    }
    default:
      return null;
  }
}
