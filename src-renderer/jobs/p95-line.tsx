import { firstIndex } from '../../src-preload/first-index.ts';
import type { JobSort, RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { JobListView } from '../data/job-list.ts';
import { runsForTick } from './job-figures.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { useBatch } from '../batches/batches.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useSession } from '../data/session-store.ts';
import { sectionText } from '../messages/jobs/sections.ts';
import { headHeight, type ListLayout } from './row-window.ts';
import styles from './job-list-view.module.css';

/** Where the p95 is between the rows of a list that is sorted by time. */
interface P95Rule {
  p95Ms: number;
  /** How many rows are above it. */
  rows: number;
  /** These rows are the slower ones. */
  areSlower: boolean;
}

/**
 * Where the p95 of an endpoint is among `keys`, which are sorted by `sort`; null if that is not a time, the p95 is not
 * known, or all rows that are loaded are on one side of it. Pure.
 */
export function p95RuleOf(
  keys: readonly string[],
  list: Pick<JobListView, 'get'>,
  sort: JobSort | null,
  runTimes: RunTimes | undefined,
): P95Rule | null {
  if (sort === null || runTimes === undefined || runTimes.count < runsForTick) return null;
  const timed = timesOf(sort, runTimes);
  if (timed === null || timed.p95Ms === null || timed.p95Ms <= 0) return null;
  const { p95Ms, msOf } = timed;
  const isAbove = (index: number): boolean => {
    const job = list.get(keys[index] ?? '');
    const ms = job === undefined ? null : msOf(job);
    // Rows without a time come last.
    if (ms === null) return false;
    return sort.isDescending ? ms > p95Ms : ms <= p95Ms;
  };
  const rows = firstIndex(keys.length, isAbove);
  return rows === 0 || rows === keys.length ? null : { p95Ms, rows, areSlower: sort.isDescending };
}

/** The times that a column is sorted by, and their p95. Null for a column without times. */
function timesOf(
  { column }: JobSort,
  { executionP95Ms, delayP95Ms }: RunTimes,
): { p95Ms: number | null; msOf: (job: Job) => number | null } | null {
  switch (column) {
    case 'execution':
      return { p95Ms: executionP95Ms, msOf: ({ executionTimeMs }) => executionTimeMs };
    case 'wait':
      return { p95Ms: delayP95Ms, msOf: ({ delayTimeMs }) => delayTimeMs };
    default:
      return null;
  }
}

/**
 * A dashed line between two rows of a list of one endpoint that is sorted by a time: at the p95 of that time (design
 * language: Table header).
 */
export function P95Line({ layout }: { layout: ListLayout }) {
  const list = useJobs((state) => state.list);
  const sort = useJobs((state) => state.shownSort);
  const filter = useJobs((state) => state.shownFilter);
  const batch = useBatch(filter?.batchId ?? null);
  const connectionId = filter?.connectionId ?? null;
  const endpointId = filter?.endpointId ?? batch?.endpointId ?? null;
  const runTimes = useSession((state) =>
    connectionId === null || endpointId === null
      ? undefined
      : state.runTimes[endpointKey({ connectionId, endpointId })],
  );
  const [section] = layout.sections;
  const [box] = layout.boxes;
  if (section === undefined || box === undefined || layout.folded.has(section.id)) return null;
  const rule = p95RuleOf(section.keys, list, sort, runTimes);
  if (rule === null) return null;
  return (
    <div className={styles.p95} style={{ top: box.top + headHeight + rule.rows * layout.rowHeight }}>
      <span>{sectionText.p95(rule)}</span>
    </div>
  );
}
