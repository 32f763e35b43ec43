import { reasonText } from '../../src-preload/messages/job-reason.ts';
import { HardDrive, HardDriveDownload, Star, StickyNote } from 'lucide-react';
import { memo, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { endpointName, type Endpoint } from '../../src-preload/connection.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import { isFinished, isLive, statusKind, statusWord, type Job, type StatusKind } from '../../src-preload/job.ts';
import { CheckMark } from '../design/check-mark.tsx';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { StatusGlyph, statusTextClass } from '../design/status-glyph.tsx';
import { MarkGlyph } from '../job/mark-glyph.tsx';
import { pendingStreamNote } from '../messages/job/row.ts';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { retentionEndOf, ttlEndOf } from '../data/server-ends.ts';
import { useNow } from '../data/session-store.ts';
import { executionFigure, figureAsOf, waitFigure } from './job-figures.ts';
import { RowBar } from './row-bar.tsx';
import { Highlighted, Snippet } from './highlight.tsx';
import { Age, AsOf, Countdown, FigureText } from './figure-text.tsx';
import { CostCell, MarkCell } from './own-cells.tsx';
import { gridOf, type ShownColumn, type TableColumn } from './table-columns.ts';
import { NotKnownRemark, UnsettledMark, unsettledName } from './unsettled-mark.tsx';
import { rowText, spokenRow } from '../messages/jobs/row.tsx';
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

/** Id of a row's element, for `aria-activedescendant`. */
export function rowId(key: string): string {
  return `job-${key}`;
}

const washMs = 400;

/** True for a moment after the status of the row's job changed, but not when the row gets another job. */
function useWash(key: string, kind: StatusKind): boolean {
  const before = useRef({ key, kind });
  const [washingKey, setWashingKey] = useState<string | null>(null);
  useEffect(() => {
    const { key: formerKey, kind: formerKind } = before.current;
    before.current = { key, kind };
    if (formerKey !== key || formerKind === kind) return undefined;
    setWashingKey(key);
    const timer = setTimeout(() => setWashingKey(null), washMs);
    return () => {
      clearTimeout(timer);
      setWashingKey(null);
    };
  }, [key, kind]);
  return washingKey === key;
}

/** One job of the list. A click on the glyph selects it for bulk actions; elsewhere it opens the job. */
export const JobRow = memo(function JobRow(props: JobRowProps) {
  const { job, endpoint, form, top, isFocused, isPicked, onPress, onOpen } = props;
  const kind = statusKind(job);
  const isWashing = useWash(job.key, kind);
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  return (
    <div
      id={rowId(job.key)}
      role="option"
      aria-selected={isFocused || isPicked}
      data-key={job.key}
      className={classes(
        styles.job,
        styles[form],
        isFocused && styles.focus,
        isPicked && styles.picked,
        asOfMs !== null && styles.uncertain,
        isWashing && styles[`wash-${kind}`],
      )}
      style={form === 'table' ? { top, gridTemplateColumns: gridOf(props.columns) } : { top }}
      onClick={(event) => onPress(job.key, event)}
      onDoubleClick={() => onOpen(job.key)}
    >
      {/* Read aloud instead of what is drawn, where the figures tick. */}
      <span className="visually-hidden">{spokenRow(job, endpoint, unsettledName(job), asOfMs)}</span>
      <div className={styles.cells} aria-hidden="true" data-cells>
        {isNews(job) && <span className={styles.unseen} />}
        {props.isBrief ? (
          <Brief {...props} />
        ) : form === 'comfortable' ? (
          <Comfortable {...props} kind={kind} asOfMs={asOfMs} />
        ) : form === 'compact' ? (
          <Compact {...props} kind={kind} asOfMs={asOfMs} />
        ) : (
          <TableCells {...props} kind={kind} asOfMs={asOfMs} />
        )}
      </div>
    </div>
  );
});

/** Over and not seen yet, even while the rest of its stream is still being read. */
function isNews(job: Job): boolean {
  return !job.isSeen && (isFinished(job) || job.pendingStream !== undefined);
}

type CellProps = JobRowProps & {
  kind: StatusKind;
  /** Until when its figures are valid, if the job may have changed since. Null while they are certain. */
  asOfMs: number | null;
};

function Glyph({ kind, isPicked, size }: { kind: StatusKind; isPicked: boolean; size: 14 | 16 }) {
  return (
    <span className={styles.glyph} data-pick>
      <span className={styles.still}>{isPicked ? <CheckMark isOn /> : <StatusGlyph kind={kind} size={size} />}</span>
      <span className={styles.offer}>
        <CheckMark isOn={isPicked} />
      </span>
    </span>
  );
}

function Title({ job, words }: { job: Job; words: readonly string[] }) {
  return (
    <span dir="auto" title={job.title} className={classes(styles.summary, 'trunc', isNews(job) && styles.new)}>
      {job.batchRow !== null && <span className={styles.batchRow}>{job.batchRow}</span>}
      <Highlighted text={job.title} words={words} />
    </span>
  );
}

function Brief({ job, form, columns }: JobRowProps) {
  const title = (
    <span key="title" dir="auto" className={classes(styles.summary, 'trunc', isNews(job) && styles.new)}>
      {job.title}
    </span>
  );
  return (
    <>
      <span className={styles.glyph} />
      {form === 'table' ? columns.map(({ column }) => (column === 'title' ? title : <span key={column} />)) : title}
    </>
  );
}

function Comfortable({ job, endpoint, runTimes, kind, asOfMs, isPicked, words, snippet }: CellProps) {
  return (
    <>
      <Glyph kind={kind} isPicked={isPicked} size={16} />
      <Title job={job} words={words} />
      <span className={classes(styles.figure, kind === 'queue' ? styles.queued : styles.dim)}>
        <FigureText figure={figureAsOf(waitFigure(job), asOfMs)} isCoarse={kind === 'queue'} />
      </span>
      <span className={styles.figure}>
        <FigureText figure={figureAsOf(executionFigure(job), asOfMs)} />
      </span>
      <span className={classes(styles.figure, styles.dim)}>
        <Age sinceMs={job.createdAtMs} />
      </span>
      <span className={styles.meta}>
        {isPicked && <StatusGlyph kind={kind} size={12} />}
        {job.jobId !== null && <span className="mono">{job.jobId.slice(0, 8)}</span>}
        <span className={styles.endpoint}>
          <EndpointIcon endpoint={endpoint} size={12} />
          <span>{endpointName(endpoint)}</span>
        </span>
        <UnsettledMark job={job} />
        {asOfMs !== null && <AsOf ms={asOfMs} />}
        {snippet === undefined ? (
          <MetaNote job={job} kind={kind} />
        ) : (
          <span className="trunc">
            <Snippet text={snippet} />
          </span>
        )}
        <Tags job={job} />
      </span>
      <span className={styles.bar}>
        <RowBar job={job} runTimes={runTimes} kind={kind} asOfMs={asOfMs} />
      </span>
      <span className={styles.star}>
        <OwnSigns job={job} />
      </span>
    </>
  );
}

function Compact({ job, kind, asOfMs, isPicked, words, snippet }: CellProps) {
  return (
    <>
      <Glyph kind={kind} isPicked={isPicked} size={14} />
      <span className={styles.line}>
        <Title job={job} words={words} />
        {snippet !== undefined && (
          <span className={classes(styles.meta, styles.inline)}>
            <span className="trunc">
              <Snippet text={snippet} />
            </span>
          </span>
        )}
      </span>
      <span
        className={classes(
          styles.figure,
          kind === 'fail' ? styles.failed : kind === 'timeout' ? styles.late : undefined,
        )}
      >
        <UnsettledMark job={job} />
        <span className={styles.beside}>{job.mark !== undefined && <MarkGlyph mark={job.mark} />}</span>
        <FigureText figure={figureAsOf(executionFigure(job), asOfMs)} />
      </span>
      <span className={classes(styles.figure, styles.dim)}>
        <Age sinceMs={job.createdAtMs} />
      </span>
    </>
  );
}

function TableCells(props: CellProps) {
  return (
    <>
      <Glyph kind={props.kind} isPicked={props.isPicked} size={14} />
      {props.columns.map(({ column }) => (
        <TableCell key={column} column={column} {...props} />
      ))}
    </>
  );
}

function TableCell(props: CellProps & { column: TableColumn }) {
  const { column, job, endpoint, runTimes, kind, asOfMs } = props;
  switch (column) {
    case 'id':
      return <span className={classes(styles.id, 'mono', 't3', 'trunc')}>{job.jobId?.slice(0, 8) ?? ''}</span>;
    case 'endpoint':
      return (
        <span className={classes(styles.endpoint, styles.cell)}>
          <EndpointIcon endpoint={endpoint} size={12} />
          <span className="trunc">{endpointName(endpoint)}</span>
        </span>
      );
    case 'title':
      return <TitleCell {...props} />;
    case 'wait':
      return (
        <span className={classes(styles.figure, kind === 'queue' ? styles.queued : styles.dim)}>
          <FigureText figure={figureAsOf(waitFigure(job), asOfMs)} isCoarse={kind === 'queue'} />
        </span>
      );
    case 'mark':
      return <MarkCell mark={job.mark} />;
    case 'label':
      return <span className={classes(styles.cell, 'trunc')}>{job.label ?? ''}</span>;
    case 'note':
      return (
        <span className={classes(styles.cell, 'trunc')} dir="auto" title={job.noteLine}>
          {job.noteLine ?? ''}
        </span>
      );
    case 'cost':
      return <CostCell job={job} />;
    case 'execution':
      return (
        <span
          className={classes(
            styles.figure,
            styles.barred,
            kind === 'fail' ? styles.failed : kind === 'timeout' ? styles.late : undefined,
          )}
        >
          <span className={styles.track}>
            <RowBar job={job} runTimes={runTimes} kind={kind} asOfMs={asOfMs} />
          </span>
          <FigureText figure={figureAsOf(executionFigure(job), asOfMs)} />
        </span>
      );
    case 'age':
      return (
        <span className={classes(styles.figure, styles.dim)}>
          <Age sinceMs={job.createdAtMs} />
        </span>
      );
    case 'ttl':
      return (
        <span className={classes(styles.figure, styles.dim)}>
          {isLive(job) && job.pendingStream === undefined && <TtlLeft job={job} />}
        </span>
      );
    case 'tags':
      return (
        <span className={styles.tags}>
          <Tags job={job} />
        </span>
      );
  }
}

function TitleCell({ job, columns, kind, asOfMs, words, snippet }: CellProps) {
  return (
    <span className={styles.line}>
      <Title job={job} words={words} />
      <span className={classes(styles.meta, styles.inline)}>
        <UnsettledMark job={job} />
        <OwnSigns job={job} columns={columns} />
        {asOfMs !== null && <AsOf ms={asOfMs} />}
        {snippet === undefined ? (
          <MetaNote job={job} kind={kind} />
        ) : (
          <span className="trunc">
            <Snippet text={snippet} />
          </span>
        )}
      </span>
    </span>
  );
}

/** What the user said of it: its mark and that there is a note, where these have no column, and its star. */
function OwnSigns({ job, columns = [] }: { job: Job; columns?: readonly ShownColumn[] }) {
  const has = (wanted: TableColumn): boolean => columns.some(({ column }) => column === wanted);
  return (
    <>
      {job.noteLine !== undefined && !has('note') && <StickyNote size={12} aria-label={rowText.withNote} />}
      {job.mark !== undefined && !has('mark') && <MarkGlyph mark={job.mark} />}
      {job.isStarred && <Star size={12} fill="currentColor" aria-label={rowText.starred} />}
    </>
  );
}

function Tags({ job }: { job: Job }): ReactNode {
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

/** The short remark of a row: what went wrong, what is arriving, how long the server keeps the result. */
function MetaNote({ job, kind }: { job: Job; kind: StatusKind }) {
  const remark = job.reason === null ? null : reasonText(job.reason);
  if (job.isCancelling) return <span>{rowText.cancelling}</span>;
  if (job.retryAskedAtMs !== undefined) return <span>{rowText.willBeRetried}</span>;
  if (job.notKnown !== undefined) return <NotKnownRemark notKnown={job.notKnown} />;
  if (job.pendingStream !== undefined && kind !== 'fail' && kind !== 'timeout')
    return <span className="trunc num">{pendingStreamNote(job.pendingStream)}</span>;
  switch (kind) {
    case 'fail':
      return (
        <span className={classes(statusTextClass('fail'), 'trunc')} title={remark ?? undefined}>
          {remark ?? rowText.failed}
        </span>
      );
    case 'timeout':
      return <span className={statusTextClass('timeout')}>{rowText.timedOut}</span>;
    case 'cancel':
      return (
        <span>
          {job.executionTimeMs === null && job.startedSeenAtMs === null
            ? rowText.cancelledWhileQueued
            : rowText.cancelled}
        </span>
      );
    case 'gone':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {remark ?? (job.goneReason === 'purged' ? rowText.purged : rowText.gone)}
        </span>
      );
    case 'unknown':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {job.isLikelyThere === true && job.phase === 'outcome-unknown'
            ? rowText.probablyArrived
            : (remark ?? statusWord(job))}
        </span>
      );
    case 'orphaned':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {remark ?? statusWord(job)}
        </span>
      );
    case 'to-send':
      return (
        <span className="trunc" title={remark ?? undefined}>
          {remark ?? (job.phase === 'submitting' ? rowText.sending : rowText.waitingToBeSent)}
        </span>
      );
    case 'run':
      return job.chunkCount > 0 ? <span className="num">{rowText.chunks(job.chunkCount)}</span> : null;
    case 'queue':
      return null;
    case 'done':
      if (job.unreadReply !== undefined)
        return (
          <span className="trunc" title={job.unreadReply}>
            {rowText.replyTooLarge}
          </span>
        );
      return job.isWithoutOutput ? <span className="trunc">{rowText.noOutput}</span> : <OnServer job={job} />;
  }
}

function TtlLeft({ job }: { job: Job }) {
  useNow(1_000);
  const untilMs = ttlEndOf(job);
  return untilMs === null ? null : <Countdown untilMs={untilMs} over={rowText.ttlOver} />;
}

function OnServer({ job }: { job: Job }) {
  const nowMs = useNow(1_000);
  const untilMs = retentionEndOf(job);
  if (untilMs !== null && nowMs < untilMs) {
    return (
      <span className={styles.where}>
        <HardDriveDownload size={12} />
        {rowText.onServer(
          <span className="num">
            <Countdown untilMs={untilMs} over="" />
          </span>,
        )}
      </span>
    );
  }
  if (job.outputForgottenAtMs !== undefined) return <span className="trunc">{rowText.outputDeleted}</span>;
  return job.isResultSaved ? (
    <span className={styles.where}>
      <HardDrive size={12} />
      {rowText.saved}
    </span>
  ) : null;
}
