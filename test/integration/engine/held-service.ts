import { createServer } from 'node:http';

export interface HeldReply {
  /** Sends the rest. */
  release(): void;
  /** Resolves when the client no longer waits for it. */
  abandoned: Promise<void>;
}

type Held = 'run' | 'status' | 'stream';

/**
 * A service that sends only the beginning of a reply until the test releases the rest. Its jobs run, and their one
 * stream yields each of `chunks` once. A job's first status is answered immediately.
 */
export interface HeldService {
  url: string;
  /** The next reply of this kind, as soon as it has begun. */
  held(operation: Held): Promise<HeldReply>;
  close(): Promise<void>;
}

export async function startHeldService(chunks: unknown[]): Promise<HeldService> {
  const begun: Record<Held, HeldReply[]> = { run: [], status: [], stream: [] };
  const waiting: Record<Held, ((reply: HeldReply) => void)[]> = { run: [], status: [], stream: [] };
  const looked = new Set<string>();
  let jobs = 0;
  let left = chunks;

  const server = createServer((request, response) => {
    request.resume();
    const [, , , operation = '', asked] = (request.url ?? '').split('/');
    const jobId = asked ?? (operation === 'run' ? `job-${(jobs += 1)}` : '');
    const isFirstLook = operation === 'status' && !looked.has(jobId);
    if (isFirstLook) looked.add(jobId);
    const body = JSON.stringify(
      operation === 'stream'
        ? left.map((output) => ({ output }))
        : { id: jobId, status: operation === 'run' ? 'IN_QUEUE' : 'IN_PROGRESS' },
    );
    if (operation === 'stream') left = [];
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    if (!isHeld(operation) || isFirstLook) return void response.end(body);
    const reply = {
      release: () => void response.end(body.slice(2)),
      abandoned: new Promise<void>((resolve) => response.once('close', () => resolve())),
    };
    response.write(body.slice(0, 2), () => {
      const next = waiting[operation].shift();
      if (next === undefined) begun[operation].push(reply);
      else next(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    held: (operation) => {
      const first = begun[operation].shift();
      return first === undefined ? new Promise((resolve) => waiting[operation].push(resolve)) : Promise.resolve(first);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isHeld(operation: string): operation is Held {
  return operation === 'run' || operation === 'status' || operation === 'stream';
}
