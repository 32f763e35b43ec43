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

describe('what the sandbox refuses', () => {
  let sandbox: Sandbox;
  let caller: Caller;

  beforeAll(async () => {
    sandbox = await startSandbox();
    caller = createCaller(sandbox);
  });
  afterAll(() => sandbox.close());

  it.each(['', 'wrong', 'Bearer wrong', 'Basic dGVzdA=='])('a wrong key (%j) with 401, before saying what exists', async (authorization) => {
    for (const path of ['echo/health', 'nowhere/health', 'echo/status/none']) {
      const { status, body } = await caller.get(path, { authorization });
      expect([status, body]).toEqual([401, SENTENCE]);
    }
    expect((await caller.post('echo/run', { input: {} }, { authorization })).status).toBe(401);
  });

  it('no key at all', async () => {
    expect((await fetch(`${sandbox.baseUrl}/v2/echo/health`)).status).toBe(401);
  });

  it('but takes the bare and the Bearer form on queue calls', async () => {
    for (const authorization of [sandbox.apiKey, `Bearer ${sandbox.apiKey}`]) {
      expect((await caller.get('echo/health', { authorization })).status).toBe(200);
    }
  });

  it('takes only Bearer on management calls', async () => {
    const call = (authorization: string): Promise<Response> => fetch(`${sandbox.restUrl}/v1/pods/x`, { headers: { authorization } });
    expect((await call(sandbox.apiKey)).status).toBe(401);
    expect((await call(`Bearer ${sandbox.apiKey}`)).status).toBe(404);
  });

  it.each(['nowhere/health', 'echo/status/none', 'echo/stream/none', 'echo/openai', 'echo/requests', 'echo/status/a/b'])('GET %s with 404', async (path) => {
    const { status, body } = await caller.get(path);
    expect([status, body]).toEqual([404, SENTENCE]);
  });

  it('a job of another endpoint with 404', async () => {
    const id = await caller.run('mock', {});
    expect((await caller.get(`echo/status/${id}`)).status).toBe(404);
    expect((await caller.post(`echo/cancel/${id}`)).status).toBe(404);
    expect((await caller.post(`echo/retry/${id}`)).status).toBe(404);
  });

  it.each(['echo/launch', 'echo/status', 'echo/health/abc', 'echo/run', 'echo/status-sync/abc', 'echo/constructor'])('GET %s with 400', async (path) => {
    const { status, body } = await caller.get(path);
    expect([status, body]).toEqual([400, SENTENCE]);
  });

  it.each([
    ['bad JSON', '{"input":'],
    ['no input', {}],
    ['an input that is no object', { input: 'x' }],
    ['a policy out of bounds', { input: {}, policy: { ttl: 1 } }],
    ['a webhook that is no URL', { input: {}, webhook: 'x' }],
  ])('%s with 400 on run and runsync', async (_name, body) => {
    for (const operation of ['run', 'runsync']) {
      const answer = await caller.post(`echo/${operation}`, body);
      expect([answer.status, answer.body]).toEqual([400, SENTENCE]);
    }
  });

  it.each(['999', '300001', 'x', ''])('runsync?wait=%s with 400, without running the job', async (wait) => {
    const before = sandbox.transitions().length;
    const { status, body } = await caller.post(`echo/runsync?wait=${wait}`, { input: {} });
    expect([status, body]).toEqual([400, SENTENCE]);
    expect(sandbox.transitions()).toHaveLength(before);
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
    expect([over.status, over.body]).toEqual([400, { error: `The body of ${operation} must not exceed ${limitBytes} bytes.` }]);
    expect((await caller.post(`echo/${operation}`, bodyOf(limitBytes))).status).toBe(200);
  });

  it('an endless upload as soon as it is too large, long before its end', async () => {
    const headers = { authorization: sandbox.apiKey, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const pieces = Array.from({ length: 11 }, () => Buffer.alloc(MIB, 0x20));
    const answer = await upload(`${sandbox.baseUrl}/v2/echo/run`, headers, pieces, true);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('must not exceed');
  });

  it('a declared size that is too large before anything is uploaded', async () => {
    const headers = { authorization: sandbox.apiKey, 'content-length': String(500 * MIB), expect: '100-continue' };
    const answer = await upload(`${sandbox.baseUrl}/v2/echo/run`, headers, [], true);
    expect(answer.status).toBe(400);
  });

  it('a foreign Host header, whatever the key', async () => {
    const ask = (host: string): Promise<string> =>
      rawExchange(sandbox.port, `GET /v2/echo/nothing HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${sandbox.apiKey}\r\n\r\n`);
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '']) {
      expect(await ask(host)).toMatch(/^HTTP\/1\.1 403 /);
    }
    for (const host of ['localhost', `127.0.0.1:${sandbox.port}`]) expect(await ask(host)).toMatch(/^HTTP\/1\.1 400 .*"There is no operation nothing\."/s);
  });

  it('what is not HTTP, with a sentence', async () => {
    const answer = await rawExchange(sandbox.port, 'NOT HTTP AT ALL\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('{"error":"The request is not readable as HTTP."}');
  });

  it('listens on 127.0.0.1 only', async () => {
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
