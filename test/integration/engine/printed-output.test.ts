import { writeFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { threadEnv } from '../../../src-main/async/thread-env.ts';
import type { JobPrinted } from '../../../src-preload/printed.ts';
import { filesHolding } from '../../kit/secrets-in-files.ts';
import { closeApps, newFolder, openApp, removeAppFolders, type App } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

let dataDir: string;
beforeEach(async () => {
  dataDir = await newFolder();
});

/** Opens the app with a handler of these lines, in a file of this name. */
async function openWith(name: string, lines: readonly string[]): Promise<{ app: App; connectionId: string }> {
  const path = join(dataDir, name);
  await writeFile(path, lines.join('\n'));
  const app = await openApp({ dataDir });
  const added = await app.engine.addSandboxHandler(path);
  if (!added.ok) throw new Error(added.failure.message);
  const { id } = await app.answer('connection:openSandbox', undefined);
  return { app, connectionId: id };
}

/** What a job printed, as soon as its last line is this one. */
async function untilPrinted(app: App, key: string, last: string): Promise<JobPrinted> {
  let found: JobPrinted | null = null;
  for (let seen = 0; ; seen = app.told['job:printed'].length) {
    found = await app.answer('job:printedLines', { key });
    const lines = found === null ? [] : [...found.head, ...found.tail];
    if (found !== null && lines.at(-1)?.text === last) return found;
    if (app.told['job:printed'].length === seen) await app.untilSeen(() => app.told['job:printed'].length > seen);
  }
}

const texts = ({ head, tail }: JobPrinted): string[] => [...head, ...tail].map(({ text }) => text);

const script = [
  'console.log("loading");',
  'export async function handler(job) {',
  '  const { lines = 0, said, waits } = job.input;',
  '  console.log("begin", said ?? "");',
  '  for (let line = 1; line <= lines; line += 1) console.log("line", line);',
  '  if (waits) await new Promise((resolve) => job.signal.addEventListener("abort", resolve));',
  '  console.log("end");',
  '}',
];

describe('what a handler in the app’s sandbox prints', () => {
  it('is reported to watching windows, and kept with its job over a restart, until that is deleted', async () => {
    const { app, connectionId } = await openWith('mine.mjs', script);
    expect((await app.answer('sandbox:state', undefined)).handlers).toEqual([
      { endpointId: 'mine', path: join(dataDir, 'mine.mjs') },
    ]);
    const unseen = await app.submit({ connectionId, endpointId: 'mine', input: { said: 'unseen' } });
    await untilPrinted(app, unseen.key, 'end');
    expect(app.told['sandbox:linesPrinted']).toEqual([]);
    await app.answer('sandbox:watch', { isWatching: true });
    const { key } = await app.submit({ connectionId, endpointId: 'mine', input: { said: 'seen' } });
    const { jobId } = await app.untilEnd(key);
    await untilPrinted(app, key, 'end');
    const told = app.told['sandbox:linesPrinted'].flatMap(({ lines }) => lines);
    expect(told.map((line) => [line.jobId, line.text])).toEqual([
      [jobId, 'begin seen'],
      [jobId, 'end'],
    ]);
    const { lines } = await app.answer('sandbox:printed', undefined);
    expect(lines.map(({ text }) => text)).toEqual(['loading', 'begin unseen', 'end', 'begin seen', 'end']);
    expect(lines[0]).toMatchObject({ jobId: null, endpointId: 'mine', stream: 'stdout' });
    await app.close();

    const again = await openApp({ dataDir, isSandboxAllowed: false });
    const printed = await again.answer('job:printedLines', { key });
    expect(printed === null ? null : texts(printed)).toEqual(['begin seen', 'end']);
    await again.answer('job:delete', { keys: [key], isForGood: true });
    expect(await again.answer('job:printedLines', { key })).toBeNull();
  });

  it('of a job that runs is there while it runs, and after the app was closed and opened again with both runs', async () => {
    const { app, connectionId } = await openWith('mine.mjs', script);
    const { key } = await app.submit({ connectionId, endpointId: 'mine', input: { said: 'it', waits: true } });
    expect(texts(await untilPrinted(app, key, 'begin it'))).toEqual(['begin it']);
    await app.untilJob(key, ({ status }) => status === 'IN_PROGRESS');
    await app.close();
    const again = await openApp({ dataDir });
    await again.untilEvent('job:printed', (printed) => printed.key === key);
    expect(texts(await untilPrinted(again, key, 'begin it')).filter((text) => text === 'begin it')).toHaveLength(2);
    await again.answer('job:cancel', { key });
    expect(texts(await untilPrinted(again, key, 'end'))).toEqual(['begin it', 'begin it', 'end']);
  });

  it('of a flood of lines keeps the first and the last, and the app answers meanwhile', async () => {
    const { app, connectionId } = await openWith('mine.mjs', script);
    const { key } = await app.submit({ connectionId, endpointId: 'mine', input: { lines: 150_000 } });
    const beside = await app.submit({ connectionId, endpointId: 'echo', input: { said: 'beside it' } });
    await app.untilEnd(beside.key);
    await app.untilEnd(key);
    const { head, dropped, tail } = await untilPrinted(app, key, 'end');
    expect(head.slice(0, 2).map(({ text }) => text)).toEqual(['begin ', 'line 1']);
    expect(tail.at(-2)?.text).toBe('line 150000');
    expect(head.length + dropped + tail.length).toBe(150_002);
    const all = await app.answer('sandbox:printed', undefined);
    expect(all.lines.length + all.missed).toBe(150_003);
    expect(all.lines.length).toBeLessThanOrEqual(10_000);
  });

  it('shows no known secret, in no window and no file', async () => {
    const { app, connectionId } = await openWith('mine.mjs', script);
    const secret = 'a-key-that-nobody-should-print';
    await app.connect({ baseUrl: 'http://127.0.0.1:9', apiKey: secret, endpoints: ['other'] });
    const { key } = await app.submit({ connectionId, endpointId: 'mine', input: {} });
    await untilPrinted(app, key, 'end');
    await writeFile(join(dataDir, 'telling.mjs'), `export const handler = () => void console.log('it is ${secret}.');`);
    const added = await app.engine.addSandboxHandler(join(dataDir, 'telling.mjs'));
    expect(added.ok).toBe(true);
    const telling = await app.submit({ connectionId, endpointId: 'telling', input: {} });
    await untilPrinted(app, telling.key, 'it is [key].');
    const { lines } = await app.answer('sandbox:printed', undefined);
    expect(lines.map(({ text }) => text)).toContain('it is [key].');
    await app.close();
    expect((await filesHolding(dataDir, [secret])).map((path) => path.split('/').at(-1))).toEqual(['telling.mjs']);
  });

  it('shows the user’s environment: the folder for compiled code is Jobdeck’s own', async () => {
    const users = process.env['NODE_COMPILE_CACHE'];
    delete process.env['NODE_COMPILE_CACHE'];
    onTestFinished(() => {
      if (users !== undefined) process.env['NODE_COMPILE_CACHE'] = users;
    });
    enableCompileCache(join(dataDir, 'compiled'));
    expect(threadEnv()['NODE_COMPILE_CACHE']).toBeDefined();
    const { app, connectionId } = await openWith('environment.mjs', [
      'export function handler() {',
      '  console.log(process.env.NODE_COMPILE_CACHE ?? "none");',
      '  console.log("end");',
      '}',
    ]);
    const { key } = await app.submit({ connectionId, endpointId: 'environment', input: {} });
    expect(texts(await untilPrinted(app, key, 'end'))).toEqual(['none', 'end']);
  });

  it('is of files that can be handlers, under ids that are free', async () => {
    const { app } = await openWith('echo.mjs', script);
    expect((await app.answer('sandbox:state', undefined)).endpoints.at(-1)).toBe('echo-2');
    await writeFile(join(dataDir, 'notes.txt'), 'no handler');
    expect(await app.engine.addSandboxHandler(join(dataDir, 'notes.txt'))).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('A handler is a Python file') },
    });
    expect(await app.engine.addSandboxHandler(join(dataDir, 'missing.mjs'))).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('There is no file') },
    });
    // The same file is one handler.
    expect(await app.engine.addSandboxHandler(join(dataDir, 'echo.mjs'))).toMatchObject({
      ok: true,
      value: { handlers: [{ endpointId: 'echo-2' }] },
    });
    expect((await app.answer('sandbox:removeHandler', { endpointId: 'echo-2' })).endpoints).toEqual([
      'echo',
      'text',
      'image',
      'mock',
    ]);
  });
});
