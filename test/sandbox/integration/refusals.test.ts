import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller, upload, type Caller } from './caller.ts';

const MIB = 2 ** 20;
const SENTENCE = { error: expect.stringMatching(/^[A-Za-z].*[.]$/) };

/** A valid submission of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ input: { pad: '' } });
  return JSON.stringify({ input: { pad: 'x'.repeat(bytes - empty.length) } });
}

function rawExchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      answer += piece;
      if (answer.includes('"error"')) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** Sends the pieces one by one and listens only then; what came until the end. */
function sendThenListen(port: number, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const left = [...pieces];
    const socket = connect(port, '127.0.0.1', sendNext).pause();
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    function sendNext(): void {
      const piece = left.shift();
      if (piece === undefined) socket.end();
      else socket.write(piece, () => setImmediate(sendNext));
      if (left.length === 0) socket.resume();
    }
  });
}

describe('the sandbox refuses', () => {
  let sandbox: Sandbox;
  let caller: Caller;

  beforeAll(async () => {
    sandbox = await startSandbox();
    caller = createCaller(sandbox);
  });
  afterAll(() => sandbox.close());

  it.each(['', 'wrong', 'Bearer wrong', 'Basic dGVzdA=='])(
    'a wrong key (%j) with 401, before it reveals what exists',
    async (authorization) => {
      for (const path of ['echo/health', 'nowhere/health', 'echo/status/none']) {
        const { status, body } = await caller.get(path, { authorization });
        expect([status, body]).toEqual([401, SENTENCE]);
      }
      expect((await caller.post('echo/run', { input: {} }, { authorization })).status).toBe(401);
    },
  );

  it('no key at all', async () => {
    expect((await fetch(`${sandbox.baseUrl}/v2/echo/health`)).status).toBe(401);
  });

  it('neither the bare nor the Bearer form on queue calls', async () => {
    for (const authorization of [sandbox.apiKey, `Bearer ${sandbox.apiKey}`]) {
      expect((await caller.get('echo/health', { authorization })).status).toBe(200);
    }
  });

  it('all but Bearer on management calls', async () => {
    const call = (authorization: string): Promise<Response> =>
      fetch(`${sandbox.restUrl}/v1/pods/x`, { headers: { authorization } });
    const bare = await call(sandbox.apiKey);
    expect(bare.status).toBe(401);
    expect(await bare.text()).toContain('Bearer KEY');
    expect(await (await call('other')).text()).not.toContain('Bearer KEY');
    expect((await call(`Bearer ${sandbox.apiKey}`)).status).toBe(404);
  });

  it.each([
    'nowhere/health',
    'echo/status/none',
    'echo/stream/none',
    'echo/openai',
    'echo/requests',
    'echo/status/a/b',
  ])('GET %s with 404', async (path) => {
    const { status, body } = await caller.get(path);
    expect([status, body]).toEqual([404, SENTENCE]);
  });

  it('a job of another endpoint with 404', async () => {
    const id = await caller.run('mock', {});
    expect((await caller.get(`echo/status/${id}`)).status).toBe(404);
    expect((await caller.post(`echo/cancel/${id}`)).status).toBe(404);
    expect((await caller.post(`echo/retry/${id}`)).status).toBe(404);
  });

  it.each(['echo/launch', 'echo/status', 'echo/health/abc', 'echo/run', 'echo/status-sync/abc', 'echo/constructor'])(
    'GET %s with 400',
    async (path) => {
      const { status, body } = await caller.get(path);
      expect([status, body]).toEqual([400, SENTENCE]);
    },
  );

  it.each([
    ['bad JSON', '{"input":'],
    ['no input', {}],
    ['an input that is not an object', { input: 'x' }],
    ['a policy out of bounds', { input: {}, policy: { ttl: 1 } }],
    ['an invalid webhook URL', { input: {}, webhook: 'x' }],
  ])('%s with 400 on run and runsync', async (_name, body) => {
    for (const operation of ['run', 'runsync']) {
      const answer = await caller.post(`echo/${operation}`, body);
      expect([answer.status, answer.body]).toEqual([400, SENTENCE]);
    }
  });

  it.each(['999', '300001', 'x', ''])('runsync?wait=%s with 400, without running the job', async (wait) => {
    // Jobs, not steps: one of an earlier test may still be on its way.
    const jobs = (): Set<string> => new Set(sandbox.transitions().map(({ jobId }) => jobId));
    const before = jobs();
    const { status, body } = await caller.post(`echo/runsync?wait=${wait}`, { input: {} });
    expect([status, body]).toEqual([400, SENTENCE]);
    expect(jobs()).toEqual(before);
  });

  it('a request that is not HTTP with 400, even while the rest of it is still arriving', async () => {
    const head = `POST /v2/echo/run HTTP/1.1\r\nhost: x\r\ncontent-length: ${'9'.repeat(24)}\r\n\r\n`;
    const pieces = [head, ...Array.from({ length: 60 }, () => 'x'.repeat(16_384))];
    expect(await sendThenListen(sandbox.port, pieces)).toMatch(/^HTTP\/1\.1 400 .*not readable as HTTP/s);
  });

  it('another content type and bytes that are not UTF-8 with 400', async () => {
    expect((await caller.post('echo/run', '{"input":{}}', { 'content-type': 'text/plain' })).status).toBe(400);
    const headers = { authorization: sandbox.apiKey, 'content-type': 'application/json; charset=utf-8' };
    const answer = await upload(`${sandbox.baseUrl}/v2/echo/run`, headers, [Buffer.from([0x7b, 0xff, 0xfe, 0x7d])]);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('UTF-8') });
  });

  it.each([
    ['run', 10 * MIB],
    ['runsync', 20 * MIB],
  ])('%s of more than %d bytes, and not one byte less', async (operation, limitBytes) => {
    const over = await caller.post(`echo/${operation}`, bodyOf(limitBytes + 1));
    expect([over.status, over.body]).toEqual([
      400,
      { error: `The body of ${operation} must not exceed ${limitBytes} bytes.` },
    ]);
    expect((await caller.post(`echo/${operation}`, bodyOf(limitBytes))).status).toBe(200);
  });

  it('an endless upload as soon as it is too large, long before its end', async () => {
    const headers = {
      authorization: sandbox.apiKey,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    const pieces = Array.from({ length: 11 }, () => Buffer.alloc(MIB, 0x20));
    const answer = await upload(`${sandbox.baseUrl}/v2/echo/run`, headers, pieces, true);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('must not exceed');
  });

  it('a declared size that is too large before the upload', async () => {
    const headers = { authorization: sandbox.apiKey, 'content-length': String(500 * MIB), expect: '100-continue' };
    const answer = await upload(`${sandbox.baseUrl}/v2/echo/run`, headers, [], true);
    expect(answer.status).toBe(400);
  });

  it('a foreign Host header, whatever the key', async () => {
    const ask = (host: string): Promise<string> =>
      rawExchange(
        sandbox.port,
        `GET /v2/echo/nothing HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`,
      );
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '']) {
      expect(await ask(host)).toMatch(/^HTTP\/1\.1 403 /);
    }
    for (const host of ['localhost', `127.0.0.1:${sandbox.port}`])
      expect(await ask(host)).toMatch(/^HTTP\/1\.1 400 .*"There is no operation nothing\."/s);
  });

  it('an absolute target with a foreign host, whatever its Host header says', async () => {
    const ask = (target: string): Promise<string> =>
      rawExchange(
        sandbox.port,
        `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`,
      );
    for (const target of [
      'http://evil.example/v2/echo/nothing',
      'HTTP://127.0.0.1.evil.example:80/v2/echo/nothing',
      'http://127.0.0.1@evil.example/v2/echo/nothing',
      'http://evil.example/_sandbox/stats',
    ]) {
      expect(await ask(target)).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(await ask(`http://127.0.0.1:${sandbox.port}/v2/echo/nothing`)).toMatch(
      /^HTTP\/1\.1 400 .*"There is no operation nothing\."/s,
    );
  });

  it('a request without a Host header, unless its HTTP version is too old for one', async () => {
    expect(
      await rawExchange(sandbox.port, `GET /v2/echo/nothing HTTP/1.1\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 400 .*must carry a Host header/s);
    expect(
      await rawExchange(sandbox.port, `GET /v2/echo/nothing HTTP/1.0\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 400 .*no operation/s);
  });

  it('CONNECT and endless headers, with a sentence', async () => {
    expect(
      await rawExchange(sandbox.port, 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 400 .*"CONNECT is not served here\."/s);
    expect(await rawExchange(sandbox.port, `GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'y'.repeat(40_000)}`)).toMatch(
      /^HTTP\/1\.1 431 .*"The headers of the request are too large\."/s,
    );
  });

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'])('%s with 400', async (method) => {
    const response = await fetch(`${sandbox.baseUrl}/v2/echo/run`, {
      method,
      headers: { authorization: sandbox.apiKey },
    });
    expect(response.status).toBe(400);
    if (method !== 'HEAD') expect(JSON.parse(await response.text())).toEqual({ error: 'run is called with POST.' });
  });

  it.each(['runsync?wait=5000&wait=5000', 'runsync?wait=', 'runsync?wait=%35%30'])('%s with 400', async (target) => {
    expect(await caller.post(`echo/${target}`, { input: {} })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^wait must be/) },
    });
  });

  it.each(['ttl=', 'ttl=20000&ttl=30000', 'ttl=1e5'])('status?%s with 400', async (query) => {
    const id = await caller.run('mock', { mock_delay: 600_000 });
    expect(await caller.get(`mock/status/${id}?${query}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^ttl must be/) },
    });
  });

  it('a compressed body, whatever is in it', async () => {
    for (const encoding of ['gzip', 'br', 'x-unknown']) {
      const answer = await caller.post('echo/run', { input: {} }, { 'content-encoding': encoding });
      expect([answer.status, answer.body]).toEqual([400, SENTENCE]);
    }
    expect((await caller.post('echo/run', { input: {} }, { 'content-encoding': 'identity' })).status).toBe(200);
  });

  it('no GET for carrying a body', async () => {
    const text = `GET /v2/echo/health HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\ncontent-length: 5\r\n\r\nhello`;
    const next = `GET /v2/echo/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`;
    const answer = await rawExchange(sandbox.port, text + next);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*"inQueue":.*HTTP\/1\.1 400 .*no operation nothing/s);
  });

  it('long names, without repeating them in full', async () => {
    const long = 'x'.repeat(5_000);
    for (const path of [`${long}/health`, `echo/${long}`, `echo/status/${long}`]) {
      const { status, text } = await caller.get(path);
      expect([400, 404]).toContain(status);
      expect(text.length).toBeLessThan(300);
    }
  });

  it('a path with the key in it, without repeating the key', async () => {
    const key = sandbox.apiKey;
    for (const path of [
      `${key}/health`,
      `echo/${key}`,
      `echo/status/${key}`,
      `echo/status/${encodeURIComponent(key).replace('t', '%74')}`,
    ]) {
      const { status, text } = await caller.get(path);
      expect([400, 404]).toContain(status);
      expect(text).not.toContain(key);
    }
  });

  it('control characters in a name, without repeating them', async () => {
    const { status, text } = await caller.get('echo/status/a%0d%0aset-cookie:%20x%1b[2J');
    expect(status).toBe(404);
    expect(JSON.parse(text).error).toMatch(/^No job a\?\?set-cookie: x\?\[2J on endpoint echo/);
  });

  it.each([
    '/',
    '//v2/echo/health',
    '/v2//health',
    '/v2/echo',
    '/v2/echo/status//x',
    '/v3/echo/health',
    '/v2/%2e%2e/health',
    '/v2/echo/health/%zz/b',
  ])('%s with 404 or 400 and a sentence', async (target) => {
    const answer = await rawExchange(
      sandbox.port,
      `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] .*\{"error":"[A-Z][^"]*\."\}$/s);
  });

  it('no upgrade and no unknown expectation: the request is answered normally', async () => {
    for (const header of ['connection: upgrade\r\nupgrade: websocket', 'expect: something-else']) {
      expect(
        await rawExchange(
          sandbox.port,
          `GET /v2/echo/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\n${header}\r\n\r\n`,
        ),
      ).toMatch(/^HTTP\/1\.1 400 .*no operation nothing/s);
    }
  });

  it('further bytes after an upgrade request: the connection ends with the answer', async () => {
    const wish = `GET /v2/echo/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
    expect(await rawExchange(sandbox.port, wish)).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
  });

  it('a client that waits for 100 Continue, without asking for its body, and ends that connection', async () => {
    const head = `POST /v2/nowhere/run HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\ncontent-length: 50\r\nexpect: 100-continue\r\n\r\n`;
    expect(await rawExchange(sandbox.port, head)).toMatch(/^HTTP\/1\.1 404 .*connection: close/is);
    const asked = `POST /v2/echo/run HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${sandbox.apiKey}\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n{}`;
    expect(await rawExchange(sandbox.port, asked)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 .*must carry the key input/s,
    );
  });

  it('bytes that are not HTTP, with a sentence', async () => {
    const answer = await rawExchange(sandbox.port, 'NOT HTTP AT ALL\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":"The request is not readable as HTTP."}');
  });

  it('connections to any address but 127.0.0.1', async () => {
    const isRefused = await new Promise<boolean>((resolve) => {
      const socket = connect(sandbox.port, '127.0.0.2');
      socket.on('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.on('error', () => resolve(true));
    });
    expect(isRefused).toBe(true);
  });
});
