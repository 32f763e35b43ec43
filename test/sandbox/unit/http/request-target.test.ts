import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorityOf, managementOperationOf, readTarget } from '../../../../src-main/sandbox/http/request-target.ts';

describe('readTarget', () => {
  it.each([
    ['/v2/e/run', 'e', 'run', null],
    ['/v2/e/status/abc?ttl=10000', 'e', 'status', 'abc'],
    ['/v2/my%20end/health/', 'my end', 'health', null],
    ['/v2/e%2Ff/he%61lth', 'e/f', 'health', null],
    ['/v2/e/status/%zz', 'e', 'status', '%zz'],
    ['/v2/e/health#part?wait=1', 'e', 'health', null],
    ['/v2/e/openai/v1/chat/completions', 'e', 'openai', 'v1'],
    ['http://127.0.0.1/v2/e/purge-queue', 'e', 'purge-queue', null],
    ['HTTP://127.0.0.1:80/v2/e/run', 'e', 'run', null],
  ])('reads %s', (target, endpointId, operation, jobId) => {
    expect(readTarget(target)).toMatchObject({ area: 'queue', endpointId, operation, jobId });
  });

  it('keeps the query', () => {
    const target = readTarget('/v2/e/runsync?wait=5000&x=a?b');
    expect(target.area === 'queue' && [target.query.get('wait'), target.query.get('x')]).toEqual(['5000', 'a?b']);
  });

  it('gives the other areas their segments', () => {
    expect(readTarget('/v1/pods/a%20b?includeMachine=true')).toMatchObject({
      area: 'management',
      path: ['pods', 'a b'],
    });
    expect(readTarget('/_sandbox/endpoints/echo/workers/')).toMatchObject({
      area: 'control',
      path: ['endpoints', 'echo', 'workers'],
    });
    expect(readTarget('/v1')).toMatchObject({ area: 'management', path: [] });
  });

  it.each([
    '/',
    '',
    '*',
    '/v2',
    '/v2/',
    '/v2/e',
    '/v2/e/',
    '/v2//run',
    '//v2/e/run',
    '/v2/e//x',
    '/v3/e/run',
    '/v2/e/status/a/b',
    'v2/e/run',
    'ftp://127.0.0.1/v2/e/run',
  ])('finds nothing at "%s"', (target) => {
    expect(readTarget(target).area).toBe('elsewhere');
  });

  it('never throws', () => {
    const targets = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((text) => `/v2/${text}`),
    );
    fc.assert(
      fc.property(targets, (target) => {
        expect(['queue', 'management', 'control', 'elsewhere']).toContain(readTarget(target).area);
      }),
    );
  });
});

describe('authorityOf', () => {
  it.each([
    ['/v2/e/run', null],
    ['*', null],
    ['/http://evil.example/', null],
    ['http://evil.example/v2/e/run', 'evil.example'],
    ['HTTPS://evil.example:8080?x', 'evil.example:8080'],
    ['http://user@127.0.0.1/', 'user@127.0.0.1'],
  ])('%s: %s', (target, authority) => {
    expect(authorityOf(target)).toBe(authority);
  });
});

describe('managementOperationOf', () => {
  it.each([
    ['GET', ['pods', 'a'], 'get-pod'],
    ['POST', ['templates', 'a', 'update'], 'update-template'],
    ['POST', ['pods', 'a'], null],
    ['GET', ['templates', 'a', 'update'], null],
    ['POST', ['templates', 'a', 'update', 'x'], null],
    ['GET', [], null],
  ] as const)('%s %j: %s', (method, path, operation) => {
    expect(managementOperationOf(method, path)).toBe(operation);
  });
});
