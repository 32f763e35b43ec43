import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointDefinition } from '../../../src-main/sandbox/endpoint.ts';
import type { HandlerLog } from '../../../src-main/sandbox/workers/handler-thread.ts';
import type { Sandbox, SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller, type Caller, type JobAnswer } from './caller.ts';

interface ErrorReport {
  error_type: string;
  error_message: string;
  error_traceback: string;
}

describe('your own handler', () => {
  let folder: string;
  let sandbox: Sandbox;
  let caller: Caller;
  let logs: HandlerLog[];
  let onLog: () => void;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'handlers-')));
    logs = [];
    onLog = () => undefined;
  });
  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  function write(name: string, ...lines: string[]): string {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  }

  /** As many editors do: the old file is replaced by a new one. */
  function writeByRename(name: string, ...lines: string[]): void {
    renameSync(write(`${name}.new`, ...lines), join(folder, name));
  }

  /** Serves the file as the endpoint `my`. */
  async function serve(name: string, scaling: Partial<EndpointDefinition> = {}, options: SandboxOptions = {}): Promise<void> {
    sandbox = await startSandbox({
      limits: 'off',
      onHandlerLog: (log) => {
        logs.push(log);
        onLog();
      },
      endpoints: [
        {
          id: 'my',
          handler: { moduleUrl: pathToFileURL(join(folder, name)).href },
          minWorkers: 1,
          maxWorkers: 1,
          coldStartMs: 0,
          idleTimeoutMs: 60_000,
          ...scaling,
        },
      ],
      ...options,
    });
    caller = createCaller(sandbox);
  }

  /** The log lines up to the first that matches, once it is there. */
  function logged(pattern: RegExp): Promise<string[]> {
    return new Promise((resolve) => {
      onLog = () => {
        const index = logs.findIndex(({ line }) => pattern.test(line));
        if (index !== -1) resolve(logs.slice(0, index + 1).map(({ line }) => line));
      };
      onLog();
    });
  }

  async function statusWhen(jobId: string, isSo: (job: JobAnswer) => boolean): Promise<JobAnswer> {
    for (;;) {
      const job = await caller.status('my', jobId);
      if (isSo(job)) return job;
    }
  }

  async function failure(input: Record<string, unknown> = {}): Promise<ErrorReport> {
    const { status, error } = await caller.runsync('my', input);
    expect(status).toBe('FAILED');
    return JSON.parse(error ?? '');
  }

  const workerCount = (state: 'running' | 'initializing'): number => sandbox.health('my')?.workers[state] ?? 0;

  const linesOf = (jobId: string | null): string[] => logs.filter((log) => log.jobId === jobId).map(({ line }) => line);

  describe('forms', () => {
    it.each([
      ['an async function', 'handler.mjs', 'export async function handler(job) { return { got: job.input.n, id: job.id }; }'],
      ['a plain function', 'handler.mjs', 'export const handler = (job) => ({ got: job.input.n, id: job.id });'],
      ['a default export', 'handler.js', 'export default async (job) => ({ got: job.input.n, id: job.id });'],
      ['an object with a handler', 'handler.mjs', 'export default { more: 0, async handler(job) { return { got: job.input.n + this.more, id: job.id }; } };'],
      ['CommonJS', 'handler.cjs', 'exports.handler = async (job) => ({ got: job.input.n, id: job.id });'],
      ['TypeScript', 'handler.ts', 'export async function handler(job: { id: string; input: { n: number } }): Promise<unknown> { return { got: job.input.n, id: job.id }; }'],
    ])('%s', async (_form, name, source) => {
      write(name, source);
      await serve(name);
      const { id, status, output } = await caller.runsync('my', { n: 7 });
      expect({ status, output }).toEqual({ status: 'COMPLETED', output: { got: 7, id } });
    });

    it.each([
      ['an async generator', 'export async function* handler(job) { for (const word of job.input.words) yield { word }; }'],
      ['a generator', 'export function* handler(job) { for (const word of job.input.words) yield { word }; }'],
    ])('%s streams', async (_form, source) => {
      write('handler.mjs', source);
      await serve('handler.mjs');
      const { id, output } = await caller.runsync('my', { words: ['a', 'b'] });
      expect(output).toEqual([{ word: 'a' }, { word: 'b' }]);
      expect((await caller.get(`my/stream/${id}`)).body).toEqual([{ output: { word: 'a' } }, { output: { word: 'b' } }]);
    });

    it('is given the job as it was submitted, with unknown fields and s3Config', async () => {
      write('handler.mjs', 'export const handler = async ({ id, signal, progress, ...job }) => ({ job, second: typeof arguments_ });', 'const arguments_ = undefined;');
      await serve('handler.mjs');
      const more = { s3Config: { bucketName: 'b' }, mine: [1] };
      expect((await caller.runsync('my', { a: 1 }, more)).output).toMatchObject({ job: { input: { a: 1 }, ...more } });
    });
  });

  it('splits streamed output over 1 MB, and the pieces are the output', async () => {
    write('handler.mjs', "export async function* handler() { yield 'é'.repeat(1_250_000); yield { text: ['x'.repeat(1_500_000)] }; }");
    await serve('handler.mjs');
    const { id } = await caller.runsync('my', {});
    const { text, body } = await caller.get(`my/stream/${id}`);
    const chunks: { output: string | { text: string[] } }[] = JSON.parse(text);
    expect(body).toEqual(chunks);
    expect(chunks.length).toBeGreaterThanOrEqual(5);
    for (const chunk of chunks) expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(1_000_000);
    const texts = chunks.map(({ output }) => (typeof output === 'string' ? output : output.text.join('')));
    expect(texts.join('')).toBe('é'.repeat(1_250_000) + 'x'.repeat(1_500_000));
  });

  it('shows what job.progress was given while the job runs', async () => {
    write('handler.mjs', 'export async function handler(job) { job.progress({ step: 1 }); await new Promise((resolve) => job.signal.addEventListener("abort", resolve)); }');
    await serve('handler.mjs');
    const id = await caller.run('my', {});
    expect(await statusWhen(id, ({ output }) => output !== undefined)).toMatchObject({ status: 'IN_PROGRESS', output: { step: 1 } });
    await caller.post(`my/cancel/${id}`);
  });

  describe('reloads', () => {
    it('when the handler changes', async () => {
      write('handler.mjs', "export const handler = async () => 'first';");
      await serve('handler.mjs');
      expect((await caller.runsync('my', {})).output).toBe('first');
      write('handler.mjs', "export const handler = async () => 'second';");
      await logged(/^handler\.mjs changed: .*version 2/);
      expect((await caller.runsync('my', {})).output).toBe('second');
    });

    it('when the handler is replaced by renaming, time and again', async () => {
      write('handler.mjs', 'export const handler = async () => 1;');
      await serve('handler.mjs');
      expect((await caller.runsync('my', {})).output).toBe(1);
      for (const version of [2, 3, 4]) {
        writeByRename('handler.mjs', `export const handler = async () => ${version};`);
        await logged(new RegExp(`changed: .*version ${version}`));
        expect((await caller.runsync('my', {})).output).toBe(version);
      }
    });

    it('when a module changes that it imports, or requires, or imports while it runs', async () => {
      write('static.mjs', "export { word } from './deeper.cjs';");
      write('deeper.cjs', "exports.word = require('./word.json').word;");
      write('word.json', '{ "word": "first" }');
      write('late.mjs', "export const late = 'early';");
      write('handler.mjs', "import { word } from './static.mjs';", "export const handler = async () => [word, (await import('./late.mjs')).late];");
      await serve('handler.mjs');
      expect((await caller.runsync('my', {})).output).toEqual(['first', 'early']);
      write('word.json', '{ "word": "second" }');
      await logged(/^word\.json changed: .*version 2/);
      expect((await caller.runsync('my', {})).output).toEqual(['second', 'early']);
      writeByRename('late.mjs', "export const late = 'late';");
      await logged(/^late\.mjs changed: .*version 3/);
      expect((await caller.runsync('my', {})).output).toEqual(['second', 'late']);
    });

    it('and lets a running job finish with the code it began with', async () => {
      const handler = (version: string): string[] => [
        "import { existsSync } from 'node:fs';",
        "import { setTimeout as sleep } from 'node:timers/promises';",
        'export async function handler(job) {',
        `  if (job.input.until) { console.log('waiting'); while (!existsSync(job.input.until)) await sleep(5); }`,
        `  return '${version}';`,
        '}',
      ];
      write('handler.mjs', ...handler('old'));
      await serve('handler.mjs', { minWorkers: 2, maxWorkers: 2 });
      const until = join(folder, 'go');
      const id = await caller.run('my', { until });
      await logged(/waiting/);
      expect((await caller.runsync('my', {})).output).toBe('old');
      write('handler.mjs', ...handler('new'));
      await logged(/changed/);
      expect((await caller.runsync('my', {})).output).toBe('new');
      expect(await caller.status('my', id)).toMatchObject({ status: 'IN_PROGRESS' });
      write('go', '');
      expect(await statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'old' });
    });
  });

  describe('logs', () => {
    it('come line by line with the job id, before its end, with the begun line flushed', async () => {
      write(
        'handler.mjs',
        "console.log('loading');",
        'export async function handler(job) {',
        "  console.log('two\\nlines', { a: 1 });",
        "  console.error('problem');",
        "  process.stdout.write('in ');",
        "  process.stdout.write(Buffer.from('pieces'));",
        '  return job.id;',
        '}',
      );
      await serve('handler.mjs');
      const atEnd: string[][] = [];
      const first = await caller.runsync('my', {});
      atEnd.push(linesOf(first.id));
      const second = await caller.runsync('my', {});
      atEnd.push(linesOf(second.id));
      const expected = ['two', 'lines { a: 1 }', 'problem', 'in pieces'];
      expect(atEnd).toEqual([expected, expected]);
      expect(linesOf(null)).toEqual(['loading']);
      expect(logs.find(({ line }) => line === 'problem')).toEqual({
        endpointId: 'my',
        workerId: expect.stringMatching(/^[a-z0-9]{14}$/),
        jobId: first.id,
        stream: 'stderr',
        line: 'problem',
      });
    });

    it('arrive whole from a handler that prints and exits', async () => {
      write('handler.mjs', "export async function handler() { for (let n = 0; n < 1000; n += 1) console.log('line', n); process.stdout.write('the end'); process.exit(3); }");
      await serve('handler.mjs');
      const { id } = await caller.runsync('my', {});
      expect(linesOf(id).slice(0, 1_001)).toEqual([...Array.from({ length: 1_000 }, (_, n) => `line ${n}`), 'the end']);
    });

    it('of a handler that prints without end are held back, and end when it is cancelled', async () => {
      write('handler.mjs', "export async function handler() { for (let n = 0; ; n += 1) console.log('x'.repeat(10_000), n); }");
      await serve('handler.mjs', {}, { timeScale: 20 });
      const id = await caller.run('my', {});
      await logged(/x 300$/);
      expect((await caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      while (workerCount('running') > 0) await caller.get('my/health');
      const numbers = linesOf(id).map((line) => Number(line.split(' ')[1]));
      expect(numbers).toEqual(numbers.map((_, index) => index));
    });
  });

  describe('failures', () => {
    it("point at the user's own line, in the job's error and in the log", async () => {
      write('tidy.mjs', 'export function tidy(text) {', '  return text.trim();', '}');
      const path = write('handler.mjs', "import { tidy } from './tidy.mjs';", '', 'export async function handler(job) {', "  console.log('begin');", '  return tidy(job.input.text);', '}');
      await serve('handler.mjs');
      const id = await caller.run('my', {});
      const { error } = await statusWhen(id, ({ status }) => status === 'FAILED');
      const report: ErrorReport = JSON.parse(error ?? '');
      expect(report).toMatchObject({ error_type: 'TypeError', error_message: "Cannot read properties of undefined (reading 'trim')" });
      expect(report.error_traceback.split('\n')).toEqual([
        `TypeError: ${report.error_message}`,
        `    at tidy (${join(folder, 'tidy.mjs')}:2:15)`,
        `    at handler (${path}:5:10)`,
      ]);
      const lines = linesOf(id);
      expect(lines.slice(0, 2)).toEqual(['begin', `TypeError: ${report.error_message}`]);
      expect(lines.slice(-4)).toEqual(['  1 | export function tidy(text) {', '> 2 |   return text.trim();', '    |               ^', '  3 | }']);
    });

    it('follow a source map to the line that was written', async () => {
      const map = { version: 3, sources: ['original.ts'], names: [], mappings: 'AAIA' };
      const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
      write('built.mjs', "export async function handler() { throw new Error('mapped'); }", `//# sourceMappingURL=${url}`);
      write('original.ts', '', '', '', '', 'throw here;');
      await serve('built.mjs');
      const { error_traceback } = await failure();
      expect(error_traceback).toContain(`${join(folder, 'original.ts')}:5:1`);
      expect(logs.map(({ line }) => line)).toContain('> 5 | throw here;');
    });

    it.each([
      ['a BigInt', '({ items: [1n] })', 'What the handler returned cannot be sent as JSON: output.items[0] is a BigInt (1n); send it as a string or a number.'],
      ['a circle', '(() => { const a = {}; a.b = { a }; return a; })()', 'What the handler returned cannot be sent as JSON: output.b.a is output again, and so without end; leave one of them out.'],
      ['a function', '() => 1', 'What the handler returned is a function, which cannot be sent as JSON.'],
    ])('say what cannot be JSON: %s', async (_name, value, message) => {
      write('handler.mjs', `export async function handler() { return ${value}; }`);
      await serve('handler.mjs');
      expect((await failure()).error_message).toBe(message);
      expect((await failure()).error_message).toBe(message);
    });

    it('say which chunk cannot be JSON, and which line called job.progress', async () => {
      write('handler.mjs', 'export async function* handler(job) {', '  yield 1;', '  if (job.input.progress) job.progress(2n);', '  yield { n: 2n };', '}');
      await serve('handler.mjs');
      expect((await failure()).error_message).toContain('chunk 2 cannot be sent as JSON: output.n is a BigInt');
      expect((await failure({ progress: true })).error_traceback).toContain(`${join(folder, 'handler.mjs')}:3:31`);
    });

    it('of an error that nobody caught take the worker down, and the endpoint goes on', async () => {
      const path = write('handler.mjs', 'export async function handler(job) {', '  if (job.input.fine) return 1;', "  setTimeout(() => { throw new Error('stray'); });", '  await new Promise(() => undefined);', '}');
      await serve('handler.mjs');
      const report = await failure();
      expect(report).toMatchObject({ error_type: 'WorkerCrashed', error_message: 'The worker exited with code 1 before the job was done: stray' });
      expect(report.error_traceback).toContain(`${path}:3:28`);
      expect(logs.map(({ line }) => line)).toContain("> 3 |   setTimeout(() => { throw new Error('stray'); });");
      expect(await caller.runsync('my', { fine: true })).toMatchObject({ output: 1 });
    });

    it('of process.exit say where it was called', async () => {
      const path = write('handler.mjs', 'export async function handler() {', '  process.exit(3);', '}');
      await serve('handler.mjs');
      const report = await failure();
      expect(report.error_message).toBe('The worker exited with code 3 before the job was done: The handler called process.exit(3).');
      expect(report.error_traceback).toContain(`at handler (${path}:2:11)`);
    });
  });

  describe('a module that does not load', () => {
    it('is shown with file and line; its jobs wait, and run when it is mended', async () => {
      write('handler.mjs', "import { word } from './lib.mjs';", 'export const handler = async () => word;');
      write('lib.mjs', 'export const other = 1;', 'export const word = ;');
      await serve('handler.mjs');
      const id = await caller.run('my', {});
      const lines = await logged(/\^/);
      expect(lines).toEqual([
        expect.stringMatching(/handler\.mjs cannot be loaded, and jobs wait until it can\. SyntaxError: Unexpected token ';'$/),
        expect.stringMatching(/lib\.mjs:2:21$/),
        '  1 | export const other = 1;',
        '> 2 | export const word = ;',
        '    |                     ^',
      ]);
      expect(await caller.status('my', id)).toMatchObject({ status: 'IN_QUEUE' });
      write('lib.mjs', "export const word = 'mended';");
      expect(await statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'mended' });
    });

    it('breaks on a change without hurting what ran before', async () => {
      write('handler.mjs', 'export const handler = async () => 1;');
      await serve('handler.mjs');
      expect((await caller.runsync('my', {})).output).toBe(1);
      write('handler.mjs', 'export const handler = async () => {;');
      await logged(/^> 2|^> 1/);
      const id = await caller.run('my', {});
      expect(await caller.status('my', id)).toMatchObject({ status: 'IN_QUEUE' });
      write('handler.mjs', 'export const handler = async () => 2;');
      expect(await statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 2 });
    });

    it('is said once, however many workers try', async () => {
      write('handler.mjs', 'export const handler = ;');
      await serve('handler.mjs', { minWorkers: 3, maxWorkers: 3 }, { timeScale: 100 });
      await caller.run('my', {});
      await logged(/\^/);
      // By then it was tried again.
      while (workerCount('initializing') > 0) await caller.get('my/health');
      while (workerCount('initializing') === 0) await caller.get('my/health');
      expect(logs.filter(({ line }) => line.includes('cannot be loaded'))).toHaveLength(1);
    });

    it.each([
      ['what it exports instead', 'handler.mjs', ['export const handle = 1;', 'export class Model {}'], /does not export a function named handler\. It exports Model, handle\.$/],
      ['that it exports nothing', 'handler.mjs', ['const handler = 1;'], /does not export a function named handler\. It exports nothing\.$/],
      ['that it is not there', 'nowhere.mjs', [], /nowhere\.mjs cannot be loaded, and jobs wait until it can\. There is no such file\.$/],
      ['what its import did not find', 'handler.mjs', ["import './gone.mjs';"], /Cannot find module '.*gone\.mjs'/],
      ['what is missing in the module it imports', 'handler.mjs', ["import { gone } from 'node:fs';"], /does not provide an export named 'gone'$/],
      ['what it threw while loading', 'handler.mjs', ["throw new Error('no model');"], /Error: no model$/],
    ])('says %s', async (_what, served, lines, expected) => {
      write('handler.mjs', ...lines);
      await serve(served);
      await caller.run('my', {});
      expect((await logged(/./))[0]).toMatch(expected);
    });

    it('starts when the file that it was missing is written', async () => {
      write('handler.mjs', "import { word } from './gone.mjs';", 'export const handler = async () => word;');
      await serve('handler.mjs');
      const id = await caller.run('my', {});
      await logged(/gone\.mjs/);
      write('gone.mjs', "export const word = 'found';");
      expect(await statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'found' });
    });
  });

  describe('cancel', () => {
    it('aborts the signal, and a handler that heeds it keeps its worker', async () => {
      write('handler.mjs', 'export async function handler(job) {', '  if (job.input.quick) return console.log("quick");', "  console.log('begun');", "  await new Promise((resolve) => job.signal.addEventListener('abort', resolve));", "  console.log('stopped');", '}');
      await serve('handler.mjs');
      const id = await caller.run('my', {});
      await logged(/begun/);
      expect((await caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      const { id: next } = await caller.runsync('my', { quick: true });
      expect([linesOf(id), linesOf(next)]).toEqual([['begun', 'stopped'], ['quick']]);
      expect(new Set(logs.map(({ workerId }) => workerId)).size).toBe(1);
    });

    it.each([
      ['never gives the thread a turn', 'while (true);'],
      ['pays no heed', 'await new Promise(() => undefined);'],
    ])('ends the worker of a handler that %s', async (_how, block) => {
      write('handler.mjs', 'export async function handler(job) {', '  if (job.input.quick) return console.log("quick");', "  process.stdout.write('last words');", `  ${block}`, '}');
      await serve('handler.mjs', {}, { timeScale: 20 });
      const id = await caller.run('my', {});
      await statusWhen(id, ({ status }) => status === 'IN_PROGRESS');
      expect((await caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      const { id: next } = await caller.runsync('my', { quick: true });
      expect([linesOf(id), linesOf(next)]).toEqual([['last words'], ['quick']]);
      expect(new Set(logs.map(({ workerId }) => workerId)).size).toBe(2);
      expect(await caller.status('my', id)).toMatchObject({ status: 'CANCELLED' });
    });
  });

  it('pauses of the built-in handlers follow the speed of time, those of your own do not', async () => {
    write('handler.mjs', 'export const handler = async (...given) => given.length;');
    await serve('handler.mjs', {}, {
      timeScale: 100,
      endpoints: [
        { id: 'mock', handler: { builtIn: 'mock' }, minWorkers: 1, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e6 },
        { id: 'my', handler: { moduleUrl: pathToFileURL(join(folder, 'handler.mjs')).href }, minWorkers: 1, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e6 },
      ],
    });
    const { status, executionTime } = await caller.runsync('mock', { mock_delay: 10_000 });
    expect(status).toBe('COMPLETED');
    expect(executionTime).toBeGreaterThanOrEqual(9_900);
    expect((await caller.runsync('my', {})).output).toBe(1);
  });
});
