import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../kit/sandbox.ts';
import { openHandlerScene, type ErrorReport, type HandlerScene } from './handler-scene.ts';

describe('your own handler, when it fails', () => {
  let scene: HandlerScene;
  beforeEach(() => {
    scene = openHandlerScene();
  });
  afterEach(() => scene.close());

  describe('failures', () => {
    it('point at the user’s own line, in the job’s error and in the log', async () => {
      scene.write('tidy.mjs', 'export function tidy(text) {', '  return text.trim();', '}');
      const path = scene.write(
        'handler.mjs',
        "import { tidy } from './tidy.mjs';",
        '',
        'export async function handler(job) {',
        "  console.log('begin');",
        '  return tidy(job.input.text);',
        '}',
      );
      await scene.serve('handler.mjs');
      const id = await scene.caller.run('my', {});
      const { error } = await scene.statusWhen(id, ({ status }) => status === 'FAILED');
      const report: ErrorReport = JSON.parse(error ?? '');
      expect(report).toMatchObject({
        error_type: 'TypeError',
        error_message: "Cannot read properties of undefined (reading 'trim')",
      });
      expect(report.error_traceback.split('\n')).toEqual([
        `TypeError: ${report.error_message}`,
        `    at tidy (${join(scene.folder, 'tidy.mjs')}:2:15)`,
        `    at handler (${path}:5:10)`,
      ]);
      const lines = scene.linesOf(id);
      expect(lines.slice(0, 2)).toEqual(['begin', `TypeError: ${report.error_message}`]);
      expect(lines.slice(-4)).toEqual([
        '  1 | export function tidy(text) {',
        '> 2 |   return text.trim();',
        '    |               ^',
        '  3 | }',
      ]);
    });

    it('follow a source map to the original line', async () => {
      const map = { version: 3, sources: ['original.ts'], names: [], mappings: 'AAIA' };
      const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
      scene.write(
        'built.mjs',
        "export async function handler() { throw new Error('mapped'); }",
        `//# sourceMappingURL=${url}`,
      );
      scene.write('original.ts', '', '', '', '', 'throw here;');
      await scene.serve('built.mjs');
      const { error_traceback } = await scene.failure();
      expect(error_traceback).toContain(`${join(scene.folder, 'original.ts')}:5:1`);
      expect(scene.logs.map(({ line }) => line)).toContain('> 5 | throw here;');
    });

    it.each([
      [
        'a BigInt',
        '({ items: [1n] })',
        'What the handler returned cannot be sent as JSON: output.items[0] is a BigInt (1n); send it as a string or a number.',
      ],
      [
        'a circle',
        '(() => { const a = {}; a.b = { a }; return a; })()',
        'What the handler returned cannot be sent as JSON: output.b.a is output again, and so without end; leave one of them out.',
      ],
      ['a function', '() => 1', 'What the handler returned is a function, which cannot be sent as JSON.'],
    ])('name the value that cannot be JSON: %s', async (_name, value, message) => {
      scene.write('handler.mjs', `export async function handler() { return ${value}; }`);
      await scene.serve('handler.mjs');
      expect((await scene.failure()).error_message).toBe(message);
      expect((await scene.failure()).error_message).toBe(message);
    });

    it('name the chunk that cannot be JSON, and the line that called job.progress', async () => {
      scene.write(
        'handler.mjs',
        'export async function* handler(job) {',
        '  yield 1;',
        '  if (job.input.progress) job.progress(2n);',
        '  yield { n: 2n };',
        '}',
      );
      await scene.serve('handler.mjs');
      expect((await scene.failure()).error_message).toContain('chunk 2 cannot be sent as JSON: output.n is a BigInt');
      expect((await scene.failure({ progress: true })).error_traceback).toContain(
        `${join(scene.folder, 'handler.mjs')}:3:31`,
      );
    });

    it('of an uncaught error end the worker, and the endpoint continues', async () => {
      const path = scene.write(
        'handler.mjs',
        'export async function handler(job) {',
        '  if (job.input.fine) return 1;',
        "  setTimeout(() => { throw new Error('stray'); });",
        '  await new Promise(() => undefined);',
        '}',
      );
      await scene.serve('handler.mjs');
      const report = await scene.failure();
      expect(report).toMatchObject({
        error_type: 'WorkerCrashed',
        error_message: 'The worker exited with code 1 before the job was done: stray',
      });
      expect(report.error_traceback).toContain(`${path}:3:28`);
      expect(scene.logs.map(({ line }) => line)).toContain("> 3 |   setTimeout(() => { throw new Error('stray'); });");
      expect(await scene.caller.runsync('my', { fine: true })).toMatchObject({ output: 1 });
    });

    it('that the handler catches itself are not logged', async () => {
      scene.write(
        'handler.mjs',
        'export async function handler() {',
        "  await new Promise((resolve) => { process.once('uncaughtException', resolve); setTimeout(() => { throw new Error('stray'); }); });",
        "  return 'caught';",
        '}',
      );
      await scene.serve('handler.mjs');
      expect((await scene.caller.runsync('my', {})).output).toBe('caught');
      expect(scene.logs).toEqual([]);
    });

    it('of process.exit name the calling line', async () => {
      const path = scene.write('handler.mjs', 'export async function handler() {', '  process.exit(3);', '}');
      await scene.serve('handler.mjs');
      const report = await scene.failure();
      expect(report.error_message).toBe(
        'The worker exited with code 3 before the job was done: The handler called process.exit(3).',
      );
      expect(report.error_traceback).toContain(`at handler (${path}:2:11)`);
    });
  });

  describe('a module that does not load', () => {
    it('is shown with file and line; its jobs wait, and run when it is fixed', async () => {
      scene.write('handler.mjs', "import { word } from './lib.mjs';", 'export const handler = async () => word;');
      scene.write('lib.mjs', 'export const other = 1;', 'export const word = ;');
      await scene.serve('handler.mjs');
      const id = await scene.caller.run('my', {});
      const lines = await scene.logged(/\^/);
      expect(lines).toEqual([
        expect.stringMatching(
          /handler\.mjs cannot be loaded, and jobs wait until it can\. SyntaxError: Unexpected token ';'$/,
        ),
        expect.stringMatching(/lib\.mjs:2:21$/),
        '  1 | export const other = 1;',
        '> 2 | export const word = ;',
        '    |                     ^',
      ]);
      expect(await scene.caller.status('my', id)).toMatchObject({ status: 'IN_QUEUE' });
      scene.write('lib.mjs', "export const word = 'mended';");
      await scene.logged(/^lib\.mjs changed/);
      expect(await scene.statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'mended' });
    });

    it('breaks on a change without affecting what ran before', async () => {
      scene.write('handler.mjs', 'export const handler = async () => 1;');
      await scene.serve('handler.mjs');
      expect((await scene.caller.runsync('my', {})).output).toBe(1);
      scene.write('handler.mjs', 'export const handler = async () => {;');
      await scene.logged(/^> 2|^> 1/);
      const id = await scene.caller.run('my', {});
      expect(await scene.caller.status('my', id)).toMatchObject({ status: 'IN_QUEUE' });
      scene.write('handler.mjs', 'export const handler = async () => 2;');
      expect(await scene.statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 2 });
    });

    it('is reported once, however many workers try', async () => {
      scene.write('handler.mjs', 'export const handler = ;');
      await scene.serve('handler.mjs', { minWorkers: 3, maxWorkers: 3 }, { timeScale: 100 });
      await scene.caller.run('my', {});
      await scene.logged(/\^/);
      // By then it was tried again.
      while (scene.workerCount('initializing') > 0) await scene.caller.get('my/health');
      while (scene.workerCount('initializing') === 0) await scene.caller.get('my/health');
      expect(scene.logs.filter(({ line }) => line.includes('cannot be loaded'))).toHaveLength(1);
    });

    it.each([
      [
        'the exported value',
        'handler.mjs',
        ['export const handle = 1;', 'export class Model {}'],
        /does not export a function named handler\. It exports Model, handle\.$/,
      ],
      [
        'that its handler is not a function',
        'handler.mjs',
        ['export const handler = { run: () => 1 };'],
        /does not export a function named handler\. Its handler is of type object\.$/,
      ],
      [
        'that it exports nothing',
        'handler.mjs',
        ['const handler = 1;'],
        /does not export a function named handler\. It exports nothing\.$/,
      ],
      [
        'that it does not exist',
        'nowhere.mjs',
        [],
        /nowhere\.mjs cannot be loaded, and jobs wait until it can\. There is no such file\.$/,
      ],
      ['the import that was not found', 'handler.mjs', ["import './gone.mjs';"], /Cannot find module '.*gone\.mjs'/],
      [
        'the import missing from an imported module',
        'handler.mjs',
        ["import { gone } from 'node:fs';"],
        /does not provide an export named 'gone'$/,
      ],
      [
        'that it ended its worker',
        'handler.mjs',
        ['process.exit(3);'],
        /Error: The worker ended with code 3 before the module was loaded\.$/,
      ],
      [
        'that it waits forever',
        'handler.mjs',
        ['await new Promise(() => undefined);'],
        /Error: A top-level await never settles: nothing else is running\.$/,
      ],
      [
        'an uncaught error while loading',
        'handler.mjs',
        [
          "queueMicrotask(() => { throw new Error('stray'); });",
          'await new Promise((resolve) => setTimeout(resolve, 60_000));',
        ],
        /Error: stray$/,
      ],
      ['the value thrown while loading', 'handler.mjs', ["throw new Error('no model');"], /Error: no model$/],
    ])('reports %s', async (_what, served, lines, expected) => {
      scene.write('handler.mjs', ...lines);
      await scene.serve(served);
      await scene.caller.run('my', {});
      expect((await scene.logged(/./))[0]).toMatch(expected);
    });

    it.each([
      [
        'which file an import without an ending may mean',
        'handler.ts',
        "import { word } from './lib'; export const handler = async () => word;",
        'There is ./lib.ts: an import names the file with its ending.',
      ],
      [
        'which file an import with the ending of compiled code may mean',
        'handler.ts',
        "import { word } from './lib.js'; export const handler = async () => word;",
        'There is ./lib.ts: an import names the file with its ending.',
      ],
      [
        'the languages a handler can be written in',
        'handler.rb',
        'def handler(job) = 1',
        'A handler is a JavaScript or TypeScript module (.mjs, .js, .cjs, .ts, .mts, .cts) or a Python file (.py).',
      ],
    ])('reports %s', async (_what, served, line, hint) => {
      scene.write('lib.ts', "export const word: string = 'found';");
      scene.write(served, line);
      await scene.serve(served);
      await scene.caller.run('my', {});
      expect(await scene.logged(/^There is|^A handler is/)).toContain(hint);
    });

    it.each([
      ['awaits forever', 'setInterval(() => undefined, 1_000); await new Promise(() => undefined);'],
      ['never ends a loop', 'while (true);'],
    ])('is reported as loading slowly after ten seconds if it %s', async (_how, line) => {
      const clock = createVirtualClock();
      scene.write('handler.mjs', "console.log('loading');", line, 'export const handler = async () => 1;');
      await scene.serve('handler.mjs', {}, { clock });
      await scene.caller.run('my', {});
      await scene.logged(/^loading$/);
      clock.advance(9_999);
      expect(scene.logs).toHaveLength(1);
      clock.advance(1);
      expect(scene.logs.at(-1)?.line).toBe(
        'handler.mjs is still being loaded after 10 s, and jobs wait. Is it waiting for something, or looping?',
      );
    });

    it('starts when its missing file is written', async () => {
      scene.write('handler.mjs', "import { word } from './gone.mjs';", 'export const handler = async () => word;');
      await scene.serve('handler.mjs');
      const id = await scene.caller.run('my', {});
      await scene.logged(/gone\.mjs/);
      scene.write('gone.mjs', "export const word = 'found';");
      await scene.logged(/^gone\.mjs changed/);
      expect(await scene.statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'found' });
    });
  });

  it.each([
    ['its own', () => scene.endpointOf('handler.mjs').handler],
    ['the shared one', () => ({ builtIn: 'echo' })],
  ])('reports that a thread cannot start: %s', async (_whose, handler) => {
    const missing = pathToFileURL(join(scene.folder, 'no-thread.js'));
    await scene.serve('handler.mjs', { handler: handler() }, { workerUrl: missing });
    await scene.caller.run('my', {});
    expect((await scene.logged(/./))[0]).toMatch(
      /^Its worker cannot start, and jobs wait until it can\. .*Cannot find module .*no-thread\.js/,
    );
  });
});
