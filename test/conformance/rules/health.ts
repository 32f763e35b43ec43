import { fieldsOf, isRecord, shownValue } from '../answers.ts';
import { fillWorkers, finish, poll, readHealth, startEndless, stop, submit } from '../jobs.ts';
import { cannotTell, must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: Health record';
const SURPLUS_MS = 60_000;
const JOBS = ['completed', 'failed', 'inProgress', 'inQueue', 'retried'] as const;
const WORKERS = ['idle', 'running'] as const;
const OBSERVED_WORKERS = ['idle', 'initializing', 'ready', 'running', 'throttled', 'unhealthy'];

function fieldRule(group: 'jobs' | 'workers', name: string): Rule {
  return rule(
    { id: `health.${group}.${name}`, says: `health has ${group}.${name}, an integer.`, source: SOURCE },
    async (service) => {
      const health = fieldsOf(await service.call('health'), 'health');
      const part = health[group];
      const value = isRecord(part) ? part[name] : undefined;
      must(Number.isInteger(value) && Number(value) >= 0, `${group}.${name} is ${shownValue(value)}`);
    },
  );
}

/** The counter goes up by one when `happen` does. */
function counts(name: (typeof JOBS)[number], says: string, happen: (service: Service) => Promise<void>): Rule {
  return rule({ id: `health.counts.${name}`, says, source: SOURCE, mock: true }, async (service) => {
    const before = (await readHealth(service)).jobs[name] ?? NaN;
    await happen(service);
    let last = before;
    const moved = await poll(service, async () => {
      last = (await readHealth(service)).jobs[name] ?? NaN;
      return last === before + 1 ? true : null;
    });
    must(moved === true, `jobs.${name} went from ${before} to ${last}`);
  });
}

export const healthRules: readonly Rule[] = [
  ...JOBS.map((name) => fieldRule('jobs', name)),
  ...WORKERS.map((name) => fieldRule('workers', name)),
  rule(
    {
      id: 'health.form',
      says: 'health contains jobs and workers with the fields of the table.',
      source: SOURCE,
      observed: 'workers holds six counts.',
    },
    async (service) => {
      const { jobs, workers } = fieldsOf(await service.call('health'), 'health');
      const names = (value: unknown): string =>
        isRecord(value) ? Object.keys(value).sort().join(', ') : shownValue(value);
      const expected = service.dialect === 'spec' ? [...WORKERS] : OBSERVED_WORKERS;
      must(names(jobs) === [...JOBS].sort().join(', '), `jobs holds ${names(jobs)}`);
      must(
        names(workers) === [...expected].sort().join(', '),
        `workers holds ${names(workers)} instead of ${expected.join(', ')}`,
      );
    },
  ),
  counts('completed', 'jobs.completed counts jobs that completed.', async (service) => {
    await finish(service, { input: { mock_return: 1 } });
  }),
  counts('failed', 'jobs.failed counts jobs that failed.', async (service) => {
    await finish(service, { input: { mock_error: 'wrong' } });
  }),
  counts('inProgress', 'jobs.inProgress counts running jobs.', async (service) => {
    await startEndless(service);
  }),
  rule(
    { id: 'health.counts.inQueue', says: 'jobs.inQueue counts waiting jobs.', source: SOURCE, mock: true },
    async (service) => {
      await fillWorkers(service);
      for (let count = 1; count <= 2; count += 1) {
        await submit(service, { input: { mock_return: 1 } });
        const { inQueue } = (await readHealth(service)).jobs;
        must(inQueue === count, `jobs.inQueue is ${String(inQueue)} with ${count} jobs waiting`);
      }
    },
  ),
  counts('retried', 'jobs.retried counts retries.', async (service) => {
    const { id } = await finish(service, { input: { mock_error: 'wrong' } });
    fieldsOf(await service.call('retry', { job: String(id) }), 'retry');
    service.unfinished.add(String(id));
  }),
  rule(
    {
      id: 'health.running-workers',
      says: 'workers.running counts workers that run a job.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      const none = await poll(service, async () =>
        (await readHealth(service)).workers['running'] === 0 ? true : null,
      );
      must(none === true, 'workers.running is not 0 with no job there');
      await startEndless(service);
      const { running } = (await readHealth(service)).workers;
      must(running === 1, `workers.running is ${String(running)} with one job running`);
    },
  ),
  rule(
    {
      id: 'health.idle-workers',
      says: 'workers.idle counts workers without a job: a new job takes one of them.',
      source: SOURCE,
      mock: true,
      waitsMs: SURPLUS_MS,
    },
    async (service) => {
      const job = await startEndless(service);
      await stop(service, job);
      const ended = await poll(service, async () => ((await readHealth(service)).workers['idle'] ?? 0) || null);
      must(ended !== null, 'workers.idle stays 0 after a job has ended');
      // Until no worker is on its way up or down.
      await service.time.pass(SURPLUS_MS);
      const { idle = 0 } = (await readHealth(service)).workers;
      if (idle === 0) cannotTell('no worker stays when there is nothing to do');
      await startEndless(service);
      const taken = await poll(service, async () =>
        (await readHealth(service)).workers['idle'] === idle - 1 ? true : null,
      );
      must(taken === true, `workers.idle is not ${idle - 1} when a job has started with ${idle} idle`);
    },
  ),
];
