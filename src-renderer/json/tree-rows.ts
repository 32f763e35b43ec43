import { isVector } from './vector.ts';
import { positionOf, type JsonIndex } from './json-index.ts';

/** One row of the tree. */
export type TreeRow =
  /** A value. `position` is its position among its siblings. */
  | { kind: 'value'; id: number; node: number; depth: number; position: number }
  /** Some of the many items of one array or object. */
  | { kind: 'group'; id: number; holder: number; from: number; to: number; depth: number; position: number };

/** An array or object with more members shows them in groups. */
const groupedFrom = 1_000;

/** How many members a group has: a thousand, or more if there would be over a thousand groups. */
export function groupSizeOf(members: number): number {
  let size = groupedFrom;
  while (members > size * groupedFrom) size *= 10;
  return size;
}

/** The id of the group that begins with a value. A value's own id is its number. */
function groupId(firstNode: number): number {
  return -firstNode - 1;
}

/** The rows of the tree if the values and groups with these ids are expanded. */
export function treeRows(index: JsonIndex, expanded: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = [];
  if (index.count === 0) return rows;
  /** Members that are still to be shown, of expanded values, outermost first. */
  const open: { node: number; end: number; position: number; to: number; depth: number }[] = [];
  const show = (node: number, depth: number, position: number): void => {
    rows.push({ kind: 'value', id: node, node, depth, position });
    const members = index.members[node] ?? 0;
    if (members === 0 || !expanded.has(node)) return;
    if (members <= groupedFrom) {
      open.push({ node: node + 1, end: index.next[node] ?? 0, position: 0, to: members, depth: depth + 1 });
      return;
    }
    const groups: { row: TreeRow; first: number }[] = [];
    const size = groupSizeOf(members);
    let first = node + 1;
    for (let position = 0; position < members; position += 1) {
      if (position % size === 0) {
        const to = Math.min(members, position + size);
        const place = { holder: node, from: position, to, depth: depth + 1, position: position / size };
        groups.push({ row: { kind: 'group', id: groupId(first), ...place }, first });
      }
      first = index.next[first] ?? 0;
    }
    grouped.push({ groups, at: 0, behind: open.length });
  };
  /** Groups that are still to be shown. A list continues when everything opened after it is done. */
  const grouped: { groups: { row: TreeRow; first: number }[]; at: number; behind: number }[] = [];

  show(0, 0, 0);
  for (;;) {
    const list = grouped.at(-1);
    if (list !== undefined && open.length === list.behind) {
      const group = list.groups[list.at];
      list.at += 1;
      if (group === undefined) {
        grouped.pop();
        continue;
      }
      rows.push(group.row);
      if (group.row.kind === 'group' && expanded.has(group.row.id)) {
        const { from, to, depth } = group.row;
        open.push({ node: group.first, end: index.count, position: from, to, depth: depth + 1 });
      }
      continue;
    }
    const level = open.at(-1);
    if (level === undefined) return rows;
    if (level.position >= level.to || level.node >= level.end) {
      open.pop();
      continue;
    }
    const { node, position } = level;
    level.node = index.next[node] ?? level.end;
    level.position += 1;
    show(node, level.depth, position);
  }
}

/** About a screen of rows. */
const maxFirstRows = 120;

/** What is expanded at first: level by level, up to about a screen of rows. */
export function firstExpanded(index: JsonIndex): ReadonlySet<number> {
  const expanded = new Set<number>();
  let rows = 1;
  let level = [0];
  while (level.length > 0 && index.count > 0) {
    const inside: number[] = [];
    for (const node of level) {
      const members = index.members[node] ?? 0;
      const shown = members > groupedFrom ? Math.ceil(members / groupSizeOf(members)) : members;
      if (shown === 0 || (isVector(index, node) && members <= groupedFrom)) continue;
      if (node !== 0 && (isVector(index, node) || rows + shown > maxFirstRows)) continue;
      rows += shown;
      expanded.add(node);
      if (members > groupedFrom || rows > maxFirstRows) continue;
      const behind = index.next[node] ?? 0;
      for (let child = node + 1; child < behind; child = index.next[child] ?? behind)
        if ((index.members[child] ?? 0) > 0) inside.push(child);
    }
    level = inside;
  }
  return expanded;
}

/** The ids to expand so that a value has a row. */
export function idsAround(index: JsonIndex, node: number): number[] {
  const ids: number[] = [];
  for (let at = node; (index.parent[at] ?? -1) !== -1; at = index.parent[at] ?? -1) {
    const holder = index.parent[at] ?? -1;
    const members = index.members[holder] ?? 0;
    if (members > groupedFrom) {
      const size = groupSizeOf(members);
      const first = positionOf(index, at);
      let begin = holder + 1;
      for (let position = 0; position < first - (first % size); position += 1) begin = index.next[begin] ?? 0;
      ids.push(groupId(begin));
    }
    ids.push(holder);
  }
  return ids;
}
