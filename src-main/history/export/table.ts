import type { TableColumn, TableFormat } from '../../../src-preload/batch-table.ts';
import { decodeString, parseJson } from '../../../src-preload/json-spans.ts';
import { pieceOfChunk } from '../../../src-preload/stream-text.ts';
import { csvField, csvRecord, type Cell } from '../../../src-preload/write-csv.ts';
import { valuesIn, type PlacedValue } from '../jobs/body-values.ts';
import { errorOf, type ExportedJob, type ExportedStream } from './exported-job.ts';
import { cellParts, factsOf, jsonOnOneLine } from './lines.ts';

/** A table that is saved as a file. */
export interface SavedTable {
  columns: readonly TableColumn[];
  format: TableFormat;
}

/** What comes before the first row. */
export function tableHead({ columns, format }: SavedTable): string {
  if (format === 'json') return '[';
  return format === 'csv' ? csvRecord(columns.map(nameOf)) : '';
}

/** What comes after the last row. */
export function tableFoot({ format }: SavedTable): string {
  return format === 'json' ? '\n]\n' : '';
}

/**
 * A job as a row, in parts, with its values whole. A streamed text is read while it is written. `isFirst`: the
 * first row of the table.
 */
export function* tableRow(table: SavedTable, job: ExportedJob, isFirst: boolean): Generator<string> {
  const bodies = { input: placesOf(job.inputText), output: placesOf(job.outputText ?? '') };
  if (table.format === 'csv') {
    for (const [at, column] of table.columns.entries()) {
      if (at > 0) yield ',';
      yield* csvCell(column, job, bodies);
    }
    yield '\r\n';
    return;
  }
  if (table.format === 'json') yield isFirst ? '\n' : ',\n';
  yield '{';
  let isFirstMember = true;
  for (const column of table.columns) {
    const parts = jsonCell(column, job, bodies);
    if (parts === null) continue;
    yield `${isFirstMember ? '' : ','}${JSON.stringify(nameOf(column))}:`;
    yield* parts;
    isFirstMember = false;
  }
  yield table.format === 'json' ? '}' : '}\n';
}

type Places = Readonly<Record<'input' | 'output', ReadonlyMap<string, PlacedValue>>>;

function placesOf(body: string): ReadonlyMap<string, PlacedValue> {
  return new Map(valuesIn(body, Infinity).map((value) => [value.path, value]));
}

/** The name of a column, as in a flattened table: `input.sampling.steps`. */
function nameOf(column: TableColumn): string {
  switch (column.kind) {
    case 'fact':
      return column.fact;
    case 'error':
      return 'error';
    case 'input':
    case 'output':
      return column.path === '' ? column.kind : `${column.kind}.${column.path}`;
  }
}

function bodyOf(column: { kind: 'input' | 'output' }, { inputText, outputText }: ExportedJob): string {
  return column.kind === 'input' ? inputText : (outputText ?? '');
}

function* csvCell(column: TableColumn, job: ExportedJob, places: Places): Generator<string> {
  switch (column.kind) {
    case 'fact':
      yield csvFact(factOf(column.fact, job));
      return;
    case 'error':
      yield csvField(errorOf(job) ?? '');
      return;
    case 'input':
    case 'output': {
      if (isStreamed(column, job)) {
        yield* csvText(job.stream);
        return;
      }
      const place = places[column.kind].get(column.path);
      if (place !== undefined) yield csvValue(bodyOf(column, job).slice(place.start, place.end), place);
    }
  }
}

function csvFact(fact: Cell): string {
  return typeof fact === 'string' ? csvField(fact) : String(fact ?? '');
}

function csvValue(json: string, { kind }: PlacedValue): string {
  switch (kind) {
    case 'string':
      return csvField(textOf(json));
    case 'number':
      return json;
    case 'word':
      return json === 'null' ? '' : json;
    case 'array':
    case 'object':
      return csvField(jsonOnOneLine(json));
  }
}

/** A body may be a text that is not JSON. */
function textOf(json: string): string {
  return json.startsWith('"') ? decodeString(json) : json;
}

function factOf(fact: Extract<TableColumn, { kind: 'fact' }>['fact'], job: ExportedJob): Cell {
  const facts = factsOf(job);
  return fact === 'status' ? (facts.status ?? facts.state) : facts[fact];
}

type StreamedJob = ExportedJob & { stream: ExportedStream };

function isStreamed(column: { kind: 'input' | 'output'; path: string }, job: ExportedJob): job is StreamedJob {
  return column.kind === 'output' && column.path === '' && job.stream !== null;
}

function* textParts(stream: ExportedStream): Generator<string> {
  for (const page of stream.pages()) yield page.map((output) => pieceOfChunk(output).text).join('');
}

function* csvText(stream: ExportedStream): Generator<string> {
  yield '"';
  for (const part of cellParts(stream)) yield part.replaceAll('"', '""');
  yield '"';
}

/** Null: the row has no such value. Numbers keep their digits. */
function jsonCell(column: TableColumn, job: ExportedJob, places: Places): Iterable<string> | null {
  switch (column.kind) {
    case 'fact':
      return [JSON.stringify(factOf(column.fact, job) ?? null)];
    case 'error': {
      const error = errorOf(job);
      return error === null ? null : [JSON.stringify(error)];
    }
    case 'input':
    case 'output': {
      if (isStreamed(column, job)) return jsonText(job.stream);
      const place = places[column.kind].get(column.path);
      if (place === undefined) return null;
      const json = bodyOf(column, job).slice(place.start, place.end);
      return [parseJson(json) === undefined ? JSON.stringify(json) : jsonOnOneLine(json)];
    }
  }
}

function* jsonText(stream: ExportedStream): Generator<string> {
  yield '"';
  for (const part of textParts(stream)) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}
