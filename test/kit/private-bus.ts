import { spawn } from 'node:child_process';

/** A session's bus that only this test uses. */
export interface PrivateBus {
  /** The environment in which a program finds it. */
  env: { DBUS_SESSION_BUS_ADDRESS: string };
  close(): void;
}

/** Starts a bus. */
export async function startPrivateBus(): Promise<PrivateBus> {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { env: { DBUS_SESSION_BUS_ADDRESS: await firstLine(bus.stdout) }, close: () => void bus.kill() };
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const chunk of stream) return String(chunk).split('\n')[0] ?? '';
  throw new Error('The bus named no address.');
}
