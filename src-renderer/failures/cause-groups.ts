import type { CauseOnWorker, FailureCause } from '../../src-preload/failure-cause.ts';
import { causesText } from '../messages/failures/list.ts';
import { isMeant } from './cause-signs.ts';

/** What failures are grouped by: only their cause, or the endpoint or worker before it. */
export const groupings = ['cause', 'endpoint', 'worker'] as const;
export type Grouping = (typeof groupings)[number];

/** A cause as one row. Grouped by worker, a cause has a row for each of its workers, with that worker's figures. */
export interface CauseRow {
  /** Unique in the list. */
  key: string;
  cause: FailureCause;
}

/** Rows under one head. `title` null: a list without heads. */
export interface CauseGroup {
  key: string;
  title: string | null;
  jobs: number;
  rows: CauseRow[];
}

export interface GroupedBy {
  grouping: Grouping;
  /** Only read when they are grouped by worker. */
  onWorkers: readonly CauseOnWorker[];
  endpointNameOf: (endpointId: string) => string;
  /** The text that a row must match. */
  typed: string;
}

/** Causes in groups, groups and rows with the most failed jobs first, without rows that do not match. Pure. */
export function groupCauses(causes: readonly FailureCause[], by: GroupedBy): CauseGroup[] {
  return by.grouping === 'worker' ? groupsByWorker(causes, by) : groupsByEndpoint(causes, by);
}

function groupsByEndpoint(
  causes: readonly FailureCause[],
  { grouping, endpointNameOf, typed }: Pick<GroupedBy, 'grouping' | 'endpointNameOf' | 'typed'>,
): CauseGroup[] {
  const rows = causes
    .filter((cause) => isMeant(cause, endpointNameOf(cause.endpointId), typed))
    .map((cause) => ({ key: String(cause.id), cause }));
  if (grouping === 'cause') return inGroups(rows, () => ({ key: '', title: null }));
  return inGroups(rows, ({ cause: { endpointId } }) => ({ key: endpointId, title: endpointNameOf(endpointId) }));
}

function groupsByWorker(
  causes: readonly FailureCause[],
  { onWorkers, endpointNameOf, typed }: Pick<GroupedBy, 'onWorkers' | 'endpointNameOf' | 'typed'>,
): CauseGroup[] {
  const known = new Map(causes.map((cause) => [cause.id, cause]));
  const heads = new Map<string, { key: string; title: string }>();
  const rows = onWorkers.flatMap(({ causeId, endpointId, workerId, jobs, lastAtMs, trend }): CauseRow[] => {
    const whole = known.get(causeId);
    const title = causesText.onWorker(workerId, endpointNameOf(endpointId));
    if (whole === undefined || !isMeant(whole, title, typed)) return [];
    const key = `${causeId}/${workerId ?? ''}`;
    heads.set(key, { key: `${endpointId}/${workerId ?? ''}`, title });
    return [{ key, cause: { ...whole, jobs, lastAtMs, trend } }];
  });
  return inGroups(rows, ({ key }) => heads.get(key) ?? { key: '', title: null });
}

function inGroups(
  rows: readonly CauseRow[],
  headOf: (row: CauseRow) => Pick<CauseGroup, 'key' | 'title'>,
): CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const row of rows) {
    const head = headOf(row);
    const group = groups.get(head.key) ?? { ...head, jobs: 0, rows: [] };
    group.rows.push(row);
    groups.set(head.key, { ...group, jobs: group.jobs + row.cause.jobs });
  }
  const sorted = [...groups.values()].sort((one, other) => other.jobs - one.jobs);
  return sorted.map((group) => ({
    ...group,
    rows: group.rows.toSorted((one, other) => other.cause.jobs - one.cause.jobs),
  }));
}

/**
 * The row of the first of these keys that exists, or else the first row. So a row that is shown stays the same while
 * new failures move another one before it: a key that acts on it must not act on that one. Pure.
 */
export function rowOf(rows: readonly CauseRow[], keys: readonly (string | null)[]): CauseRow | null {
  for (const wanted of keys) {
    const row = rows.find(({ key }) => key === wanted);
    if (row !== undefined) return row;
  }
  return rows[0] ?? null;
}
