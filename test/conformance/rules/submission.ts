import { fieldsOf, mustBeAccepted, mustBeRefused, mustEqual, mustHoldOnly, shown } from '../answers.ts';
import { finish, runsync } from '../jobs.ts';
import { cannotTell, must, rule, type Rule } from '../rule.ts';
import type { Operation, Service } from '../service.ts';

type Submission = Extract<Operation, 'run' | 'runsync'>;

const QUICK = { mock_return: 1 };
const POLICY = 'spec: policy object';

/** Submits, remembers the job for afterwards, and gives the answer. */
async function send(
  service: Service,
  operation: Submission,
  body: unknown,
  headers: Record<string, string> = {},
): ReturnType<Service['call']> {
  const answer = await service.call(operation, { body, headers });
  if (answer.status === 200) {
    const { id, status } = fieldsOf(answer, operation);
    if (typeof id === 'string' && (status === 'IN_QUEUE' || status === 'IN_PROGRESS')) service.unfinished.add(id);
  }
  return answer;
}

interface Case {
  id: string;
  says: string;
  source: string;
  body: unknown;
  isAccepted: boolean;
  headers?: Record<string, string>;
}

function refused(id: string, says: string, source: string, body: unknown, headers?: Record<string, string>): Case {
  return { id, says, source, body, isAccepted: false, ...(headers === undefined ? {} : { headers }) };
}

function accepted(
  id: string,
  says: string,
  source: string,
  more: Record<string, unknown>,
  headers?: Record<string, string>,
): Case {
  return {
    id,
    says,
    source,
    body: { input: QUICK, ...more },
    isAccepted: true,
    ...(headers === undefined ? {} : { headers }),
  };
}

const withPolicy = (policy: unknown): Record<string, unknown> => ({ input: QUICK, policy });
const BODY = 'spec: Job submission body';
const S3 = 'spec: s3Config object';

const cases: readonly Case[] = [
  refused('input.missing', 'The body must have input.', 'spec: Queue operations, rule 1', { policy: {} }),
  refused('input.null', 'input is an object, not null.', 'spec: Queue operations, rule 1', { input: null }),
  refused('input.array', 'input is an object, not an array.', 'spec: Queue operations, rule 1', { input: [1] }),
  refused('input.text', 'input is an object, not a text.', 'spec: Queue operations, rule 1', { input: 'a prompt' }),
  refused('input.number', 'input is an object, not a number.', 'spec: Queue operations, rule 1', { input: 7 }),
  refused('input.boolean', 'input is an object, not a boolean.', 'spec: Queue operations, rule 1', { input: true }),
  { ...accepted('input.empty', 'An empty input is an object and allowed.', 'ruling 17', {}), body: { input: {} } },

  refused('body.none', 'A submission without a body is malformed.', 'spec: Errors', ''),
  refused('body.broken', 'A body that is not JSON is malformed.', 'spec: Errors', '{"input": {'),
  refused('body.array', 'A body that is an array is malformed.', 'spec: Errors', [{ input: QUICK }]),
  refused('body.text', 'A body that is a text is malformed.', 'spec: Errors', '"input"'),
  refused(
    'body.plain-type',
    'Bodies carry content-type application/json; text/plain is refused.',
    'spec: Endpoints',
    { input: QUICK },
    { 'content-type': 'text/plain' },
  ),
  refused(
    'body.form-type',
    'Bodies carry content-type application/json; a form is refused.',
    'spec: Endpoints',
    'input=1',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ),
  accepted(
    'body.charset',
    'application/json with a charset is application/json.',
    'spec: Endpoints',
    {},
    { 'content-type': 'application/json; charset=utf-8' },
  ),
  accepted(
    'body.unknown-field',
    'Fields that nobody listed do not make a submission wrong.',
    'field notes: Status and result',
    { webhookV2: 'https://example.test/v2', extra: [1] },
  ),

  accepted('webhook.url', 'webhook may be a URL.', BODY, { webhook: 'http://127.0.0.1:9/hook' }),
  refused('webhook.not-url', 'webhook must be a URL.', BODY, { input: QUICK, webhook: 'call me back' }),
  refused('webhook.number', 'webhook must be a text.', BODY, { input: QUICK, webhook: 5 }),

  accepted('policy.empty', 'All fields of policy are optional.', POLICY, { policy: {} }),
  refused('policy.text', 'policy is an object, not a text.', BODY, withPolicy('fast')),
  refused('policy.array', 'policy is an object, not an array.', BODY, withPolicy([])),
  accepted('execution-timeout.min', 'executionTimeout may be 5 seconds.', POLICY, {
    policy: { executionTimeout: 5_000 },
  }),
  refused(
    'execution-timeout.below',
    'executionTimeout may not be below 5 seconds.',
    POLICY,
    withPolicy({ executionTimeout: 4_999 }),
  ),
  accepted('execution-timeout.max', 'executionTimeout may be 7 days.', POLICY, {
    policy: { executionTimeout: 604_800_000 },
  }),
  refused(
    'execution-timeout.above',
    'executionTimeout may not be above 7 days.',
    POLICY,
    withPolicy({ executionTimeout: 604_800_001 }),
  ),
  refused(
    'execution-timeout.fraction',
    'executionTimeout is an integer.',
    POLICY,
    withPolicy({ executionTimeout: 6_000.5 }),
  ),
  refused(
    'execution-timeout.text',
    'executionTimeout is a number, not a text.',
    POLICY,
    withPolicy({ executionTimeout: '60000' }),
  ),
  refused(
    'execution-timeout.negative',
    'executionTimeout may not be negative.',
    POLICY,
    withPolicy({ executionTimeout: -60_000 }),
  ),
  accepted('ttl.min', 'ttl may be 10 seconds.', POLICY, { policy: { ttl: 10_000 } }),
  refused('ttl.below', 'ttl may not be below 10 seconds.', POLICY, withPolicy({ ttl: 9_999 })),
  accepted('ttl.max', 'ttl may be 7 days.', POLICY, { policy: { ttl: 604_800_000 } }),
  refused('ttl.above', 'ttl may not be above 7 days.', POLICY, withPolicy({ ttl: 604_800_001 })),
  refused('ttl.fraction', 'ttl is an integer.', POLICY, withPolicy({ ttl: 20_000.5 })),
  refused('ttl.text', 'ttl is a number, not a text.', POLICY, withPolicy({ ttl: '60000' })),
  accepted('policy.timeout-over-ttl', 'executionTimeout may be longer than ttl.', 'ruling 18', {
    policy: { executionTimeout: 600_000, ttl: 20_000 },
  }),
  accepted('low-priority.true', 'lowPriority may be true.', POLICY, { policy: { lowPriority: true } }),
  accepted('low-priority.false', 'lowPriority may be false.', POLICY, { policy: { lowPriority: false } }),
  refused('low-priority.text', 'lowPriority is a boolean, not a text.', POLICY, withPolicy({ lowPriority: 'true' })),
  refused('low-priority.number', 'lowPriority is a boolean, not a number.', POLICY, withPolicy({ lowPriority: 1 })),

  accepted('s3.full', 's3Config holds accessId, accessSecret, bucketName and endpointUrl.', S3, {
    s3Config: {
      accessId: 'id',
      accessSecret: 'secret',
      bucketName: 'bucket',
      endpointUrl: 'https://storage.example.test',
    },
  }),
  accepted('s3.partial', 'No field of s3Config is known to be required.', S3, { s3Config: { bucketName: 'bucket' } }),
  refused('s3.text', 's3Config is an object.', BODY, { input: QUICK, s3Config: 'bucket' }),
  refused('s3.access-id', 'accessId is a text.', S3, { input: QUICK, s3Config: { accessId: 1 } }),
  refused('s3.access-secret', 'accessSecret is a text.', S3, { input: QUICK, s3Config: { accessSecret: 1 } }),
  refused('s3.bucket-name', 'bucketName is a text.', S3, { input: QUICK, s3Config: { bucketName: [] } }),
  refused('s3.endpoint-url', 'endpointUrl is a URL.', S3, { input: QUICK, s3Config: { endpointUrl: 'over there' } }),
];

const perOperation: Rule[] = (['run', 'runsync'] as const).flatMap((operation) =>
  cases.map(({ id, says, source, body, isAccepted, headers }) =>
    rule({ id: `${operation}.${id}`, says, source }, async (service) => {
      const answer = await send(service, operation, body, headers);
      if (isAccepted) mustBeAccepted(answer, operation);
      else mustBeRefused(answer, 400, operation);
    }),
  ),
);

const replies: Rule[] = [
  rule(
    { id: 'run.reply.status', says: 'run is answered with status IN_QUEUE.', source: 'spec: Queue operations' },
    async (service) => {
      const fields = fieldsOf(await send(service, 'run', { input: QUICK }), 'run');
      mustEqual(fields['status'], 'IN_QUEUE', 'status in the reply of run');
    },
  ),
  rule(
    {
      id: 'run.reply.id',
      says: 'run is answered with the identifier of the job, a new one each time.',
      source: 'spec: Job record',
    },
    async (service) => {
      const ids = [];
      for (let count = 0; count < 3; count += 1)
        ids.push(fieldsOf(await send(service, 'run', { input: QUICK }), 'run')['id']);
      must(
        ids.every((id) => typeof id === 'string' && id !== ''),
        `ids in the replies of run: ${ids.map(String).join(', ')}`,
      );
      must(new Set(ids).size === ids.length, `run gave the same id twice: ${ids.map(String).join(', ')}`);
    },
  ),
  rule(
    { id: 'run.reply.fields', says: 'The reply of run contains only id and status.', source: 'spec: Job record' },
    async (service) => {
      mustHoldOnly(fieldsOf(await send(service, 'run', { input: QUICK }), 'run'), ['id', 'status'], 'the reply of run');
    },
  ),
  rule(
    {
      id: 'run.input-intact',
      says: 'The handler is given the input as it was sent.',
      source: 'spec: What the service does',
      mock: true,
    },
    async (service) => {
      const value = { text: 'Grüße, 世界 👩‍🚀 \u2028 "quoted" \\', deep: [[{ a: null, b: 1e-7, c: -0.5 }]], empty: {} };
      mustEqual(
        (await finish(service, { input: { mock_return: value } }))['output'],
        value,
        'the output of a handler that returns part of its input',
      );
    },
  ),
  rule(
    {
      id: 'run.duplicate-jobs',
      says: 'Two submissions of the same body are two jobs.',
      source: 'spec: States and transitions',
      mock: true,
    },
    async (service) => {
      const first = await finish(service, { input: QUICK });
      const second = await finish(service, { input: QUICK });
      must(first['id'] !== second['id'], 'two submissions are one job');
    },
  ),
  rule(
    {
      id: 'runsync.input-intact',
      says: 'runsync gives the handler the input as it was sent.',
      source: 'spec: What the service does',
      mock: true,
    },
    async (service) => {
      const value = { list: [1, 'zwei', null, true] };
      const record = await runsync(service, { input: { mock_return: value } });
      must(record['status'] === 'COMPLETED', `runsync ended ${String(record['status'])}`);
      mustEqual(record['output'], value, 'the output');
    },
  ),
  rule({ id: 'run.s3.handed-over', says: 'The service passes s3Config to the worker.', source: S3 }, async () => {
    cannotTell('no handler is known to show it');
  }),
  rule(
    {
      id: 'run.refusal-makes-no-job',
      says: 'A refused submission leaves no job behind.',
      source: 'spec: States and transitions',
    },
    async (service) => {
      const before = fieldsOf(await service.call('health'), 'health');
      const answer = await service.call('run', { body: { input: 'no object' } });
      must(answer.status === 400, `run with a text as input was answered ${shown(answer)}`);
      mustEqual(
        fieldsOf(await service.call('health'), 'health')['jobs'],
        before['jobs'],
        'the job counts after a refusal',
      );
    },
  ),
];

/** What a submission may hold and how it is answered. */
export const submissionRules: readonly Rule[] = [...perOperation, ...replies];
