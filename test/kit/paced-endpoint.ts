import { BroadcastChannel } from 'node:worker_threads';
import type { EndpointDefinition } from '../../src-main/sandbox/endpoint.ts';
import { PACE_CHANNEL, isPaceAsked, type PaceSet } from './pace-messages.ts';

/**
 * An endpoint `paced` for a sandbox in this process: the test decides when its jobs continue. A test that must act
 * while a job runs uses it. A job that takes a fixed time can end first on a slow machine.
 */
export interface PacedEndpoint {
  endpoint: EndpointDefinition;
  /** Lets the given number of further values of each job's `paced_stream` pass. */
  pass(values: number): void;
  /** Lets all values pass and all jobs end, also those that come later. */
  end(): void;
  /** From now on nothing passes again: for the next job. */
  hold(): void;
  close(): void;
}

/** Opens the endpoint. Input of its jobs: test/kit/paced-handler.ts. At first nothing passes. The test closes it. */
export function openPacedEndpoint(): PacedEndpoint {
  const channel = new BroadcastChannel(PACE_CHANNEL);
  let allowed = 0;
  const turns = new Map<string, number>();
  const set = (to: number): void => {
    allowed = to;
    const message: PaceSet = { kind: 'set', allowed, turns };
    channel.postMessage(message);
  };
  channel.onmessage = (message: unknown) => {
    const said: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'data') : undefined;
    if (!isPaceAsked(said)) return;
    turns.set(said.jobId, turns.size + 1);
    set(allowed);
  };
  return {
    endpoint: {
      id: 'paced',
      handler: { moduleUrl: new URL('./paced-handler.ts', import.meta.url).href },
      minWorkers: 1,
      maxWorkers: 3,
      coldStartMs: 0,
      idleTimeoutMs: 60_000,
    },
    pass: (values) => set(allowed + values),
    end: () => set(Number.POSITIVE_INFINITY),
    hold: () => {
      turns.clear();
      set(0);
    },
    close: () => channel.close(),
  };
}
