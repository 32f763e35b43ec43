import { endpointName } from '../../src-preload/connection.ts';
import { isLive, type Job } from '../../src-preload/job.ts';
import { ttlEndOf } from '../data/service-deadlines.ts';
import { useNow } from '../data/use-now.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { rowText } from '../messages/jobs/row.tsx';
import { AsOf, Countdown, FigureText } from './figure-text.tsx';
import { executionFigure, figureAsOf } from './job-figures.ts';
import { CostCell, MarkCell } from './own-cells.tsx';
import { RowBar } from './row-bar.tsx';
import { AgeFigure, Glyph, OwnSigns, Tags, Title, WaitFigure, type CellProps } from './row-parts.tsx';
import { RemarkOrSnippet, UnsettledMark } from './row-remark.tsx';
import type { TableColumn } from './table-columns.ts';
import styles from './job-row.module.css';

/** A row in the form of a table: one cell for each shown column. */
export function TableCells(props: CellProps) {
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
      return <WaitFigure job={job} kind={kind} asOfMs={asOfMs} />;
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
          <span className={styles.besideBar}>
            <FigureText figure={figureAsOf(executionFigure(job), asOfMs)} />
          </span>
        </span>
      );
    case 'age':
      return <AgeFigure job={job} />;
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
        <RemarkOrSnippet job={job} kind={kind} snippet={snippet} />
      </span>
    </span>
  );
}

function TtlLeft({ job }: { job: Job }) {
  useNow(1_000);
  const untilMs = ttlEndOf(job);
  return untilMs === null ? null : <Countdown untilMs={untilMs} over={rowText.ttlOver} />;
}
