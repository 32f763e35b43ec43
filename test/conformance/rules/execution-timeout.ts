import { mustEqual } from '../answers.ts';
import {
  endless,
  ENDLESS,
  reach,
  readStatus,
  runsync,
  startEndless,
  stop,
  submit,
  submitWaiting,
  fillWorkers,
} from '../jobs.ts';
import { mustBeThere, passUntil, spanOf } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: policy object';
const FORM = 'It becomes FAILED with the error "executionTimeout exceeded".';
const DEFAULT_MS = 600_000;

/** In the dialect's form (ruling 14). */
function mustHaveTimedOut(service: Service, record: Record<string, unknown>): void {
  if (service.dialect === 'spec') {
    mustEqual(record['status'], 'TIMED_OUT', 'the status');
  } else {
    mustEqual(record['status'], 'FAILED', 'the status');
    mustEqual(record['error'], 'executionTimeout exceeded', 'the error');
  }
}

export const executionTimeoutRules: readonly Rule[] = [
  rule(
    {
      id: 'timeout.state',
      says: 'A job that runs longer than its executionTimeout becomes TIMED_OUT.',
      source: 'ruling 14',
      observed: FORM,
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const job = await startEndless(service, { executionTimeout: spanOf(service, 5_000) });
      mustHaveTimedOut(service, await reach(service, job, 'TIMED_OUT', 'FAILED', 'CANCELLED', 'COMPLETED'));
    },
  ),
  rule(
    {
      id: 'timeout.not-before',
      says: 'A job runs for the whole of its executionTimeout.',
      source: SOURCE,
      mock: true,
      waitsMs: 120_000,
    },
    async (service) => {
      const timeoutMs = spanOf(service, 60_000);
      const fromMs = service.time.now();
      const job = await startEndless(service, { executionTimeout: timeoutMs });
      await passUntil(service, fromMs + timeoutMs * 0.85);
      await mustBeThere(service, job, 'before its executionTimeout', 'IN_PROGRESS');
    },
  ),
  rule(
    {
      id: 'timeout.not-after',
      says: 'A job does not run longer than its executionTimeout.',
      source: SOURCE,
      mock: true,
      waitsMs: 120_000,
    },
    async (service) => {
      const timeoutMs = spanOf(service, 60_000);
      const job = await startEndless(service, { executionTimeout: timeoutMs });
      await service.time.pass(timeoutMs * 1.15);
      mustHaveTimedOut(service, await readStatus(service, job));
    },
  ),
  rule(
    {
      id: 'timeout.execution-only',
      says: 'executionTimeout does not count time in the queue.',
      source: SOURCE,
      mock: true,
      waitsMs: 120_000,
    },
    async (service) => {
      const { time } = service;
      const timeoutMs = spanOf(service, 30_000);
      const { job, ahead } = await submitWaiting(service, endless({ executionTimeout: timeoutMs }));
      await time.pass(timeoutMs * 1.5);
      await mustBeThere(service, job, 'after waiting longer than its executionTimeout', 'IN_QUEUE');
      const fromMs = time.now();
      for (const other of ahead) await stop(service, other);
      await reach(service, job, 'IN_PROGRESS');
      await passUntil(service, fromMs + timeoutMs * 0.7);
      await mustBeThere(service, job, 'in the first part of its execution', 'IN_PROGRESS');
    },
  ),
  rule(
    {
      id: 'timeout.default',
      says: 'Without a policy executionTimeout is 10 minutes.',
      source: 'spec: Limits',
      mock: true,
      waitsMs: DEFAULT_MS + 60_000,
    },
    async (service) => {
      const fromMs = service.time.now();
      const job = await submit(service, { input: ENDLESS });
      await reach(service, job, 'IN_PROGRESS');
      const startedMs = service.time.now();
      await passUntil(service, fromMs + DEFAULT_MS - spanOf(service, 30_000));
      await mustBeThere(service, job, 'before 10 minutes', 'IN_PROGRESS');
      await passUntil(service, startedMs + DEFAULT_MS + spanOf(service, 5_000));
      mustHaveTimedOut(service, await readStatus(service, job));
    },
  ),
  rule(
    {
      id: 'timeout.that-job-only',
      says: 'executionTimeout in a request is for that job only.',
      source: SOURCE,
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const timeoutMs = spanOf(service, 5_000);
      const short = await startEndless(service, { executionTimeout: timeoutMs });
      const other = await submit(service, { input: ENDLESS });
      await reach(service, other, 'IN_PROGRESS');
      await service.time.pass(timeoutMs * 1.2);
      await reach(service, short, 'TIMED_OUT', 'FAILED');
      await mustBeThere(service, other, 'after the executionTimeout of another', 'IN_PROGRESS');
    },
  ),
  rule(
    {
      id: 'timeout.worker-freed',
      says: 'The worker of a job that timed out takes the next one.',
      source: 'spec: States and transitions',
      mock: true,
      waitsMs: 120_000,
    },
    async (service) => {
      const [first = ''] = await fillWorkers(service);
      await stop(service, first);
      const short = await startEndless(service, { executionTimeout: spanOf(service, 20_000) });
      const next = await submit(service, { input: { mock_return: 1 } });
      await reach(service, short, 'TIMED_OUT', 'FAILED');
      await reach(service, next, 'COMPLETED');
    },
  ),
  rule(
    {
      id: 'timeout.runsync',
      says: 'runsync of a job that times out answers its record.',
      source: 'ruling 14',
      observed: FORM,
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const timeoutMs = spanOf(service, 5_000);
      const open = await service.begin('runsync', {
        body: { input: ENDLESS, policy: { executionTimeout: timeoutMs } },
        query: '?wait=300000',
      });
      for (let step = 0; step < 200 && !open.isAnswered(); step += 1) await service.time.pass(timeoutMs / 20);
      must(open.isAnswered(), 'runsync was not answered when its job had timed out');
      const record: Record<string, unknown> = JSON.parse((await open.answer).text);
      mustHaveTimedOut(service, record);
    },
  ),
  rule(
    {
      id: 'timeout.no-output',
      says: 'A job that timed out has no output.',
      source: 'spec: Job record',
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const { output } = await runRecord(service);
      must(output === undefined, `output is ${JSON.stringify(output)}`);
    },
  ),
  rule(
    {
      id: 'timeout.others-unharmed',
      says: 'After a timeout the endpoint works on.',
      source: 'spec: Errors',
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      await runRecord(service);
      mustEqual(
        (await runsync(service, { input: { mock_return: 'next' } }))['output'],
        'next',
        'the output of the next job',
      );
    },
  ),
];

async function runRecord(service: Service): Promise<Record<string, unknown>> {
  const job = await startEndless(service, { executionTimeout: spanOf(service, 5_000) });
  return reach(service, job, 'TIMED_OUT', 'FAILED');
}
