import { fieldsOf, mustBeRefused } from '../answers.ts';
import {
  endless,
  fillWorkers,
  finish,
  poll,
  reach,
  readHealth,
  startEndless,
  stop,
  submit,
  submitWaiting,
} from '../jobs.ts';
import { mustBeGone, mustBeThere, passUntil, spanOf } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: policy object';
const DAY_MS = 86_400_000;
/** Longer than it takes to get a job where a check wants it. */
const TTL_MS = 30_000;
/** How far from its end a lifespan is checked, as a share of it. */
const MARGIN = 0.3;

interface Lifespan {
  ttl: number;
  /** Shortly before and shortly after its end, when it began at `fromMs`. */
  beforeEnd(fromMs: number): Promise<void>;
  afterEnd(fromMs: number): Promise<void>;
}

function lifespanOf(service: Service): Lifespan {
  const ttl = spanOf(service, TTL_MS);
  const marginMs = ttl * MARGIN;
  return {
    ttl,
    beforeEnd: (fromMs) => passUntil(service, fromMs + ttl - marginMs),
    afterEnd: (fromMs) => passUntil(service, fromMs + ttl + marginMs),
  };
}

function deleted(
  id: string,
  says: string,
  body: (service: Service, lifespan: Lifespan) => Promise<void>,
  source = SOURCE,
  waitsMs = TTL_MS * 2,
): Rule {
  return rule({ id, says, source, mock: true, waitsMs }, (service) => body(service, lifespanOf(service)));
}

function afterEnd(operation: 'stream' | 'cancel' | 'retry'): Rule {
  return deleted(
    `ttl.gone.${operation}`,
    `After its ttl ${operation} of the job is answered 404.`,
    async (service, { ttl, afterEnd }) => {
      const job = await submit(service, endless({ ttl }));
      await afterEnd(service.time.now());
      service.unfinished.delete(job);
      mustBeRefused(await service.call(operation, { job }), 404, `${operation} after the ttl`);
    },
    'spec: Errors',
  );
}

/** The total lifespan of a job. */
export const lifespanRules: readonly Rule[] = [
  deleted(
    'ttl.waiting',
    'A job that still waits when its ttl ends is deleted.',
    async (service, { ttl, beforeEnd, afterEnd }) => {
      await fillWorkers(service);
      const fromMs = service.time.now();
      const job = await submit(service, { input: {}, policy: { ttl } });
      await beforeEnd(fromMs);
      await mustBeThere(service, job, 'before its ttl ends', 'IN_QUEUE');
      await afterEnd(service.time.now() - ttl * (1 - MARGIN));
      await mustBeGone(service, job, 'after its ttl');
    },
  ),
  deleted(
    'ttl.running',
    'A running job is removed when its ttl ends.',
    async (service, { ttl, beforeEnd, afterEnd }) => {
      const fromMs = service.time.now();
      const job = await startEndless(service, { ttl });
      await beforeEnd(fromMs);
      await mustBeThere(service, job, 'before its ttl ends', 'IN_PROGRESS');
      await afterEnd(service.time.now() - ttl * (1 - MARGIN));
      await mustBeGone(service, job, 'after its ttl');
    },
  ),
  deleted(
    'ttl.running.stopped',
    'A job that is removed at the end of its ttl is stopped: its worker takes the next one.',
    async (service, { ttl }) => {
      const ahead = await fillWorkers(service);
      const [first = ''] = ahead;
      await stop(service, first);
      const mortal = await startEndless(service, { ttl });
      const next = await submit(service, { input: { mock_return: 1 } });
      await service.time.pass(ttl * 1.1);
      await mustBeGone(service, mortal, 'after its ttl');
      await reach(service, next, 'COMPLETED');
    },
  ),
  deleted(
    'ttl.finished',
    'A finished job is deleted when its ttl ends.',
    async (service, { ttl, beforeEnd, afterEnd }) => {
      const fromMs = service.time.now();
      const { id } = await finish(service, { input: { mock_return: 1 }, policy: { ttl } });
      await beforeEnd(fromMs);
      await mustBeThere(service, String(id), 'before its ttl ends', 'COMPLETED');
      await afterEnd(service.time.now() - ttl * (1 - MARGIN));
      await mustBeGone(service, String(id), 'after its ttl');
    },
    'spec: States and transitions',
  ),
  deleted(
    'ttl.failed',
    'A failed job is deleted when its ttl ends.',
    async (service, { ttl, afterEnd }) => {
      const { id } = await finish(service, { input: { mock_error: 'wrong' }, policy: { ttl } });
      await afterEnd(service.time.now());
      await mustBeGone(service, String(id), 'after its ttl');
    },
    'spec: States and transitions',
  ),
  deleted(
    'ttl.cancelled',
    'A cancelled job is deleted when its ttl ends.',
    async (service, { ttl, afterEnd }) => {
      const job = await startEndless(service, { ttl });
      await stop(service, job);
      await mustBeThere(service, job, 'before its ttl ends', 'CANCELLED');
      await afterEnd(service.time.now());
      await mustBeGone(service, job, 'after its ttl');
    },
    'spec: States and transitions',
  ),
  deleted(
    'ttl.from-submission',
    'The ttl starts at submission: a job that waited has only the remainder left for execution.',
    async (service, { ttl }) => {
      const { time } = service;
      const ahead = await fillWorkers(service);
      const fromMs = time.now();
      const job = await submit(service, endless({ ttl }));
      await passUntil(service, fromMs + ttl * 0.6);
      for (const other of ahead) await stop(service, other);
      await reach(service, job, 'IN_PROGRESS');
      await passUntil(service, fromMs + ttl * 1.15);
      await mustBeGone(service, job, 'when queue and execution together have taken its ttl');
    },
  ),
  deleted(
    'ttl.error-form',
    'A status check after the ttl is answered 404 with a sentence.',
    async (service, { ttl, afterEnd }) => {
      const job = await submit(service, endless({ ttl }));
      await afterEnd(service.time.now());
      service.unfinished.delete(job);
      mustBeRefused(await service.call('status', { job }), 404, 'status after the ttl');
    },
    'spec: Errors',
  ),
  afterEnd('stream'),
  afterEnd('cancel'),
  afterEnd('retry'),
  deleted(
    'ttl.counts',
    'A running job that is removed is no longer in progress.',
    async (service, { ttl, afterEnd }) => {
      const job = await startEndless(service, { ttl });
      await afterEnd(service.time.now());
      service.unfinished.delete(job);
      const left = await poll(service, async () =>
        (await readHealth(service)).jobs['inProgress'] === 0 ? true : null,
      );
      must(left === true, 'jobs.inProgress still counts it');
    },
  ),
  rule(
    {
      id: 'ttl.default',
      says: 'Without a ttl a job lives 24 hours.',
      source: 'spec: Limits',
      mock: true,
      waitsMs: DAY_MS + 600_000,
    },
    async (service) => {
      await fillWorkers(service);
      const fromMs = service.time.now();
      const job = await submit(service, { input: { mock_return: 1 } });
      await passUntil(service, fromMs + DAY_MS - spanOf(service, 300_000));
      await mustBeThere(service, job, 'before 24 hours', 'IN_QUEUE');
      await passUntil(service, fromMs + DAY_MS + spanOf(service, 300_000));
      await mustBeGone(service, job, 'after 24 hours');
    },
  ),
  deleted(
    'status.ttl-query.extends',
    'status?ttl= starts the ttl of the job again.',
    async (service, { ttl }) => {
      const { time } = service;
      const fromMs = time.now();
      const { job } = await submitWaiting(service, { input: {}, policy: { ttl } });
      await passUntil(service, fromMs + ttl * 0.7);
      const answer = await service.call('status', { job, query: `?ttl=${ttl}` });
      fieldsOf(answer, 'status?ttl=');
      const againMs = time.now();
      await passUntil(service, fromMs + ttl * 1.2);
      await mustBeThere(service, job, 'after its first ttl');
      await passUntil(service, againMs + ttl * 1.1);
      await mustBeGone(service, job, 'after its second ttl');
    },
    'spec: Queue operations, ruling 19',
  ),
  deleted(
    'status.ttl-query.shortens',
    'status?ttl= can also shorten the life of a job.',
    async (service, { ttl }) => {
      const job = await startEndless(service, { ttl: ttl * 10 });
      fieldsOf(await service.call('status', { job, query: `?ttl=${ttl}` }), 'status?ttl=');
      await service.time.pass(ttl * 1.1);
      await mustBeGone(service, job, 'after the shorter ttl');
    },
    'spec: Queue operations, ruling 19',
  ),
  deleted(
    'ttl.status-alone',
    'Reading status without ttl does not lengthen the life of a job.',
    async (service, { ttl }) => {
      const job = await submit(service, endless({ ttl }));
      for (let part = 0; part < 5; part += 1) {
        await service.call('status', { job });
        await service.time.pass(ttl * 0.22);
      }
      await mustBeGone(service, job, 'after its ttl, with status read all along');
    },
  ),
];
