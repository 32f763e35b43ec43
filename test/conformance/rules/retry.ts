import { fieldsOf, mustBeRefused, mustEqual, mustHoldOnly, shown } from '../answers.ts';
import {
  endless,
  fillWorkers,
  finish,
  poll,
  reach,
  readHealth,
  readStatus,
  startEndless,
  stop,
  submit,
  submitWaiting,
  type Fields,
} from '../jobs.ts';
import { spanOf } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const STATES = 'spec: States and transitions';
const RETENTION_MS = 1_800_000;

async function failedJob(service: Service, more: Fields = {}): Promise<string> {
  const record = await finish(service, { input: { mock_error: 'the model is missing', ...more } });
  must(record['status'] === 'FAILED', `a job whose handler fails ended ${String(record['status'])}`);
  return String(record['id']);
}

async function retry(service: Service, job: string): Promise<Fields> {
  const fields = fieldsOf(await service.call('retry', { job }), 'retry');
  service.unfinished.add(job);
  return fields;
}

function refusedFor(state: string, ready: (service: Service) => Promise<string>): Rule {
  return rule(
    {
      id: `retry.refused.${state.toLowerCase().replace('_', '-')}`,
      says: `A job that is ${state} cannot be retried.`,
      source: 'spec: States and transitions, ruling 15',
      mock: true,
    },
    async (service) => {
      const job = await ready(service);
      mustBeRefused(await service.call('retry', { job }), 400, `retry of a job that is ${state}`);
    },
  );
}

export const retryRules: readonly Rule[] = [
  rule({ id: 'retry.reply.id', says: 'retry answers the same id.', source: STATES, mock: true }, async (service) => {
    const job = await failedJob(service);
    mustEqual((await retry(service, job))['id'], job, 'id in the reply of retry');
  }),
  rule(
    { id: 'retry.reply.status', says: 'retry answers status IN_QUEUE.', source: 'spec: Queue operations', mock: true },
    async (service) => {
      mustEqual((await retry(service, await failedJob(service)))['status'], 'IN_QUEUE', 'status in the reply of retry');
    },
  ),
  rule(
    {
      id: 'retry.reply.fields',
      says: 'The reply of retry contains only id and status.',
      source: 'spec: Job record',
      mock: true,
    },
    async (service) => {
      mustHoldOnly(await retry(service, await failedJob(service)), ['id', 'status'], 'the reply of retry');
    },
  ),
  rule(
    { id: 'retry.queued', says: 'A retried job waits in the queue again.', source: STATES, mock: true },
    async (service) => {
      const job = await failedJob(service);
      await fillWorkers(service);
      await retry(service, job);
      mustEqual((await readStatus(service, job))['status'], 'IN_QUEUE', 'status after a retry');
    },
  ),
  rule(
    { id: 'retry.output-removed', says: 'A retry removes the previous output.', source: STATES, mock: true },
    async (service) => {
      const job = await failedJob(service, { mock_progress: [{ step: 1 }] });
      await fillWorkers(service);
      await retry(service, job);
      const record = await readStatus(service, job);
      must(!('output' in record) && !('error' in record), `the retried job shows ${Object.keys(record).join(', ')}`);
    },
  ),
  rule(
    { id: 'retry.original-input', says: 'A retried job runs with its original input.', source: STATES, mock: true },
    async (service) => {
      const { time } = service;
      const marker = `failed-${Math.round(time.now())}`;
      const job = await failedJob(service, { mock_error: marker });
      const { failed = 0 } = (await readHealth(service)).jobs;
      await retry(service, job);
      const again = await poll(service, async () =>
        ((await readHealth(service)).jobs['failed'] ?? 0) > failed ? true : null,
      );
      must(again === true, 'the retried job did not run and fail again');
      const record = await reach(service, job, 'FAILED');
      must(
        JSON.stringify(record).includes(marker),
        `the second run did not fail as the first: ${JSON.stringify(record)}`,
      );
    },
  ),
  rule(
    {
      id: 'retry.delay-time',
      says: 'delayTime starts again with a retry.',
      source: 'field notes: Status and result',
      mock: true,
      waitsMs: 120_000,
    },
    async (service) => {
      const { time } = service;
      const waitMs = spanOf(service, 30_000);
      const { job, ahead } = await submitWaiting(service, { input: { mock_error: 'wrong' } });
      await time.pass(waitMs);
      for (const other of ahead) await stop(service, other);
      await reach(service, job, 'FAILED');
      const retriedMs = time.now();
      await retry(service, job);
      const { delayTime } = await reach(service, job, 'FAILED');
      const maxMs = time.now() - retriedMs + time.toleranceMs;
      must(
        Number(delayTime) <= maxMs,
        `delayTime is ${String(delayTime)} for an attempt that waited ${Math.round(maxMs)} ms at most`,
      );
    },
  ),
  rule(
    {
      id: 'retry.timed-out',
      says: 'A job that ran into its executionTimeout can be retried.',
      source: STATES,
      observed: 'It is FAILED with a sentence, and can be retried as such.',
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const job = await startEndless(service, { executionTimeout: spanOf(service, 5_000) });
      await reach(service, job, 'TIMED_OUT', 'FAILED');
      mustEqual(await retry(service, job), { id: job, status: 'IN_QUEUE' }, 'the reply of retry');
      await reach(service, job, 'IN_PROGRESS');
    },
  ),
  refusedFor('COMPLETED', async (service) => String((await finish(service, { input: { mock_return: 1 } }))['id'])),
  refusedFor('IN_QUEUE', async (service) => (await submitWaiting(service)).job),
  refusedFor('IN_PROGRESS', async (service) => startEndless(service)),
  refusedFor('CANCELLED', async (service) => {
    const job = await submit(service, endless());
    await stop(service, job);
    return job;
  }),
  rule(
    {
      id: 'retry.expired',
      says: 'A job whose result has expired cannot be retried.',
      source: STATES,
      mock: true,
      waitsMs: RETENTION_MS + 60_000,
    },
    async (service) => {
      const job = await failedJob(service);
      await service.time.pass(RETENTION_MS + spanOf(service, 10_000));
      const answer = await service.call('retry', { job });
      must(answer.status >= 400 && answer.status < 500, `retry of an expired job was answered ${shown(answer)}`);
    },
  ),
  rule(
    {
      id: 'retry.not-yet-expired',
      says: 'A job can be retried while its result is kept.',
      source: STATES,
      mock: true,
      waitsMs: RETENTION_MS,
    },
    async (service) => {
      const job = await failedJob(service);
      await service.time.pass(RETENTION_MS - spanOf(service, 60_000));
      mustEqual((await retry(service, job))['id'], job, 'id in the reply of retry');
    },
  ),
];
