import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkNetwork } from '../../../src-main/service/network-check.ts';
import { createNetwork } from '../../../src-main/service/proxy-and-certificates.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { openCompanyNetwork, type CompanyNetwork } from '../../kit/company-network.ts';

let company: CompanyNetwork;
beforeEach(async () => {
  // Nothing listens there: the service takes the request and then breaks off.
  company = await openCompanyNetwork('http://127.0.0.1:9');
});
afterEach(() => company.close());

async function submit(baseUrl: string, answer = `PROXY ${company.proxy}`, proxyLimitMs?: number): Promise<unknown> {
  const script = fileURLToPath(new URL('proxy-scene.ts', import.meta.url));
  const env = { ...process.env, NODE_NO_WARNINGS: '1', NODE_OPTIONS: '', SSL_CERT_FILE: company.ca.caPath };
  const args = [script, answer, baseUrl, ...(proxyLimitMs === undefined ? [] : [String(proxyLimitMs)])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

it('a submission that went through the tunnel and broke off may have arrived', async () => {
  expect(await submit(company.serviceUrl)).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
  expect(company.tunnels).toEqual(['service.example:443']);
});

it('a submission that the proxy did not pass on never left, and says so', async () => {
  expect(await submit('https://elsewhere.example')).toMatchObject({
    ok: false,
    failure: { mayHaveArrived: false, message: expect.stringContaining('the proxy did not let') as string },
  });
});

it('a service that answers 407 itself has the submission: it may have arrived', async () => {
  const service = createServer((_request, response) => void response.writeHead(407).end()).listen(0, '127.0.0.1');
  await once(service, 'listening');
  // Loopback is never asked through the proxy.
  const { port } = service.address() as AddressInfo;
  expect(await submit(`http://127.0.0.1:${port}`)).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
  service.close();
});

describe('of several proxies', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** A proxy that accepts connections, and what it got on each before it closed it. */
  async function breakingProxy(): Promise<{ place: string; got: string[] }> {
    const got: string[] = [];
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        got.push(bytes.toString());
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return { place: `127.0.0.1:${(server.address() as AddressInfo).port}`, got };
  }

  it.each(['127.0.0.1:9', 'no-such-proxy.invalid:3128'])(
    'the next one is used if one cannot be connected to (%s), and the submission leaves once',
    async (dead) => {
      expect(
        await submit(company.serviceUrl, `PROXY ${dead}; SOCKS5 b:2; PROXY ${company.proxy}; DIRECT`),
      ).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
      expect(company.tunnels).toEqual(['service.example:443']);
    },
  );

  it('one that accepted a connection and closed it is the last that is tried', async () => {
    const breaking = await breakingProxy();
    expect(await submit(company.serviceUrl, `PROXY ${breaking.place}; PROXY ${company.proxy}`)).toMatchObject({
      ok: false,
    });
    expect([breaking.got.length, company.tunnels]).toEqual([1, []]);
  });

  it('one that accepted an unencrypted submission and closed is also the last: it may have passed it on', async () => {
    const [first, second] = [await breakingProxy(), await breakingProxy()];
    expect(await submit('http://service.example', `PROXY ${first.place}; PROXY ${second.place}; DIRECT`)).toMatchObject(
      {
        ok: false,
        failure: { mayHaveArrived: true },
      },
    );
    expect([first.got.length, second.got]).toEqual([1, []]);
    expect(first.got[0]).toContain('{"input":{}}');
  });

  it.each([
    ['that requires a login', 'HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic\r\n\r\n', 'did not let you in'],
    ['with a page', '<html>Blocked</html>', 'did not let the connection through'],
    ['that breaks off', 'HTTP/1.1 200 Conn', 'did not let the connection through'],
    ['with too large a head', `HTTP/1.1 200 OK\r\n${'x-long: 1\r\n'.repeat(10_000)}`, 'did not let the connection'],
  ])('an answer %s is no tunnel: nothing was sent, and no other proxy is tried', async (_, answer, why) => {
    const answering = await silentPlace((socket) => void socket.once('data', () => socket.end(answer)));
    const next = await silentPlace();
    expect(await submit('https://elsewhere.example', `PROXY ${answering.place}; PROXY ${next.place}`)).toMatchObject({
      ok: false,
      failure: { mayHaveArrived: false, message: expect.stringContaining(why) as string },
    });
    expect([answering.got.length, next.got.length]).toEqual([1, 0]);
    answering.close();
    next.close();
  });

  it('a name of the system’s list that is no address is left out', async () => {
    expect(await submit(company.serviceUrl, `PROXY proxy:999999; PROXY ${company.proxy}`)).toMatchObject({
      ok: false,
      failure: { mayHaveArrived: true },
    });
    expect(company.tunnels).toEqual(['service.example:443']);
  });

  it('one that refuses the connection is also the last', async () => {
    const next = await breakingProxy();
    expect(await submit('https://elsewhere.example', `PROXY ${company.proxy}; PROXY ${next.place}`)).toMatchObject({
      ok: false,
      failure: { mayHaveArrived: false },
    });
    expect(next.got).toEqual([]);
  });
});

/** A listener that accepts connections and never answers, unless `behave` does, and what it got on each. */
async function silentPlace(
  behave: (socket: Socket) => void = () => undefined,
): Promise<{ place: string; got: string[]; close(): void }> {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    behave(socket);
    const at = got.push('') - 1;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => (got[at] += bytes.toString()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a proxy that accepts the connection and never answers', () => {
  /** The other proxies and the service answer sooner than this even on a busy machine. */
  const patientMs = 1_000;
  let silent: Awaited<ReturnType<typeof silentPlace>>;
  beforeEach(async () => {
    silent = await silentPlace();
  });
  afterEach(() => silent.close());

  /** A queue API by what the system answers about proxies. `steadyMs` is when, for what is remembered. */
  function scene(answer: string, timeoutMs = 10 * patientMs) {
    const time = { steadyMs: 0 };
    const network = createNetwork({
      resolveProxy: () => Promise.resolve(answer),
      choice: () => ({ kind: 'system' }),
      proxyLimitMs: patientMs,
      steadyMs: () => time.steadyMs,
    });
    const of = (baseUrl: string) =>
      createQueueApi(
        { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key') },
        { now: Date.now, network, timeouts: { run: timeoutMs, status: timeoutMs } },
      );
    return { network, of, time };
  }

  it('is skipped if it was only asked for a tunnel, and the submission leaves once', async () => {
    expect(
      await submit(company.serviceUrl, `PROXY ${silent.place}; PROXY ${company.proxy}; DIRECT`, patientMs),
    ).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
    expect(company.tunnels).toEqual(['service.example:443']);
    expect(silent.got).toHaveLength(1);
    expect(silent.got[0]).toMatch(/^CONNECT service\.example:443 /);
    expect(silent.got[0]).not.toContain('input');
  });

  it('is skipped in the same time if it drips an answer that never ends', async () => {
    const dripping = await silentPlace((socket) => {
      socket.write('HTTP/1.1 200 Connection established\r\nx-drip: ');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await submit(company.serviceUrl, `PROXY ${dripping.place}; PROXY ${company.proxy}`, 1_000)).toMatchObject({
      ok: false,
      failure: { mayHaveArrived: true },
    });
    expect(company.tunnels).toEqual(['service.example:443']);
    expect(dripping.got).toHaveLength(1);
    dripping.close();
  });

  it('is tried last for a minute, and first again after it', async () => {
    const { of, time } = scene(`PROXY ${silent.place}; PROXY ${company.proxy}`);
    const submitOnce = () => of('https://elsewhere.example').run('ep', '{"input":{}}');
    await submitOnce();
    await submitOnce();
    expect([silent.got.length, company.tunnels.length]).toEqual([1, 2]);
    time.steadyMs = 60_000;
    await submitOnce();
    expect([silent.got.length, company.tunnels.length]).toEqual([2, 3]);
  });

  it('is named by the failure if it is the only one, and nothing was sent', async () => {
    const network = createNetwork({
      resolveProxy: () => Promise.resolve(`PROXY ${silent.place}; DIRECT`),
      choice: () => ({ kind: 'system' }),
      proxyLimitMs: 200,
    });
    const [route] = await network.routesTo(new URL(company.serviceUrl));
    const only = { ...network, routesTo: () => Promise.resolve(route === undefined ? [] : [route]) };
    const api = createQueueApi(
      { baseUrl: company.serviceUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key') },
      { now: Date.now, network: only },
    );
    expect((await api.run('ep', '{"input":{}}')).result).toMatchObject({
      ok: false,
      failure: {
        mayHaveArrived: false,
        message: expect.stringContaining('the proxy did not answer in time') as string,
      },
    });
  });

  it('is not skipped with an unencrypted submission, which may have been passed on; the next request skips it', async () => {
    const next = await silentPlace();
    const { of } = scene(`PROXY ${silent.place}; PROXY ${next.place}`, 3 * patientMs);
    const { result } = await of('http://service.example').run('ep', '{"input":{}}');
    expect(result).toMatchObject({ ok: false, failure: { kind: 'timeout', mayHaveArrived: true } });
    expect([silent.got.length, next.got.length]).toEqual([1, 0]);
    await of('http://service.example').status('ep', 'job-1');
    expect([silent.got.length, next.got.length]).toEqual([1, 1]);
    expect(next.got[0]).toMatch(/^GET .*status\/job-1/);
    next.close();
  });

  it('that hangs after the tunnel is up is not skipped: it is the service that does not answer', async () => {
    const tunnels: string[] = [];
    const hanging = createServer().listen(0, '127.0.0.1');
    hanging.on('connect', (incoming, socket) => {
      tunnels.push(incoming.url ?? '');
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    });
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const { of } = scene(`PROXY 127.0.0.1:${port}; PROXY ${company.proxy}`, patientMs);
    expect((await of(company.serviceUrl).run('ep', '{"input":{}}')).result).toMatchObject({ ok: false });
    expect([tunnels.length, company.tunnels]).toEqual([1, []]);
    hanging.close();
    hanging.closeAllConnections();
  });

  it.each(['https', 'http'])(
    'is named by the check of an %s address, which continues with the next one',
    async (scheme) => {
      const { network } = scene(`PROXY ${silent.place}; PROXY ${company.proxy}`);
      const check = () => checkNetwork(network, `${scheme}://elsewhere.example`, Date.now);
      // Again: what is remembered for requests hides nothing from the check.
      for (const _each of [1, 2])
        expect(await check()).toMatchObject({
          ok: true,
          value: { silent: [`http://${silent.place}`], proxy: `http://${company.proxy}` },
        });
      expect(silent.got).toHaveLength(2);
    },
  );
});

it('a user name for a proxy is sent with its password to the proxy of the settings, and to no other', async () => {
  const asked: unknown[] = [];
  const breaking = await silentPlace((socket) => void socket.once('data', () => socket.destroy()));
  const mine = `http://${breaking.place}`;
  const submitOnce = async (
    baseUrl: string,
    choice: ReturnType<Parameters<typeof createNetwork>[0]['choice']>,
  ): Promise<string> => {
    const network = createNetwork({
      resolveProxy: () => Promise.resolve(`PROXY ${breaking.place}`),
      choice: () => choice,
      password: async (user) => (asked.push(user), 'p@ss:word'),
    });
    const target = { baseUrl, restUrl: null, authorization: 'bearer' } as const;
    const api = createQueueApi({ ...target, readKey: async () => 'key' }, { now: Date.now, network });
    await api.run('ep', '{"input":{}}');
    return /^proxy-authorization: Basic (.*)\r$/im.exec(breaking.got.at(-1) ?? '')?.[1] ?? '';
  };
  for (const baseUrl of ['https://service.example', 'http://service.example']) {
    const sent = await submitOnce(baseUrl, { kind: 'manual', url: mine, name: 'me' });
    expect(Buffer.from(sent, 'base64').toString()).toBe('me:p@ss:word');
    for (const choice of [{ kind: 'system' }, { kind: 'manual', url: mine }] as const)
      expect(await submitOnce(baseUrl, choice)).toBe('');
  }
  expect(asked).toEqual([1, 2].map(() => ({ proxy: mine, name: 'me' })));
  breaking.close();
});

describe('while the system does not say which proxy to use', () => {
  function scene() {
    const clock = createVirtualClock();
    const asked = Promise.withResolvers<void>();
    const network = createNetwork({
      resolveProxy: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
      choice: () => ({ kind: 'system' }),
    });
    const target = { baseUrl: 'https://service.example', restUrl: null, authorization: 'bearer' } as const;
    const options = { now: () => clock.now(), network, deadlineTime: clock };
    const api = createQueueApi({ ...target, readKey: () => Promise.resolve('key') }, options);
    return { clock, api, asked: asked.promise };
  }

  it('a request ends by its own time limit, and certainly did not leave', async () => {
    const { clock, api, asked } = scene();
    const sent = api.run('ep', '{"input":{}}');
    await asked;
    await clock.advance(600_000);
    expect((await sent).result).toMatchObject({
      ok: false,
      failure: { kind: 'network', mayHaveArrived: false, message: expect.stringContaining('which proxy') as string },
    });
  });

  it('a request fails with the system’s own error, and certainly did not leave', async () => {
    const network = createNetwork({
      resolveProxy: () => Promise.reject(new Error('The PAC file could not be run.')),
      choice: () => ({ kind: 'system' }),
    });
    const target = { baseUrl: 'https://service.example', restUrl: null, authorization: 'bearer' } as const;
    const api = createQueueApi({ ...target, readKey: async () => 'key' }, { now: Date.now, network });
    expect((await api.run('ep', '{"input":{}}')).result).toMatchObject({
      ok: false,
      failure: { kind: 'network', mayHaveArrived: false },
    });
  });

  it('a cancelled request ends, and certainly did not leave', async () => {
    const { api, asked } = scene();
    const stop = new AbortController();
    const sent = api.run('ep', '{"input":{}}', { signal: stop.signal });
    await asked;
    stop.abort();
    expect((await sent).result).toMatchObject({ ok: false, failure: { kind: 'cancelled', mayHaveArrived: false } });
  });
});
