import { setTimeout as realPause } from 'node:timers/promises';
import type { Dialect } from '../../../src-main/sandbox/dialect.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createHttpClient } from '../../conformance/http-client.ts';
import { createService, type Service } from '../../conformance/service.ts';
import type { Time } from '../../conformance/time.ts';
import { createVirtualClock, startSandbox, TEST_API_KEY, type VirtualClock } from '../../kit/sandbox.ts';

/** More than a week of the service's time: no rule waits longer. */
const LONGEST_WAIT_MS = 1e9;
const LONGEST_ANSWER_MS = 20_000;
/** Real time for what the service does by itself once its time has moved: threads, sockets, webhooks. */
const SETTLE_MS = 1;

/** The virtual clock of a sandbox as the time of a service under test. */
export function createVirtualTime(clock: VirtualClock): Time {
  return {
    now: clock.now,
    pass: async (ms) => {
      clock.advance(ms);
      await realPause(SETTLE_MS);
    },
    toleranceMs: 500,
    patienceMs: 60_000,
  };
}

export interface Scene {
  sandbox: Sandbox;
  clock: VirtualClock;
  /** The service under test at this address; the sandbox's own where none is given. */
  serviceAt(baseUrl?: string): Service;
  close(): Promise<void>;
}

/** A sandbox on a virtual clock, and the suite's view of its `mock` endpoint. */
export async function openScene(dialect: Dialect): Promise<Scene> {
  const clock = createVirtualClock();
  const sandbox = await startSandbox({ clock, dialect });
  const time = createVirtualTime(clock);
  const http = createHttpClient(LONGEST_ANSWER_MS);
  const endpoint = 'mock';
  const template = sandbox.templates[sandbox.endpoints.indexOf(endpoint)] ?? '';
  return {
    sandbox,
    clock,
    serviceAt: (baseUrl = sandbox.baseUrl) => {
      const service = createService({
        baseUrl,
        restUrl: baseUrl,
        apiKey: TEST_API_KEY,
        endpoint,
        dialect,
        time,
        http,
        longestWaitMs: LONGEST_WAIT_MS,
        pods: sandbox.pods,
        templates: [template, ...sandbox.templates.filter((other) => other !== template)],
        workers: sandbox.scaling(endpoint)?.maxWorkers ?? null,
      });
      service.understandsMock = true;
      return service;
    },
    close: async () => {
      http.close();
      await sandbox.close();
    },
  };
}
