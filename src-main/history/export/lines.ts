import { batchStateOf } from '../../../src-preload/batch.ts';
import type { ExportFormat } from '../../../src-preload/export.ts';
import type { Job } from '../../../src-preload/job.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { csvRecord, type Cell } from './csv.ts';

/** A job with everything that an export tells of it. */
export interface ExportedJob {
  job: Job;
  /** The name the user gave its connection; empty where that was removed. */
  connection: string;
  /** Estimated credits; null where they are not known. */
  cost: number | null;
  inputText: string;
  /** JSON or plain text, as are errors. */
  outputText: string | null;
  errorText: string | null;
}

/** What stands before the first job. */
export function exportHead(format: ExportFormat): string {
  return format === 'csv' ? csvRecord([...factNames, ...textNames]) : '';
}

/** A job as one line, or one record, with its end. */
export function exportLine(format: ExportFormat, exported: ExportedJob): string {
  return format === 'csv' ? csvLine(exported) : jsonLine(exported);
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
] as const;
const textNames = ['input', 'output', 'error'] as const;

type Facts = Record<Exclude<(typeof factNames)[number], 'tags'>, Cell> & { tags: string[] };

/** `state` says what became of jobs that the service gave no status for. Times in milliseconds, moments in UTC. */
function factsOf({ job, connection, cost }: ExportedJob): Facts {
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
  };
}

/** Input and output stand as they were sent and came, so that large numbers keep their digits. */
function jsonLine(exported: ExportedJob): string {
  const { inputText, outputText } = exported;
  const facts = JSON.stringify(factsOf(exported)).slice(0, -1);
  const input = inputText === '' ? 'null' : jsonOnOneLine(inputText);
  const output = outputText === null ? 'null' : jsonOnOneLine(outputText);
  return `${facts},"input":${input},"output":${output},"error":${JSON.stringify(errorOf(exported))}}\n`;
}

function csvLine(exported: ExportedJob): string {
  const facts = factsOf(exported);
  const cells = factNames.map((name): Cell => (name === 'tags' ? facts.tags.join(', ') : facts[name]));
  return csvRecord([...cells, exported.inputText, exported.outputText, errorOf(exported)]);
}

function errorOf({ job, errorText }: ExportedJob): string | null {
  if (errorText !== null) return errorText;
  return job.reason === null || batchStateOf(job) === 'completed' ? null : reasonText(job.reason);
}

/** JSON has no line break but as blank space between its parts. What is no JSON is written as a string. */
function jsonOnOneLine(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text.replaceAll(/[\r\n]+/g, ' ');
}

/** Null as well for a moment that no calendar has. */
function momentOf(atMs: number | null): string | null {
  if (atMs === null) return null;
  const moment = new Date(atMs);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
