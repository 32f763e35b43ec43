import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ProbeReading, ProbeRequest } from './probe.ts';

/** A service in a separate process, whose memory and processor time can be read. */
export interface MeasuredProcess {
  port: number;
  read(request?: ProbeRequest): Promise<ProbeReading>;
  stop(): Promise<void>;
}

const PROBE = new URL('./probe.ts', import.meta.url).href;

/**
 * Starts a script that prints one JSON line with its `base_url`. JOBDECK_BENCH_NODE adds arguments for node
 * (`--cpu-prof`).
 */
export async function startMeasuredProcess(script: URL, args: readonly string[]): Promise<MeasuredProcess> {
  const more = (process.env['JOBDECK_BENCH_NODE'] ?? '').split(' ').filter((word) => word !== '');
  const child = spawn(process.execPath, ['--expose-gc', '--import', PROBE, ...more, script.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const endWithParent = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithParent);
  const exited = once(child, 'exit').then(() => process.off('exit', endWithParent));
  if (child.stdout === null) throw new Error('The service has no stdout.');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    exited.then(() => Promise.reject(new Error(`${script.pathname} ended before it was ready.`))),
  ]);
  const { base_url }: { base_url: string } = JSON.parse(line);
  return {
    port: Number(new URL(base_url).port),
    read: async (request = 'read') => {
      child.send(request);
      const [reading]: ProbeReading[] = await once(child, 'message');
      if (reading === undefined) throw new Error('The probe sent nothing.');
      return reading;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
