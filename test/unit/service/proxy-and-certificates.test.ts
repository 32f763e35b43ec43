import { Agent } from 'node:https';
import { describe, expect, it } from 'vitest';
import {
  createNetwork,
  proxiesIn,
  type Network,
  type Route,
} from '../../../src-main/service/proxy-and-certificates.ts';
import { proxyChoice } from '../../../src-preload/settings-schema.ts';

async function firstRoute(network: Network, url: URL): Promise<Route> {
  const [route] = await network.routesTo(url);
  if (route === undefined) throw new Error('There is no route.');
  return route;
}

describe('an https connection', () => {
  const agent = async (choice: Parameters<typeof createNetwork>[0]['choice']): Promise<Agent> => {
    const network = createNetwork({ resolveProxy: () => Promise.resolve('DIRECT'), choice });
    const { agent: made } = await firstRoute(network, new URL('https://service.example'));
    if (!(made instanceof Agent)) throw new Error('No agent for https.');
    return made;
  };

  it('is found again by a short name that does not include the authorities', async () => {
    for (const choice of [{ kind: 'none' }, { kind: 'manual', url: 'http://proxy:1' }] as const) {
      const made = await agent(() => choice);
      expect(made.getName({ ...made.options, host: 'service.example', port: 443 }).length).toBeLessThan(200);
    }
  });

  it('shares the parsed authorities with all others of the process', async () => {
    const [one, other] = [
      await agent(() => ({ kind: 'none' })),
      await agent(() => ({ kind: 'manual', url: 'http://p:1' })),
    ];
    expect(one.options.secureContext).toBeDefined();
    expect(one.options.secureContext).toBe(other.options.secureContext);
  });
});

describe('the system’s answer about a proxy', () => {
  it.each([
    ['DIRECT', [null]],
    ['', [null]],
    ['PROXY proxy.corp:8080; DIRECT', ['http://proxy.corp:8080', null]],
    ['HTTPS secure.corp:443', ['https://secure.corp:443']],
    ['SOCKS5 socks.corp:1080; PROXY proxy.corp:8080', ['http://proxy.corp:8080']],
    ['SOCKS socks.corp:1080; DIRECT', [null]],
    ['PROXY a:1;PROXY b:2; PROXY a:1 ; SOCKS c:3;DIRECT', ['http://a:1', 'http://b:2', null]],
  ])('%s', (answer, proxies) => expect(proxiesIn(answer)).toEqual(proxies));

  it('that names only unusable proxies sends nothing', () => {
    expect(() => proxiesIn('SOCKS5 socks.corp:1080')).toThrow(/cannot use/);
  });
});

describe('the route', () => {
  const asked: string[] = [];
  const of = (choice: Parameters<typeof createNetwork>[0]['choice']) =>
    createNetwork({
      resolveProxy: (url) => {
        asked.push(url);
        return Promise.resolve('PROXY system.corp:8080');
      },
      choice,
    });

  it('is the system’s, looked up by origin only, or the user’s, and never uses a proxy to this computer', async () => {
    const url = new URL('https://service.example/v2/ep/status/secret-id?x=1');
    const proxies = async (choice: Parameters<typeof of>[0], to: URL) =>
      (await of(choice).routesTo(to)).map(({ proxy }) => proxy);
    expect(await proxies(() => ({ kind: 'system' }), url)).toEqual(['http://system.corp:8080']);
    expect(asked).toEqual(['https://service.example']);
    expect(await proxies(() => ({ kind: 'none' }), url)).toEqual([null]);
    expect(await proxies(() => ({ kind: 'manual', url: 'http://mine:1' }), url)).toEqual(['http://mine:1']);
    for (const local of ['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])
      expect(await proxies(() => ({ kind: 'system' }), new URL(local))).toEqual([null]);
  });

  it('is determined again when the choice changes, and reused otherwise', async () => {
    let choice: Parameters<typeof createNetwork>[0]['choice'] = () => ({ kind: 'none' });
    const network = of(() => choice());
    const url = new URL('http://service.example');
    const { agent: first } = await firstRoute(network, url);
    expect((await firstRoute(network, url)).agent).toBe(first);
    choice = () => ({ kind: 'manual', url: 'http://mine:1' });
    expect((await firstRoute(network, url)).agent).not.toBe(first);
  });
});

it('a proxy’s address contains no secret', () => {
  const holds = (url: string): boolean => proxyChoice.safeParse({ kind: 'manual', url }).success;
  expect(['http://proxy:8080', 'https://proxy.corp/', 'http://[::1]:3128'].map(holds)).toEqual([true, true, true]);
  expect(['http://a:b@proxy:1', 'socks5://proxy:1', 'proxy:1', 'http://proxy/path', ''].map(holds)).toEqual(
    Array.from({ length: 5 }, () => false),
  );
});
