import { setTimeout as realPause } from 'node:timers/promises';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import { createHttpClient } from '../../conformance/http-client.ts';
import { createService } from '../../conformance/service.ts';
import type { Service } from '../../conformance/service.ts';
import type { Time } from '../../conformance/time.ts';
import { createVirtualClock, startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import type { VirtualClock } from '../../kit/sandbox.ts';

/** More than a week of the service's time: no rule waits longer. */
const LONGEST_WAIT_MS = 1e9;
const LONGEST_ANSWER_MS = 20_000;
/** Enough for jobs to run side by side, and few enough to be busy soon. */
const MOST_WORKERS = 2;
/** Real time for what the service does after its time has moved: sockets, webhooks. */
const SETTLE_MS = 1;
/** And for threads, which start and stop in real time: as far as a fast machine gets in this span. */
const THREAD_STEP_MS = 5;
const LONG_SPAN_MS = 1_000;
const MOST_THREAD_STEPS = 400;

/** Whether a thread still has to do what the service's time has caused. */
function isThreadOnItsWay(sandbox: Sandbox, endpointId: string): boolean {
  const { jobs, workers } = sandbox.health(endpointId) ?? {};
  return jobs !== undefined && workers !== undefined && (workers.initializing > 0 || workers.running > jobs.inProgress);
}

/** The virtual clock of a sandbox as the time of a service under test. */
function createVirtualTime(clock: VirtualClock, sandbox: Sandbox, endpointId: string): Time {
  return {
    now: clock.now,
    pass: async (ms) => {
      clock.advance(ms);
      await realPause(SETTLE_MS);
      const maxSteps = ms >= LONG_SPAN_MS ? MOST_THREAD_STEPS : 1;
      for (let step = 0; step < maxSteps && isThreadOnItsWay(sandbox, endpointId); step += 1)
        await realPause(THREAD_STEP_MS);
    },
    toleranceMs: 500,
    patienceMs: 40_000,
    clientSecondMs: 1_000,
  };
}

export interface Scene {
  sandbox: Sandbox;
  clock: VirtualClock;
  /** The service under test at this address. Default: the sandbox's own. */
  serviceAt(baseUrl?: string): Service;
  close(): Promise<void>;
}

/** A sandbox on a virtual clock, and the suite's view of its `mock` endpoint. */
export async function openScene(dialect: Dialect): Promise<Scene> {
  const clock = createVirtualClock();
  const sandbox = await startSandbox({ clock, dialect, scaling: { maxWorkers: MOST_WORKERS } });
  const endpoint = 'mock';
  const time = createVirtualTime(clock, sandbox, endpoint);
  const http = createHttpClient(LONGEST_ANSWER_MS);
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
        otherEndpoint: 'echo',
        dialect,
        time,
        http,
        maxWaitMs: LONGEST_WAIT_MS,
        pods: sandbox.pods,
        templates: [template, ...sandbox.templates.filter((other) => other !== template)],
        workers: MOST_WORKERS,
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
