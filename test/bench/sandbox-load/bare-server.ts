import { createServer } from 'node:http';

/** The peer: the least that node:http does to read a whole request and answer with fixed JSON. */
const BODY = JSON.stringify({ id: '00000000-0000-4000-8000-000000000000-u1', status: 'IN_QUEUE' });

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(BODY),
    });
    response.end(BODY);
  });
});
server.listen({ port: 0, host: '127.0.0.1' }, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ base_url: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
