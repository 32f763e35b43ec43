import type { Job } from '../../src-preload/job.ts';
import type { JobListView } from '../data/job-list.ts';
import type { Section } from './sections.ts';

/** Heights and positions in a grouped list with rows of equal height, computed without the DOM. */
export interface SectionBox {
  /** Pixels from the top of the list to the head. */
  top: number;
  /** How many rows are shown. None if collapsed. */
  rows: number;
  height: number;
}

/** Places the groups one under the other. */
export function layOut(
  counts: readonly number[],
  headHeight: number,
  rowHeight: number,
): { boxes: SectionBox[]; height: number } {
  let top = 0;
  const boxes = counts.map((rows) => {
    const box = { top, rows, height: headHeight + rows * rowHeight };
    top += box.height;
    return box;
  });
  return { boxes, height: top };
}

/**
 * The rows of one group in view, plus `overscan` more at each end: `[from, to)` within the group. Empty if none is
 * near.
 */
function rowsInView(
  box: SectionBox,
  headHeight: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
  overscan: number,
): { from: number; to: number } {
  const rowsTop = box.top + headHeight;
  const first = Math.floor((scrollTop - rowsTop) / rowHeight) - overscan;
  const last = Math.ceil((scrollTop + viewHeight - rowsTop) / rowHeight) + overscan;
  const from = Math.min(box.rows, Math.max(0, first));
  return { from, to: Math.max(from, Math.min(box.rows, last)) };
}

/** A section in view and its rows that are drawn. */
export interface DrawnSection {
  section: Section;
  box: SectionBox;
  rows: readonly DrawnRow[];
}

interface DrawnRow {
  job: Job;
  /** Pixels from the top of the list. */
  top: number;
}

/** The sections in view with the rows that are drawn: those in view, and `around` more at each end. */
export function drawnSections(
  list: Pick<JobListView, 'get'>,
  { sections, boxes, rowHeight }: { sections: readonly Section[]; boxes: readonly SectionBox[]; rowHeight: number },
  view: { top: number; height: number },
  around: number,
): DrawnSection[] {
  return sections.flatMap((section, index): DrawnSection[] => {
    const box = boxes[index];
    if (box === undefined) return [];
    const { from, to } = rowsInView(box, headHeight, rowHeight, view.top, view.height, around);
    const rows = section.keys.slice(section.from + from, section.from + to).flatMap((key, offset): DrawnRow[] => {
      const job = list.get(key);
      return job === undefined ? [] : [{ job, top: box.top + headHeight + (from + offset) * rowHeight }];
    });
    return rows.length === 0 ? [] : [{ section, box, rows }];
  });
}

/**
 * The scroll position at which a row is completely visible below the sticky head, or the present one if it is already.
 */
export function scrollToShow(
  row: { top: number; height: number },
  view: { top: number; height: number; headHeight: number },
): number {
  if (row.top < view.top + view.headHeight) return Math.max(0, row.top - view.headHeight);
  if (row.top + row.height > view.top + view.height) return row.top + row.height - view.height;
  return view.top;
}

/** Height of the head of a group, in pixels. */
export const headHeight = 30;

/** Where the groups and rows of the list stand, from top to bottom. */
export interface ListLayout {
  sections: readonly Section[];
  /** One for each section. */
  boxes: readonly { top: number }[];
  /** Ids of sections whose rows are not shown. */
  folded: ReadonlySet<string>;
  rowHeight: number;
}

/** A row, its place among the keys of its section, and how many pixels from the top of the list it stands. */
interface RowPlace {
  key: string;
  index: number;
  top: number;
}

/** The row at `y` pixels from the top of the list; null where there is none. */
export function rowAt(y: number, { sections, boxes, folded, rowHeight }: ListLayout): RowPlace | null {
  for (const [at, section] of sections.entries()) {
    const box = boxes[at];
    if (box === undefined || folded.has(section.id)) continue;
    const row = Math.max(0, Math.floor((y - box.top - headHeight) / rowHeight));
    if (row >= section.count) continue;
    const key = section.keys[section.from + row];
    return key === undefined ? null : { key, index: section.from + row, top: box.top + headHeight + row * rowHeight };
  }
  return null;
}

/**
 * The place of a job's row, in pixels from the top of the list. Null if it is not shown. `nearIndex`: its former index;
 * a row that did not move is found there without a search.
 */
export function topOf(
  key: string,
  { sections, boxes, folded, rowHeight }: ListLayout,
  nearIndex?: number,
): number | null {
  const still = sections.findIndex((section) => isWithin(section, nearIndex) && section.keys[nearIndex] === key);
  for (const [at, section] of sections.entries()) {
    const box = boxes[at];
    if (box === undefined || folded.has(section.id) || (still !== -1 && still !== at)) continue;
    const index = still === at && nearIndex !== undefined ? nearIndex : indexIn(section, key);
    if (index !== -1) return box.top + headHeight + (index - section.from) * rowHeight;
  }
  return null;
}

/** The row at the top of the view, its distance from there, and how far the list was scrolled then. Pixels. */
export interface Anchor {
  key: string;
  index: number;
  offset: number;
  scrollTop: number;
}

/** The anchor of a list that is scrolled by `scrollTop`. Null if there is no row. */
export function anchorAt(scrollTop: number, layout: ListLayout): Anchor | null {
  const row = rowAt(scrollTop, layout);
  return row === null ? null : { key: row.key, index: row.index, offset: row.top - scrollTop, scrollTop };
}

/**
 * The row that keeps its place when the rows change: the noted one, or the one that is there now if a key scrolled the
 * list since, whose event has not come yet. `former`: the layout before the change. `maxTop`: how far the list can be
 * scrolled in its present view, with the rows before or after the change, whichever is less. If it was scrolled further
 * before, it became shorter or its view higher, and it was not scrolled.
 */
export function anchorToKeep(
  noted: Anchor | null,
  scrollTop: number,
  maxTop: number,
  former: ListLayout,
): Anchor | null {
  const isScrolled = noted !== null && noted.scrollTop !== scrollTop && noted.scrollTop <= maxTop;
  return isScrolled ? anchorAt(scrollTop, former) : noted;
}

function isWithin({ from, count }: Section, index: number | undefined): index is number {
  return index !== undefined && index >= from && index < from + count;
}

function indexIn({ keys, from, count }: Section, key: string): number {
  for (let index = from; index < from + count; index += 1) if (keys[index] === key) return index;
  return -1;
}

/** The keys of the rows that are on screen, `height` pixels from `top` on. */
export function keysInView(
  top: number,
  height: number,
  { sections, boxes, folded, rowHeight }: ListLayout,
): readonly string[] {
  return sections.flatMap((section, index) => {
    const box = boxes[index];
    if (box === undefined || folded.has(section.id)) return [];
    const shown = { ...box, rows: section.count, height: 0 };
    const { from, to } = rowsInView(shown, headHeight, rowHeight, top, height, 0);
    return section.keys.slice(section.from + from, section.from + to);
  });
}
