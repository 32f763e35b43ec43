import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whyNoPython } from '../../kit/python.ts';
import { threadSources } from '../../kit/threads.ts';
import { openHandlerScene, type HandlerScene } from './handler-scene.ts';

let scene: HandlerScene;
beforeEach(() => {
  scene = openHandlerScene();
});
afterEach(() => scene.close());

/** Each printed line with the number of the job that it is said to be of. */
function linesOf(jobs: readonly string[]): [number | null, string][] {
  return scene.logs.map(({ jobId, line }) => [jobId === null ? null : jobs.indexOf(jobId), line]);
}

describe('what a handler in JavaScript prints', () => {
  it('belongs to the job whose code prints it, even after its end, and to none if no job caused it', async () => {
    scene.write(
      'handler.mjs',
      'const late = Promise.withResolvers();',
      'globalThis.tell = () => console.log("of the module");',
      'const others = setInterval(() => globalThis.isTold || (globalThis.isTold = true, tell()), 1);',
      'console.log("loading");',
      'export async function handler(job) {',
      '  console.log("begin", job.input.n);',
      '  if (job.input.n === 1) late.promise.then(() => console.log("late"));',
      '  else {',
      '    late.resolve();',
      '    await new Promise((resolve) => setTimeout(resolve, 5));',
      '    clearInterval(others);',
      '  }',
      '  process.stderr.write("end " + job.input.n);',
      '}',
    );
    await scene.serve('handler.mjs');
    const first = await scene.caller.runsync('my', { n: 1 });
    const second = await scene.caller.runsync('my', { n: 2 });
    await scene.logged(/end 2/);
    const lines = linesOf([first.id, second.id]);
    expect(lines.filter(([, line]) => line !== 'of the module')).toEqual([
      [null, 'loading'],
      [0, 'begin 1'],
      [0, 'end 1'],
      [1, 'begin 2'],
      [0, 'late'],
      [1, 'end 2'],
    ]);
    expect(lines).toContainEqual([null, 'of the module']);
  });

  it('prints for its job when that is stopped', async () => {
    scene.write(
      'handler.mjs',
      'export const handler = (job) => new Promise((resolve) => {',
      '  job.signal.addEventListener("abort", () => { console.log("stopped by its signal"); resolve(); });',
      '  job.progress({ isListening: true });',
      '});',
    );
    await scene.serve('handler.mjs');
    const id = await scene.caller.run('my', {});
    await scene.statusWhen(id, ({ output }) => output !== undefined);
    await scene.caller.post(`my/cancel/${id}`);
    await scene.logged(/stopped by its signal/);
    expect(scene.linesOf(id)).toEqual(['stopped by its signal']);
  });

  it('shows bytes that are no text, and the bytes of half a character, before the job ends', async () => {
    scene.write(
      'handler.mjs',
      'export function handler(job) {',
      '  process.stdout.write(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3]));',
      '}',
    );
    await scene.serve('handler.mjs');
    const { id } = await scene.caller.runsync('my', {});
    expect(scene.linesOf(id)).toEqual(['a\ufffdb', '\ufffd']);
  });

  it('of 50 MB without an end comes whole', async () => {
    scene.write('handler.mjs', 'export const handler = () => void process.stdout.write("x".repeat(50_000_000));');
    await scene.serve('handler.mjs');
    const { id, status } = await scene.caller.runsync('my', {});
    expect(status).toBe('COMPLETED');
    expect(scene.linesOf(id).reduce((sum, { length }) => sum + length, 0)).toBe(50_000_000);
  });
});

const whyNot = whyNoPython();

describe('what a handler in Python prints', () => {
  beforeEach((context) => {
    if (whyNot !== null) context.skip(whyNot);
  });

  const serve = async (...lines: string[]): Promise<void> => {
    scene.write('handler.py', ...lines);
    await scene.serve('handler.py', {}, { workerUrl: threadSources.sandboxHandler });
  };

  it('belongs to the job whose task prints it, even after its end; that of a thread to none', async () => {
    await serve(
      'import asyncio, threading',
      'print("loading")',
      'gate = asyncio.Event()',
      'tasks = []',
      'async def after(n):',
      '    await gate.wait()',
      '    print("late of", n)',
      'async def handler(job):',
      '    n = job["input"]["n"]',
      '    print("begin", n)',
      '    if n == 1:',
      '        tasks.append(asyncio.create_task(after(1)))',
      '        thread = threading.Thread(target=lambda: print("of a thread"))',
      '        thread.start()',
      '        thread.join()',
      '        await asyncio.to_thread(print, "of its own thread")',
      '    else:',
      '        gate.set()',
      '        await tasks[0]',
      '    print("end", n)',
    );
    const first = await scene.caller.runsync('my', { n: 1 });
    const second = await scene.caller.runsync('my', { n: 2 });
    expect(linesOf([first.id, second.id])).toEqual([
      [null, 'loading'],
      [0, 'begin 1'],
      [null, 'of a thread'],
      [0, 'of its own thread'],
      [0, 'end 1'],
      [1, 'begin 2'],
      [0, 'late of 1'],
      [1, 'end 2'],
    ]);
  });

  it('shows a progress bar as it ends, and bytes that are no text', async () => {
    await serve(
      'import os, sys',
      'def handler(job):',
      '    for step in range(0, 101, 20): sys.stderr.write(f"\\r{step}%")',
      '    sys.stderr.write("\\n")',
      '    os.write(1, b"a\\xffb\\n")',
      '    print("by print")',
    );
    const { id } = await scene.caller.runsync('my', {});
    expect(scene.linesOf(id)).toEqual(['100%', 'by print']);
    // It bypassed Python, which says nothing of its job.
    await scene.logged(/a\ufffdb/);
    expect(scene.linesOf(null)).toEqual(['a\ufffdb']);
  });
});
