import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { openStateFile, setStateFileAside } from '../../../src-main/sandbox/state/state-file.ts';
import { StateFileRefused } from '../../../src-main/sandbox/state/state-refusal.ts';
import {
  createVirtualClock,
  startSandbox,
  startSandboxProcess,
  TEST_API_KEY,
  type SandboxProcess,
} from '../../kit/sandbox.ts';
import { createCaller, type Caller, type JobAnswer } from './caller.ts';
import { modeOf } from '../../kit/file-mode.ts';

const MOCK = {
  id: 'mock',
  handler: { builtIn: 'mock' },
  minWorkers: 0,
  maxWorkers: 1,
  coldStartMs: 0,
  idleTimeoutMs: 1e9,
};

let folder: string;
let path: string;
let closing: (() => unknown)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  path = join(folder, 'state.db');
  closing = [];
});

afterEach(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function ended(caller: Caller, endpointId: string, jobId: string): Promise<JobAnswer> {
  let job = await caller.status(endpointId, jobId);
  while (job.status === 'IN_QUEUE' || job.status === 'IN_PROGRESS') job = await caller.status(endpointId, jobId);
  return job;
}

describe('a process with --state that is killed', () => {
  async function start(): Promise<{ process: SandboxProcess; caller: Caller }> {
    const process = await startSandboxProcess({ args: ['--state', path, '--limits', 'off'] });
    closing.push(() => process.kill());
    return { process, caller: createCaller({ baseUrl: process.ready.base_url, apiKey: TEST_API_KEY }) };
  }

  it('has lost nothing that it had confirmed', async () => {
    const first = await start();
    const done = await first.caller.runsync('mock', { mock_return: { kept: 'é' } });
    const streamed = await first.caller.run('text', { prompt: 'two words', max_tokens: 4 });
    const text = await ended(first.caller, 'text', streamed);
    const chunks = (await first.caller.get(`text/stream/${streamed}`)).text;
    // More than there are workers: some run, the others wait.
    const submitted = await Promise.all(
      Array.from({ length: 30 }, (_, n) => first.caller.run('mock', { mock_delay: 300, mock_return: n })),
    );
    while (
      !(await Promise.all(submitted.map((id) => first.caller.status('mock', id)))).some(
        ({ status }) => status === 'IN_PROGRESS',
      )
    );
    await first.process.kill('SIGKILL');

    const second = await start();
    expect(await second.caller.status('mock', done.id)).toEqual(done);
    expect(await second.caller.status('text', streamed)).toEqual(text);
    expect(JSON.parse(chunks)).not.toEqual([]);
    expect((await second.caller.get(`text/stream/${streamed}`)).body).toEqual([]);
    const jobs = await Promise.all(submitted.map((id) => ended(second.caller, 'mock', id)));
    expect(jobs.map(({ status, output }) => [status, output])).toEqual(submitted.map((_, n) => ['COMPLETED', n]));
    expect((await second.caller.get('mock/health')).body).toMatchObject({
      jobs: { completed: 31, failed: 0, retried: 0, inQueue: 0, inProgress: 0 },
    });
  });

  it('has exclusive use of its file', async () => {
    await start();
    await expect(startSandboxProcess({ args: ['--state', path] })).rejects.toThrow(
      `The state file ${path} is in use by another sandbox`,
    );
  });

  it('leaves no key in the file', async () => {
    const { process, caller } = await start();
    await caller.runsync('echo', {});
    await process.kill('SIGTERM');
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes(TEST_API_KEY)).toBe(false);
  });
});

describe('with a state file', () => {
  async function start(options: Parameters<typeof startSandbox>[0]): Promise<{ sandbox: Sandbox; caller: Caller }> {
    const sandbox = await startSandbox({ endpoints: [MOCK], stateFile: path, limits: 'off', ...options });
    closing.push(() => sandbox.close());
    return { sandbox, caller: createCaller(sandbox) };
  }

  it('the service’s time continues from where it was, however fast it ran', async () => {
    const clock = createVirtualClock();
    const first = await start({ clock, timeScale: 1_000 });
    const { id } = await first.caller.runsync('mock', { mock_return: 1 });
    clock.advance(50);
    await first.sandbox.close();

    clock.advance(9);
    const second = await start({ clock, timeScale: 1_000 });
    expect((await second.caller.status('mock', id)).output).toBe(1);
    clock.advance(9);
    expect((await second.caller.get(`mock/status/${id}`)).status).toBe(200);
    clock.advance(1);
    expect((await second.caller.get(`mock/status/${id}`)).status).toBe(404);
  });

  it('running jobs are reported as restarted, and run', async () => {
    const clock = createVirtualClock();
    const first = await start({ clock });
    const id = await first.caller.run('mock', { mock_delay: 60_000, mock_return: 'late' });
    while ((await first.caller.status('mock', id)).status !== 'IN_PROGRESS');
    await first.sandbox.close();

    const second = await start({ clock });
    expect(second.sandbox.transitions()[0]).toMatchObject({
      seq: 1,
      jobId: id,
      from: 'IN_PROGRESS',
      to: 'IN_QUEUE',
      cause: 'restarted',
    });
    while ((await second.caller.status('mock', id)).status !== 'IN_PROGRESS');
    expect((await second.caller.post(`mock/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
  });

  it('a start that fails leaves the file free', async () => {
    const { sandbox } = await start({ stateFile: null });
    await expect(start({ port: sandbox.port })).rejects.toThrow('EADDRINUSE');
    await expect(start({})).resolves.toBeDefined();
  });

  it('keeps no s3Config if secrets are not kept, and the rest of a submission as sent', async () => {
    const clock = createVirtualClock();
    const first = await start({ clock, keepsSecrets: false });
    const s3Config = { accessId: 'a', accessSecret: 'secret-of-the-bucket', bucketName: 'b' };
    const id = await first.caller.run('mock', { mock_delay: 60_000 }, { s3Config, mine: 'kept' });
    for (const name of readdirSync(folder))
      expect([name, readFileSync(join(folder, name)).includes('secret-of-the-bucket')]).toEqual([name, false]);
    await first.sandbox.close();
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('SELECT body FROM submissions').get()).toEqual({
      body: '{"input":{"mock_delay":60000},"mine":"kept"}',
    });
    db.close();

    const second = await start({ clock, keepsSecrets: false });
    while ((await second.caller.status('mock', id)).status !== 'IN_PROGRESS');
  });

  it('a failing disk is answered 500 with nothing accepted', async () => {
    const { sandbox, caller } = await start({});
    await caller.runsync('mock', {});
    await sandbox.close();
    const full = new DatabaseSync(path);
    full.exec("CREATE TRIGGER no_room BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'no room'); END");
    full.close();
    const second = await start({});
    expect((await second.caller.post('mock/run', { input: {} })).status).toBe(500);
    expect((await second.caller.get('mock/health')).body).toMatchObject({ jobs: { inQueue: 0, inProgress: 0 } });
  });
});

describe('an unusable file is refused in one sentence and left unchanged', () => {
  /** A file with a finished job and a waiting one in it. */
  async function writeState(): Promise<void> {
    const sandbox = await startSandbox({ endpoints: [MOCK], stateFile: path });
    const caller = createCaller(sandbox);
    await caller.runsync('mock', { mock_return: 'x'.repeat(50_000) });
    await caller.run('mock', { mock_delay: 60_000 });
    await sandbox.close();
  }

  function refusalOf(file: string): string {
    try {
      openStateFile(file).close();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return 'opened';
  }

  it.each([
    ['damaged in its middle', 'is damaged', () => scribble(4_096, 8_192)],
    ['damaged at its beginning', 'is not a state file of the sandbox', () => scribble(0, 100)],
    ['cut short', 'is damaged', () => writeFileSync(path, readFileSync(path).subarray(0, 20_000))],
    [
      'of a newer version',
      'was written by a newer sandbox (version 99, this one knows 2)',
      () => execute('PRAGMA user_version = 99'),
    ],
    ['of another program', 'is a database of another program', () => execute('PRAGMA application_id = 7')],
    [
      'with an unknown status',
      'cannot be used: status holds "LOST"',
      () => execute("PRAGMA ignore_check_constraints = ON; UPDATE jobs SET status = 'LOST'"),
    ],
    [
      'with a stream that cannot be read',
      'cannot be used',
      () => execute("UPDATE results SET outputs_json = '[1]', layout_json = 'x'"),
    ],
    [
      'that is a text',
      'is not a state file of the sandbox',
      () => writeFileSync(path, 'some notes of mine\n'.repeat(500)),
    ],
  ])('%s', async (_name, sentence, spoil) => {
    await writeState();
    spoil();
    cpSync(path, `${path}.before`);
    const refusal = await startSandbox({ endpoints: [MOCK], stateFile: path }).then(
      () => 'started',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    expect(refusal).toContain(sentence);
    expect(refusal).toContain(path);
    expect(refusal).not.toContain('\n');
    expect(await isContentAtFault(path)).toBe(true);
    expect(readFileSync(path).equals(readFileSync(`${path}.before`))).toBe(true);
  });

  /** Of the sandbox's own error; null where it starts. */
  async function isContentAtFault(stateFile: string): Promise<boolean | null> {
    try {
      await (await startSandbox({ endpoints: [MOCK], stateFile })).close();
      return null;
    } catch (error) {
      return error instanceof StateFileRefused && error.isContentAtFault;
    }
  }

  function scribble(from: number, to: number): void {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
    closeSync(file);
  }

  function execute(sql: string): void {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  }

  it('a folder, and a path in a missing folder', () => {
    mkdirSync(join(folder, 'inner'));
    expect(refusalOf(join(folder, 'inner'))).toContain('is not a file');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    for (const link of ['link', 'loop'])
      expect(refusalOf(join(folder, link))).toContain('is a link to a file that is not there: connect its drive');
    expect(refusalOf(join(folder, 'nowhere', 'state.db'))).toMatch(/nowhere.state\.db cannot be /);
  });

  it('one that is already open, here or in another process, and free again when it is closed', () => {
    const state = openStateFile(path);
    expect(refusalOf(path)).toContain('is in use by another sandbox');
    const module = new URL('../../../src-main/sandbox/state/state-file.ts', import.meta.url).href;
    const program = `import(${JSON.stringify(module)}).then(({ openStateFile }) => openStateFile(${JSON.stringify(path)})).then(() => console.log('opened'), (error) => console.log(error.message))`;
    const other = (): string =>
      execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
    expect(other()).toContain('is in use by another sandbox');
    state.close();
    expect(other()).toBe('opened\n');
  });

  it('a folder, a locked file or a missing path does not count as damaged', async () => {
    mkdirSync(join(folder, 'inner'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    const state = openStateFile(path);
    for (const file of [join(folder, 'inner'), join(folder, 'link'), path, join(folder, 'nowhere', 'state.db')])
      expect([file, await isContentAtFault(file)]).toEqual([file, false]);
    state.close();
  });

  it('is moved aside whole, under an unused name', async () => {
    await writeState();
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(`${path}${suffix}`, `what was in ${suffix}`);
    const aside = [0, 0, 1].map((second) => {
      if (!existsSync(path)) writeFileSync(path, 'another');
      return setStateFileAside(path, Date.UTC(2026, 0, 2, 3, 4, 5 + second));
    });
    expect(aside.map((name) => name.slice(folder.length + 1))).toEqual([
      'state.set-aside-2026-01-02T03-04-05.db',
      'state.set-aside-2026-01-02T03-04-05-2.db',
      'state.set-aside-2026-01-02T03-04-06.db',
    ]);
    for (const suffix of ['', '-wal', '-shm'])
      expect(readFileSync(`${aside[0]}${suffix}`, 'utf8')).toBe(`what was in ${suffix}`);
    expect(existsSync(path)).toBe(false);
  });

  it('is readable for its owner only, even an older one', () => {
    writeFileSync(path, '', { mode: 0o644 });
    const state = openStateFile(path);
    state.documents.write('a', '1');
    for (const name of readdirSync(folder)) expect([name, modeOf(join(folder, name), 0o600)]).toEqual([name, 0o600]);
    state.close();
  });
});
