import { BroadcastChannel } from 'node:worker_threads';
import type { Job } from '../../src-main/sandbox/workers/handlers/job.ts';
import { PACE_CHANNEL, isPaceSet, type PaceAsked } from './pace-messages.ts';

/**
 * A sandbox handler that continues when its test decides (test/kit/paced-endpoint.ts). Input: `paced_stream`, the values
 * to stream, each as soon as the test lets it pass; `paced_return`, the output of a job that does not stream. The job
 * ends when the test calls `end`, or, if it does not stream, as soon as the test lets `paced_end` values pass.
 */
export function handler({ input, signal }: Job): unknown {
  const values: unknown = input['paced_stream'];
  if (!Array.isArray(values)) return returned(input, signal);
  return streamed(values, signal);
}

async function* streamed(values: readonly unknown[], signal: AbortSignal): AsyncGenerator<unknown> {
  const pace = listen(signal);
  try {
    for (const [at, value] of values.entries()) {
      await pace.reaches(at + 1);
      yield value;
    }
    await pace.reaches(Number.POSITIVE_INFINITY);
  } finally {
    pace.close();
  }
}

async function returned(
  { paced_return, paced_end }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const pace = listen(signal);
  try {
    await pace.reaches(typeof paced_end === 'number' ? paced_end : Number.POSITIVE_INFINITY);
    return paced_return;
  } finally {
    pace.close();
  }
}

/** How many values may pass. `reaches` resolves as soon as there are that many, and rejects if the job is stopped. */
function listen(signal: AbortSignal): { reaches(count: number): Promise<void>; close(): void } {
  const channel = new BroadcastChannel(PACE_CHANNEL);
  let allowed = 0;
  let onChange = (): void => undefined;
  channel.onmessage = (message: unknown) => {
    const said: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'data') : undefined;
    if (!isPaceSet(said)) return;
    allowed = said.allowed;
    onChange();
  };
  const question: PaceAsked = { kind: 'asked' };
  channel.postMessage(question);
  return {
    reaches: (count) =>
      new Promise((resolve, reject) => {
        onChange = () => {
          if (allowed >= count) resolve();
        };
        signal.addEventListener('abort', () => reject(new Error('The job was stopped.')), { once: true });
        onChange();
      }),
    close: () => channel.close(),
  };
}
