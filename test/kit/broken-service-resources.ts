import type { Behaviour, Exchange, Hands, Mutation, Reply } from './broken-service.ts';
import {
  answering,
  answeringFields,
  doing,
  fieldsIn,
  isFields,
  json,
  restating,
  sending,
  without,
  type Fields,
} from './broken-service-parts.ts';

/** Changes every pod. */
const pods = (change: (pod: Fields, exchange: Exchange) => Fields): (() => Behaviour) =>
  answeringFields('get-pod', change);
const templates = (change: (template: Fields, exchange: Exchange) => Fields): (() => Behaviour) =>
  answeringFields('update-template', change);

/** Does something with an update before the service gets it. */
function updating(change: (body: Fields) => Fields): () => Behaviour {
  return sending('update-template', ({ body }) => {
    const fields = fieldsIn(body.toString('utf8'));
    return fields === null ? {} : { body: Buffer.from(JSON.stringify(change(fields))) };
  });
}

/** A field that an update does not contain keeps its value. */
function keepingAll(): Behaviour {
  let known: Fields = {};
  return async (exchange, hands) => {
    if (exchange.operation !== 'update-template') return hands.forward();
    const sent = fieldsIn(exchange.body.toString('utf8')) ?? {};
    known = { ...known, ...sent };
    return hands.forward({ body: Buffer.from(JSON.stringify(known)) });
  };
}

/** Workers keep the version that they were first seen with. */
function withoutRelease(): Behaviour {
  return pods((pod) => ({
    ...pod,
    ...(Array.isArray(pod['workers'])
      ? { workers: pod['workers'].map((worker: unknown) => (isFields(worker) ? { ...worker, slsVersion: 0 } : worker)) }
      : {}),
  }))();
}

/** Answers the n-th request of an operation within a window if `isAllowed` is true for it, else 429. */
function counting(
  operation: string,
  isAllowed: (earlierMs: readonly number[], nowMs: number) => boolean,
  answer: (exchange: Exchange, hands: Hands) => Promise<Reply>,
): () => Behaviour {
  return () => {
    const atMs: number[] = [];
    return async (exchange, hands) => {
      if (exchange.operation !== operation) return hands.forward();
      const nowMs = hands.clock.now();
      if (!isAllowed(atMs, nowMs))
        return {
          ...json(429, { error: 'There were too many requests.' }),
          headers: { 'content-type': 'application/json', 'retry-after': '5' },
        };
      atMs.push(nowMs);
      return answer(exchange, hands);
    };
  };
}

const WINDOW_MS = 10_000;
const PURGED = json(200, { removed: 0, status: 'completed' });
const within =
  (ms: number) =>
  (earlierMs: readonly number[], nowMs: number): number =>
    earlierMs.filter((atMs) => nowMs - atMs < ms).length;
const last10 = within(WINDOW_MS);
const windowOf = (atMs: number, [firstMs = atMs]: readonly number[]): number =>
  Math.floor((atMs - firstMs) / WINDOW_MS);

const unlimited = (operation: string, reply: Reply): (() => Behaviour) =>
  answering(operation, (answer) => (answer.status === 429 ? reply : answer));

function refusal(change: (headers: Record<string, string>) => Record<string, string>): () => Behaviour {
  return answering('*', (reply) => (reply.status === 429 ? { ...reply, headers: change(reply.headers) } : reply));
}

const NO_JOB = json(404, { error: 'There is no such job.' });

/** One limit for both operations. */
function sharing(operation: string, other: string): () => Behaviour {
  return () => {
    let refusedAtMs = -Infinity;
    return async (exchange, hands) => {
      const nowMs = hands.clock.now();
      if (exchange.operation === other && nowMs - refusedAtMs < WINDOW_MS)
        return json(429, { error: 'There were too many requests.' });
      const reply = await hands.forward();
      if (exchange.operation === operation && reply.status === 429) refusedAtMs = nowMs;
      return reply;
    };
  };
}

/** Counts requests of another operation as well. */
function countedAs(operation: string, other: string, limit: number): () => Behaviour {
  return () => {
    const atMs: number[] = [];
    return async (exchange, hands) => {
      const nowMs = hands.clock.now();
      if (exchange.operation === operation) atMs.push(nowMs);
      return exchange.operation === other && last10(atMs, nowMs) >= limit
        ? json(429, { error: 'There were too many requests.' })
        : hands.forward();
    };
  };
}

/** Defects of pods and templates. */
export const managementMutations: readonly Mutation[] = [
  {
    name: 'costPerHr is a text',
    breaks: 'pod.field.costPerHr',
    behave: pods((pod) => ({ ...pod, costPerHr: String(pod['costPerHr']) })),
  },
  {
    name: 'costPerHr is in words in the observed dialect',
    breaks: 'pod.field.costPerHr',
    dialect: 'observed',
    behave: pods((pod) => ({ ...pod, costPerHr: '$0.74' })),
  },
  {
    name: 'a pod without address has an empty one',
    breaks: 'pod.field.publicIp',
    behave: pods((pod) => ({ ...pod, publicIp: pod['publicIp'] ?? '' })),
  },
  { name: 'ports are numbers', breaks: 'pod.field.ports', behave: pods((pod) => ({ ...pod, ports: [8_888] })) },
  {
    name: 'portMappings is a list',
    breaks: 'pod.field.portMappings',
    behave: pods((pod) => ({ ...pod, portMappings: [] })),
  },
  {
    name: 'desiredStatus is in lower case',
    breaks: 'pod.field.desiredStatus',
    behave: pods((pod) => ({ ...pod, desiredStatus: String(pod['desiredStatus']).toLowerCase() })),
  },
  { name: 'vcpuCount is missing', breaks: 'pod.field.vcpuCount', behave: pods((pod) => without(pod, 'vcpuCount')) },
  { name: 'env is a list', breaks: 'pod.field.env', behave: pods((pod) => ({ ...pod, env: ['A=1'] })) },
  {
    name: 'ports are open before there is an address',
    breaks: 'pod.initialising',
    behave: pods((pod) => ({ ...pod, publicIp: null, portMappings: { 22: 10_341 } })),
  },
  { name: 'another pod is answered', breaks: 'pod.id', behave: pods((pod) => ({ ...pod, id: 'another' })) },
  { name: 'an unknown pod is an empty one', breaks: 'pod.unknown', behave: restating('get-pod', 404, 200) },
  {
    name: 'the machine always comes along',
    breaks: 'pod.includeMachine.default',
    behave: pods((pod) => ({ machine: {}, ...pod })),
  },
  {
    name: 'false includes as true does',
    breaks: 'pod.includeSavingsPlans.false',
    behave: sending('get-pod', ({ query }) => ({ query: query.replace('=false', '=true') })),
  },
  {
    name: 'one flag includes everything',
    breaks: 'pod.includeMachine.alone',
    behave: sending('get-pod', ({ query }) => ({ query: query === '' ? '' : `${query}&includeWorkers=true` })),
  },
  {
    name: 'a flag may be any word',
    breaks: 'pod.includeTemplate.boolean',
    behave: sending('get-pod', ({ query }) => ({ query: query.replace('perhaps', 'true') })),
  },
  {
    name: 'a machine has no location',
    breaks: 'pod.machine.dataCenterId',
    behave: pods((pod) =>
      isFields(pod['machine']) ? { ...pod, machine: without(pod['machine'], 'dataCenterId') } : pod,
    ),
  },
  {
    name: 'the size of a volume is a text',
    breaks: 'pod.network-volume.size',
    behave: pods((pod) =>
      isFields(pod['networkVolume']) ? { ...pod, networkVolume: { ...pod['networkVolume'], size: '50 GB' } } : pod,
    ),
  },
  {
    name: 'savings plans do not name their pod',
    breaks: 'pod.savings-plan.podId',
    behave: pods((pod) =>
      Array.isArray(pod['savingsPlans'])
        ? {
            ...pod,
            savingsPlans: pod['savingsPlans'].map((plan: unknown) => (isFields(plan) ? without(plan, 'podId') : plan)),
          }
        : pod,
    ),
  },
  {
    name: 'workers are counted, not listed',
    breaks: 'pod.workers',
    behave: pods((pod) => ('workers' in pod ? { ...pod, workers: 1 } : pod)),
  },
  {
    name: 'the template is only its name',
    breaks: 'pod.template.fields',
    behave: pods((pod) =>
      isFields(pod['template']) ? { ...pod, template: { id: pod['templateId'], name: 'x' } } : pod,
    ),
  },
  {
    name: 'a template without a registry login has null for it',
    breaks: 'pod.template.fields',
    behave: pods((pod) =>
      isFields(pod['template']) ? { ...pod, template: { ...pod['template'], containerRegistryAuthId: null } } : pod,
    ),
  },

  {
    name: 'an update may not be empty',
    breaks: 'template.empty',
    behave: doing('update-template', async ({ body }, hands) =>
      body.toString('utf8') === '{}' ? json(400, { error: 'Nothing is to be changed.' }) : hands.forward(),
    ),
  },
  { name: 'an unknown template is made', breaks: 'template.unknown', behave: restating('update-template', 404, 200) },
  { name: 'name is not changed', breaks: 'template.set.name', behave: updating((body) => without(body, 'name')) },
  {
    name: 'env is merged',
    breaks: 'template.set.env',
    behave: templates((template) => ({
      ...template,
      env: { ...(isFields(template['env']) ? template['env'] : {}), OLD: '1' },
    })),
  },
  {
    name: 'env is reset when left out',
    breaks: 'template.kept.env',
    behave: updating((body) => ({ env: {}, ...body })),
  },
  {
    name: 'ports are reset when left out',
    breaks: 'template.kept.ports',
    behave: updating((body) => ({ ports: [], ...body })),
  },
  { name: 'readme stays when left out', breaks: 'template.omitted.readme', behave: keepingAll },
  { name: 'isPublic stays when left out', breaks: 'template.omitted.isPublic', behave: keepingAll },
  {
    name: 'the default volume has 50 GB',
    breaks: 'template.omitted.volumeInGb',
    behave: updating((body) => ({ volumeInGb: 50, ...body })),
  },
  {
    name: 'udp ports are accepted',
    breaks: 'template.refused.ports.protocol',
    behave: updating((body) => ({ ...body, ports: ['8888/tcp'] })),
  },
  {
    name: 'containerDiskInGb is read from a text',
    breaks: 'template.refused.container-disk.text',
    behave: updating((body) => ({ ...body, containerDiskInGb: Number(body['containerDiskInGb']) })),
  },
  {
    name: 'env accepts numbers',
    breaks: 'template.refused.env.number-value',
    behave: updating((body) => ({ ...body, env: {} })),
  },
  {
    name: 'names need not be unique',
    breaks: 'template.name.unique',
    behave: updating((body) => ({ ...body, name: `${String(body['name'])} (2)` })),
  },
  {
    name: 'a template may not keep its name',
    breaks: 'template.name.own',
    behave: doing('update-template', async ({ body }, hands) =>
      /"name"/.test(body.toString('utf8')) ? json(400, { error: 'The name is taken.' }) : hands.forward(),
    ),
  },
  {
    name: 'a template can be read',
    breaks: 'template.no-get',
    behave: doing('update-template', async ({ method, path }, hands) =>
      method === 'GET' && !path.endsWith('/update') ? json(200, {}) : hands.forward(),
    ),
  },
  { name: 'an update releases nothing', breaks: 'template.rolling-release', behave: withoutRelease },
  {
    name: 'isServerless is missing',
    breaks: 'template.field.isServerless',
    behave: templates((template) => without(template, 'isServerless')),
  },
  {
    name: 'category is anything',
    breaks: 'template.field.category',
    behave: templates((template) => ({ ...template, category: 'TPU' })),
  },
];

/** Defects of limits. */
export const limitMutations: readonly Mutation[] = [
  {
    name: '429 without Retry-After',
    breaks: 'limit.retry-after',
    behave: refusal((headers) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'retry-after')),
    ),
  },
  {
    name: 'Retry-After in milliseconds',
    breaks: 'limit.retry-after',
    behave: refusal((headers) => ({ ...headers, 'retry-after': '9500' })),
  },
  {
    name: 'Retry-After as a fraction',
    breaks: 'limit.retry-after',
    behave: refusal((headers) => ({ ...headers, 'retry-after': '9.5' })),
  },
  {
    name: 'Retry-After is too short',
    breaks: 'limit.retry-after.enough',
    behave: refusal((headers) => ({ ...headers, 'retry-after': '2' })),
  },
  {
    name: 'over the limit is answered 503',
    breaks: 'limit.purge-queue.rate',
    behave: restating('purge-queue', 429, 503),
  },
  { name: 'purge-queue is not limited', breaks: 'limit.purge-queue.rate', behave: unlimited('purge-queue', PURGED) },
  {
    name: 'purge-queue is limited to 1',
    breaks: 'limit.purge-queue.rate',
    behave: counting(
      'purge-queue',
      (earlier, now) => last10(earlier, now) < 1,
      async () => PURGED,
    ),
  },
  {
    name: 'cancel is limited to 99',
    breaks: 'limit.cancel.rate',
    behave: counting(
      'cancel',
      (earlier, now) => last10(earlier, now) < 99,
      async () => NO_JOB,
    ),
  },
  {
    name: 'cancel is limited to 101',
    breaks: 'limit.cancel.rate',
    behave: counting(
      'cancel',
      (earlier, now) => last10(earlier, now) < 101,
      async () => NO_JOB,
    ),
  },
  { name: '/requests is not limited', breaks: 'limit.requests.rate', behave: unlimited('requests', NO_JOB) },
  {
    name: 'the window is a second',
    breaks: 'limit.window.not-shorter',
    behave: counting(
      'purge-queue',
      (earlier, now) => within(1_000)(earlier, now) < 2,
      async () => PURGED,
    ),
  },
  {
    name: 'the window is a minute',
    breaks: 'limit.window',
    behave: counting(
      'purge-queue',
      (earlier, now) => within(60_000)(earlier, now) < 2,
      async () => PURGED,
    ),
  },
  {
    name: 'the window restarts every 10 seconds',
    breaks: 'limit.sliding',
    behave: counting(
      'purge-queue',
      (earlier, now) => earlier.filter((atMs) => windowOf(atMs, earlier) === windowOf(now, earlier)).length < 2,
      async () => PURGED,
    ),
  },
  {
    name: 'purge-queue and cancel share a limit',
    breaks: 'limit.per-operation',
    behave: sharing('purge-queue', 'cancel'),
  },
  {
    name: 'all endpoints share their limits',
    breaks: 'limit.per-endpoint',
    behave: sharing('purge-queue', 'purge-queue'),
  },
  { name: 'retry counts as cancel', breaks: 'limit.retry', behave: countedAs('cancel', 'retry', 100) },
  {
    name: 'health has a limit',
    breaks: 'limit.health',
    behave: counting(
      'health',
      (earlier, now) => last10(earlier, now) < 100,
      (_exchange, hands) => hands.forward(),
    ),
  },
  {
    name: '429 has no sentence',
    breaks: 'limit.error-form',
    behave: answering('*', (reply) => (reply.status === 429 ? { ...reply, text: 'slow down' } : reply)),
  },
];
