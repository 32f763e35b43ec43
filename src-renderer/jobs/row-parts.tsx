import { Star, StickyNote } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import type { Endpoint } from '../../src-preload/connection.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import { isFinished, type Job, type StatusKind } from '../../src-preload/job.ts';
import { CheckMark } from '../design/form/check-mark.tsx';
import { classes } from '../design/class-names.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { MarkGlyph } from '../job/mark-glyph.tsx';
import { rowText } from '../messages/jobs/row.tsx';
import { Age, FigureText } from './figure-text.tsx';
import { Highlighted } from './highlight.tsx';
import { figureAsOf, waitFigure } from './job-figures.ts';
import type { ShownColumn, TableColumn } from './table-columns.ts';
import styles from './job-row.module.css';

export type RowForm = 'comfortable' | 'compact' | 'table';

export interface JobRowProps {
  job: Job;
  endpoint: Endpoint;
  runTimes: RunTimes | undefined;
  form: RowForm;
  /** The columns of the table. */
  columns: readonly ShownColumn[];
  top: number;
  isFocused: boolean;
  isPicked: boolean;
  words: readonly string[];
  snippet: string | undefined;
  /** Only what is readable in a row that scrolls past quickly. */
  isBrief: boolean;
  onPress: (key: string, event: MouseEvent) => void;
  onOpen: (key: string) => void;
}

/** What each form of a row, and each cell of the table, draws. */
export type CellProps = JobRowProps & {
  kind: StatusKind;
  /** Until when its figures are valid, if the job may have changed since. Null while they are certain. */
  asOfMs: number | null;
};

/** Over and not seen yet, even while the rest of its stream is still being read. */
export function isNews(job: Job): boolean {
  return !job.isSeen && (isFinished(job) || job.pendingStream !== undefined);
}

/** The icon of the state. Pressing it picks the row. */
export function Glyph({ kind, isPicked, size }: { kind: StatusKind; isPicked: boolean; size: 14 | 16 }) {
  return (
    <span className={styles.glyph} data-pick>
      <span className={styles.still}>{isPicked ? <CheckMark isOn /> : <StatusGlyph kind={kind} size={size} />}</span>
      <span className={styles.offer}>
        <CheckMark isOn={isPicked} />
      </span>
    </span>
  );
}

/** The title, with the words that were searched for marked. */
export function Title({ job, words }: { job: Job; words: readonly string[] }) {
  return (
    <span dir="auto" title={job.title} className={classes(styles.summary, 'trunc', isNews(job) && styles.new)}>
      {job.batchRow !== null && <span className={styles.batchRow}>{job.batchRow}</span>}
      <Highlighted text={job.title} words={words} />
    </span>
  );
}

/** How long it waited, or has been waiting. */
export function WaitFigure({ job, kind, asOfMs }: Pick<CellProps, 'job' | 'kind' | 'asOfMs'>) {
  return (
    <span className={classes(styles.figure, kind === 'queue' ? styles.queued : styles.dim)}>
      <FigureText figure={figureAsOf(waitFigure(job), asOfMs)} isCoarse={kind === 'queue'} />
    </span>
  );
}

/** How long ago it was created. */
export function AgeFigure({ job }: { job: Job }) {
  return (
    <span className={classes(styles.figure, styles.dim)}>
      <Age sinceMs={job.createdAtMs} />
    </span>
  );
}

/** What the user said of it: its mark and that there is a note, where these have no column, and its star. */
export function OwnSigns({ job, columns = [] }: { job: Job; columns?: readonly ShownColumn[] }) {
  const has = (wanted: TableColumn): boolean => columns.some(({ column }) => column === wanted);
  return (
    <>
      {job.noteLine !== undefined && !has('note') && <StickyNote size={12} aria-label={rowText.withNote} />}
      {job.mark !== undefined && !has('mark') && <MarkGlyph mark={job.mark} />}
      {job.isStarred && <Star size={12} fill="currentColor" aria-label={rowText.starred} />}
    </>
  );
}

/** The first three of the label, the priority and the tags. */
export function Tags({ job }: { job: Job }): ReactNode {
  const shown = [
    ...(job.label === undefined ? [] : [job.label]),
    ...(job.policy.lowPriority === true ? [rowText.lowPriority] : []),
    ...job.tags,
  ];
  return shown.slice(0, 3).map((tag, index) => (
    <span
      key={tag}
      data-tag={job.tags.includes(tag) ? tag : undefined}
      className={classes(styles.tag, index === 0 && job.label !== undefined && styles.label)}
    >
      {tag}
    </span>
  ));
}
