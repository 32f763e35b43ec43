import { Image, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CellValue } from '../../../src-preload/batch-table.ts';
import { formatMeasured } from '../../../src-preload/format.ts';
import { statusKind, statusWord, type Job } from '../../../src-preload/job.ts';
import { classes } from '../../design/class-names.ts';
import { StatusGlyph } from '../../design/status-glyph.tsx';
import { batchTableText, type FactColumn } from '../../messages/jobs/batch-table.ts';
import { FigureText } from '../figure-text.tsx';
import { executionFigure, figureAsOf, waitFigure, type Figure } from '../job-figures.ts';
import { CostCell, MarkCell } from '../own-cells.tsx';
import { type BatchColumn, type BatchRow, textOf } from './batch-columns.ts';
import type { CostRate } from '../../../src-preload/cost.ts';
import { call } from '../../bridge.ts';
import { orReport } from '../../call-or-report.ts';
import type { MenuEntry } from '../../design/menu/menu.tsx';
import { toast } from '../../design/toast.tsx';
import styles from './batch-table.module.css';

/**
 * The content of a cell. Nearly all are made without components of their own, because a table that is flung draws
 * hundreds of cells in each frame. `asOfMs`: until when its figures are valid, if the job may have changed since.
 */
export function cellContent({ source }: BatchColumn, { cells, job }: BatchRow, asOfMs: number | null): ReactNode {
  if (source.kind === 'fact') return factContent(source.fact, job, asOfMs);
  const value = cells?.[source.kind].get(source.path);
  if (value !== undefined) return valueContent(value);
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

/**
 * What is readable of a cell while the table is flung: its text in the same place, without signs and hints, which take
 * most of the time.
 */
export function briefContent({ source }: BatchColumn, { cells, job }: BatchRow): ReactNode {
  if (source.kind !== 'fact') return cells?.[source.kind].get(source.path)?.text;
  switch (source.fact) {
    case 'status':
      return <span className={styles.besideGlyph}>{statusWord(job)}</span>;
    case 'wait':
      return briefFigure(waitFigure(job));
    case 'execution':
      return briefFigure(executionFigure(job));
    case 'label':
      return job.label;
    case 'title':
      return job.title;
    case 'id':
      return <span className="mono">{job.jobId?.slice(0, 8)}</span>;
    case 'cost':
    case 'mark':
      return null;
  }
}

function briefFigure(figure: Figure): ReactNode {
  return figure.kind === 'fixed' ? formatMeasured(figure.ms) : null;
}

/** A value of an input or an output, in one line. */
function valueContent({ kind, text, isCut }: CellValue): ReactNode {
  switch (kind) {
    case 'string':
      return (
        <span className="trunc" dir="auto" title={text}>
          {text === '' ? <span className={styles.quiet}>””</span> : text}
          {isCut && '…'}
        </span>
      );
    case 'number':
      return text;
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

function factContent(fact: FactColumn, job: Job, asOfMs: number | null): ReactNode {
  switch (fact) {
    case 'status':
      return (
        <span className={styles.status} data-figure>
          <StatusGlyph kind={statusKind(job)} size={14} />
          <span className="trunc">{statusWord(job)}</span>
        </span>
      );
    case 'wait':
      return figureContent(figureAsOf(waitFigure(job), asOfMs));
    case 'execution':
      return figureContent(figureAsOf(executionOf(job), asOfMs));
    case 'cost':
      return <CostCell job={job} />;
    case 'mark':
      return job.mark === undefined ? null : <MarkCell mark={job.mark} />;
    case 'label':
      return words(job.label ?? '');
    case 'title':
      return words(job.title);
    case 'id':
      return <span className={classes('mono', 'trunc')}>{job.jobId?.slice(0, 8)}</span>;
  }
}

/** Its status has a column of its own, so that no word of it is repeated here. */
function executionOf(job: Job): ReturnType<typeof executionFigure> {
  const figure = executionFigure(job);
  return figure.kind === 'word' ? { kind: 'none' } : figure;
}

/** Only what ticks needs a component. */
function figureContent(figure: Figure): ReactNode {
  return figure.kind === 'fixed' ? formatMeasured(figure.ms) : <FigureText figure={figure} />;
}

function words(text: string): ReactNode {
  if (text === '') return null;
  return (
    <span className="trunc" dir="auto" title={text}>
      {text}
    </span>
  );
}

/** What can be done with a cell, before what can be done with its job. */
export function cellEntries(
  column: BatchColumn | undefined,
  row: BatchRow | undefined,
  rates: readonly CostRate[],
): MenuEntry[] {
  const text = column === undefined || row === undefined ? '' : textOf(column, row, rates);
  if (text === '') return [];
  return [
    { kind: 'item', label: batchTableText.copyCell, icon: <Copy />, onSelect: () => void copy(text) },
    { kind: 'separator' },
  ];
}

async function copy(text: string): Promise<void> {
  const { ok } = orReport(await call('app:copyText', { text }));
  if (ok) toast(batchTableText.copied, { glyph: <Copy size={16} /> });
}
