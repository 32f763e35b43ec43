import { batchStateOf } from '../../../src-preload/batch.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { errorOf, type ExportedJob, type ExportedStream } from './exported-job.ts';
import { pieceOfChunk, textOfOutput } from '../../../src-preload/stream-text.ts';
import { csvFields, csvRecord, withoutFormula, type Cell } from '../../../src-preload/write-csv.ts';

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

/**
 * What is known of a job besides its texts. `state` says what became of a job to which the service gave no status.
 * Durations are in milliseconds, moments in UTC.
 */
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

/** A job as NDJSON. Its input and output are as they were sent and received, so large numbers keep their digits. */
export function* jsonLine(exported: ExportedJob): Generator<string> {
  yield `${JSON.stringify(factsOf(exported)).slice(0, -1)},"input":${inputOf(exported)},"output":`;
  yield* outputParts(exported);
  yield `,"error":${JSON.stringify(errorOf(exported))}}\n`;
}

/** A job as a line of a dataset. The id comes last, so that the line begins with what a person reads. */
export function* datasetLine(exported: ExportedJob): Generator<string> {
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

/** The first record of a CSV file. */
export function csvHeader(): string {
  return csvRecord([...factNames, ...textNames]);
}

/** A job as a record of a CSV file. */
export function* csvLine(exported: ExportedJob): Generator<string> {
  const { inputText, stream } = exported;
  const facts = factsOf(exported);
  const cells = factNames.map((name): Cell => (name === 'tags' ? facts.tags.join(', ') : facts[name]));
  if (stream === null) {
    yield csvRecord([...cells, inputText, csvOutput(exported), errorOf(exported)]);
    return;
  }
  yield `${csvFields([...cells, inputText])},"`;
  // An array needs no apostrophe: no spreadsheet runs a cell that begins with a bracket.
  for (const part of isText(stream) ? cellParts(stream) : arrayParts(stream)) yield part.replaceAll('"', '""');
  yield `",${csvRecord([errorOf(exported)])}`;
}

/** The output as a cell. If it is the list of the pieces of text that the job streamed, they are joined. */
function csvOutput({ job, outputText }: ExportedJob): string | null {
  if (job.chunkCount === 0 || outputText === null) return outputText;
  const output = parseJson(outputText);
  return Array.isArray(output) ? (textOfOutput(output) ?? outputText) : outputText;
}

/** Whether every chunk is a piece of text. Then they are joined, so that a person can read them. */
function isText(stream: ExportedStream): boolean {
  for (const page of stream.pages()) if (!page.every((outputJson) => pieceOfChunk(outputJson).isText)) return false;
  return true;
}

/** The text of all chunks as a cell that no spreadsheet runs as a formula. */
export function* cellParts(stream: ExportedStream): Generator<string> {
  // The first character that is not a blank decides whether a spreadsheet would run it.
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

/** JSON on one line: in JSON, line breaks occur only between its parts. Text that is not JSON becomes a string. */
export function jsonOnOneLine(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text.replaceAll(/[\r\n]+/g, ' ');
}

/** An ISO date. Null if there is none, or if it is out of the range of dates. */
function momentOf(atMs: number | null): string | null {
  if (atMs === null) return null;
  const moment = new Date(atMs);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
