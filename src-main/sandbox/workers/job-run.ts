import { isGeneratorObject } from 'node:util/types';
import { OUTPUT_MAX_LENGTH, STREAM_CHUNK_MAX_BYTES } from '../specification.ts';
import { CHUNKS_IN_FLIGHT_MAX, PROGRESS_EVERY_MS, PROGRESS_IN_FLIGHT_MAX } from './handler-protocol.ts';
import type { AboutRun, ToThread } from './handler-protocol.ts';
import { ReportedFailure, type Handler, type Job } from './handlers/job.ts';
import { asJson, jsonOf, lostInJson, splitOutput } from './output-json.ts';
import { isError } from './stack-text.ts';

/** The length of a chunk in a reply without its output and metrics. */
const CHUNK_ENVELOPE_LENGTH = '{"output":,"metrics":},'.length;

/** A chunk's metrics are sent as a whole, so they must leave room for output. */
const METRICS_MAX_BYTES = STREAM_CHUNK_MAX_BYTES / 2;

export interface JobRunOptions {
  handler: Handler;
  message: Extract<ToThread, { type: 'run' }>;
  post(message: AboutRun): void;
  /** What the handler threw, as the job's `error`. */
  report(thrown: unknown): Promise<string>;
  /** A hint for the author of the handler. At most one per job. Left out for built-in handlers. */
  advise?(sentence: string): void;
  /** The longest output of the job, as JSON in UTF-16 units. By default what the sandbox can hold. */
  outputMaxLength?: number;
  /** Ends the worker. By default it has this thread for itself. */
  crash?(): void;
}

type Streamed = AsyncIterable<unknown> | Iterable<unknown>;

function isStreamed(value: unknown): value is Streamed {
  return (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) || isGeneratorObject(value);
}

/** What is yielded. `onReturned`: called if a value is returned in the end. */
async function* valuesOf(values: Streamed, onReturned: () => void): AsyncGenerator<unknown> {
  const returned: unknown = yield* values;
  if (returned !== undefined) onReturned();
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

/** What an error says, behind a colon. Empty if even that cannot be read. */
function reasonOf(error: unknown): string {
  try {
    return `: ${isError(error) ? error.message : String(error)}`;
  } catch {
    return '';
  }
}

/** One job being run in this thread. */
export class JobRun {
  readonly runId: number;
  readonly jobId: string;
  readonly #options: JobRunOptions;
  readonly #abort = new AbortController();
  #chunksInFlight = 0;
  #progressInFlight = 0;
  #progressAtMs = -Infinity;
  /** Progress that was held back, as JSON. */
  #heldProgress: string | null = null;
  #isAdvised = false;
  /** Wakes a run that waits for the server to read its chunks. */
  #wake = (): void => undefined;

  constructor(options: JobRunOptions) {
    this.#options = options;
    this.runId = options.message.runId;
    this.jobId = options.message.jobId;
  }

  /** Calls the handler. Resolves when it is done and never rejects: everything goes to `post`. */
  async begin(): Promise<void> {
    this.#options.post(await this.#run());
  }

  /** The job was cancelled, timed out or was deleted. */
  stop(): void {
    this.#abort.abort();
    this.#wake();
  }

  /** What the server reports of this run. */
  take({ type }: Exclude<ToThread, { type: 'run' }>): void {
    switch (type) {
      case 'stop':
        return this.stop();
      case 'chunk-acknowledged':
        this.#chunksInFlight -= 1;
        if (this.#chunksInFlight < CHUNKS_IN_FLIGHT_MAX / 2) this.#wake();
        return;
      case 'progress-acknowledged':
        this.#progressInFlight -= 1;
        if (this.#heldProgress !== null) this.#sendProgress(this.#heldProgress);
    }
  }

  async #run(): Promise<AboutRun> {
    const { runId } = this;
    const { handler, message } = this.#options;
    const { signal } = this.#abort;
    try {
      const crash = async (): Promise<never> => {
        (this.#options.crash ?? (() => process.exit(1)))();
        return new Promise<never>(() => undefined);
      };
      const returned = handler(this.#job(), {
        timeScale: message.timeScale,
        submissionText: message.submissionText,
        crash,
      });
      const result: unknown = isStreamed(returned) ? returned : await returned;
      let outputJson: string | null = null;
      if (isStreamed(result)) await this.#sendChunks(result);
      else outputJson = asJson(result, 'What the handler returned', () => jsonOf(result) ?? null);
      this.#checkLength(outputJson?.length ?? 0, 'what the handler returned');
      if (outputJson !== null) this.#noteLost('In what the handler returned', result, outputJson);
      return signal.aborted
        ? { type: 'stopped', runId }
        : { type: 'done', runId, outputJson, isStreamed: isStreamed(result) };
    } catch (error) {
      return signal.aborted ? { type: 'stopped', runId } : this.#failed(error);
    }
  }

  async #failed(thrown: unknown): Promise<AboutRun> {
    const { runId } = this;
    try {
      const outputJson = thrown instanceof ReportedFailure ? (jsonOf(thrown.output) ?? null) : null;
      this.#checkLength(outputJson?.length ?? 0, 'what the handler returned');
      return { type: 'failed', runId, error: await this.#report(thrown), outputJson };
    } catch (error) {
      return { type: 'failed', runId, error: await this.#report(error), outputJson: null };
    }
  }

  /** What the handler threw, as the job's `error`. Its own code can make that unreadable. */
  async #report(thrown: unknown): Promise<string> {
    const { report } = this.#options;
    try {
      return await report(thrown);
    } catch (error) {
      return report(new TypeError(`What the handler threw cannot be reported${reasonOf(error)}.`));
    }
  }

  #job(): Job {
    const { jobId } = this;
    const { message } = this.#options;
    const { signal } = this.#abort;
    return {
      ...JSON.parse(message.submissionText),
      id: jobId,
      signal,
      progress: (value: unknown) => {
        const outputJson = asJson(value, 'What job.progress was given', () => jsonOf(value) ?? 'null');
        this.#checkLength(outputJson.length, 'what job.progress was given');
        this.#sendProgress(outputJson);
      },
    };
  }

  /** Holds it back if the server has not read much of what came before. */
  #sendProgress(outputJson: string): void {
    if (this.#abort.signal.aborted) return;
    const nowMs = performance.now();
    const isHeld = this.#progressInFlight >= PROGRESS_IN_FLIGHT_MAX && nowMs - this.#progressAtMs < PROGRESS_EVERY_MS;
    this.#heldProgress = isHeld ? outputJson : null;
    if (isHeld) return;
    this.#progressInFlight += 1;
    this.#progressAtMs = nowMs;
    this.#options.post({ type: 'progress', runId: this.runId, outputJson });
  }

  async #sendChunks(values: Streamed): Promise<void> {
    let count = 0;
    let length = 0;
    const notSent = (): void =>
      this.#advise('What the generator returned is not sent, because only what it yields is: yield it instead.');
    for await (const value of valuesOf(values, notSent)) {
      if (this.#abort.signal.aborted) return;
      count += 1;
      length += this.#sendChunk(value, count, length);
      if (this.#chunksInFlight >= CHUNKS_IN_FLIGHT_MAX) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Sends what was yielded as chunk number `count`, in pieces if it is too long for one. Returns its length. */
  #sendChunk(value: unknown, count: number, lengthBefore: number): number {
    const { output, metrics } = chunkParts(value);
    const metricsJson = asJson(
      metrics,
      `The metrics that the handler yielded with chunk ${count}`,
      () => jsonOf(metrics) ?? null,
    );
    const metricsBytes = Buffer.byteLength(metricsJson ?? '');
    if (metricsBytes > METRICS_MAX_BYTES)
      throw new RangeError(`The metrics of a chunk must not exceed ${METRICS_MAX_BYTES} bytes.`);
    const room = STREAM_CHUNK_MAX_BYTES - CHUNK_ENVELOPE_LENGTH - metricsBytes;
    const pieces = asJson(output, `What the handler yielded as chunk ${count}`, () => splitOutput(output, room));
    const [whole] = pieces;
    if (whole !== undefined && pieces.length === 1)
      this.#noteLost(`In what the handler yielded as chunk ${count}`, output, whole);
    let length = 0;
    for (const [index, outputJson] of pieces.entries()) {
      length += outputJson.length + CHUNK_ENVELOPE_LENGTH + (index === 0 ? (metricsJson?.length ?? 0) : 0);
      this.#checkLength(lengthBefore + length, `with chunk ${count} all that the handler yielded`);
      const chunk = { outputJson, metricsJson: index === 0 ? metricsJson : null };
      this.#options.post({ type: 'chunk', runId: this.runId, chunk });
      this.#chunksInFlight += 1;
    }
    return length;
  }

  /** Throws if the job's output becomes too long. */
  #checkLength(length: number, what: string): void {
    const { outputMaxLength = OUTPUT_MAX_LENGTH } = this.#options;
    if (length > outputMaxLength)
      throw new RangeError(
        `The output of a job must not exceed ${outputMaxLength} characters as JSON, and ${what} has more.`,
      );
  }

  /** Reports, once, which part of a value JSON cannot represent. `what` begins the sentence. */
  #noteLost(what: string, value: unknown, json: string): void {
    if (this.#isAdvised || this.#options.advise === undefined) return;
    const lost = lostInJson(value, json);
    if (lost !== null) this.#advise(`${what}: ${lost}.`);
  }

  #advise(sentence: string): void {
    if (!this.#isAdvised) this.#options.advise?.(sentence);
    this.#isAdvised = true;
  }
}
