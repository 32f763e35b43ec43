import { fieldsOf, mustBeRefused } from '../answers.ts';
import { finish, reach, runsync, stop, submitWaiting } from '../jobs.ts';
import { mustBeGone, mustBeThere, passUntil, spanOf } from '../passing.ts';
import { cannotTell, rule, type Rule } from '../rule.ts';

const SOURCE = 'spec: Limits';
const RUN_MS = 1_800_000;
const MINUTE_MS = 60_000;
const QUICK = { input: { mock_return: 'kept' } };

/** How long results are kept. */
export const retentionRules: readonly Rule[] = [
  rule(
    {
      id: 'retention.run.kept',
      says: 'The result of run is kept for 30 minutes.',
      source: SOURCE,
      mock: true,
      waitsMs: RUN_MS,
    },
    async (service) => {
      const fromMs = service.time.now();
      const { id } = await finish(service, QUICK);
      await passUntil(service, fromMs + RUN_MS - spanOf(service, 5_000));
      await mustBeThere(service, String(id), 'before 30 minutes', 'COMPLETED');
    },
  ),
  rule(
    {
      id: 'retention.run.gone',
      says: 'After 30 minutes the result of run is gone.',
      source: SOURCE,
      mock: true,
      waitsMs: RUN_MS,
    },
    async (service) => {
      const { id } = await finish(service, QUICK);
      await service.time.pass(RUN_MS + spanOf(service, 2_000));
      await mustBeGone(service, String(id), 'after 30 minutes');
    },
  ),
  rule(
    {
      id: 'retention.run.from-completion',
      says: 'The 30 minutes begin at completion, not at submission.',
      source: 'spec: Queue operations, rule 3',
      mock: true,
      waitsMs: RUN_MS * 2,
    },
    async (service) => {
      const { job, ahead } = await submitWaiting(service, QUICK);
      await service.time.pass(RUN_MS * 0.6);
      for (const other of ahead) await stop(service, other);
      const beforeMs = service.time.now();
      await reach(service, job, 'COMPLETED');
      const afterMs = service.time.now();
      await passUntil(service, beforeMs + RUN_MS * 0.9);
      await mustBeThere(service, job, '27 minutes after completion', 'COMPLETED');
      await passUntil(service, afterMs + RUN_MS * 1.05);
      await mustBeGone(service, job, 'more than 30 minutes after completion');
    },
  ),
  rule(
    {
      id: 'retention.run.not-by-reading',
      says: 'Reading a result does not keep it longer.',
      source: SOURCE,
      mock: true,
      waitsMs: RUN_MS,
    },
    async (service) => {
      const { id } = await finish(service, QUICK);
      for (let part = 0; part < 4; part += 1) {
        await service.call('status', { job: String(id) });
        await service.time.pass(RUN_MS * 0.26);
      }
      await mustBeGone(service, String(id), 'after 31 minutes with readings in between');
    },
  ),
  rule(
    {
      id: 'retention.stream',
      says: 'After 30 minutes stream of the job is answered 404.',
      source: 'ruling 11',
      mock: true,
      waitsMs: RUN_MS,
    },
    async (service) => {
      const { id } = await finish(service, { input: { mock_stream: ['a'] } });
      await service.time.pass(RUN_MS + spanOf(service, 5_000));
      mustBeRefused(await service.call('stream', { job: String(id) }), 404, 'stream after 30 minutes');
    },
  ),
  rule(
    {
      id: 'retention.runsync.kept',
      says: 'The result of runsync is kept for 1 minute.',
      source: SOURCE,
      mock: true,
      waitsMs: MINUTE_MS,
    },
    async (service) => {
      const fromMs = service.time.now();
      const { id } = await runsync(service, QUICK);
      await passUntil(service, fromMs + MINUTE_MS - spanOf(service, 5_000));
      await mustBeThere(service, String(id), 'before 1 minute', 'COMPLETED');
    },
  ),
  rule(
    {
      id: 'retention.runsync.gone',
      says: 'After 1 minute the result of runsync is gone (the service may be set to keep it up to 5).',
      source: SOURCE,
      mock: true,
      waitsMs: MINUTE_MS,
    },
    async (service) => {
      const { id } = await runsync(service, QUICK);
      await service.time.pass(MINUTE_MS + spanOf(service, 2_000));
      const answer = await service.call('status', { job: String(id) });
      if (answer.status === 200)
        cannotTell('it is kept for more than 1 minute, which a setting of the service may allow');
      mustBeRefused(answer, 404, 'status after 1 minute');
    },
  ),
  rule(
    {
      id: 'retention.runsync.at-most',
      says: 'The result of runsync is kept for 5 minutes at most.',
      source: SOURCE,
      mock: true,
      waitsMs: MINUTE_MS * 5,
    },
    async (service) => {
      const { id } = await runsync(service, QUICK);
      await service.time.pass(MINUTE_MS * 5 + spanOf(service, 2_000));
      await mustBeGone(service, String(id), 'after 5 minutes');
    },
  ),
  rule(
    {
      id: 'retention.error-form',
      says: 'A status check after retention is answered 404 with a sentence.',
      source: 'ruling 11',
      mock: true,
      waitsMs: MINUTE_MS * 5,
    },
    async (service) => {
      const { id } = await runsync(service, QUICK);
      await service.time.pass(MINUTE_MS * 5 + spanOf(service, 2_000));
      mustBeRefused(await service.call('status', { job: String(id) }), 404, 'status after retention');
    },
  ),
  rule(
    {
      id: 'retention.others',
      says: 'The end of one result is not the end of the next.',
      source: SOURCE,
      mock: true,
      waitsMs: MINUTE_MS * 2,
    },
    async (service) => {
      await runsync(service, QUICK);
      const { id } = fieldsOf(await service.call('run', { body: QUICK }), 'run');
      await reach(service, String(id), 'COMPLETED');
      await service.time.pass(MINUTE_MS + spanOf(service, 5_000));
      await mustBeThere(service, String(id), 'when a runsync result has ended', 'COMPLETED');
    },
  ),
];
