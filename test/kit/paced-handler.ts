import { BroadcastChannel } from 'node:worker_threads';
import type { Job } from '../../src-main/sandbox/workers/handlers/job.ts';
import { PACE_CHANNEL, isPaceSet, type PaceAsked } from './pace-messages.ts';

/**
 * A sandbox handler that continues when its test decides (test/kit/paced-endpoint.ts). Input: `paced_stream`, the values
 * to stream, each as soon as the test lets it pass; `paced_return`, the output of a job that does not stream, which
 * shows `paced_progress` first. The job ends when the test calls `end`, or, with `paced_in_turn`, as soon as the test lets as many values pass as jobs had
 * begun with it: the service takes jobs that are sent together in any order.
 */
export function handler(job: Job): unknown {
  const values: unknown = job.input['paced_stream'];
  return Array.isArray(values) ? streamed(values, job) : returned(job);
}

async function* streamed(values: readonly unknown[], job: Job): AsyncGenerator<unknown> {
  const pace = listen(job);
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

async function returned(job: Job): Promise<unknown> {
  if (job.input['paced_progress'] !== undefined) job.progress(job.input['paced_progress']);
  const pace = listen(job);
  try {
    await pace.reaches(job.input['paced_in_turn'] === true ? 'its turn' : Number.POSITIVE_INFINITY);
    return job.input['paced_return'];
  } finally {
    pace.close();
  }
}

/** How many values may pass. `reaches` resolves as soon as there are that many, and rejects if the job is stopped. */
function listen({ id, signal }: Job): { reaches(count: number | 'its turn'): Promise<void>; close(): void } {
  const channel = new BroadcastChannel(PACE_CHANNEL);
  let allowed = 0;
  let turn = Number.POSITIVE_INFINITY;
  let onChange = (): void => undefined;
  channel.onmessage = (message: unknown) => {
    const said: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'data') : undefined;
    if (!isPaceSet(said)) return;
    allowed = said.allowed;
    turn = said.turns.get(id) ?? turn;
    onChange();
  };
  const question: PaceAsked = { kind: 'asked', jobId: id };
  channel.postMessage(question);
  return {
    reaches: (count) =>
      new Promise((resolve, reject) => {
        onChange = () => {
          if (allowed >= (count === 'its turn' ? turn : count)) resolve();
        };
        signal.addEventListener('abort', () => reject(new Error('The job was stopped.')), { once: true });
        onChange();
      }),
    close: () => channel.close(),
  };
}
