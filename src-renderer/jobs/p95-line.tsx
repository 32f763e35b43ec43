import { useJobs } from '../data/jobs-store.ts';
import { sectionText } from '../messages/jobs/sections.ts';
import { useListRunTimes } from './list-run-times.ts';
import { p95RuleOf } from './p95-rule.ts';
import { headHeight, type ListLayout } from './row-window.ts';
import styles from './job-list-view.module.css';

/**
 * A dashed line between two rows of a list of one endpoint that is sorted by a time: at the p95 of that time (design
 * language: Table header).
 */
export function P95Line({ layout }: { layout: ListLayout }) {
  const list = useJobs((state) => state.list);
  const sort = useJobs((state) => state.shownSort);
  const runTimes = useListRunTimes();
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
