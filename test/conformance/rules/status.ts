import { fieldsOf, isRecord, mustBeAccepted, mustBeRefused, mustEqual, shownValue } from '../answers.ts';
import { endless, finish, reach, readStatus, startEndless, stop, submit, submitWaiting } from '../jobs.ts';
import { passUntil, spanOf } from '../passing.ts';
import { must, rule, type Rule, type RuleText } from '../rule.ts';

const RECORD = 'spec: Job record';

function ofOutput(id: string, says: string, output: unknown): Rule {
  return rule({ id, says, source: RECORD, mock: true }, async (service) => {
    const record = await finish(service, { input: { mock_return: output } });
    mustEqual(record['status'], 'COMPLETED', 'the status');
    mustEqual(record['output'], output, 'the output');
  });
}

const delayText: RuleText = {
  id: 'status.delay-time.unit',
  says: 'delayTime is how long the job waited, in milliseconds.',
  source: 'ruling 3',
  mock: true,
  waitsMs: 60_000,
};

/** What status answers. */
export const statusRules: readonly Rule[] = [
  rule(
    {
      id: 'status.in-queue',
      says: 'A job that no worker is free for is IN_QUEUE.',
      source: 'spec: States and transitions',
      mock: true,
    },
    async (service) => {
      const { job } = await submitWaiting(service);
      mustEqual((await readStatus(service, job))['status'], 'IN_QUEUE', 'status of a waiting job');
    },
  ),
  rule(
    { id: 'status.in-progress', says: 'A job on a worker is IN_PROGRESS.', source: RECORD, mock: true },
    async (service) => {
      const job = await startEndless(service);
      mustEqual((await readStatus(service, job))['status'], 'IN_PROGRESS', 'status of a running job');
    },
  ),
  rule(
    { id: 'status.completed', says: 'A job whose handler returned is COMPLETED.', source: RECORD, mock: true },
    async (service) => {
      mustEqual(
        (await finish(service, { input: { mock_return: { done: true } } }))['status'],
        'COMPLETED',
        'status of a finished job',
      );
    },
  ),
  rule(
    { id: 'status.failed', says: 'A job whose handler failed is FAILED.', source: 'spec: Errors', mock: true },
    async (service) => {
      mustEqual(
        (await finish(service, { input: { mock_error: 'no such model' } }))['status'],
        'FAILED',
        'status of a failed job',
      );
    },
  ),
  rule(
    {
      id: 'status.crashed',
      says: 'A job whose worker crashed is FAILED, and the next job finds a worker.',
      source: 'spec: Errors',
      mock: true,
    },
    async (service) => {
      mustEqual(
        (await finish(service, { input: { mock_crash: true } }))['status'],
        'FAILED',
        'status of a job that crashed its worker',
      );
      mustEqual(
        (await finish(service, { input: { mock_return: 1 } }))['status'],
        'COMPLETED',
        'status of the job after a crash',
      );
    },
  ),
  rule(
    {
      id: 'status.cancelled',
      says: 'A cancelled job is CANCELLED.',
      source: 'spec: States and transitions',
      mock: true,
    },
    async (service) => {
      const job = await startEndless(service);
      await stop(service, job);
      mustEqual((await readStatus(service, job))['status'], 'CANCELLED', 'status of a cancelled job');
    },
  ),
  rule(
    { id: 'status.id', says: 'A status record carries the id of its job.', source: RECORD, mock: true },
    async (service) => {
      const job = await startEndless(service);
      mustEqual((await readStatus(service, job))['id'], job, 'id in the record');
    },
  ),
  rule(
    { id: 'status.waiting.no-output', says: 'A job without a result has no output.', source: RECORD, mock: true },
    async (service) => {
      const { job } = await submitWaiting(service);
      must(!('output' in (await readStatus(service, job))), 'a waiting job has output');
    },
  ),
  ofOutput('status.output.object', 'output may be an object.', { images: [{ type: 'base64' }], n: 2 }),
  ofOutput('status.output.array', 'output may be an array.', [1, 'two', { three: 3 }]),
  ofOutput('status.output.any', "The shape of output is the handler's: a text stays a text.", 'Hello World'),
  rule(
    {
      id: 'status.output.none',
      says: 'COMPLETED without output is the record of a handler that returns nothing.',
      source: 'ruling 30',
      mock: true,
    },
    async (service) => {
      const record = await finish(service, { input: { mock_nothing: true } });
      mustEqual(record['status'], 'COMPLETED', 'the status');
      must(!('output' in record), `output is ${shownValue(record['output'])} instead of absent`);
    },
  ),
  ...['delayTime', 'executionTime'].map((name) =>
    rule(
      {
        id: `status.${name === 'delayTime' ? 'delay' : 'execution'}-time.integer`,
        says: `${name} is an integer on status results.`,
        source: RECORD,
        mock: true,
      },
      async (service) => {
        const record = await finish(service, { input: { mock_return: 1 } });
        const value = record[name];
        must(Number.isInteger(value) && Number(value) >= 0, `${name} is ${shownValue(value)}`);
      },
    ),
  ),
  rule(delayText, async (service) => {
    const { time } = service;
    const beforeMs = time.now();
    const { job, ahead } = await submitWaiting(service);
    const submittedMs = time.now();
    await time.pass(spanOf(service, 20_000));
    const minMs = time.now() - submittedMs;
    for (const other of ahead) await stop(service, other);
    const { delayTime } = await reach(service, job, 'COMPLETED');
    const maxMs = time.now() - beforeMs;
    const slackMs = time.toleranceMs;
    must(
      Number(delayTime) >= minMs - slackMs && Number(delayTime) <= maxMs + slackMs,
      `delayTime is ${String(delayTime)} for a job that waited ${Math.round(minMs)} to ${Math.round(maxMs)} ms`,
    );
  }),
  rule(
    {
      id: 'status.execution-time.unit',
      says: 'executionTime is how long the job ran, in milliseconds, without its time in the queue.',
      source: 'ruling 3',
      mock: true,
      waitsMs: 90_000,
    },
    async (service) => {
      const { time } = service;
      const timeoutMs = spanOf(service, 20_000);
      const { job, ahead } = await submitWaiting(service, endless({ executionTimeout: timeoutMs }));
      await time.pass(spanOf(service, 40_000));
      for (const other of ahead) await stop(service, other);
      const { executionTime } = await reach(service, job, 'TIMED_OUT', 'FAILED');
      const offMs = Math.abs(Number(executionTime) - timeoutMs);
      must(
        offMs <= Math.max(1_000, time.toleranceMs * 2),
        `executionTime is ${String(executionTime)} for a job that was ended after ${timeoutMs} ms`,
      );
    },
  ),
  rule(
    {
      id: 'status.fields',
      says: 'A status record contains id, status, delayTime, executionTime and, when there is a result, output.',
      source: RECORD,
      observed: 'Further fields, workerId among them, come along.',
      mock: true,
    },
    async (service) => {
      const record = await finish(service, { input: { mock_return: 1 } });
      const names = ['id', 'status', 'output', 'delayTime', 'executionTime'];
      const absent = names.filter((name) => !(name in record));
      must(absent.length === 0, `${absent.join(', ')} missing: ${shownValue(record)}`);
      const extra = Object.keys(record).filter((name) => !names.includes(name));
      must(service.dialect === 'observed' || extra.length === 0, `the record also holds ${extra.join(', ')}`);
    },
  ),
  rule(
    {
      id: 'status.again',
      says: 'Results can be read again and again.',
      source: 'spec: Queue operations, rule 3',
      mock: true,
    },
    async (service) => {
      const first = await finish(service, { input: { mock_return: { kept: 1 } } });
      const second = await readStatus(service, String(first['id']));
      mustEqual(second, first, 'the second reading');
    },
  ),
  rule(
    {
      id: 'status.ttl-query.accepted',
      says: 'status accepts the query ttl.',
      source: 'spec: Queue operations',
      mock: true,
    },
    async (service) => {
      const job = await submit(service, endless());
      const answer = await service.call('status', { job, query: '?ttl=60000' });
      mustBeAccepted(answer, 'status?ttl=60000');
      mustEqual(fieldsOf(answer, 'status')['id'], job, 'id in the record');
    },
  ),
  ...['abc', '1.5', '-5', ''].map((value) =>
    rule(
      {
        id: `status.ttl-query.refused.${value === '' ? 'empty' : value === 'abc' ? 'text' : value === '1.5' ? 'fraction' : 'negative'}`,
        says: `The query ttl is an integer of milliseconds; "${value}" is refused.`,
        source: 'spec: Queue operations',
        mock: true,
      },
      async (service) => {
        const job = await submit(service, endless());
        mustBeRefused(await service.call('status', { job, query: `?ttl=${value}` }), 400, `status?ttl=${value}`);
      },
    ),
  ),
  rule(
    {
      id: 'status.error-detail',
      says: 'A FAILED job says what went wrong (the form is not shown; here: error or output).',
      source: 'spec: Errors',
      mock: true,
    },
    async (service) => {
      const record = await finish(service, { input: { mock_error: 'the model is missing' } });
      must(
        JSON.stringify(record).includes('the model is missing'),
        `the handler's error is nowhere in ${shownValue(record)}`,
      );
    },
  ),
  rule(
    {
      id: 'status.times-while-waiting',
      says: 'Times in the record of a waiting job, where present, are integers.',
      source: RECORD,
      mock: true,
    },
    async (service) => {
      const { job } = await submitWaiting(service);
      const beforeMs = service.time.now();
      await passUntil(service, beforeMs + 1_000);
      const record = await readStatus(service, job);
      must(isRecord(record), 'no record');
      for (const name of ['delayTime', 'executionTime'])
        must(record[name] === undefined || Number.isInteger(record[name]), `${name} is ${shownValue(record[name])}`);
    },
  ),
];
