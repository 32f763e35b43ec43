import { CheckCheck, ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { useBatch } from '../batches/batches.ts';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import type { JobListView } from '../data/job-list.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnection, useJobCounts } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { markAllSeen } from '../data/whole-list.ts';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { AsOf } from './figure-text.tsx';
import { createElementSlots } from './element-slots.ts';
import { activeOf, createUnseenReader, oldestWait, sectionSummary, wholeBatchOf } from './section-summary.ts';
import { type Section } from './sections.ts';
import { sectionText } from '../messages/jobs/sections.ts';
import styles from './job-list-view.module.css';

interface SectionHeadsProps {
  sections: readonly Section[];
  boxes: readonly { height: number }[];
  height: number;
}

/**
 * The heads of the groups. They are buttons, and a listbox may contain only options, so they are drawn over it, in
 * boxes of the same height.
 */
export const SectionHeads = memo(function SectionHeads({ sections, boxes, height }: SectionHeadsProps) {
  const folded = useJobs((state) => state.folded);
  const [headSlots] = useState(createElementSlots);
  const slots = headSlots.of(sections.map(({ id }) => id));
  return (
    <div className={styles.heads} style={{ height }}>
      {sections.map((section, index) => (
        <div key={slots[index]} style={{ height: boxes[index]?.height }}>
          <SectionHead section={section} isFolded={folded.has(section.id)} />
        </div>
      ))}
    </div>
  );
});

const SectionHead = memo(function SectionHead({ section, isFolded }: { section: Section; isFolded: boolean }) {
  const shownFilter = useJobs((state) => state.shownFilter);
  const counts = useJobCounts();
  const connectionId = useCurrentConnection()?.id ?? null;
  const batch = useBatch(wholeBatchOf(shownFilter));
  const summary = useMemo(
    () => sectionSummary(section, listNow(), activeOf(counts, shownFilter), batch),
    [section, counts, shownFilter, batch],
  );
  const asOfMs = useCertainUntil(summary.knownMs, connectionId);
  const [unseenOf] = useState(createUnseenReader);
  const unseen = useMemo(() => unseenOf(section, listNow()), [unseenOf, section]);
  return (
    <div className={classes(styles.head, asOfMs !== null && styles.uncertain)}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={!isFolded}
        onClick={() => useJobs.getState().toggleFolded(section.id)}
      >
        {isFolded ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
        {section.title}
        <span className={styles.count}>
          {formatCount(summary.count)}
          {section.isPartial && '+'}
        </span>
        <span className={styles.summary}>
          <span className={styles.part}>{summary.text}</span>
          <wbr />
          {summary.oldestQueued !== null && (
            <span className={classes(styles.part, styles.oldest)}>
              <OldestWait job={summary.oldestQueued} />
            </span>
          )}
          {asOfMs !== null && (
            <>
              , <AsOf ms={asOfMs} />
            </>
          )}
        </span>
      </button>
      {unseen.length > 0 && (
        <IconButton
          label={sectionText.markSeen(unseen.length)}
          size="sm"
          hasSmallGlyph
          icon={<CheckCheck />}
          onClick={() => void markAllSeen(unseen)}
        />
      )}
    </div>
  );
});

/** The list as it is now. Heads need not follow it: what changes their rows makes another section. */
function listNow(): JobListView {
  return useJobs.getState().list;
}

/** Counts up as long as the state of the job is certain. */
function OldestWait({ job }: { job: Job }) {
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  const nowMs = useNow(1_000);
  return <>, {oldestWait(job, asOfMs ?? nowMs)}</>;
}
