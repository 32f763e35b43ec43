import { createServer } from 'node:http';
import { replyKinds, serve } from './kinds.ts';
import type { ServedReply } from './kinds.ts';

/**
 * A service in a separate process that answers `/v2/<number of the kind>/...` with that reply, `/v2/warm-up/...` with a
 * record of 300 KB, and everything else with a small one.
 */
const warmUp = Buffer.from(`{"id":"j","status":"IN_PROGRESS","output":"${'x'.repeat(300_000)}"}`);
const small = Buffer.from('{"id":"j","status":"IN_PROGRESS"}');
const served = new Map<string, ServedReply>();

const server = createServer((request, response) => {
  const kind = request.url?.split('/')[2] ?? '';
  const index = Number(kind);
  const reply = replyKinds[index] === undefined ? null : (served.get(kind) ?? serve(replyKinds[index]));
  if (reply !== null) served.set(kind, reply);
  const body = reply?.body ?? (kind === 'warm-up' ? warmUp : small);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(reply === null ? {} : { 'x-decoded-bytes': String(reply.decodedBytes) }),
    ...(reply?.isGzip === true ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ baseUrl: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}` });
});
process.once('disconnect', () => process.exit());
