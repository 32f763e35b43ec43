import { memo, useEffect, useRef, useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { isLive, statusKind, type StatusKind } from '../../src-preload/job.ts';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { MarkGlyph } from '../job/mark-glyph.tsx';
import { rowText, spokenRow } from '../messages/jobs/row.tsx';
import { AsOf, FigureText } from './figure-text.tsx';
import { Snippet } from './highlight.tsx';
import { executionFigure, figureAsOf } from './job-figures.ts';
import { RowBar } from './row-bar.tsx';
import {
  AgeFigure,
  Glyph,
  isNews,
  OwnSigns,
  Tags,
  Title,
  WaitFigure,
  type CellProps,
  type JobRowProps,
} from './row-parts.tsx';
import { RemarkOrSnippet, UnsettledMark, unsettledName } from './row-remark.tsx';
import { TableCells } from './table-cells.tsx';
import { gridOf } from './table-columns.ts';
import styles from './job-row.module.css';

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
      <WaitFigure job={job} kind={kind} asOfMs={asOfMs} />
      <span className={styles.figure}>
        <FigureText figure={figureAsOf(executionFigure(job), asOfMs)} />
      </span>
      <AgeFigure job={job} />
      <span className={styles.meta}>
        {isPicked && <StatusGlyph kind={kind} size={12} />}
        {(job.jobId !== null || isLive(job)) && (
          <span className={classes('mono', styles.jobId)}>{job.jobId?.slice(0, 8) ?? rowText.noIdYet}</span>
        )}
        <span className={styles.endpoint}>
          <EndpointIcon endpoint={endpoint} size={12} />
          <span>{endpointName(endpoint)}</span>
        </span>
        <UnsettledMark job={job} />
        {asOfMs !== null && <AsOf ms={asOfMs} />}
        <RemarkOrSnippet job={job} kind={kind} snippet={snippet} />
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
      <AgeFigure job={job} />
    </>
  );
}
