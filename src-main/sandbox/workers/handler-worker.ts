import { parentPort, workerData } from 'node:worker_threads';
import { reportThrown } from './error-report.ts';
import { CHUNKS_IN_FLIGHT_MAX, type FromThread, type HandlerThreadData, type ToThread } from './handler-protocol.ts';
import { loadHandler } from './handlers/load.ts';
import type { Job } from './handlers/job.ts';
import { STREAM_CHUNK_MAX_BYTES } from '../limits.ts';
import { splitOutput } from './split-output.ts';

/** The entry of a handler thread: one "worker" of the specification, running one job at a time. */

/** A chunk's metrics come whole, so they must leave room for output. */
const METRICS_MAX_BYTES = STREAM_CHUNK_MAX_BYTES / 2;

interface CurrentRun {
  runId: number;
  abort: AbortController;
  chunksInFlight: number;
  /** Wakes a run that waits for the server to take its chunks. */
  wake: () => void;
}

const port = parentPort;
if (port === null) throw new Error('handler-worker runs as a worker thread only.');
const data: HandlerThreadData = workerData;
const handler = await loadHandler(data.handler);
let current: CurrentRun | null = null;

function post(message: FromThread): void {
  port?.postMessage(message);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** See {@link Handler}: exactly `output` and `metrics` make a chunk with metrics. */
function chunkParts(value: unknown): { output: unknown; metricsJson: string | null } {
  if (typeof value === 'object' && value !== null && 'output' in value && 'metrics' in value && Object.keys(value).length === 2) {
    return { output: value.output, metricsJson: JSON.stringify(value.metrics) ?? null };
  }
  return { output: value, metricsJson: null };
}

async function sendChunks(run: CurrentRun, values: AsyncIterable<unknown>): Promise<void> {
  for await (const value of values) {
    if (run.abort.signal.aborted) return;
    const { output, metricsJson } = chunkParts(value);
    const metricsBytes = Buffer.byteLength(metricsJson ?? '');
    if (metricsBytes > METRICS_MAX_BYTES) throw new RangeError(`The metrics of a chunk must not exceed ${METRICS_MAX_BYTES} bytes.`);
    const room = STREAM_CHUNK_MAX_BYTES - '{"output":,"metrics":}'.length - metricsBytes;
    for (const [index, outputJson] of splitOutput(output, room).entries()) {
      post({ type: 'chunk', runId: run.runId, chunk: { outputJson, metricsJson: index === 0 ? metricsJson : null } });
      run.chunksInFlight += 1;
    }
    if (run.chunksInFlight >= CHUNKS_IN_FLIGHT_MAX) {
      await new Promise<void>((resolve) => {
        run.wake = resolve;
      });
    }
  }
}

async function runJob(message: Extract<ToThread, { type: 'run' }>): Promise<void> {
  const { runId, jobId, submissionText } = message;
  const run: CurrentRun = { runId, abort: new AbortController(), chunksInFlight: 0, wake: () => undefined };
  current = run;
  const { signal } = run.abort;
  try {
    const job: Job = {
      ...JSON.parse(submissionText),
      id: jobId,
      signal,
      progress: (value: unknown) => {
        if (!signal.aborted) post({ type: 'progress', runId, outputJson: JSON.stringify(value) ?? 'null' });
      },
    };
    const returned = handler(job);
    const result: unknown = isAsyncIterable(returned) ? returned : await returned;
    const isStreamed = isAsyncIterable(result);
    if (isStreamed) await sendChunks(run, result);
    const outputJson = isStreamed ? null : (JSON.stringify(result) ?? null);
    post(signal.aborted ? { type: 'stopped', runId } : { type: 'done', runId, outputJson, isStreamed });
  } catch (error) {
    post(signal.aborted ? { type: 'stopped', runId } : { type: 'failed', runId, error: reportThrown(error, data) });
  } finally {
    current = null;
  }
}

port.on('message', (message: ToThread) => {
  if (message.type === 'run') void runJob(message);
  if (current === null || message.runId !== current.runId) return;
  if (message.type === 'stop') {
    current.abort.abort();
    current.wake();
  }
  if (message.type === 'chunk-taken') {
    current.chunksInFlight -= 1;
    if (current.chunksInFlight < CHUNKS_IN_FLIGHT_MAX / 2) current.wake();
  }
});
post({ type: 'ready' });
