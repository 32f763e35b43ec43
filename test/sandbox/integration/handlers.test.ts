import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHandlerScene, type HandlerScene } from './handler-scene.ts';

describe('your own handler', () => {
  let scene: HandlerScene;
  beforeEach(() => {
    scene = openHandlerScene();
  });
  afterEach(() => scene.close());

  describe('forms', () => {
    it.each([
      [
        'an async function',
        'handler.mjs',
        'export async function handler(job) { return { got: job.input.n, id: job.id }; }',
      ],
      ['a plain function', 'handler.mjs', 'export const handler = (job) => ({ got: job.input.n, id: job.id });'],
      ['a default export', 'handler.js', 'export default async (job) => ({ got: job.input.n, id: job.id });'],
      [
        'an object with a handler',
        'handler.mjs',
        'export default { more: 0, async handler(job) { return { got: job.input.n + this.more, id: job.id }; } };',
      ],
      ['CommonJS', 'handler.cjs', 'exports.handler = async (job) => ({ got: job.input.n, id: job.id });'],
      [
        'TypeScript',
        'handler.ts',
        'export async function handler(job: { id: string; input: { n: number } }): Promise<unknown> { return { got: job.input.n, id: job.id }; }',
      ],
    ])('%s', async (_form, name, source) => {
      scene.write(name, source);
      await scene.serve(name);
      const { id, status, output } = await scene.caller.runsync('my', { n: 7 });
      expect({ status, output }).toEqual({ status: 'COMPLETED', output: { got: 7, id } });
    });

    it.each([
      [
        'an async generator',
        'export async function* handler(job) { for (const word of job.input.words) yield { word }; }',
      ],
      ['a generator', 'export function* handler(job) { for (const word of job.input.words) yield { word }; }'],
    ])('%s streams', async (_form, source) => {
      scene.write('handler.mjs', source);
      await scene.serve('handler.mjs');
      const { id, output } = await scene.caller.runsync('my', { words: ['a', 'b'] });
      expect(output).toEqual([{ word: 'a' }, { word: 'b' }]);
      expect((await scene.caller.get(`my/stream/${id}`)).body).toEqual([
        { output: { word: 'a' } },
        { output: { word: 'b' } },
      ]);
    });

    it('receives the job as submitted, with unknown fields and s3Config', async () => {
      scene.write(
        'handler.mjs',
        'export const handler = async ({ id, signal, progress, ...job }) => ({ job, second: typeof arguments_ });',
        'const arguments_ = undefined;',
      );
      await scene.serve('handler.mjs');
      const more = { s3Config: { bucketName: 'b' }, mine: [1] };
      expect((await scene.caller.runsync('my', { a: 1 }, more)).output).toMatchObject({
        job: { input: { a: 1 }, ...more },
      });
    });
  });

  it('splits streamed output over 1 MB, and the pieces are the output', async () => {
    scene.write(
      'handler.mjs',
      "export async function* handler() { yield 'é'.repeat(1_250_000); yield { text: ['x'.repeat(1_500_000)] }; }",
    );
    await scene.serve('handler.mjs');
    const { id } = await scene.caller.runsync('my', {});
    const { text, body } = await scene.caller.get(`my/stream/${id}`);
    const chunks: { output: string | { text: string[] } }[] = JSON.parse(text);
    expect(body).toEqual(chunks);
    expect(chunks.length).toBeGreaterThanOrEqual(5);
    for (const chunk of chunks) expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(1_000_000);
    const texts = chunks.map(({ output }) => (typeof output === 'string' ? output : output.text.join('')));
    expect(texts.join('')).toBe('é'.repeat(1_250_000) + 'x'.repeat(1_500_000));
  });

  it('shows the argument of job.progress while the job runs', async () => {
    scene.write(
      'handler.mjs',
      'export async function handler(job) { job.progress({ step: 1 }); await new Promise((resolve) => job.signal.addEventListener("abort", resolve)); }',
    );
    await scene.serve('handler.mjs');
    const id = await scene.caller.run('my', {});
    expect(await scene.statusWhen(id, ({ output }) => output !== undefined)).toMatchObject({
      status: 'IN_PROGRESS',
      output: { step: 1 },
    });
    await scene.caller.post(`my/cancel/${id}`);
  });

  describe('reloads', () => {
    it('when the handler changes', async () => {
      scene.write('handler.mjs', "export const handler = async () => 'first';");
      await scene.serve('handler.mjs');
      expect((await scene.caller.runsync('my', {})).output).toBe('first');
      scene.write('handler.mjs', "export const handler = async () => 'second';");
      await scene.logged(/^handler\.mjs changed: .*version 2/);
      expect((await scene.caller.runsync('my', {})).output).toBe('second');
    });

    it('when the handler is replaced by renaming, repeatedly', async () => {
      scene.write('handler.mjs', 'export const handler = async () => 1;');
      await scene.serve('handler.mjs');
      expect((await scene.caller.runsync('my', {})).output).toBe(1);
      for (const version of [2, 3, 4]) {
        scene.writeByRename('handler.mjs', `export const handler = async () => ${version};`);
        await scene.logged(new RegExp(`changed: .*version ${version}`));
        expect((await scene.caller.runsync('my', {})).output).toBe(version);
      }
    });

    it('when an imported, required or dynamically imported module changes', async () => {
      scene.write('static.mjs', "export { word } from './deeper.cjs';");
      scene.write('deeper.cjs', "exports.word = require('./word.json').word;");
      scene.write('word.json', '{ "word": "first" }');
      scene.write('late.mjs', "export const late = 'early';");
      scene.write(
        'handler.mjs',
        "import { word } from './static.mjs';",
        "export const handler = async () => [word, (await import('./late.mjs')).late];",
      );
      await scene.serve('handler.mjs');
      expect((await scene.caller.runsync('my', {})).output).toEqual(['first', 'early']);
      scene.write('word.json', '{ "word": "second" }');
      await scene.logged(/^word\.json changed: .*version 2/);
      expect((await scene.caller.runsync('my', {})).output).toEqual(['second', 'early']);
      scene.writeByRename('late.mjs', "export const late = 'late';");
      await scene.logged(/^late\.mjs changed: .*version 3/);
      expect((await scene.caller.runsync('my', {})).output).toEqual(['second', 'late']);
    });

    it('let a running job finish with the code it began with', async () => {
      const handler = (version: string): string[] => [
        "import { existsSync } from 'node:fs';",
        "import { setTimeout as sleep } from 'node:timers/promises';",
        'export async function handler(job) {',
        `  if (job.input.until) { console.log('waiting'); while (!existsSync(job.input.until)) await sleep(5); }`,
        `  return '${version}';`,
        '}',
      ];
      scene.write('handler.mjs', ...handler('old'));
      await scene.serve('handler.mjs', { minWorkers: 2, maxWorkers: 2 });
      const until = join(scene.folder, 'go');
      const id = await scene.caller.run('my', { until });
      await scene.logged(/waiting/);
      expect((await scene.caller.runsync('my', {})).output).toBe('old');
      scene.write('handler.mjs', ...handler('new'));
      await scene.logged(/changed/);
      expect((await scene.caller.runsync('my', {})).output).toBe('new');
      expect(await scene.caller.status('my', id)).toMatchObject({ status: 'IN_PROGRESS' });
      scene.write('go', '');
      expect(await scene.statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'old' });
    });
  });

  describe('logs', () => {
    it('come line by line with the job id, before its end, with the begun line flushed', async () => {
      scene.write(
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
      await scene.serve('handler.mjs');
      const atEnd: string[][] = [];
      const first = await scene.caller.runsync('my', {});
      atEnd.push(scene.linesOf(first.id));
      const second = await scene.caller.runsync('my', {});
      atEnd.push(scene.linesOf(second.id));
      const expected = ['two', 'lines { a: 1 }', 'problem', 'in pieces'];
      expect(atEnd).toEqual([expected, expected]);
      expect(scene.linesOf(null)).toEqual(['loading']);
      expect(scene.logs.find(({ line }) => line === 'problem')).toEqual({
        endpointId: 'my',
        workerId: expect.stringMatching(/^[a-z0-9]{14}$/),
        jobId: first.id,
        stream: 'stderr',
        line: 'problem',
      });
    });

    it('arrive whole from a handler that prints and exits', async () => {
      scene.write(
        'handler.mjs',
        "export async function handler() { for (let n = 0; n < 1000; n += 1) console.log('line', n); process.stdout.write('the end'); process.exit(3); }",
      );
      await scene.serve('handler.mjs');
      const { id } = await scene.caller.runsync('my', {});
      expect(scene.linesOf(id).slice(0, 1_001)).toEqual([
        ...Array.from({ length: 1_000 }, (_, n) => `line ${n}`),
        'the end',
      ]);
    });

    it('of a handler that prints endlessly are held back, and end when it is cancelled', async () => {
      scene.write(
        'handler.mjs',
        "export async function handler() { for (let n = 0; ; n += 1) console.log('x'.repeat(10_000), n); }",
      );
      await scene.serve('handler.mjs', {}, { timeScale: 20 });
      const id = await scene.caller.run('my', {});
      await scene.logged(/x 300$/);
      expect((await scene.caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      while (scene.workerCount('running') > 0) await scene.caller.get('my/health');
      // The line that is printed while the worker is told to end may come in two parts, and the last one may be cut.
      const printed = scene.linesOf(id).filter((line) => !line.startsWith('The handler continued'));
      const numbers = [...printed.join('').matchAll(/x (\d+)(?=x)/g)].map(([, number]) => Number(number));
      expect(numbers.length).toBeGreaterThanOrEqual(300);
      expect(numbers).toEqual(numbers.map((_, index) => index));
    });
  });

  describe('cancel', () => {
    it('aborts the signal, and a handler that respects it keeps its worker', async () => {
      scene.write(
        'handler.mjs',
        'export async function handler(job) {',
        '  if (job.input.quick) return console.log("quick");',
        "  console.log('begun');",
        "  await new Promise((resolve) => job.signal.addEventListener('abort', resolve));",
        "  console.log('stopped');",
        '}',
      );
      await scene.serve('handler.mjs');
      const id = await scene.caller.run('my', {});
      await scene.logged(/begun/);
      expect((await scene.caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      const { id: next } = await scene.caller.runsync('my', { quick: true });
      expect([scene.linesOf(id), scene.linesOf(next)]).toEqual([['begun', 'stopped'], ['quick']]);
      expect(new Set(scene.logs.map(({ workerId }) => workerId)).size).toBe(1);
    });

    it.each([
      ['never gives the thread a turn', 'while (true);'],
      ['ignores it', 'await new Promise(() => undefined);'],
    ])('ends the worker of a handler that %s', async (_how, block) => {
      scene.write(
        'handler.mjs',
        'export async function handler(job) {',
        '  if (job.input.quick) return console.log("quick");',
        "  process.stdout.write('last words');",
        `  ${block}`,
        '}',
      );
      await scene.serve('handler.mjs', {}, { timeScale: 20 });
      const id = await scene.caller.run('my', {});
      await scene.statusWhen(id, ({ status }) => status === 'IN_PROGRESS');
      expect((await scene.caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      const next = await scene.caller.run('my', { quick: true });
      await scene.statusWhen(next, ({ status }) => status === 'COMPLETED');
      const ended =
        'The handler continued after it was asked to stop, and its worker was ended. To keep the worker, respect job.signal.';
      expect([scene.linesOf(id), scene.linesOf(next)]).toEqual([['last words', ended], ['quick']]);
      expect(new Set(scene.logs.map(({ workerId }) => workerId)).size).toBe(2);
      expect(await scene.caller.status('my', id)).toMatchObject({ status: 'CANCELLED' });
    });
  });

  it('is not blamed for continuing before its time to stop was over', async () => {
    scene.write('handler.mjs', 'export const handler = () => new Promise(() => undefined);');
    await scene.serve('handler.mjs');
    const id = await scene.caller.run('my', {});
    await scene.statusWhen(id, ({ status }) => status === 'IN_PROGRESS');
    await scene.caller.post(`my/cancel/${id}`);
    await scene.sandbox.close();
    expect(scene.linesOf(id)).toEqual([]);
  });

  it('pauses of the built-in handlers follow the speed of time, those of your own handlers do not', async () => {
    scene.write('handler.mjs', 'export const handler = async (...given) => given.length;');
    await scene.serve(
      'handler.mjs',
      {},
      {
        timeScale: 100,
        endpoints: [
          {
            id: 'mock',
            handler: { builtIn: 'mock' },
            minWorkers: 1,
            maxWorkers: 1,
            coldStartMs: 0,
            idleTimeoutMs: 1e6,
          },
          scene.endpointOf('handler.mjs'),
        ],
      },
    );
    // Ten seconds of real time would be more than the executionTimeout.
    const id = await scene.caller.run('mock', { mock_delay: 10_000 });
    expect(
      await scene.statusWhen(id, ({ status }) => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS', 'mock'),
    ).toMatchObject({ status: 'COMPLETED' });
    expect((await scene.caller.status('mock', id)).executionTime).toBeGreaterThanOrEqual(9_900);
    const own = await scene.caller.run('my', {});
    expect(await scene.statusWhen(own, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 1 });
  });
});
