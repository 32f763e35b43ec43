import { parentPort, workerData } from 'node:worker_threads';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

/**
 * The entry of a worker thread that runs the sandbox beside an application, so that serving never
 * delays the application's own loop. Started with {@link SandboxHostData}, answers with
 * {@link FromSandboxHost}, ends on {@link ToSandboxHost}.
 */

export interface SandboxHostData {
  /** Tried first; when it is taken, a free port is used instead. */
  port?: number;
  apiKey?: string;
  /** The handler threads' entry as a URL text. */
  workerUrl?: string;
}

export type ToSandboxHost = { type: 'close' };

export type FromSandboxHost =
  | { type: 'ready'; baseUrl: string; restUrl: string; apiKey: string; endpoints: string[] }
  | { type: 'failed'; message: string };

const port = parentPort;
if (port === null) throw new Error('The sandbox host runs as a worker thread only.');

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}

async function start(data: SandboxHostData): Promise<Sandbox> {
  const options: SandboxOptions = {
    port: data.port ?? 0,
    ...(data.apiKey === undefined ? {} : { apiKey: data.apiKey }),
    ...(data.workerUrl === undefined ? {} : { workerUrl: new URL(data.workerUrl) }),
  };
  try {
    return await createSandbox(options);
  } catch (error) {
    if (options.port === 0 || !isPortTaken(error)) throw error;
    return createSandbox({ ...options, port: 0 });
  }
}

function post(message: FromSandboxHost): void {
  port?.postMessage(message);
}

try {
  const sandbox = await start(workerData ?? {});
  port.on('message', (message: ToSandboxHost) => {
    if (message.type === 'close') void sandbox.close().then(() => port.close());
  });
  const { baseUrl, restUrl, apiKey, endpoints } = sandbox;
  post({ type: 'ready', baseUrl, restUrl, apiKey, endpoints });
} catch (error) {
  post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}
