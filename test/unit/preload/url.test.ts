import { describe, expect, test, it } from 'vitest';
import { isReadableOnItsWay } from '../../../src-main/service/address.ts';
import { createNetwork } from '../../../src-main/service/proxy-and-certificates.ts';
import { isThisMachine, isUrlOfThisMachine, isHttpUrl } from '../../../src-preload/url.ts';

const here = [
  'http://localhost',
  'http://LOCALHOST:8080/v2',
  'http://127.0.0.1:1/',
  'http://127.8.9.1',
  'http://[::1]:80',
];
const elsewhere = [
  'http://gpu.localhost:8000',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost@example.com',
  'http://example.com/localhost',
  'http://[::2]/',
  'http://10.0.0.1',
];

/** Whether the system is asked for a proxy to an address. */
async function isProxyAsked(url: string): Promise<boolean> {
  const asked: string[] = [];
  const network = createNetwork({
    resolveProxy: async (origin) => {
      asked.push(origin);
      return 'DIRECT';
    },
    choice: () => ({ kind: 'system' }),
  });
  await network.routesTo(new URL(url));
  return asked.length > 0;
}

describe('this machine', () => {
  test.each(here)('is meant by %s: other people cannot read what is sent there', (url) => {
    expect([isUrlOfThisMachine(url), isThisMachine(new URL(url).hostname), isReadableOnItsWay(url)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([...here, ...elsewhere])(
    'has no proxy, and what a proxy would read is asked about first: %s',
    async (url) => {
      expect(await isProxyAsked(url)).toBe(isReadableOnItsWay(url));
    },
  );

  test.each(elsewhere)('is not meant by %s, which others may read', (url) => {
    expect([isUrlOfThisMachine(url), isThisMachine(new URL(url).hostname), isReadableOnItsWay(url)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

it.each(['https://host.example', 'http://127.0.0.1:8080/a?b=c', ' HTTPS://host.example/x ', 'http://[::1]/'])(
  'accepts %s as an http address',
  (text) => expect(isHttpUrl(text)).toBe(true),
);

it.each([
  '',
  'host.example',
  'http:host.example',
  'https:/host.example',
  'https://',
  'http://a b',
  'ftp://host.example',
])('rejects %s as an http address', (text) => expect(isHttpUrl(text)).toBe(false));
