import type { Behaviour, Exchange, Mutation } from './broken-service.ts';
import {
  answering,
  doing,
  fieldsIn,
  isFields,
  isSubmission,
  json,
  restating,
  sending,
  submitting,
  submittingPolicy,
  type Fields,
} from './broken-service-parts.ts';

function accepting(isKey: (header: string, key: string) => boolean, operation = '*'): () => Behaviour {
  return () => async (exchange, hands) => {
    const reply = await hands.forward();
    if (reply.status !== 401 || (operation !== '*' && exchange.operation !== operation)) return reply;
    const { authorization = '' } = exchange.headers;
    return isKey(authorization, GOOD_KEY)
      ? hands.ask(
          exchange.method,
          `${exchange.path}${exchange.query}`,
          fieldsIn(exchange.body.toString('utf8')) ?? undefined,
        )
      : reply;
  };
}

/** The key of the tests' sandboxes; see test/kit/sandbox.ts. */
const GOOD_KEY = 'test-key-0123456789';

/** Accepts an invalid field: it is repaired before the service sees it. */
function lenient(name: string, repair: (value: unknown) => unknown): () => Behaviour {
  return submitting((body) => (name in body ? { ...body, [name]: repair(body[name]) } : body));
}

function lenientPolicy(name: string, repair: (value: unknown) => unknown): () => Behaviour {
  return submittingPolicy((policy) => (name in policy ? { ...policy, [name]: repair(policy[name]) } : policy));
}

function clamped(min: number, max: number): (value: unknown) => unknown {
  return (value) => (typeof value === 'number' ? Math.min(max, Math.max(min, value)) : value);
}

function refusingPolicy(isRefused: (policy: Fields) => boolean): () => Behaviour {
  return () => async (exchange, hands) => {
    const policy = isSubmission(exchange) ? fieldsIn(exchange.body.toString('utf8'))?.['policy'] : null;
    return isFields(policy) && isRefused(policy)
      ? json(400, { error: 'The policy is out of bounds.' })
      : hands.forward();
  };
}

const WEEK_MS = 604_800_000;
const MIB = 2 ** 20;

const trimmed = ({ body }: Exchange): Partial<Exchange> => ({
  body: body.length > 10 * MIB ? Buffer.from('{"input":{}}') : body,
});

/** Defects of the checks on every request: keys, addresses, validation, sizes. */
export const doorMutations: readonly Mutation[] = [
  { name: 'a wrong key is let in', breaks: 'auth.wrong', behave: accepting((header) => header !== '') },
  { name: 'a missing key is answered 403', breaks: 'auth.missing.run', behave: restating('*', 401, 403) },
  { name: 'health is open to everyone', breaks: 'auth.missing.health', behave: accepting(() => true, 'health') },
  {
    name: 'keys are compared by their beginning',
    breaks: 'auth.longer',
    behave: accepting((header, key) => header.includes(key)),
  },
  {
    name: 'a part of the key is enough',
    breaks: 'auth.shorter',
    behave: accepting((header, key) => header.startsWith('Bearer ') && key.startsWith(header.slice(7))),
  },
  {
    name: 'the bare key is refused',
    breaks: 'auth.bare',
    behave: () => async (exchange, hands) =>
      (exchange.headers['authorization'] ?? '').startsWith('Bearer ')
        ? hands.forward()
        : json(401, { error: 'The key is not right.' }),
  },
  {
    name: 'any prefix before the key does',
    breaks: 'auth.basic',
    behave: accepting((header, key) => header.split(' ').at(-1) === key),
  },
  {
    name: 'the bare key is accepted on /v1',
    breaks: 'auth.pod.bare',
    behave: accepting((header, key) => header === key),
  },
  {
    name: 'update-template needs no key',
    breaks: 'auth.template.missing',
    behave: accepting(() => true, 'update-template'),
  },
  {
    name: '401 has an empty body',
    breaks: 'auth.missing.status',
    behave: answering('*', (reply) => (reply.status === 401 ? { ...reply, text: '' } : reply)),
  },

  {
    name: 'an unknown endpoint is a bad request',
    breaks: 'address.unknown-endpoint.run',
    behave: restating('run', 404, 400),
  },
  {
    name: 'health of an unknown endpoint is all zeros',
    breaks: 'address.unknown-endpoint.health',
    behave: restating('health', 404, 200),
  },
  {
    name: 'an unknown job is answered 200',
    breaks: 'address.unknown-job.status',
    behave: restating('status', 404, 200),
  },
  {
    name: 'an unknown job can be cancelled',
    breaks: 'address.unknown-job.cancel',
    behave: answering('cancel', (reply, { subject }) =>
      reply.status === 404 ? json(200, { id: subject, status: 'CANCELLED' }) : reply,
    ),
  },
  {
    name: 'GET purges the queue',
    breaks: 'address.method.purge-queue',
    behave: sending('purge-queue', () => ({ method: 'POST' })),
  },
  {
    name: 'status can be posted',
    breaks: 'address.method.health',
    behave: sending('health', () => ({ method: 'GET', body: Buffer.alloc(0) })),
  },
  {
    name: 'jobs are found on any endpoint',
    breaks: 'address.other-endpoint',
    behave: sending('status', ({ path }) => ({ path: path.replace('/echo/', '/mock/') })),
  },
  {
    name: 'the version may be left out of the path',
    breaks: 'address.v2',
    behave: () => (exchange, hands) =>
      hands.forward(/^\/v\d\//.test(exchange.path) ? {} : { path: `/v2${exchange.path}` }),
  },
  {
    name: 'pods are under /v2, too',
    breaks: 'address.v1',
    behave: () => (exchange, hands) => hands.forward({ path: exchange.path.replace('/v2/pods/', '/v1/pods/') }),
  },
  {
    name: 'replies are text/plain',
    breaks: 'address.json',
    behave: answering('*', (reply) => ({ ...reply, headers: { 'content-type': 'text/plain' } })),
  },
  {
    name: 'status-sync is an operation',
    breaks: 'address.status-sync',
    behave: () => (exchange, hands) =>
      hands.forward({ path: exchange.path.replace('/status-sync/', '/status/'), query: '' }),
  },

  {
    name: 'input may be an array',
    breaks: 'run.input.array',
    behave: lenient('input', (value) => (Array.isArray(value) ? {} : value)),
  },
  { name: 'input may be null', breaks: 'runsync.input.null', behave: lenient('input', (value) => value ?? {}) },
  { name: 'a missing input is answered 422', breaks: 'run.input.missing', behave: restating('run', 400, 422) },
  {
    name: 'an empty input is refused',
    breaks: 'run.input.empty',
    behave: () => async (exchange, hands) =>
      exchange.body.toString('utf8') === '{"input":{}}' ? json(400, { error: 'The input is empty.' }) : hands.forward(),
  },
  {
    name: 'a broken body is answered {message}',
    breaks: 'run.body.broken',
    behave: answering('run', (reply) => (reply.status === 400 ? json(400, { message: 'bad request' }) : reply)),
  },
  {
    name: 'errors are one word',
    breaks: 'runsync.body.none',
    behave: answering('runsync', (reply) => (reply.status === 400 ? json(400, { error: 'invalid' }) : reply)),
  },
  {
    name: 'content-type does not matter',
    breaks: 'run.body.plain-type',
    behave: sending('run', ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/json' } })),
  },
  {
    name: 'application/json may have no charset',
    breaks: 'run.body.charset',
    behave: () => async (exchange, hands) =>
      /;/.test(exchange.headers['content-type'] ?? '')
        ? json(400, { error: 'The content type is not right.' })
        : hands.forward(),
  },
  {
    name: 'unknown fields are refused',
    breaks: 'run.body.unknown-field',
    behave: () => async (exchange, hands) =>
      exchange.body.includes('webhookV2') ? json(400, { error: 'There is no field webhookV2.' }) : hands.forward(),
  },
  {
    name: 'webhook is not checked',
    breaks: 'run.webhook.not-url',
    behave: lenient('webhook', () => 'http://127.0.0.1:9/'),
  },
  {
    name: 'executionTimeout may be 1 ms below its minimum',
    breaks: 'run.execution-timeout.below',
    behave: lenientPolicy('executionTimeout', (value) => (value === 4_999 ? 5_000 : value)),
  },
  {
    name: 'executionTimeout must be above its minimum',
    breaks: 'run.execution-timeout.min',
    behave: refusingPolicy(({ executionTimeout }) => executionTimeout === 5_000),
  },
  {
    name: 'executionTimeout must be below its maximum',
    breaks: 'run.execution-timeout.max',
    behave: refusingPolicy(({ executionTimeout }) => executionTimeout === WEEK_MS),
  },
  {
    name: 'executionTimeout above its maximum is cut',
    breaks: 'runsync.execution-timeout.above',
    behave: lenientPolicy('executionTimeout', clamped(0, WEEK_MS)),
  },
  {
    name: 'executionTimeout is rounded',
    breaks: 'run.execution-timeout.fraction',
    behave: lenientPolicy('executionTimeout', (value) => (typeof value === 'number' ? Math.round(value) : value)),
  },
  {
    name: 'ttl below its minimum is raised',
    breaks: 'run.ttl.below',
    behave: lenientPolicy('ttl', clamped(10_000, Infinity)),
  },
  {
    name: 'ttl must be above its minimum',
    breaks: 'runsync.ttl.min',
    behave: refusingPolicy(({ ttl }) => ttl === 10_000),
  },
  { name: 'ttl above its maximum is cut', breaks: 'run.ttl.above', behave: lenientPolicy('ttl', clamped(0, WEEK_MS)) },
  { name: 'ttl is read from a text', breaks: 'run.ttl.text', behave: lenientPolicy('ttl', Number) },
  {
    name: 'executionTimeout must fit into ttl',
    breaks: 'run.policy.timeout-over-ttl',
    behave: refusingPolicy(({ executionTimeout, ttl }) => Number(executionTimeout) > Number(ttl)),
  },
  {
    name: 'lowPriority is read from a text',
    breaks: 'run.low-priority.text',
    behave: lenientPolicy('lowPriority', (value) => value === 'true' || value === true),
  },
  {
    name: 'all of s3Config is required',
    breaks: 'run.s3.partial',
    behave: () => async (exchange, hands) =>
      exchange.body.includes('bucketName') && !exchange.body.includes('accessId')
        ? json(400, { error: 'accessId is missing.' })
        : hands.forward(),
  },
  {
    name: 'endpointUrl is not checked',
    breaks: 'runsync.s3.endpoint-url',
    behave: lenient('s3Config', (value) => (isFields(value) ? {} : value)),
  },

  {
    name: '10 MB are ten million bytes',
    breaks: 'payload.run.at-limit',
    behave: doing('run', async (exchange, hands) =>
      exchange.body.length > 10_000_000 ? json(400, { error: 'The body is too large.' }) : hands.forward(),
    ),
  },
  { name: 'the size of a run is not checked', breaks: 'payload.run.over', behave: sending('run', trimmed) },
  {
    name: 'a body that is too large is answered 413 if the connection closes',
    breaks: 'payload.run.over.closing',
    behave: restating('run', 400, 413),
  },
  {
    name: 'a body that is too large is answered 413',
    breaks: 'payload.runsync.over',
    behave: restating('runsync', 400, 413),
  },
];
