import { useState } from 'react';
import { jsonColumnWidthBounds } from '../../src-preload/bounds.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { contentPx } from '../design/content-width.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';

type SavedWidths = Settings['jsonColumnWidths'];

/** The saved width of a column in tables of an endpoint, in pixels. Null for the usual one. Pure. */
export function savedWidth(saved: SavedWidths, endpointId: string, column: string): number | null {
  return saved.find((one) => one.endpointId === endpointId && one.column === column)?.widthPx ?? null;
}

/** The widths of a table's columns, by name. */
export interface ColumnWidths {
  /** Null for the usual one. */
  widthOf: (column: string) => number | null;
  /** Shows a width while the edge is dragged. */
  drag: (column: string, widthPx: number) => void;
  /** Also remembers it for the endpoint, if there is one. */
  keep: (column: string, widthPx: number | null) => void;
}

/** The widths that the user chose: those of this table, and those saved for tables of the endpoint. */
export function useColumnWidths(endpointId: string | undefined): ColumnWidths {
  const saved = useSession((state) => state.settings.jsonColumnWidths);
  const [chosen, setChosen] = useState<ReadonlyMap<string, number | null>>(new Map());
  const choose = (column: string, widthPx: number | null): void => setChosen(new Map(chosen).set(column, widthPx));
  return {
    widthOf: (column) => {
      const own = chosen.get(column);
      if (own !== undefined || endpointId === undefined) return own ?? null;
      return savedWidth(saved, endpointId, column);
    },
    drag: choose,
    keep: (column, widthPx) => {
      choose(column, widthPx);
      if (endpointId === undefined || column.length > jsonColumnWidthBounds.maxColumnChars) return;
      void chooseSettings({ jsonColumnWidths: { endpointId, column, widthPx } });
    },
  };
}

/** The room in a head beside its name, for the arrow and the menu, and that of the button behind an address. */
const besideNamePx = 40;
const linkButtonPx = 26;

/**
 * The width at which neither the drawn cells of a column nor its head are cut off, in pixels. `at`: its place among the
 * visible columns of the grid.
 */
export function fittingPx(grid: Element, at: number): number {
  const { minPx, maxPx } = jsonColumnWidthBounds;
  const head = grid.querySelectorAll('[role="columnheader"]')[at + 1];
  const name = head?.querySelector('[data-name]') ?? null;
  const facts = head?.querySelector('[data-facts]') ?? null;
  const cells = [...grid.querySelectorAll('[role="row"]')].flatMap((row) => {
    const cell = row.querySelectorAll('[role="gridcell"]')[at];
    const linked = cell?.querySelector('[data-linked] > :first-child') ?? null;
    if (linked !== null) return contentPx(linked) + linkButtonPx;
    return cell === undefined ? [] : contentPx(cell);
  });
  const widest = Math.max(
    name === null ? 0 : contentPx(name) + besideNamePx,
    facts === null ? 0 : contentPx(facts),
    ...cells,
  );
  return Math.min(maxPx, Math.max(minPx, Math.ceil(widest) + 2));
}
