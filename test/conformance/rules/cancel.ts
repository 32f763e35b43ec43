import { fieldsOf, mustBeRefused, mustEqual, mustHoldOnly } from '../answers.ts';
import { finish, poll, reach, readHealth, readStatus, startEndless, stop, submit, submitWaiting } from '../jobs.ts';
import { spanOf } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';

const STATES = 'spec: States and transitions';

export const cancelRules: readonly Rule[] = [
  rule(
    {
      id: 'cancel.reply',
      says: 'cancel answers the id and status CANCELLED.',
      source: 'spec: Queue operations',
      mock: true,
    },
    async (service) => {
      const job = await startEndless(service);
      const fields = fieldsOf(await service.call('cancel', { job }), 'cancel');
      mustEqual(fields['id'], job, 'id in the reply of cancel');
      mustEqual(fields['status'], 'CANCELLED', 'status in the reply of cancel');
    },
  ),
  rule(
    {
      id: 'cancel.reply.fields',
      says: 'The reply of cancel contains only id and status.',
      source: 'spec: Job record',
      mock: true,
    },
    async (service) => {
      const job = await startEndless(service);
      mustHoldOnly(fieldsOf(await service.call('cancel', { job }), 'cancel'), ['id', 'status'], 'the reply of cancel');
    },
  ),
  rule(
    {
      id: 'cancel.immediately',
      says: 'cancel is answered immediately, also for a running job.',
      source: 'spec: Queue operations',
      mock: true,
    },
    async (service) => {
      const job = await startEndless(service);
      const beforeMs = service.time.now();
      fieldsOf(await service.call('cancel', { job }), 'cancel');
      const tookMs = service.time.now() - beforeMs;
      must(tookMs <= Math.max(1_000, service.time.toleranceMs * 4), `cancel took ${Math.round(tookMs)} ms`);
    },
  ),
  rule(
    {
      id: 'cancel.waiting',
      says: 'A waiting job that is cancelled is removed before it starts.',
      source: STATES,
      mock: true,
      waitsMs: 20_000,
    },
    async (service) => {
      const { job, ahead } = await submitWaiting(service);
      await stop(service, job);
      mustEqual((await readHealth(service)).jobs['inQueue'], 0, 'jobs.inQueue after the cancel');
      for (const other of ahead) await stop(service, other);
      await service.time.pass(spanOf(service, 2_000));
      mustEqual((await readStatus(service, job))['status'], 'CANCELLED', 'the status once workers are free');
    },
  ),
  rule(
    {
      id: 'cancel.running',
      says: 'A running job that is cancelled is stopped: its worker takes the next job.',
      source: STATES,
      mock: true,
    },
    async (service) => {
      const { job, ahead } = await submitWaiting(service);
      const [first = ''] = ahead;
      await stop(service, first);
      await reach(service, job, 'COMPLETED');
      mustEqual((await readStatus(service, first))['status'], 'CANCELLED', 'the status of the cancelled job');
    },
  ),
  rule(
    { id: 'cancel.running.counted-out', says: 'A cancelled job is no longer in progress.', source: STATES, mock: true },
    async (service) => {
      const job = await startEndless(service);
      const { inProgress: before = 0 } = (await readHealth(service)).jobs;
      await stop(service, job);
      const left = await poll(service, async () =>
        ((await readHealth(service)).jobs['inProgress'] ?? before) < before ? true : null,
      );
      must(left === true, `jobs.inProgress stayed at ${before} after the cancel`);
    },
  ),
  rule(
    { id: 'cancel.others', says: 'cancel stops its job and no other.', source: STATES, mock: true },
    async (service) => {
      const other = await startEndless(service);
      const job = await startEndless(service);
      await stop(service, job);
      mustEqual((await readStatus(service, other))['status'], 'IN_PROGRESS', 'the status of the other job');
    },
  ),
  rule(
    { id: 'cancel.completed', says: 'A COMPLETED job cannot be cancelled.', source: 'ruling 15', mock: true },
    async (service) => {
      const { id } = await finish(service, { input: { mock_return: 1 } });
      mustBeRefused(await service.call('cancel', { job: String(id) }), 400, 'cancel of a COMPLETED job');
      mustEqual((await readStatus(service, String(id)))['status'], 'COMPLETED', 'the status after the refusal');
    },
  ),
  rule(
    { id: 'cancel.failed', says: 'A FAILED job cannot be cancelled.', source: 'ruling 15', mock: true },
    async (service) => {
      const { id } = await finish(service, { input: { mock_error: 'wrong' } });
      mustBeRefused(await service.call('cancel', { job: String(id) }), 400, 'cancel of a FAILED job');
    },
  ),
  rule(
    { id: 'cancel.cancelled', says: 'A CANCELLED job cannot be cancelled again.', source: 'ruling 15', mock: true },
    async (service) => {
      const job = await startEndless(service);
      await stop(service, job);
      mustBeRefused(await service.call('cancel', { job }), 400, 'cancel of a CANCELLED job');
    },
  ),
  rule(
    { id: 'cancel.get', says: 'Reading status does not cancel: the job continues.', source: STATES, mock: true },
    async (service) => {
      const job = await submit(service, { input: { mock_return: 1, mock_delay: 50 } });
      await readStatus(service, job);
      await reach(service, job, 'COMPLETED');
    },
  ),
];
