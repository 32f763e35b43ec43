import { isGeneratorObject } from 'node:util/types';
import { CHUNKS_IN_FLIGHT_MAX, type AboutRun, type ToThread } from './handler-protocol.ts';
import type { Handler, Job } from './handlers/job.ts';
import { STREAM_CHUNK_MAX_BYTES } from '../limits.ts';
import { asJson } from './output-json.ts';
import { splitOutput } from './split-output.ts';

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
}

type Streamed = AsyncIterable<unknown> | Iterable<unknown>;

function isStreamed(value: unknown): value is Streamed {
  return (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) || isGeneratorObject(value);
}

/** See {@link Handler}: exactly `output` and `metrics` make a chunk with metrics. */
function chunkParts(value: unknown): { output: unknown; metrics: unknown } {
  if (typeof value === 'object' && value !== null && 'output' in value && 'metrics' in value && Object.keys(value).length === 2) {
    return { output: value.output, metrics: value.metrics };
  }
  return { output: value, metrics: undefined };
}

/** Makes the run of a job, which then has to begin. */
export function createJobRun({ handler, message, post, report }: JobRunOptions): JobRun {
  const { runId, jobId, submissionText, timeScale } = message;
  const abort = new AbortController();
  const { signal } = abort;
  let chunksInFlight = 0;
  /** Wakes a run that waits for the server to take its chunks. */
  let wake = (): void => undefined;

  async function sendChunks(values: Streamed): Promise<void> {
    let count = 0;
    for await (const value of values) {
      if (signal.aborted) return;
      count += 1;
      const { output, metrics } = chunkParts(value);
      const metricsJson = asJson(metrics, `The metrics that the handler yielded with chunk ${count}`, () => JSON.stringify(metrics) ?? null);
      const metricsBytes = Buffer.byteLength(metricsJson ?? '');
      if (metricsBytes > METRICS_MAX_BYTES) throw new RangeError(`The metrics of a chunk must not exceed ${METRICS_MAX_BYTES} bytes.`);
      const room = STREAM_CHUNK_MAX_BYTES - '{"output":,"metrics":}'.length - metricsBytes;
      const pieces = asJson(output, `What the handler yielded as chunk ${count}`, () => splitOutput(output, room));
      for (const [index, outputJson] of pieces.entries()) {
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
          if (!signal.aborted) post({ type: 'progress', runId, outputJson });
        },
      };
      const returned = handler(job, { timeScale });
      const result: unknown = isStreamed(returned) ? returned : await returned;
      let outputJson: string | null = null;
      if (isStreamed(result)) await sendChunks(result);
      else outputJson = asJson(result, 'What the handler returned', () => JSON.stringify(result) ?? null);
      return signal.aborted ? { type: 'stopped', runId } : { type: 'done', runId, outputJson, isStreamed: isStreamed(result) };
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
