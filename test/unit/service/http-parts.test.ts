import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../src-main/service/address.ts';
import { ConnectTimeout, NotConnected, whyUnreached } from '../../../src-main/service/http-call.ts';
import { kindOfStatus } from '../../../src-main/service/http-status.ts';
import { maxRetryAfterMs, retryAfterOf } from '../../../src-main/service/reply-failure.ts';

describe('failure kinds (ruling 7)', () => {
  it.each([
    [400, 'invalid'],
    [422, 'invalid'],
    [405, 'invalid'],
    [409, 'invalid'],
    [302, 'invalid'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not-found'],
    [410, 'not-found'],
    [408, 'timeout'],
    [413, 'too-large'],
    [429, 'rate-limited'],
    [500, 'server'],
    [502, 'server'],
    [503, 'server'],
    [599, 'server'],
  ])('%d is %s', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});

describe('Retry-After (ruling 10)', () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  it.each([
    [{ 'retry-after': '7' }, 503, 7_000],
    [{ 'retry-after': '0' }, 429, 0],
    [{ 'retry-after': '1.5' }, 429, 1_500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 429, 30_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 429, 0],
    [{ 'retry-after': 'soon' }, 429, undefined],
    [{ 'retry-after': '-5' }, 429, undefined],
    [{}, 429, undefined],
    [{ ratelimit: '"minute";r=12;t=44' }, 429, 44_000],
    [{ ratelimit: '"minute";r=12;t=44' }, 503, undefined],
    [{ ratelimit: '"minute";r=12;t=44', 'retry-after': '3' }, 429, 3_000],
    [{ 'retry-after': '3600' }, 429, 3_600_000],
    [{ 'retry-after': '86400' }, 429, 86_400_000],
    [{ 'retry-after': '86401' }, 429, maxRetryAfterMs],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:30 GMT', date: 'Thu, 01 Jan 2026 11:00:00 GMT' }, 503, 30_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 13:00:00 GMT', date: 'Thu, 01 Jan 2026 13:00:00 GMT' }, 429, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT', date: 'today' }, 429, 30_000],
    [{ 'retry-after': '9'.repeat(400) }, 503, maxRetryAfterMs],
    [{ 'retry-after': 'Thu, 01 Jan 2126 12:00:30 GMT' }, 503, maxRetryAfterMs],
    [{ ratelimit: '"week";r=0;t=86401' }, 429, maxRetryAfterMs],
  ])('%j on %d', (headers, status, expected) => {
    expect(retryAfterOf(new Headers(headers), status, now)).toBe(expected);
  });
});

describe('certainty that nothing arrived (ruling 9)', () => {
  const withCode = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code }, more);

  it.each([
    'ENOTFOUND',
    'EAI_AGAIN',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s', (code) => {
    expect(whyUnreached(withCode(code))).toMatch(/\w+/);
  });

  it.each(['ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT', 'EPROTO', ''])('not %s', (code) => {
    expect(whyUnreached(withCode(code))).toBeNull();
  });

  it.each(['ETIMEDOUT', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'])(
    '%s while connecting, but not while reading or writing',
    (code) => {
      expect(whyUnreached(withCode(code, { syscall: 'connect' }))).toMatch(/\w+/);
      for (const syscall of ['read', 'write', undefined]) expect(whyUnreached(withCode(code, { syscall }))).toBeNull();
    },
  );

  it('counts every error before there was a connection as certain', () => {
    for (const code of ['ECONNRESET', 'EPROTO', 'EPIPE', ''])
      expect(whyUnreached(new NotConnected(withCode(code)))).toMatch(/^no connection could be made/);
    expect(whyUnreached(new NotConnected(new ConnectTimeout()))).toBe('the host did not accept the connection in time');
  });

  it('counts several addresses as unreached only if each was', () => {
    const refused = withCode('ECONNREFUSED', { syscall: 'connect' });
    expect(
      whyUnreached(new AggregateError([refused, withCode('ENETUNREACH', { syscall: 'connect' })], '')),
    ).not.toBeNull();
    expect(whyUnreached(new AggregateError([refused, withCode('ECONNRESET')], ''))).toBeNull();
  });

  it('counts nothing else as certain', () => {
    for (const error of [new Error('odd'), 'text', null, undefined, new DOMException('aborted', 'AbortError')])
      expect(whyUnreached(error)).toBeNull();
  });
});

describe('addresses', () => {
  it('keeps an id in one segment whatever it contains', () => {
    expect(addressOf('http://h/base', ['v2', 'a/b?c#d e', 'run'], { wait: 5 })).toMatchObject({
      ok: true,
      value: { href: 'http://h/base/v2/a%2Fb%3Fc%23d%20e/run?wait=5' },
    });
    expect(addressOf('http://h', ['v2', 'ünï', 'status', '%2e%2e'])).toMatchObject({
      ok: true,
      value: { pathname: '/v2/%C3%BCn%C3%AF/status/%252e%252e' },
    });
  });

  it.each(['', '  ', '.', '..', 'x'.repeat(501), '\ud800'])('refuses the id %j', (id) => {
    expect(addressOf('http://h', ['v2', id, 'run']).ok).toBe(false);
  });
});
