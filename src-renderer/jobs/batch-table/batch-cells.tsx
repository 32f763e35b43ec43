import { Image } from 'lucide-react';
import type { CellValue } from '../../../src-preload/batch-table.ts';
import { statusKind, statusWord, type Job } from '../../../src-preload/job.ts';
import { classes } from '../../design/class-names.ts';
import { StatusGlyph } from '../../design/status-glyph.tsx';
import { batchTableText, type FactColumn } from '../../messages/jobs/batch-table.ts';
import { FigureText } from '../figure-text.tsx';
import { executionFigure, figureAsOf, waitFigure } from '../job-figures.ts';
import { CostCell, MarkCell } from '../own-cells.tsx';
import type { BatchColumn, BatchRow } from './batch-columns.ts';
import styles from './batch-table.module.css';

interface CellProps {
  column: BatchColumn;
  row: BatchRow;
  /** Until when its figures are valid, if the job may have changed since. */
  asOfMs: number | null;
}

/** The content of a cell. */
export function BatchCell({ column: { source }, row, asOfMs }: CellProps) {
  if (source.kind === 'fact') return <FactCell fact={source.fact} job={row.job} asOfMs={asOfMs} />;
  const { cells, job } = row;
  const value = cells?.[source.kind].get(source.path);
  if (value !== undefined) return <ValueCell value={value} />;
  if (cells === null || (source.kind === 'output' && cells.output.size === 0)) return null;
  if (source.kind === 'input' && job.inputForgottenAtMs !== undefined)
    return <span className={styles.quiet}>{batchTableText.inputDeleted}</span>;
  if (source.kind === 'output' && cells.isOutputCut)
    return (
      <span className={styles.quiet} title={batchTableText.notRead}>
        …
      </span>
    );
  return <span className={styles.quiet}>–</span>;
}

/** A value of an input or an output, in one line. */
function ValueCell({ value: { kind, text, isCut } }: { value: CellValue }) {
  switch (kind) {
    case 'string':
      return (
        <span className="trunc" dir="auto" title={text}>
          {text === '' ? <span className={styles.quiet}>””</span> : text}
          {isCut && '…'}
        </span>
      );
    case 'number':
      return <>{text}</>;
    case 'word':
      return <span className={classes(styles.code, text === 'null' && styles.quiet)}>{text}</span>;
    case 'array':
    case 'object':
      return (
        <span className={classes('trunc', styles.code)} title={text}>
          {text}
          {isCut && '…'}
        </span>
      );
    case 'image':
      return (
        <span className={styles.image}>
          <Image size={12} aria-hidden="true" />
          <span className="trunc">{text}</span>
        </span>
      );
  }
}

function FactCell({ fact, job, asOfMs }: { fact: FactColumn; job: Job; asOfMs: number | null }) {
  switch (fact) {
    case 'status':
      return (
        <span className={styles.status} data-figure>
          <StatusGlyph kind={statusKind(job)} size={14} />
          <span className="trunc">{statusWord(job)}</span>
        </span>
      );
    case 'wait':
      return <FigureText figure={figureAsOf(waitFigure(job), asOfMs)} />;
    case 'execution':
      return <FigureText figure={figureAsOf(executionOf(job), asOfMs)} />;
    case 'cost':
      return <CostCell job={job} />;
    case 'mark':
      return <MarkCell mark={job.mark} />;
    case 'label':
      return <Words text={job.label ?? ''} />;
    case 'title':
      return <Words text={job.title} />;
    case 'id':
      return <span className={classes('mono', 'trunc')}>{job.jobId?.slice(0, 8)}</span>;
  }
}

/** Its status has a column of its own, so that no word of it is repeated here. */
function executionOf(job: Job): ReturnType<typeof executionFigure> {
  const figure = executionFigure(job);
  return figure.kind === 'word' ? { kind: 'none' } : figure;
}

function Words({ text }: { text: string }) {
  return (
    <span className="trunc" dir="auto" title={text}>
      {text}
    </span>
  );
}
