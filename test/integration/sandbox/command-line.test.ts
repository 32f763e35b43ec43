import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { FromSandboxHost, SandboxHostData } from '../../../src-main/sandbox/host.ts';
import { startSandbox, startSandboxProcess, TEST_API_KEY } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';

const CLI = new URL('../../../src-main/sandbox/cli.ts', import.meta.url).pathname;
const HOST = new URL('../../../src-main/sandbox/host.ts', import.meta.url);

async function runCli(args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, NODE_OPTIONS: '' } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}

describe('command line', () => {
  it('prints one JSON line when ready, serves, and ends on SIGTERM', async () => {
    const { ready, kill } = await startSandboxProcess({ apiKey: 'K' });
    expect(ready).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      rest_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      api_key: 'K',
      endpoints: ['echo', 'text', 'image', 'mock'],
    });
    const caller = createCaller({ baseUrl: ready.base_url, apiKey: 'K' });
    expect(await caller.runsync('echo', { a: 1 })).toMatchObject({ status: 'COMPLETED', output: { a: 1 } });
    expect(await kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('passes the dialect on', async () => {
    const { ready, kill } = await startSandboxProcess({ args: ['--dialect', 'observed'] });
    const { body } = await createCaller({ baseUrl: ready.base_url, apiKey: TEST_API_KEY }).get('echo/health');
    expect(body).toMatchObject({ workers: { throttled: 0 } });
    await kill();
  });

  it('refuses an unknown flag with one line and exit code 2', async () => {
    const { code, stdout, stderr } = await runCli(['--fly']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^sandbox: .*--fly.*\n$/);
  });

  it('refuses a taken port with one line and exit code 1', async () => {
    const sandbox = await startSandbox();
    const { code, stdout, stderr } = await runCli(['--port', String(sandbox.port)]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^sandbox: .*EADDRINUSE.*\n$/);
    await sandbox.close();
  });
});

describe('host thread', () => {
  async function start(data: SandboxHostData): Promise<{ worker: Worker; message: FromSandboxHost }> {
    const worker = new Worker(HOST, { workerData: data });
    const [message]: FromSandboxHost[] = await once(worker, 'message');
    if (message === undefined) throw new Error('The host sent nothing.');
    return { worker, message };
  }

  it('serves from a thread, on another port when its own is taken, until it is told to close', async () => {
    const blocker = await startSandbox();
    const { worker, message } = await start({ port: blocker.port, apiKey: 'K' });
    if (message.type !== 'ready') throw new Error(message.message);
    expect(message).toMatchObject({ apiKey: 'K', endpoints: ['echo', 'text', 'image', 'mock'] });
    expect(message.baseUrl).not.toBe(blocker.baseUrl);
    expect(await createCaller(message).runsync('echo', { a: 1 })).toMatchObject({ output: { a: 1 } });
    const exited = once(worker, 'exit');
    worker.postMessage({ type: 'close' }, []);
    expect(await exited).toEqual([0]);
    await blocker.close();
  });

  it('says why it failed', async () => {
    const { message } = await start({ port: 0, workerUrl: 'not a url' });
    expect(message).toEqual({ type: 'failed', message: expect.stringContaining('Invalid URL') });
  });
});
