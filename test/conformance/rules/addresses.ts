import { isRecord, mustBeRefused, mustBeSentence, shown } from '../answers.ts';
import { must, rule, type Rule } from '../rule.ts';
import { OPERATIONS, type Operation } from '../service.ts';

function isOperation(name: string): name is Operation {
  return name in OPERATIONS;
}

const operations = Object.keys(OPERATIONS).filter(isOperation);

const unknownEndpoint: Rule[] = operations.map((operation) =>
  rule(
    {
      id: `address.unknown-endpoint.${operation}`,
      says: `${operation} of an unknown endpoint is answered 404.`,
      source: 'spec: Errors',
    },
    async (service) => {
      const { method, isOfJob } = OPERATIONS[operation];
      const answer = await service.call(operation, {
        endpoint: 'no-such-endpoint',
        ...(isOfJob ? { job: 'no-such-job' } : {}),
        ...(method === 'POST' ? { body: { input: {} } } : {}),
      });
      mustBeRefused(answer, 404, `${operation} of an unknown endpoint`);
    },
  ),
);

const unknownJob: Rule[] = operations
  .filter((operation) => OPERATIONS[operation].isOfJob)
  .map((operation) =>
    rule(
      {
        id: `address.unknown-job.${operation}`,
        says: `${operation} of an unknown job is answered 404.`,
        source: 'ruling 11',
      },
      async (service) => {
        mustBeRefused(await service.call(operation, { job: 'no-such-job' }), 404, `${operation} of an unknown job`);
      },
    ),
  );

const otherMethod: Rule[] = operations.map((operation) => {
  const { method, isOfJob } = OPERATIONS[operation];
  const other = method === 'GET' ? 'POST' : 'GET';
  return rule(
    {
      id: `address.method.${operation}`,
      says: `${operation} is a ${method}; a ${other} is refused.`,
      source: 'spec: Queue operations',
    },
    async (service) => {
      const answer = await service.call(operation, {
        method: other,
        ...(isOfJob ? { job: 'no-such-job' } : {}),
        ...(other === 'POST' ? { body: { input: {} } } : {}),
      });
      must(answer.status >= 400 && answer.status < 500, `${other} ${operation} was answered ${shown(answer)}`);
      must(
        isRecord(answer.json) && typeof answer.json['error'] === 'string',
        `${other} ${operation} was refused without {"error": ...}: ${shown(answer)}`,
      );
    },
  );
});

function elsewhere(id: string, says: string, path: (endpoint: string) => string): Rule {
  return rule({ id, says, source: 'spec: Versioning' }, async (service) => {
    const { baseUrl, endpoint, bearer, http } = service;
    const answer = await http.send({
      method: 'GET',
      url: `${baseUrl}${path(endpoint)}`,
      headers: { authorization: bearer },
    });
    must(answer.status === 404, `GET ${path('<endpoint>')} was answered ${shown(answer)} instead of 404`);
  });
}

/** Where things are, and what is not there. */
export const addressRules: readonly Rule[] = [
  ...unknownEndpoint,
  ...unknownJob,
  ...otherMethod,
  rule(
    {
      id: 'address.other-endpoint',
      says: 'A job belongs to its endpoint: another one does not know it.',
      source: 'spec: Endpoints',
      otherEndpoint: true,
    },
    async (service) => {
      const run = await service.call('run', { body: { input: { mock_return: 1 } } });
      const job = isRecord(run.json) ? String(run.json['id']) : '';
      service.unfinished.add(job);
      mustBeRefused(
        await service.call('status', { job, endpoint: service.otherEndpoint ?? '' }),
        404,
        'status of the job of another endpoint',
      );
    },
  ),
  elsewhere(
    'address.v2',
    'The queue interface is addressed under /v2, not without it.',
    (endpoint) => `/${endpoint}/health`,
  ),
  elsewhere(
    'address.v2-not-v1',
    'The queue interface is not addressed under /v1.',
    (endpoint) => `/v1/${endpoint}/health`,
  ),
  rule(
    {
      id: 'address.v1',
      says: 'The management interface is addressed under /v1, not under /v2.',
      source: 'spec: Versioning',
      pod: true,
    },
    async (service) => {
      const { restUrl, bearer, http, pods } = service;
      const answer = await http.send({
        method: 'GET',
        url: `${restUrl}/v2/pods/${pods[0] ?? ''}`,
        headers: { authorization: bearer },
      });
      must(answer.status === 404, `GET /v2/pods/<pod> was answered ${shown(answer)} instead of 404`);
    },
  ),
  rule(
    {
      id: 'address.unknown-operation',
      says: 'An operation that does not exist is refused with 400 or 404.',
      source: 'spec: Errors',
    },
    async (service) => {
      const answer = await service.http.send({
        method: 'GET',
        url: service.address('no-such-operation'),
        headers: { authorization: service.bearer },
      });
      must([400, 404].includes(answer.status), `an unknown operation was answered ${shown(answer)}`);
      mustBeSentence(answer, 'an unknown operation');
    },
  ),
  rule(
    {
      id: 'address.status-sync',
      says: 'status-sync is not an operation of the service.',
      source: 'ruling 32',
      observed: 'status-sync answers the record of a job.',
    },
    async (service) => {
      const run = await service.call('run', { body: { input: { mock_return: 1 } } });
      const job = isRecord(run.json) ? String(run.json['id']) : '';
      service.unfinished.add(job);
      const answer = await service.http.send({
        method: 'GET',
        url: service.address('status-sync', { job, query: '?wait=1000' }),
        headers: { authorization: service.bearer },
      });
      const expected = service.dialect === 'spec' ? [400, 404] : [200];
      must(
        expected.includes(answer.status),
        `status-sync was answered ${shown(answer)} instead of ${expected.join(' or ')}`,
      );
    },
  ),
  rule(
    { id: 'address.json', says: 'Replies are JSON and say so in content-type.', source: 'spec: Endpoints' },
    async (service) => {
      for (const answer of [await service.call('health'), await service.call('status', { job: 'no-such-job' })]) {
        const type = answer.headers['content-type'] ?? 'none';
        must(/^application\/json\b/.test(type), `the content-type of a reply is ${type}`);
        must(answer.json !== undefined, `a reply is not JSON: ${shown(answer)}`);
      }
    },
  ),
];
