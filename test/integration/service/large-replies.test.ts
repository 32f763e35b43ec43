import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { secretOf } from '../../../src-main/redaction/find-secrets.ts';
import { createManagementApi } from '../../../src-main/service/management-api.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApiOptions } from '../../../src-main/service/queue-api.ts';
import type { QueueApi, Reply, ServiceTarget } from '../../../src-main/service/reply.ts';

/**
 * Replies over 256 KB are read in a thread of their own (ruling 43); what comes of them is what comes of short ones.
 */

const key = 'rpa_large-key-0123456789';
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let target: ServiceTarget;
const server = createServer((request, response) => answer(request, response));

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${isAddress(address) ? address.port : 0}`;
  target = { baseUrl, restUrl: baseUrl, authorization: 'bearer', readKey: () => Promise.resolve(key) };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

function api(options: Partial<QueueApiOptions> = {}): QueueApi {
  return createQueueApi(target, { now: () => 0, ...options });
}

function answers(body: string | Buffer, coding?: string): void {
  answer = (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(coding === undefined ? {} : { 'content-encoding': coding }),
    });
    response.end(body);
  };
}

async function failureOf(reply: Promise<Reply<unknown>>): Promise<ServiceFailure> {
  const { result } = await reply;
  if (result.ok) throw new Error('it went well');
  return result.failure;
}

const nested = (levels: number): string => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;
const long = 'A line of a report, as long as most of them are. '.repeat(20_000);

describe('large records', () => {
  it('are read to the last byte, as is the raw reply', async () => {
    const output = JSON.stringify({
      report: long,
      numbers: Array.from({ length: 50_000 }, (_, at) => at / 7),
      odd: [1.0, '\u20ac \u{1f600} "\\'],
    });
    const raw = ` { "id" : "j", "status":"COMPLETED" ,"output": ${output},"delayTime":15,"n":[1,{"x":2}], "error":null } `;
    answers(raw);
    const { result, exchange } = await api().status('ep', 'j');
    expect(result).toEqual({
      ok: true,
      value: {
        id: 'j',
        status: 'COMPLETED',
        outputJson: output,
        errorText: null,
        delayTimeMs: 15,
        executionTimeMs: null,
        workerId: null,
        extraJson: '{"n":[1,{"x":2}]}',
        raw,
      },
    });
    expect(exchange.bytesReceived).toBe(Buffer.byteLength(raw));
  });

  it.each(['\u20ac', '\u{1f600}', 'a\u00e9', '\u4e2d\u6587'])(
    'keep characters of several bytes whole: %s',
    async (letter) => {
      const outputJson = JSON.stringify(`x${letter.repeat(1_500_000 / letter.length)}`);
      answers(`{"id":"j","status":"COMPLETED","output":${outputJson}}`);
      expect((await api().status('ep', 'j')).result).toMatchObject({ ok: true, value: { outputJson } });
    },
  );

  it('are read at any depth, wherever the depth is', async () => {
    const deep = nested(100_000);
    answers(`{"id":"j","status":"FAILED","output":${deep},"error":${deep},"progress":${deep},"small":{"a":1}}`);
    expect((await api().status('ep', 'j')).result).toMatchObject({
      ok: true,
      value: { outputJson: deep, errorText: deep, extraJson: `{"progress":${deep},"small":{"a":1}}` },
    });
    answers(`{"id":"j","status":${deep}}`);
    expect(await failureOf(api().status('ep', 'j'))).toMatchObject({ kind: 'malformed', isJson: true });
    answers(deep);
    expect(await failureOf(api().health('ep'))).toMatchObject({ kind: 'malformed', isJson: true });
    answers(`{"jobs":{"inQueue":1,"deep":${deep}},"workers":{"running":1},"more":${deep}}`);
    expect((await api().health('ep')).result).toMatchObject({
      ok: true,
      value: { workers: { running: 1 }, extra: { more: deep } },
    });
    answers(`{"id":"p","env":{"TOKEN":"x"},"more":${deep}}`);
    expect(await failureOf(createManagementApi(target, { now: () => 0 }).getPod('p', []))).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('nests deeper'),
    });
  });

  it('have an error decoded, however long it is', async () => {
    const error = `Traceback:\n${long}"\u20ac"`;
    answers(JSON.stringify({ id: 'j', status: 'FAILED', error }));
    expect((await api().status('ep', 'j')).result).toMatchObject({ ok: true, value: { errorText: error } });
  });

  it('are about the requested job (ruling 41)', async () => {
    answers(JSON.stringify({ id: 'other', status: 'COMPLETED', output: long }));
    expect(await failureOf(api().status('ep', 'j'))).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('is about another job (other)'),
      isJson: true,
    });
  });

  it('repeat no secret, and keep every other byte and their id', async () => {
    const other = 'hf_Abcdefgh0123456789';
    answers(
      JSON.stringify({
        id: `j-${other}`,
        status: 'COMPLETED',
        output: { long, headers: `Bearer ${key}`, [other]: `\u20ac ${other}` },
      }),
    );
    const { result, exchange } = await api({ knownSecrets: () => [secretOf(other, '[secret]')] }).status(
      'ep',
      `j-${other}`,
    );
    expect(result).toMatchObject({
      ok: true,
      value: {
        id: `j-${other}`,
        outputJson: JSON.stringify({ long, headers: 'Bearer [key]', '[secret]': '\u20ac [secret]' }),
      },
    });
    expect(exchange.hiddenSecrets).toBe(4);
  });

  it('that are lists, truncated or not JSON are malformed, and 64 KiB of them are saved without the key', async () => {
    for (const body of [JSON.stringify([key, long]), `{"id":"j","output":"${key} ${long}`, `${key} ${long}`]) {
      answers(body);
      const failure = await failureOf(api().status('ep', 'j'));
      expect(failure).toMatchObject({ kind: 'malformed', httpStatus: 200, mayHaveArrived: true });
      expect(failure.isBeyondLimits).toBeUndefined();
      expect(failure.rawReply).toHaveLength(65_536);
      expect(failure.rawReply).toContain('[key]');
      expect(failure.rawReply).not.toContain(key);
    }
  });
});

describe('large streams', () => {
  it('are read chunk by chunk, in order, with the fields beside an output', async () => {
    const chunks = Array.from({ length: 50_000 }, (_, at) => ({
      output: { at },
      ...(at % 3 === 0 ? {} : { metrics: { n: at } }),
      ...(at % 5 === 0 ? { index: at } : {}),
    }));
    const expected = chunks.map(({ output, metrics, index }) => ({
      outputJson: JSON.stringify(output),
      metricsJson:
        metrics === undefined && index === undefined
          ? null
          : JSON.stringify({ ...(index === undefined ? {} : { index }), ...metrics }),
    }));
    for (const body of [chunks, { status: 'IN_PROGRESS', stream: chunks }]) {
      answers(JSON.stringify(body));
      expect((await api().stream('ep', 'j')).result).toEqual({
        ok: true,
        value: { status: Array.isArray(body) ? null : 'IN_PROGRESS', chunks: expected },
      });
    }
  });

  it('return every whole chunk if they break off, are not JSON, or are beyond the limits', async () => {
    const chunk = (at: number): string => `{"output":"${String(at).padStart(4)} ${'x'.repeat(1_000)} ${key}"}`;
    const whole = Array.from({ length: 2_000 }, (_, at) => chunk(at));
    const broken = `{"status":"IN_PROGRESS","stream":[${whole.join(',')},{"output":"half`;
    const clean = whole.map((text) => text.slice(10, -1).replace(key, '[key]'));
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(broken) + 100 });
      response.write(broken, () => response.socket?.end());
    };
    const cut = await api().stream('ep', 'j');
    expect(cut.result).toMatchObject({ ok: false, failure: { kind: 'network', httpStatus: 200 } });
    expect(cut.salvaged?.chunks.map(({ outputJson }) => outputJson)).toEqual(clean);

    answers(broken);
    expect((await api().stream('ep', 'j')).salvaged?.chunks).toHaveLength(2_000);

    answers(`[${whole.join(',')}]`);
    const beyond = await api({ replyLimitBytes: { stream: 1_000_000 } }).stream('ep', 'j');
    expect(beyond.result).toMatchObject({ ok: false, failure: { kind: 'malformed', isBeyondLimits: true } });
    expect(beyond.salvaged?.chunks.map(({ outputJson }) => outputJson)).toEqual(
      clean.slice(0, beyond.salvaged?.chunks.length),
    );
    expect(beyond.salvaged?.chunks.length).toBe(Math.floor(1_000_000 / (chunk(1_000).length + 1)));
  });
});

describe('a stream that was beyond the limits', () => {
  const chunk = (text: string): string => `[{"output":"${text.repeat(3_000_000)}"}]`;
  const read = (body: string, beyondBeginning?: string) => {
    answers(body);
    return api({ replyLimitBytes: { stream: 2_000_000 } }).stream('ep', 'j', { beyondBeginning });
  };

  it('is recognised by its beginning, and not read further', async () => {
    const first = await read(chunk('a'));
    expect(first).toMatchObject({ beginning: expect.any(String), result: { failure: { isBeyondLimits: true } } });
    const again = await read(chunk('a'), first.beginning);
    expect(again).toMatchObject({
      beginning: first.beginning,
      result: { failure: { isBeyondLimits: true, message: expect.stringContaining('begins like an earlier one') } },
    });
    expect(again.exchange.bytesReceived).toBeLessThan(1_500_000);
  });

  it('does not discard a longer one that begins differently, nor a short one: it may never come again', async () => {
    const { beginning } = await read(chunk('a'));
    for (const output of ['b'.repeat(1_500_000), 'a']) {
      expect((await read(JSON.stringify([{ output }]), beginning)).result).toMatchObject({
        ok: true,
        value: { chunks: [{ outputJson: JSON.stringify(output) }] },
      });
    }
  });
});

describe('compressed replies', () => {
  const record = JSON.stringify({
    id: 'j',
    status: 'COMPLETED',
    output: Array.from({ length: 100_000 }, (_, at) => at * 31),
  });

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', (text) => gzipSync(text)],
    ['x-gzip', (text) => gzipSync(text)],
    ['deflate', (text) => deflateSync(text)],
    ['br', (text) => brotliCompressSync(text)],
    ['GZip, br', (text) => brotliCompressSync(gzipSync(text))],
    ['identity', (text) => Buffer.from(text)],
  ])('are unpacked: %s', async (coding, pack) => {
    answers(pack(record), coding);
    expect((await api().status('ep', 'j')).result).toMatchObject({ ok: true, value: { raw: record } });
  });

  it('are refused once beyond 500:1, with a reason and the saved beginning', async () => {
    answers(gzipSync(JSON.stringify({ id: 'j', status: 'COMPLETED', output: ' '.repeat(20_000_000) })), 'gzip');
    const failure = await failureOf(api().status('ep', 'j'));
    expect(failure).toMatchObject({
      kind: 'malformed',
      isBeyondLimits: true,
      httpStatus: 200,
      message:
        'The service answered 200, but the reply expands to more than 500 times its size. The beginning of ' +
        'the reply is saved. Saved data of the job stays.',
    });
    expect(failure.rawReply).toHaveLength(65_536);
  });

  it('are read if they are small, however well they compress', async () => {
    const small = JSON.stringify({ id: 'j', status: 'COMPLETED', output: ' '.repeat(900_000) });
    answers(gzipSync(small), 'gzip');
    expect((await api().status('ep', 'j')).result).toMatchObject({ ok: true, value: { raw: small } });
  });

  it('are not unpacked beyond 64 MB, in any layer', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
    answers(bomb, 'gzip');
    expect(await failureOf(api().status('ep', 'j'))).toMatchObject({
      isBeyondLimits: true,
      message: expect.stringContaining('is longer than the 64 MB'),
    });
    answers(gzipSync(bomb), 'gzip, gzip');
    expect(await failureOf(api().run('ep', '{"input":{}}'))).toMatchObject({
      isBeyondLimits: true,
      mayHaveArrived: true,
    });
  });

  it.each([
    ['gzip', 'no gzip at all'],
    ['br', 'nor brotli'],
    ['snappy', 'x'],
    ['gzip, gzip, gzip', 'x'],
  ])('that cannot be unpacked are malformed, not a broken connection: %s', async (coding, body) => {
    answers(body, coding);
    expect(await failureOf(api().status('ep', 'j'))).toMatchObject({ kind: 'malformed', httpStatus: 200 });
  });

  it('that are errors are still those errors', async () => {
    answer = (_request, response) => {
      response.writeHead(404, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
      response.end(gzipSync('{"error":"no such job"}'));
    };
    expect(await failureOf(api().status('ep', 'j'))).toMatchObject({
      kind: 'not-found',
      serviceSaid: 'no such job',
      isJson: true,
    });
  });
});

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
