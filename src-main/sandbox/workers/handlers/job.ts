import { setTimeout as delay } from 'node:timers/promises';

/** What a handler gets. It includes the fields of the submission that the service does not know. */
export interface Job {
  id: string;
  input: Record<string, unknown>;
  /** Aborted when the job is cancelled, times out or is deleted. A handler that respects it keeps its worker. */
  signal: AbortSignal;
  /** Shows a value as the job's output while it is in progress. */
  progress(value: unknown): void;
  [field: string]: unknown;
}

/** What the built-in handlers, and the bridge to Python, get in addition to the job. */
export interface HandlerContext {
  /** How many times faster than real the service's time runs. Pauses must be that much shorter. */
  timeScale: number;
  /** The submission's body as it was sent. */
  submissionText: string;
  /** Ends the worker with its job, as a handler does that crashes its process. Never resolves. */
  crash(): Promise<never>;
}

/**
 * A handler: an async function (its value is the output) or an async generator (each value is streamed; the output is
 * the list of them). A yielded object with exactly the keys `output` and `metrics` is a chunk with metrics; any other
 * value is a chunk's output. Handlers of users only get the job.
 */
export type Handler = (job: Job, context: HandlerContext) => unknown;

/** A file without a handler. The message is for its author; its first line is a sentence. */
export class NoHandler extends Error {}

/** Thrown by a handler to fail its job with exactly this text, or with these fields of the report. */
export class ReportedFailure extends Error {
  readonly report: string | Record<string, unknown>;
  /** The output of the failed job, which few have (field notes: Status and result). */
  readonly output: unknown;

  constructor(report: string | Record<string, unknown>, output?: unknown) {
    super(typeof report === 'string' ? report : 'The handler reported a failure.');
    this.name = 'ReportedFailure';
    this.report = report;
    this.output = output;
  }
}

/** Reads a number of a handler's input, or its default. Throws a sentence with the name of the field. */
export function numberInput(
  input: Record<string, unknown>,
  name: string,
  bounds: { default: number; min: number; max: number; isInteger?: boolean },
): number {
  const value = input[name] ?? bounds.default;
  const isFit = typeof value === 'number' && value >= bounds.min && value <= bounds.max;
  if (!isFit || (bounds.isInteger === true && !Number.isInteger(value))) {
    const kind = bounds.isInteger === true ? 'an integer' : 'a number';
    throw new RangeError(`${name} must be ${kind} from ${bounds.min} to ${bounds.max}.`);
  }
  return value;
}

/** Waits `delayMs` of the service's time. Rejects immediately if the job is stopped. */
export async function sleep(
  delayMs: number,
  { signal }: Job,
  { timeScale }: Pick<HandlerContext, 'timeScale'>,
): Promise<void> {
  await delay(delayMs / timeScale, undefined, { signal });
}
