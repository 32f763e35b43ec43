import { mustEqual } from '../answers.ts';
import {
  endless,
  fillWorkers,
  poll,
  reach,
  readHealth,
  readStatus,
  startEndless,
  stop,
  submit,
  submitWaiting,
} from '../jobs.ts';
import { cannotTell, must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: policy object';
/** A worker without work may stay for a while: this long without a change, and what is left stays. */
const STEP_MS = 3_000;
const STEADY_STEPS = 20;
const MOST_STEPS = 60;
const SHRINK_MS = STEP_MS * STEADY_STEPS;
const LOOKS = 30;
const LOOK_MS = 1_000;
const TRIES = 3;

async function workersThere(service: Service): Promise<number> {
  const { idle = 0, running = 0 } = (await readHealth(service)).workers;
  return idle + running;
}

/** Waits until workers no longer come or go. */
async function settledWorkers(service: Service): Promise<number> {
  let last = -1;
  for (let step = 0, same = 0; step < MOST_STEPS && same < STEADY_STEPS; step += 1) {
    await service.time.pass(STEP_MS);
    const now = await workersThere(service);
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}

/** Lets surplus workers end, then keeps the ones that are left busy: what comes next needs a new one. */
async function occupyLeastWorkers(service: Service): Promise<number> {
  const left = await settledWorkers(service);
  for (let count = 0; count < left; count += 1) await startEndless(service);
  return workersThere(service);
}

/** What a lowPriority job did instead of waiting with every worker busy; null when it waited. */
async function watchLowPriority(service: Service, workers: number): Promise<string | null> {
  const job = await submit(service, endless({ lowPriority: true }));
  for (let look = 0; look < LOOKS; look += 1) {
    const { status } = await readStatus(service, job);
    if (status !== 'IN_QUEUE') return `with every worker busy the lowPriority job became ${String(status)}`;
    await service.time.pass(LOOK_MS);
  }
  const now = await workersThere(service);
  return now === workers
    ? null
    : `idle and running workers went from ${workers} to ${now} with a lowPriority job waiting`;
}

/** How the queue and the workers go together. */
export const scalingRules: readonly Rule[] = [
  rule(
    {
      id: 'scaling.low-priority',
      says: 'A lowPriority job does not trigger worker scaling.',
      source: SOURCE,
      mock: true,
      waitsMs: (SHRINK_MS + 30_000) * TRIES,
    },
    async (service) => {
      for (let attempt = 1; ; attempt += 1) {
        const before = await occupyLeastWorkers(service);
        const seen = await watchLowPriority(service, before);
        if (seen === null) break;
        // A worker that was on its way before would look the same; not so again and again.
        must(attempt < TRIES, seen);
        for (const job of [...service.unfinished].reverse()) await stop(service, job);
      }
      const { idle = 0, running = 0 } = (await readHealth(service)).workers;
      await submit(service, endless());
      const scaled = await poll(service, async () => ((await workersThere(service)) > idle + running ? true : null));
      if (scaled === null)
        cannotTell('no worker came for a job of normal priority either: the endpoint is at its most workers');
    },
  ),
  rule(
    {
      id: 'scaling.normal',
      says: 'Waiting jobs bring up workers, as far as the endpoint allows.',
      source: SOURCE,
      mock: true,
      waitsMs: SHRINK_MS + 30_000,
    },
    async (service) => {
      const before = await occupyLeastWorkers(service);
      service.workers ??= (await fillWorkers(service)).length;
      if (service.workers <= before) cannotTell('the endpoint is at its most workers already');
      await startEndless(service);
      must((await workersThere(service)) > before, 'a job started without another worker');
    },
  ),
  rule(
    {
      id: 'scaling.low-priority.runs',
      says: 'A lowPriority job runs once a worker is free.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      const { job, ahead } = await submitWaiting(service, { input: { mock_return: 1 }, policy: { lowPriority: true } });
      for (const other of ahead) await stop(service, other);
      await reach(service, job, 'COMPLETED');
    },
  ),
  rule(
    {
      id: 'scaling.waits',
      says: 'With the most workers busy, jobs wait in the queue.',
      source: 'spec: Errors',
      mock: true,
      waitsMs: 30_000,
    },
    async (service) => {
      const { job } = await submitWaiting(service);
      await service.time.pass(30_000);
      mustEqual((await readStatus(service, job))['status'], 'IN_QUEUE', 'the status of a job behind busy workers');
    },
  ),
  rule(
    {
      id: 'scaling.order',
      says: 'The job that has waited longest is processed first.',
      source: 'spec: What the service does',
      mock: true,
    },
    async (service) => {
      const ahead = await fillWorkers(service);
      const first = await submit(service, endless());
      const second = await submit(service, endless());
      await stop(service, ahead[0] ?? '');
      await reach(service, first, 'IN_PROGRESS');
      mustEqual((await readStatus(service, second))['status'], 'IN_QUEUE', 'the status of the job behind it');
    },
  ),
];
