import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../../src-main/service/reply.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function answering(status: number, contentType: string, body: Buffer): Promise<QueueApi> {
  server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}`;
  return createQueueApi(
    { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key-of-charsets') },
    { now: () => 0 },
  );
}

const output = '"Grüße, café – größer"';
const record = `{"id":"job-1","status":"COMPLETED","output":${output}}`;
/** So long that another thread reads it. */
const long = `{"id":"job-1","status":"COMPLETED","output":${output},"more":"${'ü'.repeat(300_000)}"}`;
const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const mark = '\uFEFF';

it.each([
  ['Latin-1', 'application/json; charset=ISO-8859-1', Buffer.from(record.replaceAll('–', '-'), 'latin1')],
  ['Latin-1, long', 'application/json;charset="iso-8859-1"', Buffer.from(long.replaceAll('–', '-'), 'latin1')],
  ['UTF-16', 'application/json; charset=utf-16le', Buffer.from(record, 'utf16le')],
  ['UTF-16 with its mark', 'application/json', Buffer.from(mark + record, 'utf16le')],
  ['UTF-16 with its mark, the other way round', 'application/json', swapped(mark + record)],
  ['UTF-16, long', 'application/json', Buffer.from(mark + long, 'utf16le')],
  ['UTF-8 under another name', 'application/json; charset=iso-8859-1', Buffer.from(record)],
  ['an unknown name', 'application/json; charset=klingon', Buffer.from(record)],
])('a result in %s is read to the last character', async (_what, contentType, body) => {
  const api = await answering(200, contentType, body);
  const { result } = await api.status('echo', 'job-1');
  const read = result.ok ? result.value.outputJson?.replaceAll('–', '-') : result.failure;
  expect(read).toBe(output.replaceAll('–', '-'));
});

it('the words of an error too', async () => {
  const body = Buffer.from('{"error":"Ungültige Größe"}', 'latin1');
  const api = await answering(400, 'application/json; charset=iso-8859-1', body);
  expect((await api.status('echo', 'job-1')).result).toMatchObject({ failure: { serviceSaid: 'Ungültige Größe' } });
});
