import { batchStateOf } from '../../../src-preload/batch.ts';
import type { ExportFormat } from '../../../src-preload/export.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { errorOf, type ExportedJob, type ExportedStream } from './exported-job.ts';
import { pieceOfChunk, textOfOutput } from '../../../src-preload/stream-text.ts';
import { csvFields, csvRecord, withoutFormula, type Cell } from '../../../src-preload/write-csv.ts';
import { reportFoot } from '../../../src-preload/report-page.ts';
import { reportHead, reportSection } from './report.ts';

/** What is before the first job. `title` and `atMs` (when it was written) appear in a report. */
export function exportHead(format: ExportFormat, title: string, atMs: number): string {
  if (format === 'report') return reportHead(title, atMs);
  return format === 'csv' ? csvRecord([...factNames, ...textNames]) : '';
}

/** What is behind the last job. */
export function exportFoot(format: ExportFormat): string {
  return format === 'report' ? reportFoot : '';
}

/** A job as one line, one record or one section, with its end. Its stream is read page by page between the parts. */
export function exportParts(format: ExportFormat, exported: ExportedJob): Iterable<string> {
  switch (format) {
    case 'csv':
      return csvLine(exported);
    case 'ndjson':
      return jsonLine(exported);
    case 'dataset':
      return datasetLine(exported);
    case 'report':
      return [reportSection(exported)];
  }
}

const factNames = [
  'row',
  'key',
  'id',
  'connection',
  'endpoint',
  'title',
  'state',
  'status',
  'attempt',
  'createdAt',
  'acceptedAt',
  'startedAt',
  'finishedAt',
  'delayTime',
  'executionTime',
  'cost',
  'starred',
  'tags',
  'mark',
  'label',
  'note',
] as const;
const textNames = ['input', 'output', 'error'] as const;

type Facts = Record<Exclude<(typeof factNames)[number], 'tags'>, Cell> & { tags: string[] };

/** `state` says what became of jobs that the service gave no status for. Times in milliseconds, moments in UTC. */
export function factsOf({ job, connection, cost, note }: ExportedJob): Facts {
  return {
    row: job.batchRow,
    key: job.key,
    id: job.jobId,
    connection,
    endpoint: job.endpointId,
    title: job.title,
    state: batchStateOf(job),
    status: job.status,
    attempt: job.attempt,
    createdAt: momentOf(job.createdAtMs),
    acceptedAt: momentOf(job.acceptedAtMs),
    startedAt: momentOf(job.startedSeenAtMs),
    finishedAt: momentOf(job.finishedSeenAtMs),
    delayTime: job.delayTimeMs,
    executionTime: job.executionTimeMs,
    cost,
    starred: job.isStarred,
    tags: job.tags,
    mark: job.mark ?? null,
    label: job.label ?? null,
    note: note === '' ? null : note,
  };
}

/** Input and output stand as they were sent and came, so that large numbers keep their digits. */
function* jsonLine(exported: ExportedJob): Generator<string> {
  yield `${JSON.stringify(factsOf(exported)).slice(0, -1)},"input":${inputOf(exported)},"output":`;
  yield* outputParts(exported);
  yield `,"error":${JSON.stringify(errorOf(exported))}}\n`;
}

/** The id is last, so that the line begins with what is read. */
function* datasetLine(exported: ExportedJob): Generator<string> {
  const { job, note } = exported;
  const judgement = { mark: job.mark ?? null, label: job.label ?? null, note: note === '' ? null : note };
  const from = { endpoint: job.endpointId, id: job.jobId };
  const error = JSON.stringify(errorOf(exported));
  yield `{"input":${inputOf(exported)},"output":`;
  yield* outputParts(exported);
  yield `,${inner(judgement)},"error":${error},${inner(from)}}\n`;
}

/** The members of a JSON object without its braces. */
function inner(members: Record<string, Cell>): string {
  return JSON.stringify(members).slice(1, -1);
}

function inputOf({ inputText }: ExportedJob): string {
  return inputText === '' ? 'null' : jsonOnOneLine(inputText);
}

function* outputParts({ outputText, stream }: ExportedJob): Generator<string> {
  if (stream === null) yield outputText === null ? 'null' : jsonOnOneLine(outputText);
  else yield* arrayParts(stream);
}

/** The outputs of all chunks of a stream as a JSON array. */
function* arrayParts(stream: ExportedStream): Generator<string> {
  yield '[';
  let isFirst = true;
  for (const page of stream.pages()) {
    yield `${isFirst ? '' : ','}${page.map(jsonOnOneLine).join(',')}`;
    isFirst = false;
  }
  yield ']';
}

function* csvLine(exported: ExportedJob): Generator<string> {
  const { inputText, stream } = exported;
  const facts = factsOf(exported);
  const cells = factNames.map((name): Cell => (name === 'tags' ? facts.tags.join(', ') : facts[name]));
  if (stream === null) {
    yield csvRecord([...cells, inputText, csvOutput(exported), errorOf(exported)]);
    return;
  }
  yield `${csvFields([...cells, inputText])},"`;
  // An array begins with no sign that a spreadsheet would run.
  for (const part of isText(stream) ? cellParts(stream) : arrayParts(stream)) yield part.replaceAll('"', '""');
  yield `",${csvRecord([errorOf(exported)])}`;
}

/** The output as a cell. The pieces of a text that a job streamed, which are its output in the end, are joined. */
function csvOutput({ job, outputText }: ExportedJob): string | null {
  if (job.chunkCount === 0 || outputText === null) return outputText;
  const output = parseJson(outputText);
  return Array.isArray(output) ? (textOfOutput(output) ?? outputText) : outputText;
}

/** Whether all chunks are pieces of a text, so that their outputs are joined where a person reads them. */
function isText(stream: ExportedStream): boolean {
  for (const page of stream.pages()) if (!page.every((outputJson) => pieceOfChunk(outputJson).isText)) return false;
  return true;
}

/** The text of all chunks, as a cell that no spreadsheet runs. */
export function* cellParts(stream: ExportedStream): Generator<string> {
  // Only the first sign that is no blank shows whether a spreadsheet would run it.
  let head: string | null = '';
  for (const page of stream.pages()) {
    const text = page.map((outputJson) => pieceOfChunk(outputJson).text).join('');
    if (head === null) {
      yield text;
      continue;
    }
    head += text;
    if (head.trim() === '') continue;
    yield withoutFormula(head);
    head = null;
  }
  if (head !== null) yield withoutFormula(head);
}

/** JSON has no line break but as blank space between its parts. What is no JSON is written as a string. */
export function jsonOnOneLine(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text.replaceAll(/[\r\n]+/g, ' ');
}

/** Null as well for a moment that no calendar has. */
function momentOf(atMs: number | null): string | null {
  if (atMs === null) return null;
  const moment = new Date(atMs);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
