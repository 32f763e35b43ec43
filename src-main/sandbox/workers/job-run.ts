import { isGeneratorObject } from 'node:util/types';
import { OUTPUT_MAX_LENGTH, STREAM_CHUNK_MAX_BYTES } from '../specification.ts';
import { CHUNKS_IN_FLIGHT_MAX } from './handler-protocol.ts';
import type { AboutRun, ToThread } from './handler-protocol.ts';
import type { Handler, Job } from './handlers/job.ts';
import { asJson, lostInJson, splitOutput } from './output-json.ts';

/** What a chunk takes in a reply beside its output and metrics. */
const CHUNK_ENVELOPE_LENGTH = '{"output":,"metrics":},'.length;

/** A chunk's metrics come whole, so they must leave room for output. */
const METRICS_MAX_BYTES = STREAM_CHUNK_MAX_BYTES / 2;

/** One job being run in this thread. */
export interface JobRun {
  readonly runId: number;
  readonly jobId: string;
  /** The job was cancelled, timed out or was deleted. */
  stop(): void;
  /** The server has taken one chunk. */
  chunkTaken(): void;
  /** Calls the handler; resolves when it is done, and never rejects: everything goes to `post`. */
  begin(): Promise<void>;
}

export interface JobRunOptions {
  handler: Handler;
  message: Extract<ToThread, { type: 'run' }>;
  post(message: AboutRun): void;
  /** What the handler threw, as the job's `error`. */
  report(thrown: unknown): Promise<string>;
  /** A hint for who wrote the handler; at most one for each job. */
  advise(sentence: string): void;
  /** The most that the job may put out, as JSON in UTF-16 units. Left out: what the sandbox can hold. */
  outputMaxLength?: number;
}

type Streamed = AsyncIterable<unknown> | Iterable<unknown>;

function isStreamed(value: unknown): value is Streamed {
  return (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) || isGeneratorObject(value);
}

/** See {@link Handler}: exactly `output` and `metrics` make a chunk with metrics. */
function chunkParts(value: unknown): { output: unknown; metrics: unknown } {
  if (
    typeof value === 'object' &&
    value !== null &&
    'output' in value &&
    'metrics' in value &&
    Object.keys(value).length === 2
  ) {
    return { output: value.output, metrics: value.metrics };
  }
  return { output: value, metrics: undefined };
}

/** Makes the run of a job, which then has to begin. */
export function createJobRun({
  handler,
  message,
  post,
  report,
  advise,
  outputMaxLength = OUTPUT_MAX_LENGTH,
}: JobRunOptions): JobRun {
  const { runId, jobId, submissionText, timeScale } = message;
  const abort = new AbortController();
  const { signal } = abort;
  let chunksInFlight = 0;
  let isAdvised = false;
  /** Wakes a run that waits for the server to take its chunks. */
  let wake = (): void => undefined;

  /** Throws when the job's output becomes longer than may be. */
  function checkLength(length: number, what: string): void {
    if (length > outputMaxLength)
      throw new RangeError(
        `The output of a job must not exceed ${outputMaxLength} characters as JSON, and ${what} has more.`,
      );
  }

  /** Says, once, what of a value was lost on the way. `what` begins the sentence. */
  function noteLost(what: string, value: unknown, json: string): void {
    const lost = isAdvised ? null : lostInJson(value, json);
    if (lost === null) return;
    isAdvised = true;
    advise(`${what}: ${lost}.`);
  }

  async function sendChunks(values: Streamed): Promise<void> {
    let count = 0;
    let length = 0;
    for await (const value of values) {
      if (signal.aborted) return;
      count += 1;
      const { output, metrics } = chunkParts(value);
      const metricsJson = asJson(
        metrics,
        `The metrics that the handler yielded with chunk ${count}`,
        () => JSON.stringify(metrics) ?? null,
      );
      const metricsBytes = Buffer.byteLength(metricsJson ?? '');
      if (metricsBytes > METRICS_MAX_BYTES)
        throw new RangeError(`The metrics of a chunk must not exceed ${METRICS_MAX_BYTES} bytes.`);
      const room = STREAM_CHUNK_MAX_BYTES - CHUNK_ENVELOPE_LENGTH - metricsBytes;
      const pieces = asJson(output, `What the handler yielded as chunk ${count}`, () => splitOutput(output, room));
      const [whole] = pieces;
      if (whole !== undefined && pieces.length === 1)
        noteLost(`In what the handler yielded as chunk ${count}`, output, whole);
      for (const [index, outputJson] of pieces.entries()) {
        length += outputJson.length + CHUNK_ENVELOPE_LENGTH + (index === 0 ? (metricsJson?.length ?? 0) : 0);
        checkLength(length, `with chunk ${count} all that the handler yielded`);
        post({ type: 'chunk', runId, chunk: { outputJson, metricsJson: index === 0 ? metricsJson : null } });
        chunksInFlight += 1;
      }
      if (chunksInFlight >= CHUNKS_IN_FLIGHT_MAX) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  async function run(): Promise<AboutRun> {
    try {
      const job: Job = {
        ...JSON.parse(submissionText),
        id: jobId,
        signal,
        progress: (value: unknown) => {
          const outputJson = asJson(value, 'What job.progress was given', () => JSON.stringify(value) ?? 'null');
          checkLength(outputJson.length, 'what job.progress was given');
          if (!signal.aborted) post({ type: 'progress', runId, outputJson });
        },
      };
      const returned = handler(job, { timeScale });
      const result: unknown = isStreamed(returned) ? returned : await returned;
      let outputJson: string | null = null;
      if (isStreamed(result)) await sendChunks(result);
      else outputJson = asJson(result, 'What the handler returned', () => JSON.stringify(result) ?? null);
      checkLength(outputJson?.length ?? 0, 'what the handler returned');
      if (outputJson !== null) noteLost('In what the handler returned', result, outputJson);
      return signal.aborted
        ? { type: 'stopped', runId }
        : { type: 'done', runId, outputJson, isStreamed: isStreamed(result) };
    } catch (error) {
      return signal.aborted ? { type: 'stopped', runId } : { type: 'failed', runId, error: await report(error) };
    }
  }

  return {
    runId,
    jobId,
    stop: () => {
      abort.abort();
      wake();
    },
    chunkTaken: () => {
      chunksInFlight -= 1;
      if (chunksInFlight < CHUNKS_IN_FLIGHT_MAX / 2) wake();
    },
    begin: async () => post(await run()),
  };
}
