import { createServer, type IncomingHttpHeaders } from 'node:http';
import { poll } from './jobs.ts';
import { must } from './rule.ts';
import type { Service } from './service.ts';

/** A call that the service made. */
export interface ReceivedCall {
  /** The service's time at arrival. */
  atMs: number;
  method: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface WebhookReceiver {
  readonly url: string;
  calls(): readonly ReceivedCall[];
  /** Waits for this many calls in total and returns the last of them; the check fails if they do not come. */
  reached(count: number): Promise<ReceivedCall>;
}

/**
 * Listens on 127.0.0.1 until the check is over; answers its calls with these statuses in turn, the last one again and
 * again.
 */
export async function startReceiver(service: Service, ...statuses: readonly number[]): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      const status = statuses[Math.min(calls.length, statuses.length - 1)] ?? 200;
      calls.push({
        atMs: service.time.now(),
        method: request.method ?? '',
        headers: request.headers,
        text: Buffer.concat(pieces).toString('utf8'),
      });
      response.writeHead(status, { connection: 'close' }).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  service.afterwards.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls: () => calls,
    reached: async (count) => {
      const call = await poll(service, async () => calls[count - 1] ?? null);
      must(call !== null, `only ${calls.length} of ${count} webhook calls came`);
      return call;
    },
  };
}
