import { describe, expect, it } from 'vitest';
import { createAuthorization, isOwnHost } from '../../../../src-main/sandbox/http/request-target.ts';
import { createEchoText } from '../../../../src-main/sandbox/http/reply.ts';

describe('authorization', () => {
  const isAuthorized = createAuthorization('the-key');

  it.each([
    ['the-key', true, false],
    ['Bearer the-key', true, true],
    ['bearer the-key', true, true],
    ['Bearer other', false, false],
    ['other', false, false],
    ['the-key-and-more', false, false],
    ['Basic the-key', false, false],
    ['Bearer ', false, false],
    ['', false, false],
    [undefined, false, false],
  ])('%s: queue calls %s, management calls %s', (header, isQueueAllowed, isManagementAllowed) => {
    expect(isAuthorized(header, 'bare-or-bearer')).toBe(isQueueAllowed);
    expect(isAuthorized(header, 'bearer')).toBe(isManagementAllowed);
  });
});

describe('own host', () => {
  it.each(['127.0.0.1', '127.0.0.1:8080', 'localhost', 'LocalHost:1', '[::1]:80'])('is %s', (host) => {
    expect(isOwnHost(host)).toBe(true);
  });

  it.each([
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:80',
    'user@127.0.0.1',
    '127.0.0.1:',
    '127.0.0.2',
    '127.0.0.1:80:80',
    ' localhost',
  ])('is not "%s"', (host) => {
    expect(isOwnHost(host)).toBe(false);
  });
});

describe('a text repeated in a message', () => {
  const echo = createEchoText('secret-key');

  it('is shortened, on one line, and never the key', () => {
    expect(echo('echo')).toBe('echo');
    expect(echo('x'.repeat(500))).toBe(`${'x'.repeat(80)}…`);
    expect(echo('a\r\nb\u202ec\ud800')).toBe('a??b?c?');
    expect(echo('prefix-secret-key')).not.toContain('secret');
    expect(echo(`${'x'.repeat(75)}secret-key`)).not.toContain('secre');
  });

  it('is whole if it contains the letter that is the key, as in the examples of the documents', () => {
    const short = createEchoText('K');
    expect([short('MOCK'), short('K')]).toEqual(['MOCK', '(the key)']);
  });
});
