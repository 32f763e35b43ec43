import { isRecord, mustBeAccepted, mustEqual, shownValue } from '../answers.ts';
import { finish, fillWorkers, runsync, submit, type Fields } from '../jobs.ts';
import { spanOf } from '../passing.ts';
import { cannotTell, must, rule, type Rule, type RuleText } from '../rule.ts';
import type { Service } from '../service.ts';
import { startReceiver, type ReceivedCall } from '../webhook-receiver.ts';

const EVENTS = 'spec: Events';
const PAUSE_MS = 10_000;
/** Longer than all attempts together. */
const QUIET_MS = 45_000;

/** Of a key: a shorter one may be in a text by chance. */
const TELLING_LENGTH = 8;

const INPUT = { mock_return: { text: 'done' } };

async function calledFor(
  service: Service,
  input: Fields,
): Promise<{ call: ReceivedCall; record: Fields; url: string }> {
  const receiver = await startReceiver(service, 200);
  const record = await finish(service, { input, webhook: receiver.url });
  return { call: await receiver.reached(1), record, url: receiver.url };
}

function payloadOf({ text }: ReceivedCall): Fields {
  const payload: unknown = JSON.parse(text);
  must(isRecord(payload), `the payload is ${text.slice(0, 100)}`);
  return payload;
}

/** All calls that come when the receiver answers so. */
async function allCalls(
  service: Service,
  statuses: readonly number[],
  expected: number,
): Promise<readonly ReceivedCall[]> {
  const receiver = await startReceiver(service, ...statuses);
  await finish(service, { input: INPUT, webhook: receiver.url });
  await receiver.reached(expected);
  // In steps: the pause before a further attempt begins when the one before has been answered.
  for (let passedMs = 0; passedMs < QUIET_MS; passedMs += QUIET_MS / 20) await service.time.pass(QUIET_MS / 20);
  return receiver.calls();
}

function hook(
  text: Pick<RuleText, 'id' | 'says' | 'source'> & { waitsMs?: number; precisionMs?: number },
  body: (service: Service) => Promise<void>,
): Rule {
  return rule({ mock: true, loopback: true, ...text }, body);
}

function attempts(id: string, says: string, source: string, statuses: readonly number[], expected: number): Rule {
  return hook({ id, says, source, waitsMs: QUIET_MS + PAUSE_MS * 2 }, async (service) => {
    const calls = await allCalls(service, statuses, expected);
    must(
      calls.length === expected,
      `${calls.length} calls came where ${statuses.join(', ')} was answered, not ${expected}`,
    );
  });
}

export const webhookRules: readonly Rule[] = [
  hook(
    { id: 'webhook.completed', says: 'The service calls the webhook when the job completes.', source: EVENTS },
    async (service) => {
      const { call, record } = await calledFor(service, INPUT);
      mustEqual(payloadOf(call)['id'], record['id'], 'id in the payload');
    },
  ),
  hook(
    { id: 'webhook.failed', says: 'The webhook is called for a job that FAILED, too.', source: EVENTS },
    async (service) => {
      const { call } = await calledFor(service, { mock_error: 'wrong' });
      mustEqual(payloadOf(call)['status'], 'FAILED', 'status in the payload');
    },
  ),
  hook(
    {
      id: 'webhook.timed-out',
      says: 'The webhook is called for a job that timed out.',
      source: EVENTS,
      waitsMs: 60_000,
    },
    async (service) => {
      const receiver = await startReceiver(service, 200);
      const job = await submit(service, {
        input: { mock_delay: 604_800_000 },
        policy: { executionTimeout: spanOf(service, 5_000) },
        webhook: receiver.url,
      });
      const call = await receiver.reached(1);
      mustEqual(payloadOf(call)['id'], job, 'id in the payload');
    },
  ),
  hook(
    { id: 'webhook.runsync', says: 'runsync notifies its webhook as well.', source: 'spec: Job submission body' },
    async (service) => {
      const receiver = await startReceiver(service, 200);
      const { id } = await runsync(service, { input: INPUT, webhook: receiver.url });
      mustEqual(payloadOf(await receiver.reached(1))['id'], id, 'id in the payload');
    },
  ),
  hook({ id: 'webhook.method', says: 'The call is a POST.', source: 'ruling 25' }, async (service) => {
    mustEqual((await calledFor(service, INPUT)).call.method, 'POST', 'the method');
  }),
  hook(
    { id: 'webhook.content-type', says: 'The call carries application/json.', source: 'ruling 25' },
    async (service) => {
      const type = (await calledFor(service, INPUT)).call.headers['content-type'] ?? 'none';
      must(/^application\/json\b/.test(type), `content-type is ${type}`);
    },
  ),
  hook(
    { id: 'webhook.payload.record', says: 'The payload is the job record.', source: 'ruling 25' },
    async (service) => {
      const { call, record } = await calledFor(service, INPUT);
      const payload = payloadOf(call);
      for (const name of ['id', 'status', 'output', 'delayTime', 'executionTime'])
        mustEqual(payload[name], record[name], `${name} in the payload`);
    },
  ),
  hook(
    { id: 'webhook.payload.input', says: 'The payload contains the input of the job.', source: 'ruling 25' },
    async (service) => {
      mustEqual(payloadOf((await calledFor(service, INPUT)).call)['input'], INPUT, 'input in the payload');
    },
  ),
  hook(
    { id: 'webhook.payload.webhook', says: 'The payload contains the webhook URL.', source: 'ruling 25' },
    async (service) => {
      const { call, url } = await calledFor(service, INPUT);
      mustEqual(payloadOf(call)['webhook'], url, 'webhook in the payload');
    },
  ),
  hook(
    { id: 'webhook.no-key', says: 'The call does not carry the API key.', source: 'field notes: Webhook' },
    async (service) => {
      if (service.apiKey.length < TELLING_LENGTH) cannotTell('a key so short occurs in any text');
      const { call } = await calledFor(service, INPUT);
      must(!JSON.stringify([call.headers, call.text]).includes(service.apiKey), 'the key is in the call');
    },
  ),
  hook(
    { id: 'webhook.retried', says: 'A job that is retried calls its webhook when it ends again.', source: EVENTS },
    async (service) => {
      const receiver = await startReceiver(service, 200);
      const record = await finish(service, { input: { mock_error: 'wrong' }, webhook: receiver.url });
      const job = String(record['id']);
      await receiver.reached(1);
      mustBeAccepted(await service.call('retry', { job }), 'retry');
      service.unfinished.add(job);
      await receiver.reached(2);
    },
  ),
  hook(
    { id: 'webhook.not-before', says: 'The webhook is not called before the job completes.', source: EVENTS },
    async (service) => {
      const receiver = await startReceiver(service, 200);
      await fillWorkers(service);
      await submit(service, { input: INPUT, webhook: receiver.url });
      await service.time.pass(5_000);
      mustEqual(receiver.calls().length, 0, 'the number of calls for a waiting job');
    },
  ),
  hook({ id: 'webhook.other-jobs', says: 'A job without webhook makes no call.', source: EVENTS }, async (service) => {
    const receiver = await startReceiver(service, 200);
    await finish(service, { input: INPUT, webhook: receiver.url });
    await finish(service, { input: INPUT });
    await receiver.reached(1);
    await service.time.pass(2_000);
    mustEqual(receiver.calls().length, 1, 'the number of calls');
  }),
  attempts('webhook.once', 'A call answered 200 is not made again.', EVENTS, [200], 1),
  attempts('webhook.retries', 'A call that fails is made 2 more times, and then no more.', EVENTS, [500], 3),
  attempts(
    'webhook.retries.201',
    'Success is HTTP 200 only: a call answered 201 is made again.',
    'ruling 25',
    [201, 200],
    2,
  ),
  attempts('webhook.retries.404', 'A call answered 404 is made again.', EVENTS, [404, 200], 2),
  attempts(
    'webhook.retries.stop',
    'After a repeated call that succeeds no further one is made.',
    EVENTS,
    [503, 200],
    2,
  ),
  hook(
    {
      id: 'webhook.pause',
      says: 'Attempts are 10 seconds apart.',
      source: EVENTS,
      waitsMs: QUIET_MS + PAUSE_MS * 2,
      precisionMs: 3_000,
    },
    async (service) => {
      const calls = await allCalls(service, [500], 3);
      // What is read as the time of arrival may be a step of the waiting late.
      const slackMs = Math.max(3_000, service.time.toleranceMs * 1.5);
      const pauses = calls.slice(1).map((call, index) => Math.round(call.atMs - (calls[index]?.atMs ?? 0)));
      must(
        pauses.length === 2 && pauses.every((pauseMs) => Math.abs(pauseMs - PAUSE_MS) <= slackMs),
        `the pauses were ${pauses.join(' and ') || 'none'} ms`,
      );
    },
  ),
  hook(
    {
      id: 'webhook.same-payload',
      says: 'A repeated call carries the same payload.',
      source: EVENTS,
      waitsMs: QUIET_MS + PAUSE_MS * 2,
    },
    async (service) => {
      const calls = await allCalls(service, [500, 200], 2);
      const [first, second] = calls.map(payloadOf);
      must(
        first !== undefined &&
          second !== undefined &&
          first['id'] === second['id'] &&
          first['status'] === second['status'],
        `payloads: ${shownValue(first)} and ${shownValue(second)}`,
      );
    },
  ),
  hook(
    { id: 'webhook.unreachable', says: 'A webhook without an answer does not change the job.', source: EVENTS },
    async (service) => {
      const record = await finish(service, { input: INPUT, webhook: 'http://127.0.0.1:9/hook' });
      mustEqual(record['status'], 'COMPLETED', 'the status');
    },
  ),
];
