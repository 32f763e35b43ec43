import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { FromSandboxThread, SandboxThreadData } from '../../../src-main/sandbox/sandbox-thread.ts';
import { whyNoPython } from '../../kit/python.ts';
import { startSandbox, startSandboxProcess, TEST_API_KEY } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';

const CLI = fileURLToPath(new URL('../../../src-main/sandbox/cli.ts', import.meta.url));
const HOST = new URL('../../../src-main/sandbox/sandbox-thread.ts', import.meta.url);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function runCli(args: string[]): Promise<Ended> {
  return runProgram([CLI, ...args]);
}

async function runProgram(args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
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
      pods: expect.arrayContaining([expect.stringMatching(/^[a-z0-9]{14}$/)]),
      templates: expect.arrayContaining([expect.stringMatching(/^[a-z0-9]{10}$/)]),
    });
    const caller = createCaller({ baseUrl: ready.base_url, apiKey: 'K' });
    expect(await caller.runsync('echo', { a: 1 })).toMatchObject({ status: 'COMPLETED', output: { a: 1 } });
    expect(await kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('keeps its key from the handlers, which may report their environment', async () => {
    const key = 'sandbox-key-of-the-environment';
    const files = ['environment-handler.mjs', ...(whyNoPython() === null ? ['environment_handler.py'] : [])];
    const { ready, kill } = await startSandboxProcess({
      apiKey: key,
      args: files.flatMap((file, index) => ['--handler', `env${index}=${join(import.meta.dirname, 'fixture', file)}`]),
    });
    const caller = createCaller({ baseUrl: ready.base_url, apiKey: key });
    for (const endpoint of ready.endpoints.filter((id) => id.startsWith('env'))) {
      const record = await caller.runsync(endpoint, {});
      expect(record).toMatchObject({ status: 'COMPLETED', output: { PATH: expect.any(String) } });
      expect(JSON.stringify(record)).not.toContain(key);
    }
    await kill();
  });

  it('passes the dialect on', async () => {
    const { ready, kill } = await startSandboxProcess({ args: ['--dialect', 'observed'] });
    const { body } = await createCaller({ baseUrl: ready.base_url, apiKey: TEST_API_KEY }).get('echo/health');
    expect(body).toMatchObject({ workers: { throttled: 0 } });
    await kill();
  });

  it('prints its flags on --help', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const flags = [
      'port',
      'api-key',
      'dialect',
      'sync-retention-ms',
      'stream-replay',
      'time-scale',
      'limits',
      'requests-per-worker',
      'fault',
      'fault-seed',
      'state',
      'template-omitted',
      'handler',
      'min-workers',
      'max-workers',
      'cold-start-ms',
      'idle-timeout-ms',
      'workers',
      'crash-retries',
      'help',
    ];
    for (const flag of flags) expect(stdout).toContain(`  --${flag} `.trimEnd());
  });

  it('serves your own handler from the folder npm was called in, and prints its output on stderr', async () => {
    const folder = fileURLToPath(new URL('./fixture', import.meta.url));
    const { ready, kill } = await startSandboxProcess({
      args: ['--handler', 'own=stubborn-handler.mjs', '--workers', 'own:max=1', '--min-workers', '0'],
      env: { INIT_CWD: folder },
    });
    expect(ready.endpoints).toContain('own');
    const caller = createCaller({ baseUrl: ready.base_url, apiKey: ready.api_key });
    expect(await caller.runsync('own', {}, { extra: 'kept' })).toMatchObject({
      status: 'COMPLETED',
      output: { field: 'kept' },
    });
    const scaling = await fetch(`${ready.base_url}/_sandbox/endpoints/own/workers`, {
      headers: { authorization: ready.api_key },
    });
    expect(await scaling.json()).toMatchObject({ scaling: { minWorkers: 0, maxWorkers: 1 } });
    await kill();
  });

  it('reads its key from the first line of an input that stays open, and outlives the reader of its output', async () => {
    const folder = fileURLToPath(new URL('./fixture', import.meta.url));
    const handler = `own=${join(folder, 'stubborn-handler.mjs')}`;
    const child = spawn(process.execPath, [CLI, '--port', '0', '--api-key', '-', '--handler', handler], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    child.stdin.write('key-of-the-first-line\n');
    const [line]: Buffer[] = await once(child.stdout, 'data');
    const ready: { base_url: string; api_key: string } = JSON.parse(String(line));
    expect(ready.api_key).toBe('key-of-the-first-line');
    child.stdout.destroy();
    child.stderr.destroy();
    const caller = createCaller({ baseUrl: ready.base_url, apiKey: ready.api_key });
    // It prints, to nobody.
    for (let count = 0; count < 2; count += 1)
      expect(await caller.runsync('own', {}, { extra: 'kept' })).toMatchObject({ status: 'COMPLETED' });
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('passes faults, limits and speed on', async () => {
    const { ready, kill } = await startSandboxProcess({
      args: ['--fault', 'status:503,op=health', '--limits', 'off', '--time-scale', '20'],
    });
    const caller = createCaller({ baseUrl: ready.base_url, apiKey: ready.api_key });
    expect((await caller.get('echo/health')).status).toBe(503);
    for (let count = 0; count < 4; count += 1) expect((await caller.post('echo/purge-queue')).status).toBe(200);
    const scale = await fetch(`${ready.base_url}/_sandbox/time-scale`, { headers: { authorization: ready.api_key } });
    expect(await scale.json()).toEqual({ timeScale: 20 });
    await kill();
  });

  it.each([[['--fault', 'nope']], [['--handler', 'own=nowhere.mjs']], [['--workers', 'echo:max=x']]])(
    'refuses %j with one line and exit code 2',
    async (args) => {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^sandbox: [^\n]*\n$/);
    },
  );

  it('refuses an unknown flag with one line and exit code 2', async () => {
    const { code, stdout, stderr } = await runCli(['--fly']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^sandbox: .*--fly.*\. --help lists every flag\.\n$/);
  });

  it('refuses a taken port with one line and exit code 1', async () => {
    const sandbox = await startSandbox();
    const { code, stdout, stderr } = await runCli(['--port', String(sandbox.port)]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `sandbox: Port ${sandbox.port} is in use: name another one, or leave --port out to take a free one.\n`,
    );
    await sandbox.close();
  });
});

describe('a program with a sandbox in it', () => {
  const program = fileURLToPath(new URL('./fixture/crashing-program.ts', import.meta.url));

  it('ends after close, even if a built-in handler crashed in the only worker', async () => {
    expect(await runProgram([program])).toEqual({ code: 0, stdout: 'FAILED\n', stderr: '' });
  });

  it('has its stdout to itself, whatever the thread of the built-in handlers prints', async () => {
    const printing = "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) console.log('a thread');";
    expect(await runProgram(['--import', `data:text/javascript,${printing}`, program])).toEqual({
      code: 0,
      stdout: 'FAILED\n',
      stderr: 'a thread\n',
    });
  });
});

describe('host thread', () => {
  async function start(data: SandboxThreadData): Promise<{ worker: Worker; message: FromSandboxThread }> {
    const worker = new Worker(HOST, { workerData: data });
    const [message]: FromSandboxThread[] = await once(worker, 'message');
    if (message === undefined) throw new Error('The host sent nothing.');
    return { worker, message };
  }

  it('serves from a thread, on another port if its own is taken, until it receives close', async () => {
    const blocker = await startSandbox();
    const { worker, message } = await start({ port: blocker.port, apiKey: 'K' });
    if (message.type !== 'ready') throw new Error(JSON.stringify(message));
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
