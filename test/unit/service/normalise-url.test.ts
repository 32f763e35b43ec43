import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseUrl } from '../../../src-main/service/address.ts';

describe('base and REST URLs (ruling 28)', () => {
  it.each([
    ['https://api.example.test', 'https://api.example.test', []],
    ['https://api.example.test/', 'https://api.example.test', ['Removed the slash at the end.']],
    ['https://api.example.test///', 'https://api.example.test', ['Removed the slash at the end.']],
    ['https://api.example.test/v2', 'https://api.example.test', ['/v2 at the end was removed; Jobdeck adds it.']],
    ['https://api.example.test/v2/', 'https://api.example.test', ['/v2 at the end was removed; Jobdeck adds it.']],
    ['https://api.example.test/v2/v2', 'https://api.example.test', ['/v2 at the end was removed; Jobdeck adds it.']],
    [
      'https://gw.example.test/queue/v2',
      'https://gw.example.test/queue',
      ['/v2 at the end was removed; Jobdeck adds it.'],
    ],
    ['https://api.example.test/v1', 'https://api.example.test/v1', []],
    ['https://api.example.test/myv2', 'https://api.example.test/myv2', []],
    [
      'https://api.example.test/v2/abc123/run',
      'https://api.example.test',
      ['The operation at the end (/v2/abc123/run) was removed; ids are entered separately.'],
    ],
    [
      'https://api.example.test/x/v2/abc/status/j-1',
      'https://api.example.test/x',
      ['The operation at the end (/v2/abc/status/j-1) was removed; ids are entered separately.'],
    ],
    ['api.example.test', 'https://api.example.test', ['https:// was put before it.']],
    [
      'api.example.test:8443/v2',
      'https://api.example.test:8443',
      ['https:// was put before it.', '/v2 at the end was removed; Jobdeck adds it.'],
    ],
    ['localhost:8000', 'http://localhost:8000', ['http:// was put before it.']],
    ['127.0.0.1:8000/', 'http://127.0.0.1:8000', ['http:// was put before it.', 'Removed the slash at the end.']],
    ['[::1]:8000', 'http://[::1]:8000', ['http:// was put before it.']],
    ['localhost.example.test', 'https://localhost.example.test', ['https:// was put before it.']],
    ['//api.example.test', 'https://api.example.test', ['https:// was put before it.']],
    ['https:/api.example.test', 'https://api.example.test', ['It was completed to https://.']],
    ['  http://10.0.0.5:9000 ', 'http://10.0.0.5:9000', ['Removed the spaces around it.']],
    ['HTTPS://API.Example.test', 'https://api.example.test', ['It is written as https://api.example.test.']],
    ['https://api.example.test:443', 'https://api.example.test', ['It is written as https://api.example.test.']],
  ])('%j becomes %s', (typed, url, notes) => {
    expect(normaliseUrl(typed, 'base')).toEqual({ ok: true, value: { url, notes } });
  });

  it('removes /v1 from a REST URL, and only there', () => {
    expect(normaliseUrl('https://rest.example.test/v1/', 'rest')).toEqual({
      ok: true,
      value: { url: 'https://rest.example.test', notes: ['/v1 at the end was removed; Jobdeck adds it.'] },
    });
    expect(normaliseUrl('https://rest.example.test/v2', 'rest')).toMatchObject({
      ok: true,
      value: { url: 'https://rest.example.test/v2' },
    });
    expect(normaliseUrl('https://rest.example.test/v1/pods/abc', 'rest')).toMatchObject({
      ok: true,
      value: { url: 'https://rest.example.test' },
    });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['ftp://host', 'must start with http:// or https://'],
    ['file:///etc', 'must start with'],
    ['https://', 'not an address'],
    ['https://exa mple', 'not an address'],
    ['https://user:secret-pw@host', 'user or password'],
    ['user@host', 'user or password'],
    ['https://host/?a=1', 'query'],
    ['https://host/?', 'query'],
    ['https://host/#x', 'fragment'],
    ['host:99999', 'not an address'],
  ])('refuses %j', (typed, why) => {
    const refused = normaliseUrl(typed, 'base');
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'refused', field: 'baseUrl' } });
    expect(!refused.ok && refused.failure.message).toContain(why);
    expect(JSON.stringify(refused)).not.toContain('secret-pw');
  });

  it('leaves its own results unchanged, and never throws', () => {
    const typed = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc
        .tuple(
          fc.constantFrom('', 'http://', 'https://', '//', 'https:', ' '),
          fc.domain(),
          fc.constantFrom('', ':80', '/', '/v2', '/v2/', '//v2//', '/v1/v1', '/v2/a/run', '/a/v2'),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(typed, fc.constantFrom<'base' | 'rest'>('base', 'rest'), (text, kind) => {
        const first = normaliseUrl(text, kind);
        if (!first.ok) return;
        expect(normaliseUrl(first.value.url, kind)).toEqual({ ok: true, value: { url: first.value.url, notes: [] } });
        expect(first.value.url).not.toMatch(/\/$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

// Patterns that begin again at each slash would take minutes for these.
it.each(['/', '/v2', '//v2'])('reads a pasted address with 400,000 of %j', (part) => {
  const many = part.repeat(400_000);
  expect(normaliseUrl(`https://a.test${many}x`, 'base')).toMatchObject({ ok: true });
  expect(normaliseUrl(`https://a.test${many}`, 'base')).toMatchObject({ value: { url: 'https://a.test' } });
  expect(normaliseUrl(`${many}a.test`, 'base').ok).toBe(true);
});
