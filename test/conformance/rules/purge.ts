import { fieldsOf, mustEqual, mustHoldOnly } from '../answers.ts';
import { fillWorkers, finish, readHealth, readStatus, startEndless, submit, type Fields } from '../jobs.ts';
import { mustBeGone } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: Purge result';

async function purge(service: Service): Promise<Fields> {
  return fieldsOf(await service.call('purge-queue'), 'purge-queue');
}

/** Fills the workers and queues this many jobs behind them. */
async function waitingJobs(service: Service, count: number): Promise<{ waiting: string[]; running: string[] }> {
  const running = await fillWorkers(service);
  const waiting: string[] = [];
  for (let index = 0; index < count; index += 1) waiting.push(await submit(service, { input: { mock_return: index } }));
  return { waiting, running };
}

export const purgeRules: readonly Rule[] = [
  rule(
    { id: 'purge.removed', says: 'removed is the number of queued jobs removed.', source: SOURCE, mock: true },
    async (service) => {
      await waitingJobs(service, 3);
      mustEqual((await purge(service))['removed'], 3, 'removed');
    },
  ),
  rule({ id: 'purge.status', says: 'status is the lower-case word completed.', source: SOURCE }, async (service) => {
    mustEqual((await purge(service))['status'], 'completed', 'status in the reply of purge-queue');
  }),
  rule(
    { id: 'purge.fields', says: 'The reply of purge-queue is removed and status.', source: SOURCE },
    async (service) => {
      mustHoldOnly(await purge(service), ['removed', 'status'], 'the reply of purge-queue');
    },
  ),
  rule(
    { id: 'purge.empty', says: 'With nothing waiting, nothing is removed.', source: SOURCE, mock: true },
    async (service) => {
      await startEndless(service);
      mustEqual((await purge(service))['removed'], 0, 'removed');
    },
  ),
  rule(
    { id: 'purge.gone', says: 'A purged job is answered 404.', source: 'ruling 26', mock: true },
    async (service) => {
      const { waiting } = await waitingJobs(service, 2);
      await purge(service);
      for (const job of waiting) await mustBeGone(service, job, 'after a purge');
    },
  ),
  rule(
    {
      id: 'purge.queue-empty',
      says: 'After a purge no job waits.',
      source: 'spec: States and transitions',
      mock: true,
    },
    async (service) => {
      await waitingJobs(service, 2);
      await purge(service);
      mustEqual((await readHealth(service)).jobs['inQueue'], 0, 'jobs.inQueue');
    },
  ),
  rule(
    { id: 'purge.running', says: 'Running jobs continue.', source: 'spec: States and transitions', mock: true },
    async (service) => {
      const { running } = await waitingJobs(service, 1);
      await purge(service);
      for (const job of running)
        mustEqual(
          (await readStatus(service, job))['status'],
          'IN_PROGRESS',
          'the status of a running job after a purge',
        );
    },
  ),
  rule(
    {
      id: 'purge.finished',
      says: 'Finished jobs stay: a purge affects only waiting ones.',
      source: 'spec: Queue operations',
      mock: true,
    },
    async (service) => {
      const { id, output } = await finish(service, { input: { mock_return: 'kept' } });
      await waitingJobs(service, 1);
      await purge(service);
      const record = await readStatus(service, String(id));
      must(
        record['status'] === 'COMPLETED' && record['output'] === output,
        `a finished job is ${JSON.stringify(record)} after a purge`,
      );
    },
  ),
];
