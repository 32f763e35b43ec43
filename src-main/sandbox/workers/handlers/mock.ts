import { setImmediate } from 'node:timers/promises';
import { WEEK_MS } from '../../specification.ts';
import { numberInput, ReportedFailure, sleep, type HandlerContext, type Job } from './job.ts';

const TURN_EVERY = 1_000;

/**
 * Behaves as its input says. All fields are optional and are processed in this order:
 * - `mock_delay`: milliseconds (of the service's time) to wait first, and before each streamed value.
 * - `mock_progress`: array of values shown as progress, `mock_delay` apart.
 * - `mock_crash`: true ends the whole worker, like a handler that crashes its process.
 * - `mock_error`: fails the job: a string is the error, an object has the fields of the error report. The output of the
 *   failed job is `mock_return`, if it is there.
 * - `mock_stream`: array of values to stream; the output is then that list.
 * - `mock_return`: the output. Without it (and without `mock_stream`) nothing is returned.
 */
export async function handler(job: Job, context: HandlerContext): Promise<unknown> {
  const { mock_progress, mock_crash, mock_error, mock_stream, mock_return } = job.input;
  const delayMs = numberInput(job.input, 'mock_delay', { default: 0, min: 0, max: WEEK_MS });
  if (mock_crash !== undefined && typeof mock_crash !== 'boolean')
    throw new TypeError('mock_crash must be true or false.');
  const pause = async (): Promise<void> => {
    if (delayMs > 0) await sleep(delayMs, job, context);
  };

  if (mock_stream === undefined) await pause();
  for (const [index, value] of list('mock_progress', mock_progress).entries()) {
    job.progress(value);
    await pause();
    // The other jobs of this thread have their turn. A stream gives it by waiting until its chunks are read.
    if (index % TURN_EVERY === TURN_EVERY - 1) await setImmediate(undefined, { signal: job.signal });
  }
  if (mock_crash === true) await context.crash();
  if (mock_error !== undefined && mock_error !== null) throw failureOf(mock_error, mock_return);
  if (mock_stream === undefined) return mock_return;

  async function* streamed(values: unknown[]): AsyncGenerator<unknown> {
    for (const value of values) {
      await pause();
      yield value;
    }
  }
  return streamed(list('mock_stream', mock_stream));
}

function list(name: string, value: unknown): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array.`);
  return value;
}

function failureOf(mockError: unknown, output: unknown): ReportedFailure {
  if (typeof mockError === 'object' && mockError !== null) return new ReportedFailure({ ...mockError }, output);
  return new ReportedFailure(String(mockError), output);
}
