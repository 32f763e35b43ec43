import type { CellValue, JobCells, TableColumn } from '../../../src-preload/batch-table.ts';
import type { CostRate } from '../../../src-preload/cost.ts';
import { attemptsOf, estimateCost } from '../../../src-preload/cost.ts';
import { formatCredits, formatMeasured } from '../../../src-preload/format.ts';
import { statusWord, type Job } from '../../../src-preload/job.ts';
import { markWord } from '../../../src-preload/judgement.ts';
import { batchColumnText, factColumnTitles, type FactColumn } from '../../messages/jobs/batch-table.ts';
import { executionFigure, waitFigure } from '../job-figures.ts';

/** The cells of a job by the paths of their values. */
export interface ReadCells extends Omit<JobCells, 'input' | 'output'> {
  input: ReadonlyMap<string, CellValue>;
  output: ReadonlyMap<string, CellValue>;
}

/** A row of a batch. Its cells are null until they are read. */
export interface BatchRow {
  job: Job;
  cells: ReadCells | null;
}

type ColumnGroup = 'status' | 'input' | 'job' | 'output';

/** Where the values of a column come from. */
type ColumnSource =
  | { kind: 'fact'; fact: FactColumn }
  /** Keys joined by dots. Empty: the body is no object. */
  | { kind: 'input' | 'output'; path: string };

/** A column of the table, with a summary of its values. */
export interface BatchColumn {
  /** `input.seed`, `execution`: what is remembered for the endpoint. */
  id: string;
  group: ColumnGroup;
  source: ColumnSource;
  title: string;
  /** Its values are on the right, as numbers are. */
  isFigure: boolean;
  /** Of an input: all rows, and more than one, have the same value. */
  isSame: boolean;
  /** One line: `40 to 218`, `4 distinct, 2 missing`. */
  summary: string;
  histogram: readonly number[] | null;
  /** How many characters its longest value has, as far as it is shown. */
  longest: number;
  /** Whether it is shown unless the user chose otherwise. */
  isShownFirst: boolean;
}

/** The value of a row in a column, for sorting and statistics. Null: it has none (yet). */
export type PlainValue = number | string | null;

/** What the columns are made of. */
export interface ColumnParts {
  rows: readonly BatchRow[];
  /** The rates of the endpoint, oldest first. */
  rates: readonly CostRate[];
}

const factsBefore = ['status'] as const satisfies readonly FactColumn[];
const factsBetween = [
  'wait',
  'execution',
  'cost',
  'mark',
  'label',
  'title',
  'id',
] as const satisfies readonly FactColumn[];

/** The most columns of inputs, and of outputs; and how many of them are shown unless the user chose others. */
const maxColumns = 60;
const maxShownFirst = 14;
const bars = 12;
const maxDistinct = 1_000;

/** All columns of a batch in their order: status, inputs, facts of the job, outputs. */
export function columnsOf(parts: ColumnParts): BatchColumn[] {
  const input = bodyColumns('input', parts);
  const output = bodyColumns('output', parts);
  const hasInputShown = input.some(({ isShownFirst }) => isShownFirst);
  const fact = (name: FactColumn, group: ColumnGroup): BatchColumn => factColumn(name, group, parts, hasInputShown);
  return withShortTitles([
    ...factsBefore.map((name) => fact(name, 'status')),
    ...input,
    ...factsBetween.map((name) => fact(name, 'job')),
    ...output,
  ]);
}

/** `sampling.steps` is called `steps`, unless another column ends in the same key. */
function withShortTitles(columns: readonly BatchColumn[]): BatchColumn[] {
  const times = new Map<string, number>();
  for (const { title } of columns) times.set(lastKeyOf(title), (times.get(lastKeyOf(title)) ?? 0) + 1);
  return columns.map((column) => {
    const short = lastKeyOf(column.title);
    return short !== '' && times.get(short) === 1 ? { ...column, title: short } : column;
  });
}

function lastKeyOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function bodyColumns(kind: 'input' | 'output', { rows }: ColumnParts): BatchColumn[] {
  const gathered = new Map<string, Gathered>();
  let read = 0;
  for (const { cells } of rows) {
    if (cells === null || (kind === 'output' && cells.output.size === 0)) continue;
    read += 1;
    for (const [path, value] of cells[kind]) {
      let column = gathered.get(path);
      if (column === undefined) {
        if (gathered.size >= maxColumns) continue;
        gathered.set(path, (column = new Gathered()));
      }
      column.add(value);
    }
  }
  // There is always a place for outputs and errors.
  if (kind === 'output' && gathered.size === 0) gathered.set('', new Gathered());
  let shown = 0;
  return [...gathered].map(([path, values]): BatchColumn => {
    const isSame = kind === 'input' && read > 1 && values.isSame(read);
    const isShownFirst = (kind === 'output' || !isSame) && shown < maxShownFirst;
    if (isShownFirst) shown += 1;
    return {
      id: path === '' ? kind : `${kind}.${path}`,
      group: kind,
      source: { kind, path },
      title: path === '' ? batchColumnText[kind] : path,
      isFigure: values.isNumeric(),
      isSame,
      summary: values.summary(read),
      histogram: values.histogram(),
      longest: values.longest(),
      isShownFirst,
    };
  });
}

/** The values of a column over all rows. */
class Gathered {
  #count = 0;
  #longest = 0;
  readonly #distinct = new Set<string>();
  readonly #numbers: number[] = [];

  add({ kind, text }: CellValue): void {
    this.#count += 1;
    this.#longest = Math.max(this.#longest, text.length);
    if (this.#distinct.size < maxDistinct) this.#distinct.add(`${kind} ${text}`);
    if (kind === 'number') this.#numbers.push(Number(text));
  }

  isSame(rows: number): boolean {
    return this.#count === rows && this.#distinct.size === 1;
  }

  longest(): number {
    return this.#longest;
  }

  isNumeric(): boolean {
    return this.#count > 0 && this.#numbers.length === this.#count;
  }

  summary(rows: number): string {
    const missing = rows - this.#count;
    if (this.#count === 0) return '';
    const range = this.isNumeric() ? rangeOf(this.#numbers) : null;
    const values =
      range === null
        ? batchColumnText.distinct(this.#distinct.size, this.#distinct.size >= maxDistinct)
        : batchColumnText.range(`${range.min}`, `${range.max}`);
    return missing > 0 ? batchColumnText.missing(values, missing) : values;
  }

  histogram(): readonly number[] | null {
    return this.isNumeric() && this.#distinct.size > 2 ? histogramOf(this.#numbers) : null;
  }
}

function rangeOf(numbers: readonly number[]): { min: number; max: number } | null {
  let min = Infinity;
  let max = -Infinity;
  for (const number of numbers) {
    if (number < min) min = number;
    if (number > max) max = number;
  }
  return min <= max ? { min, max } : null;
}

/** How many numbers are in each twelfth of their range. Null if all are equal. */
function histogramOf(numbers: readonly number[]): number[] | null {
  const range = rangeOf(numbers);
  if (range === null || range.min === range.max) return null;
  const counts = Array.from({ length: bars }, () => 0);
  for (const number of numbers) {
    const share = (number - range.min) / (range.max - range.min);
    const bar = Math.min(bars - 1, Math.floor(share * bars));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts;
}

function factColumn(fact: FactColumn, group: ColumnGroup, parts: ColumnParts, hasInputShown: boolean): BatchColumn {
  const { rows, rates } = parts;
  const values = rows.map((row) => factOf(fact, row.job, rates));
  const numbers = values.filter((value) => typeof value === 'number');
  const isFigure = fact === 'wait' || fact === 'execution' || fact === 'cost';
  const written = fact === 'cost' ? formatCredits : formatMeasured;
  const range = isFigure ? rangeOf(numbers) : null;
  const hasAny = values.some((value) => value !== null);
  return {
    id: fact,
    group,
    source: { kind: 'fact', fact },
    title: factColumnTitles[fact],
    isFigure,
    isSame: false,
    summary:
      range === null
        ? fact === 'status'
          ? batchColumnText.distinct(new Set(values).size, false)
          : ''
        : batchColumnText.range(written(range.min), written(range.max)),
    longest: 0,
    histogram: isFigure && numbers.length > 2 ? histogramOf(numbers) : null,
    isShownFirst: isFactShownFirst(fact, { hasAny, hasInputShown, hasRate: rates.length > 0 }),
  };
}

function isFactShownFirst(
  fact: FactColumn,
  { hasAny, hasInputShown, hasRate }: { hasAny: boolean; hasInputShown: boolean; hasRate: boolean },
): boolean {
  switch (fact) {
    case 'status':
    case 'execution':
    case 'mark':
      return true;
    case 'cost':
      return hasRate;
    case 'label':
      return hasAny;
    case 'title':
      return !hasInputShown;
    case 'wait':
    case 'id':
      return false;
  }
}

/** A fact of a job: milliseconds, credits, a mark, or words. Null: not known, or not final. */
function factOf(fact: FactColumn, job: Job, rates: readonly CostRate[]): PlainValue {
  switch (fact) {
    case 'status':
      return statusWord(job);
    case 'wait':
      return fixedMs(waitFigure(job));
    case 'execution':
      return fixedMs(executionFigure(job));
    case 'cost': {
      // The attempts before a retry are not in the list, so the cost is at least this.
      const cost = estimateCost(attemptsOf(job, [], 0), rates, 0);
      return cost.kind === 'estimate' && job.finishedSeenAtMs !== null ? cost.credits : null;
    }
    case 'mark':
      return job.mark ?? null;
    case 'label':
      return job.label ?? null;
    case 'title':
      return job.title;
    case 'id':
      return job.jobId;
  }
}

function fixedMs(figure: ReturnType<typeof executionFigure>): number | null {
  return figure.kind === 'fixed' ? figure.ms : null;
}

/** The value of a row in a column. */
export function valueOf({ source }: BatchColumn, { job, cells }: BatchRow, rates: readonly CostRate[]): PlainValue {
  if (source.kind === 'fact') return factOf(source.fact, job, rates);
  const value = cells?.[source.kind].get(source.path);
  if (value === undefined) return null;
  return value.kind === 'number' ? Number(value.text) : value.text;
}

/** What a row says in a column, in one line: for a copy and for screen readers. Empty without a value. */
export function textOf(column: BatchColumn, row: BatchRow, rates: readonly CostRate[]): string {
  const { source } = column;
  if (source.kind !== 'fact') return row.cells?.[source.kind].get(source.path)?.text ?? '';
  if (source.fact === 'mark') return row.job.mark === undefined ? '' : markWord(row.job.mark);
  const value = factOf(source.fact, row.job, rates);
  if (typeof value !== 'number') return value ?? '';
  return source.fact === 'cost' ? formatCredits(value) : formatMeasured(value);
}

/** The columns that are shown: the user's choice, or else as usual. */
export function shownColumns(
  columns: readonly BatchColumn[],
  choices: readonly { column: string; isShown: boolean }[],
): BatchColumn[] {
  const chosen = new Map(choices.map(({ column, isShown }) => [column, isShown]));
  return columns.filter(({ id, isShownFirst }) => chosen.get(id) ?? isShownFirst);
}

/** The columns of the saved file: the row's number, those shown, and the errors if there are any. */
export function savedColumns(shown: readonly BatchColumn[], hasErrors: boolean): TableColumn[] {
  return [
    { kind: 'fact', fact: 'row' },
    ...shown.map(({ source }): TableColumn => (source.kind === 'fact' ? savedFact(source.fact) : source)),
    ...(hasErrors ? [{ kind: 'error' } as const] : []),
  ];
}

function savedFact(fact: FactColumn): TableColumn {
  switch (fact) {
    case 'wait':
      return { kind: 'fact', fact: 'delayTime' };
    case 'execution':
      return { kind: 'fact', fact: 'executionTime' };
    case 'status':
    case 'cost':
    case 'mark':
    case 'label':
    case 'title':
    case 'id':
      return { kind: 'fact', fact };
  }
}
