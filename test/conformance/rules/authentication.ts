import { mustBeAccepted, mustBeRefused } from '../answers.ts';
import { rule, type Rule } from '../rule.ts';
import { OPERATIONS, type CallOptions, type Operation, type Service } from '../service.ts';

const SOURCE = 'spec: Authentication';

/** A call of the operation that is only refused for its key. */
function callFor(operation: Operation): CallOptions {
  if (OPERATIONS[operation].isOfJob) return { job: 'no-such-job' };
  return operation === 'run' || operation === 'runsync' ? { body: { input: {} } } : {};
}

function isOperation(name: string): name is Operation {
  return name in OPERATIONS;
}

const perOperation: Rule[] = Object.keys(OPERATIONS)
  .filter(isOperation)
  .map((operation) =>
    rule(
      { id: `auth.missing.${operation}`, says: `${operation} without a key is refused with 401.`, source: SOURCE },
      async (service) => {
        const answer = await service.call(operation, { ...callFor(operation), authorization: null });
        mustBeRefused(answer, 401, `${operation} without a key`);
      },
    ),
  );

const refusedKeys: { name: string; says: string; header(key: string): string }[] = [
  { name: 'wrong', says: 'A wrong key is refused with 401.', header: (key) => `Bearer ${key.slice(1)}x` },
  { name: 'longer', says: 'A key with one character more is refused with 401.', header: (key) => `Bearer ${key}x` },
  {
    name: 'shorter',
    says: 'A key without its last character is refused with 401.',
    header: (key) => `Bearer ${key.slice(0, -1)}`,
  },
  { name: 'bare-wrong', says: 'A wrong key in the bare form is refused with 401.', header: (key) => `${key}x` },
  { name: 'empty', says: 'Bearer without a key is refused with 401.', header: () => 'Bearer ' },
  {
    name: 'basic',
    says: 'A key with another prefix than Bearer is refused with 401.',
    header: (key) => `Basic ${key}`,
  },
];

const wrongKeys: Rule[] = refusedKeys.map(({ name, says, header }) =>
  rule({ id: `auth.${name}`, says, source: `${SOURCE} 3` }, async (service) => {
    mustBeRefused(
      await service.call('health', { authorization: header(service.apiKey) }),
      401,
      'health with such a key',
    );
  }),
);

const forms: Rule[] = [
  rule(
    { id: 'auth.bearer', says: 'Queue operations accept the key as Bearer <key>.', source: `${SOURCE} 1` },
    async (service) => {
      mustBeAccepted(
        await service.call('health', { authorization: `Bearer ${service.apiKey}` }),
        'health with Bearer <key>',
      );
    },
  ),
  rule({ id: 'auth.bare', says: 'Queue operations accept the bare key.', source: `${SOURCE} 1` }, async (service) => {
    mustBeAccepted(await service.call('health', { authorization: service.apiKey }), 'health with the bare key');
  }),
  rule(
    { id: 'auth.bare.run', says: 'A submission is accepted with the bare key.', source: `${SOURCE} 1` },
    async (service) => {
      const answer = await service.call('run', { authorization: service.apiKey, body: { input: { mock_return: 1 } } });
      mustBeAccepted(answer, 'run with the bare key');
    },
  ),
];

function managed(name: string, says: string, header: (key: string) => string | null): Rule[] {
  const pod = rule({ id: `auth.pod.${name}`, says: `get-pod: ${says}`, source: `${SOURCE} 2` }, async (service) => {
    const answer = await service.manage('GET', `pods/${service.pods[0] ?? 'no-such-pod'}`, {
      authorization: header(service.apiKey),
    });
    mustBeRefused(answer, 401, 'get-pod with such a header');
  });
  const template = rule(
    { id: `auth.template.${name}`, says: `update-template: ${says}`, source: `${SOURCE} 2` },
    async (service) => {
      const answer = await service.manage('POST', 'templates/no-such-template/update', {
        authorization: header(service.apiKey),
        body: {},
      });
      mustBeRefused(answer, 401, 'update-template with such a header');
    },
  );
  return [pod, template];
}

const management: Rule[] = [
  ...managed('missing', 'without a key it is refused with 401.', () => null),
  ...managed('wrong', 'a wrong key is refused with 401.', (key) => `Bearer ${key}x`),
  ...managed('bare', 'the bare key is refused with 401: only Bearer counts here.', (key) => key),
  rule(
    { id: 'auth.pod.bearer', says: 'get-pod accepts Bearer <token>.', source: `${SOURCE} 2`, pod: true },
    async (service: Service) => {
      mustBeAccepted(await service.manage('GET', `pods/${service.pods[0] ?? ''}`), 'get-pod with Bearer <token>');
    },
  ),
];

/** Which keys open what. */
export const authenticationRules: readonly Rule[] = [...perOperation, ...wrongKeys, ...forms, ...management];
