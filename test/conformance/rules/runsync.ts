import { mustBeAccepted, mustBeRefused, mustEqual, shownValue } from '../answers.ts';
import { endless, fillWorkers, poll, readHealth, runsync, stop } from '../jobs.ts';
import { spanOf } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';
import type { OpenRequest } from '../http-client.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: Queue operations';
const QUICK = { input: { mock_return: 1 } };

/** Longer than any wait; then the job ends without a cancel, since a check that fails never learns its id. */
const LIFE_MS = 400_000;

/** Begins a runsync of a job that outlasts it, and waits until the service has it. */
async function holdRunsync(service: Service, query: string): Promise<OpenRequest> {
  const inHand = async (): Promise<number> => {
    const { inQueue = 0, inProgress = 0 } = (await readHealth(service)).jobs;
    return inQueue + inProgress;
  };
  const before = await inHand();
  const open = await service.begin('runsync', { query, body: endless({ ttl: LIFE_MS }) });
  const arrived = await poll(service, async () => (open.isAnswered() || (await inHand()) > before ? true : null));
  must(arrived === true, 'a runsync did not show up in health');
  return open;
}

/** Ends what `holdRunsync` began, with its record. */
async function recordOf(service: Service, open: OpenRequest): Promise<Record<string, unknown>> {
  const ended = await poll(service, async () => (open.isAnswered() ? true : null));
  must(ended === true, 'runsync was not answered');
  const { status, text } = await open.answer;
  must(status === 200, `runsync was answered ${status} ${text}`);
  const record: Record<string, unknown> = JSON.parse(text);
  service.unfinished.add(String(record['id']));
  return record;
}

function bound(id: string, says: string, query: string, isAccepted: boolean): Rule {
  return rule({ id, says, source: 'spec: Limits' }, async (service) => {
    const answer = await service.call('runsync', { query, body: QUICK });
    if (isAccepted) mustBeAccepted(answer, `runsync${query}`);
    else mustBeRefused(answer, 400, `runsync${query}`);
  });
}

function heldFor(id: string, says: string, source: string, query: string, waitMs: number): Rule {
  return rule({ id, says, source, mock: true, waitsMs: waitMs + 5_000, precisionMs: waitMs / 6 }, async (service) => {
    const { time } = service;
    const slackMs = Math.max(500, time.toleranceMs * 2);
    const open = await holdRunsync(service, query);
    const heldMs = time.now();
    // The request may have been on its way for a while before health showed it.
    await time.pass(Math.max(0, waitMs - slackMs * 2));
    // An answer in progress has arrived after other calls.
    await readHealth(service);
    await readHealth(service);
    must(!open.isAnswered(), `runsync was answered before ${waitMs} ms had passed`);
    await time.pass(slackMs * 2);
    const record = await recordOf(service, open);
    must(
      time.now() - heldMs <= waitMs + slackMs * 4,
      `runsync was answered ${Math.round(time.now() - heldMs)} ms after it was sent, not ${waitMs}`,
    );
    must(['IN_QUEUE', 'IN_PROGRESS'].includes(String(record['status'])), `the record says ${String(record['status'])}`);
  });
}

/** What runsync answers and how long it waits. */
export const runsyncRules: readonly Rule[] = [
  rule(
    {
      id: 'runsync.record',
      says: 'runsync answers id, status, output, delayTime and executionTime of the finished job.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      const record = await runsync(service, { input: { mock_return: { text: 'done' } } });
      mustEqual(record['status'], 'COMPLETED', 'status');
      mustEqual(record['output'], { text: 'done' }, 'output');
      must(typeof record['id'] === 'string' && record['id'] !== '', `id is ${shownValue(record['id'])}`);
      for (const name of ['delayTime', 'executionTime'])
        must(Number.isInteger(record[name]), `${name} is ${shownValue(record[name])}`);
    },
  ),
  rule(
    {
      id: 'runsync.failed',
      says: 'runsync of a job that fails answers its record.',
      source: 'spec: Job record',
      mock: true,
    },
    async (service) => {
      mustEqual((await runsync(service, { input: { mock_error: 'wrong' } }))['status'], 'FAILED', 'status');
    },
  ),
  rule(
    {
      id: 'runsync.status-too',
      says: 'A job of runsync can be read with status.',
      source: 'spec: Queue operations, rule 3',
      mock: true,
    },
    async (service) => {
      const record = await runsync(service, { input: { mock_return: [1] } });
      const answer = await service.call('status', { job: String(record['id']) });
      mustBeAccepted(answer, 'status of a runsync job');
      mustEqual(answer.json, record, 'the record');
    },
  ),
  bound('runsync.wait.min', 'wait may be 1000 ms.', '?wait=1000', true),
  bound('runsync.wait.below', 'wait may not be below 1000 ms.', '?wait=999', false),
  bound('runsync.wait.max', 'wait may be 300000 ms.', '?wait=300000', true),
  bound('runsync.wait.above', 'wait may not be above 300000 ms.', '?wait=300001', false),
  bound('runsync.wait.fraction', 'wait is an integer.', '?wait=1500.5', false),
  bound('runsync.wait.text', 'wait is a number.', '?wait=long', false),
  heldFor('runsync.wait.default', 'Without wait a runsync waits 90 seconds.', 'spec: Limits', '', 90_000),
  heldFor('runsync.wait.given', 'wait says how long a runsync waits.', SOURCE, '?wait=30000', 30_000),
  rule(
    {
      id: 'runsync.wait.ends-first',
      says: 'When wait ends before the job, the current record is answered.',
      source: 'ruling 13',
      mock: true,
      waitsMs: 10_000,
    },
    async (service) => {
      const open = await holdRunsync(service, '?wait=1000');
      const record = await recordOf(service, open);
      must(
        ['IN_QUEUE', 'IN_PROGRESS'].includes(String(record['status'])),
        `the record says ${String(record['status'])}`,
      );
      must(!('output' in record), 'the record of an unfinished job has output');
    },
  ),
  rule(
    {
      id: 'runsync.wait.goes-on',
      says: 'A job continues after wait has ended.',
      source: 'ruling 13',
      mock: true,
      waitsMs: 10_000,
    },
    async (service) => {
      const record = await recordOf(service, await holdRunsync(service, '?wait=1000'));
      const answer = await service.call('status', { job: String(record['id']) });
      mustBeAccepted(answer, 'status after wait has ended');
      must(/"IN_(QUEUE|PROGRESS)"/.test(answer.text), `the job is now ${answer.text}`);
    },
  ),
  rule(
    {
      id: 'runsync.wait.not-retention',
      says: 'wait is not how long the result is kept.',
      source: SOURCE,
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const record = await runsync(service, QUICK, { query: '?wait=1000' });
      await service.time.pass(spanOf(service, 5_000));
      mustBeAccepted(
        await service.call('status', { job: String(record['id']) }),
        'status 5 s after a runsync with wait=1000',
      );
    },
  ),
  rule(
    {
      id: 'runsync.wait.ends-early',
      says: 'A runsync is answered as soon as its job has finished, not when wait ends.',
      source: SOURCE,
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const ahead = await fillWorkers(service);
      const open = await service.begin('runsync', { query: '?wait=300000', body: QUICK });
      const waits = await poll(service, async () => ((await readHealth(service)).jobs['inQueue'] === 1 ? true : null));
      must(waits === true && !open.isAnswered(), 'a runsync with every worker busy did not wait in the queue');
      for (const job of ahead) await stop(service, job);
      mustEqual((await recordOf(service, open))['status'], 'COMPLETED', 'status');
    },
  ),
  rule(
    {
      id: 'runsync.purged',
      says: 'A runsync whose job is purged from the queue is answered 404, and does not wait for nothing.',
      source: 'ruling 11, ruling 26',
      mock: true,
    },
    async (service) => {
      await fillWorkers(service);
      const open = await service.begin('runsync', { query: '?wait=300000', body: QUICK });
      const waits = await poll(service, async () => ((await readHealth(service)).jobs['inQueue'] === 1 ? true : null));
      must(waits === true, 'a runsync with every worker busy did not wait in the queue');
      mustBeAccepted(await service.call('purge-queue'), 'purge-queue');
      const ended = await poll(service, async () => (open.isAnswered() ? true : null));
      must(ended === true, 'runsync was not answered after its job was purged');
      mustBeRefused(await open.answer, 404, 'runsync of a purged job');
    },
  ),
];
