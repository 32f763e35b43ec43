import { shown } from '../answers.ts';
import type { Answer, OpenRequest } from '../http-client.ts';
import { fillWorkers, poll, readHealth } from '../jobs.ts';
import { cannotTell, must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: Limits';
const WINDOW_MS = 10_000;
const SENT_AT_ONCE = 16;

interface Row {
  operation: string;
  method: 'GET' | 'POST';
  /** Requests in ten seconds, and requests open at once; null: not limited. */
  rate: number;
  concurrent: number | null;
  /** What follows the operation in the path. */
  tail?: string;
  body?: string;
}

/** The table of the specification. Requests that are refused for another reason count as well: they are requests. */
const TABLE: readonly Row[] = [
  { operation: 'runsync', method: 'POST', rate: 2_000, concurrent: 400, body: '{}' },
  { operation: 'run', method: 'POST', rate: 1_000, concurrent: 200, body: '{}' },
  { operation: 'status', method: 'GET', rate: 2_000, concurrent: 400, tail: '/no-such-job' },
  { operation: 'stream', method: 'GET', rate: 2_000, concurrent: 400, tail: '/no-such-job' },
  { operation: 'cancel', method: 'POST', rate: 100, concurrent: 20, tail: '/no-such-job' },
  { operation: 'purge-queue', method: 'POST', rate: 2, concurrent: null },
  { operation: 'openai', method: 'POST', rate: 2_000, concurrent: 400, tail: '/v1/models', body: '{}' },
  { operation: 'requests', method: 'GET', rate: 10, concurrent: 2 },
];

function sendRow(
  service: Service,
  { operation, method, tail = '', body }: Row,
  endpoint = service.endpoint,
): Promise<Answer> {
  const headers = {
    authorization: service.bearer,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return service.http.send({
    method,
    url: `${service.address(operation, { endpoint })}${tail}`,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** So that no earlier request still counts. */
async function clearWindow(service: Service): Promise<void> {
  await service.time.pass(WINDOW_MS + Math.max(500, service.time.toleranceMs));
}

/** Sends the requests as fast as they go, and gives how many were answered 429. */
async function sendMany(service: Service, row: Row, count: number): Promise<{ refused: Answer[] }> {
  const refused: Answer[] = [];
  const atOnce = Math.min(SENT_AT_ONCE, Math.max(1, Math.floor((row.concurrent ?? 2) / 2)));
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const answer = await sendRow(service, row);
      if (answer.status === 429) refused.push(answer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return { refused };
}

/** Uses up the limit from a clear window; gives when the window began. */
async function useUp(service: Service, row: Row): Promise<number> {
  await clearWindow(service);
  const fromMs = service.time.now();
  const { refused } = await sendMany(service, row, row.rate);
  const tookMs = service.time.now() - fromMs;
  if (tookMs > WINDOW_MS * 0.8)
    cannotTell(`${row.rate} requests took ${Math.ceil(tookMs / 1_000)} s of the service's time here`);
  must(refused.length === 0, `${refused.length} of ${row.rate} requests in 10 seconds were answered 429`);
  return fromMs;
}

function over(answer: Answer, operation: string): void {
  must(answer.status === 429, `${operation} over its limit was answered ${shown(answer)} instead of 429`);
}

const rates: Rule[] = TABLE.map((row) =>
  rule(
    {
      id: `limit.${row.operation}.rate`,
      says: `${row.operation}: ${row.rate} requests per 10 seconds, more are answered 429.`,
      source: SOURCE,
      waitsMs: 20_000,
    },
    async (service) => {
      await useUp(service, row);
      over(await sendRow(service, row), row.operation);
    },
  ),
);

/** The rows whose requests can be held open from outside. */
const concurrency: Rule[] = TABLE.filter(({ concurrent }) => concurrent !== null).map((row) =>
  rule(
    {
      id: `limit.${row.operation}.concurrent`,
      says: `${row.operation}: ${row.concurrent} requests at the same time, more are answered 429.`,
      source: SOURCE,
      waitsMs: 20_000,
      mock: row.operation === 'runsync',
    },
    async (service) => {
      if (row.method === 'GET') cannotTell('a client cannot hold such a request open');
      await clearWindow(service);
      const max = row.concurrent ?? 0;
      const held = row.operation === 'runsync' ? await holdWaiting(service, max) : holdUploads(service, row, max);
      try {
        const answer = await sendRow(service, row);
        // What was answered from its first line alone has arrived after another call.
        await service.call('health');
        const early = held.find((open) => open.isAnswered());
        if (early !== undefined)
          must((await early.answer).status !== 429, `one of ${max} requests at once was answered 429`);
        if (early !== undefined) cannotTell('the service answers before it has the whole request');
        over(answer, `request ${max + 1} at once of ${row.operation}`);
      } finally {
        held.forEach((open) => open.drop());
        await service.call('purge-queue');
      }
    },
  ),
);

/** Submissions whose beginning alone has been sent. */
function holdUploads(service: Service, { operation, tail = '' }: Row, count: number): OpenRequest[] {
  const headers = { authorization: service.bearer, 'content-type': 'application/json' };
  return Array.from({ length: count }, () =>
    service.http.startUpload(
      { method: 'POST', url: `${service.address(operation)}${tail}`, headers },
      64,
      Buffer.from('{'),
    ),
  );
}

/** runsync calls whose jobs wait behind busy workers. */
async function holdWaiting(service: Service, count: number): Promise<OpenRequest[]> {
  await fillWorkers(service);
  const held: OpenRequest[] = [];
  for (let index = 0; index < count; index += 1)
    held.push(
      await service.begin('runsync', { query: '?wait=300000', body: { input: { mock_return: 1 } }, isUnpaced: true }),
    );
  const there = await poll(service, async () =>
    (await readHealth(service)).jobs['inQueue'] === count || held.some((open) => open.isAnswered()) ? true : null,
  );
  must(there === true, `${count} waiting runsync calls did not show up in health`);
  return held;
}

const CANCEL = rowOf('cancel');
const PURGE = rowOf('purge-queue');

function rowOf(operation: string): Row {
  const row = TABLE.find((one) => one.operation === operation);
  if (row === undefined) throw new Error(`The table has no ${operation}.`);
  return row;
}

/** How many requests are taken. These rules come last: each of them uses a limit up. */
export const limitRules: readonly Rule[] = [
  rule(
    {
      id: 'limit.retry-after',
      says: 'A 429 carries Retry-After in whole seconds.',
      source: 'ruling 10',
      waitsMs: 20_000,
    },
    async (service) => {
      await useUp(service, PURGE);
      const answer = await sendRow(service, PURGE);
      over(answer, 'purge-queue');
      const retryAfter = answer.headers['retry-after'] ?? 'missing';
      must(
        /^\d+$/.test(retryAfter) && Number(retryAfter) >= 1 && Number(retryAfter) <= 10,
        `Retry-After is ${retryAfter}`,
      );
    },
  ),
  rule(
    {
      id: 'limit.retry-after.enough',
      says: 'After Retry-After the request is accepted.',
      source: 'ruling 10',
      waitsMs: 30_000,
    },
    async (service) => {
      await useUp(service, PURGE);
      const answer = await sendRow(service, PURGE);
      over(answer, 'purge-queue');
      await service.time.pass(Number(answer.headers['retry-after'] ?? 0) * service.time.clientSecondMs);
      must((await sendRow(service, PURGE)).status === 200, 'purge-queue was refused again after Retry-After');
    },
  ),
  rule(
    { id: 'limit.error-form', says: 'A 429 has the form of every error.', source: 'ruling 6', waitsMs: 20_000 },
    async (service) => {
      await useUp(service, PURGE);
      const answer = await sendRow(service, PURGE);
      over(answer, 'purge-queue');
      must(/^\{"error":\s*"\S+ .+"/.test(answer.text), `a 429 is ${shown(answer)}`);
    },
  ),
  rule(
    {
      id: 'limit.window',
      says: 'The limit is one of 10 seconds: after that requests are accepted again.',
      source: SOURCE,
      waitsMs: 30_000,
    },
    async (service) => {
      await useUp(service, PURGE);
      over(await sendRow(service, PURGE), 'purge-queue');
      await clearWindow(service);
      must((await sendRow(service, PURGE)).status === 200, 'purge-queue was refused after 10 seconds');
    },
  ),
  rule(
    {
      id: 'limit.window.not-shorter',
      says: 'Within the 10 seconds no further request is accepted.',
      source: SOURCE,
      waitsMs: 30_000,
      precisionMs: 2_000,
    },
    async (service) => {
      const fromMs = await useUp(service, PURGE);
      await service.time.pass(fromMs + WINDOW_MS - 2_000 - service.time.now());
      over(await sendRow(service, PURGE), 'purge-queue after 8 seconds');
    },
  ),
  rule(
    {
      id: 'limit.sliding',
      says: 'The window slides: each request counts for 10 seconds from when it was sent.',
      source: 'ruling 21',
      waitsMs: 40_000,
      precisionMs: 2_000,
    },
    async (service) => {
      const { time } = service;
      await clearWindow(service);
      const firstMs = time.now();
      await sendRow(service, PURGE);
      await time.pass(6_000);
      await sendRow(service, PURGE);
      await time.pass(firstMs + WINDOW_MS + 1_000 - time.now());
      must((await sendRow(service, PURGE)).status === 200, 'a request was refused with one in the last 10 seconds');
      over(await sendRow(service, PURGE), 'the third purge-queue within 10 seconds');
    },
  ),
  rule(
    {
      id: 'limit.per-operation',
      says: 'Limits apply per operation: one that is used up leaves the others.',
      source: SOURCE,
      waitsMs: 20_000,
    },
    async (service) => {
      await useUp(service, PURGE);
      over(await sendRow(service, PURGE), 'purge-queue');
      for (const operation of ['cancel', 'status', 'run', 'health']) {
        const { status } =
          operation === 'health' ? await service.call('health') : await sendRow(service, rowOf(operation));
        must(status !== 429, `${operation} was answered 429 when purge-queue was used up`);
      }
    },
  ),
  rule(
    {
      id: 'limit.per-endpoint',
      says: 'Limits apply per endpoint: one that is used up leaves those of another.',
      source: SOURCE,
      waitsMs: 20_000,
      otherEndpoint: true,
    },
    async (service) => {
      await useUp(service, PURGE);
      over(await sendRow(service, PURGE), 'purge-queue');
      const { status } = await sendRow(service, PURGE, service.otherEndpoint ?? '');
      must(status !== 429, 'purge-queue of another endpoint was answered 429');
    },
  ),
  rule(
    {
      id: 'limit.dynamic',
      says: 'The effective limit is the higher of the base limit and running workers times requests per worker.',
      source: SOURCE,
    },
    async () => {
      cannotTell('the value of requests per worker is not shown');
    },
  ),
  rule(
    { id: 'limit.health', says: 'health has no limit in the table.', source: 'ruling 20', waitsMs: 20_000 },
    async (service) => {
      for (let count = 0; count < 150; count += 1)
        must((await service.call('health')).status === 200, `health number ${count + 1} was refused`);
    },
  ),
  rule(
    {
      id: 'limit.retry',
      says: 'retry has no limit in the table, nor does it count as cancel.',
      source: 'ruling 20',
      waitsMs: 20_000,
    },
    async (service) => {
      await useUp(service, CANCEL);
      const { status } = await service.call('retry', { job: 'no-such-job' });
      must(status === 404, `retry was answered ${status} when cancel was used up`);
    },
  ),
  rule(
    {
      id: 'limit.management',
      says: 'The management operations have no limit in the table.',
      source: 'ruling 20',
      pod: true,
    },
    async (service) => {
      for (let count = 0; count < 100; count += 1)
        must(
          (await service.manage('GET', `pods/${service.pods[0] ?? ''}`)).status === 200,
          `get-pod number ${count + 1} was refused`,
        );
    },
  ),
  rule(
    { id: 'limit.openai.form', says: '/openai/* is counted, and not there.', source: 'spec: Queue operations, rule 4' },
    async (service) => {
      await clearWindow(service);
      const { status } = await sendRow(service, rowOf('openai'));
      must(status === 404, `/openai/* was answered ${status}`);
    },
  ),
  rule(
    {
      id: 'limit.requests.form',
      says: '/requests is counted, and not there.',
      source: 'spec: Queue operations, rule 4',
    },
    async (service) => {
      await clearWindow(service);
      const { status } = await sendRow(service, rowOf('requests'));
      must(status === 404, `/requests was answered ${status}`);
    },
  ),
  ...concurrency,
  ...rates,
];
