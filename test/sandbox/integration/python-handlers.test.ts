import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';
import { turnsUntil } from '../../kit/engine.ts';
import { hasPythonSdk, whyNoPython } from '../../kit/python.ts';
import { threadSources } from '../../kit/threads.ts';
import { openHandlerScene, type HandlerScene } from './handler-scene.ts';

const whyNot = whyNoPython();

describe('your own handler in Python', () => {
  let scene: HandlerScene;
  beforeEach((context) => {
    if (whyNot !== null) context.skip(whyNot);
    scene = openHandlerScene();
  });
  afterEach(() => (whyNot === null ? scene.close() : undefined));

  /** From the sources, as the command line runs: a bundle does not have the bridge. */
  const serveWritten = (options: SandboxOptions = {}): Promise<void> =>
    scene.serve('handler.py', {}, { workerUrl: threadSources.sandboxHandler, ...options });
  const serve = async (...lines: string[]): Promise<void> => {
    scene.write('handler.py', ...lines);
    await serveWritten();
  };

  describe('forms', () => {
    it.each([
      ['a function', ['def handler(job):', '    return {"got": job["input"]["n"], "id": job["id"]}']],
      ['a coroutine', ['async def handler(job):', '    return {"got": job["input"]["n"], "id": job["id"]}']],
      [
        'what the SDK is started with',
        [
          'import runpod',
          'def mine(job):',
          '    return {"got": job["input"]["n"], "id": job["id"]}',
          'if __name__ == "__main__":',
          '    runpod.serverless.start({"handler": mine})',
        ],
      ],
    ])('%s', async (_form, lines) => {
      await serve(...lines);
      const { id, status, output } = await scene.caller.runsync('my', { n: 7 });
      expect({ status, output }).toEqual({ status: 'COMPLETED', output: { got: 7, id } });
    });

    it.each([
      ['a generator', ['def handler(job):', '    for word in job["input"]["words"]: yield {"word": word}']],
      [
        'an async generator',
        ['async def handler(job):', '    for word in job["input"]["words"]: yield {"word": word}'],
      ],
    ])('%s streams', async (_form, lines) => {
      await serve(...lines);
      const { id, output } = await scene.caller.runsync('my', { words: ['a', 'b'] });
      expect(output).toEqual([{ word: 'a' }, { word: 'b' }]);
      expect((await scene.caller.get(`my/stream/${id}`)).body).toEqual([
        { output: { word: 'a' } },
        { output: { word: 'b' } },
      ]);
    });

    it('a chunk with metrics, and one over 1 MB, which is split', async () => {
      await serve(
        'def handler(job):',
        '    yield {"output": {"text": ["a"]}, "metrics": {"running": 1}}',
        '    yield "é" * 1_250_000',
      );
      const { id } = await scene.caller.runsync('my', {});
      const { text } = await scene.caller.get(`my/stream/${id}`);
      const [first, ...others]: { output: unknown }[] = JSON.parse(text);
      expect(first).toEqual({ output: { text: ['a'] }, metrics: { running: 1 } });
      expect(others.length).toBeGreaterThan(1);
      expect(others.map(({ output }) => output).join('')).toBe('é'.repeat(1_250_000));
    });

    it('gets and returns numbers as they are written, however long', async () => {
      await serve('def handler(job):', '    return [job["input"]["seed"], repr(job["input"]["scale"]), 1.0]');
      const body = '{"input":{"seed":18446744073709551615,"scale":1.0}}';
      expect((await scene.caller.post('my/runsync', body)).text).toContain('[18446744073709551615,"1.0",1.0]');
    });

    it('receives the job as submitted, with unknown fields and s3Config', async () => {
      await serve('def handler(job):', '    return job');
      const more = { s3Config: { bucketName: 'b' }, mine: [1] };
      expect((await scene.caller.runsync('my', { a: 1 }, more)).output).toMatchObject({ input: { a: 1 }, ...more });
    });

    it('returns nothing, or thirty megabytes', async () => {
      await serve('def handler(job):', '    if job["input"].get("much"): return "x" * 30_000_000');
      expect(await scene.caller.runsync('my', {})).not.toHaveProperty('output');
      expect((await scene.caller.runsync('my', { much: true })).output).toHaveLength(30_000_000);
    });
  });

  describe('what the SDK reads of a returned dict', () => {
    const returning = async (dict: string): Promise<Record<string, unknown>> => {
      await serve('def handler(job):', `    return ${dict}`);
      const { status, output, error } = await scene.caller.runsync('my', {});
      return { status, output, error };
    };

    it.each([
      ['{"error": "no room"}', { status: 'FAILED', error: 'no room', output: undefined }],
      ['{"error": "no room", "at": 1}', { status: 'FAILED', error: 'no room', output: { at: 1 } }],
      ['{"error": {"code": 7}}', { status: 'FAILED', error: '{"code":7}', output: undefined }],
      ['{"error": None, "at": 1}', { status: 'COMPLETED', error: undefined, output: { at: 1 } }],
      ['{}', { status: 'COMPLETED', error: undefined, output: undefined }],
      ['{"in": {"error": "mine"}}', { status: 'COMPLETED', error: undefined, output: { in: { error: 'mine' } } }],
    ])('%s', async (dict, expected) => {
      expect(await returning(dict)).toEqual(expected);
    });

    it('an error is in the log too', async () => {
      await serve('def handler(job):', '    return {"error": "no room"}');
      const { id } = await scene.caller.runsync('my', {});
      expect(scene.linesOf(id)).toEqual(['The handler returned an error: no room']);
    });

    it('refresh_worker replaces the worker after the job, and is no output', async () => {
      await serve(
        'import os',
        'def handler(job):',
        '    return {"refresh_worker": job["input"]["refresh"], "pid": os.getpid()}',
      );
      const pidOf = async (refresh: boolean): Promise<unknown> =>
        (await scene.caller.runsync('my', { refresh })).output;
      const first = await pidOf(false);
      expect(first).toEqual({ pid: expect.any(Number) });
      expect(await pidOf(true)).toEqual(first);
      expect(await pidOf(false)).not.toEqual(first);
    });

    it('refresh_worker given to start replaces it after every job, even one that streams or fails', async () => {
      await serve(
        'import os, runpod',
        'def handler(job):',
        '    yield os.getpid()',
        '    if job["input"].get("fail"): raise ValueError()',
        'runpod.serverless.start({"handler": handler, "refresh_worker": True})',
      );
      const [first] = [(await scene.caller.runsync('my', {})).output].flat();
      const failed = await scene.caller.runsync('my', { fail: true });
      const [second] = (await scene.caller.get(`my/stream/${failed.id}`)).text.match(/\d+/) ?? [];
      const [third] = [(await scene.caller.runsync('my', {})).output].flat();
      expect(new Set([first, Number(second), third]).size).toBe(3);
    });
  });

  it('finds the end of the input if it reads it, as do programs it starts', async () => {
    await serve(
      'import subprocess',
      'def handler(job):',
      '    try: return input()',
      '    except EOFError: return subprocess.run(["cat"], capture_output=True, text=True).stdout + "end"',
    );
    expect((await scene.caller.runsync('my', {})).output).toBe('end');
    expect((await scene.caller.runsync('my', {})).output).toBe('end');
  });

  it('prints to the log with its job, before the end, and shows progress', async () => {
    await serve(
      'import os, sys, runpod',
      'print("loading")',
      'def handler(job):',
      '    print("two\\nlines", end="")',
      '    print("problem", file=sys.stderr)',
      '    runpod.serverless.progress_update(job, {"step": 1})',
      '    while job["input"].get("wait"): pass',
      '    return os.getpid()',
    );
    const { id } = await scene.caller.runsync('my', {});
    expect(scene.linesOf(id).toSorted()).toEqual(['lines', 'problem', 'two']);
    expect(scene.linesOf(null)).toEqual(['loading']);
    const waiting = await scene.caller.run('my', { wait: true });
    expect(await scene.statusWhen(waiting, ({ output }) => output !== undefined)).toMatchObject({
      status: 'IN_PROGRESS',
      output: { step: 1 },
    });
    await scene.caller.post(`my/cancel/${waiting}`);
  });

  describe('failures', () => {
    it('point at the user’s own line, in the job’s error and in the log', async () => {
      const path = scene.write(
        'handler.py',
        'from tidy import tidy',
        '',
        'def handler(job):',
        '    return tidy(job["input"]["text"])',
      );
      scene.write('tidy.py', 'def tidy(text):', '    return text.strip()');
      await serveWritten();
      const id = await scene.caller.run('my', { text: 5 });
      const { error } = await scene.statusWhen(id, ({ status }) => status === 'FAILED');
      expect(JSON.parse(error ?? '')).toMatchObject({
        error_type: 'AttributeError',
        error_message: "'int' object has no attribute 'strip'",
        error_traceback: expect.stringMatching(
          new RegExp(`^Traceback .*\\n  File "${path}", line 4, in handler\\n[^]*tidy.py", line 2, in tidy`),
        ),
      });
      expect(scene.linesOf(id).at(-1)).toBe("AttributeError: 'int' object has no attribute 'strip'");
    });

    it.each([
      ['return {"a": [0, {1, 2}]}', 'What the handler returned', 'output.a[1] is of type set'],
      ['return {"a b": float("nan")}', 'What the handler returned', "output['a b'] is nan, which JSON does not have"],
      ['return ["\\ud800"]', 'What the handler returned', 'output[0] has half of a character (a lone surrogate)'],
      ['return {"a": {(1, 2): 3}}', 'What the handler returned', 'output.a has a key of type tuple'],
      ['a = []; a.append(a); return a', 'What the handler returned', 'output[0] is in itself, and so without end'],
      [
        'return functools.reduce(lambda a, _: [a], range(9999))',
        'What the handler returned',
        'it is nested too deeply',
      ],
      ['yield {1: object()}', 'What the handler yielded as chunk 1', 'output[1] is of type object'],
    ])('name what cannot be JSON, and its place: %s', async (line, what, unfit) => {
      await serve('import functools', 'def handler(job):', `    ${line}`);
      expect((await scene.failure()).error_message).toBe(`${what} cannot be sent as JSON: ${unfit}.`);
    });

    it('that have no text leave the worker as it is', async () => {
      await serve(
        'import os',
        'class Mute(Exception):',
        '    def __str__(self): raise RuntimeError("no text")',
        'def handler(job):',
        '    if job["input"].get("quick"): return os.getpid()',
        '    raise Mute()',
      );
      const { output: before } = await scene.caller.runsync('my', { quick: true });
      expect(await scene.failure()).toMatchObject({
        error_type: 'Mute',
        error_message: '<exception str() failed>',
        error_traceback: expect.stringContaining('line 6, in handler'),
      });
      expect((await scene.caller.runsync('my', { quick: true })).output).toBe(before);
    });

    it.each([
      ['sys.exit(3)', 'Python ended with code 3.'],
      ['os.kill(os.getpid(), signal.SIGSEGV)', 'Python was ended by SIGSEGV.'],
    ])('of the whole process fail the job, and the next one has another: %s', async (line, reason) => {
      await serve(
        'import os, signal, sys',
        'def handler(job):',
        `    if job["input"].get("end"): ${line}`,
        '    return 1',
      );
      expect((await scene.failure({ end: true })).error_message).toBe(
        `The worker exited with code 1 before the job was done: ${reason}`,
      );
      expect((await scene.caller.runsync('my', {})).output).toBe(1);
    });
  });

  describe('a file that cannot be loaded', () => {
    it.each([
      ['a syntax error', ['def handler(job:', '    return 1'], /SyntaxError: /],
      [
        'a module that is not there',
        ['import no_such_module'],
        /^ModuleNotFoundError: No module named 'no_such_module'$/,
      ],
      ['no handler', ['def run(job): pass'], /It does not define a function named handler, .* It defines run\.$/],
    ])('is named with %s, and its jobs run when it is mended', async (_what, lines, expected) => {
      await serve(...lines);
      const id = await scene.caller.run('my', {});
      const logged = await scene.logged(expected);
      expect(logged[0]).toMatch(/handler\.py cannot be loaded, and jobs wait until it can\. /);
      scene.write('handler.py', 'def handler(job): return "mended"');
      await scene.logged(/^handler\.py changed: .*version 2/);
      expect(await scene.statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'mended' });
    });

    it('is loaded as soon as the module that it misses is written', async () => {
      await serve('from words import word', 'def handler(job): return word');
      const id = await scene.caller.run('my', {});
      await scene.logged(/No module named 'words'/);
      scene.write('words.py', 'word = "found"');
      expect(await scene.statusWhen(id, ({ status }) => status === 'COMPLETED')).toMatchObject({ output: 'found' });
    });

    it
      .skipIf(hasPythonSdk())
      .each(['from runpod.serverless.utils import rp_cleanup', 'import runpod; runpod.RunPodLogger()'])(
      'is named with the SDK that it needs: %s',
      async (line) => {
        await serve(line, 'def handler(job): return 1');
        await scene.caller.run('my', {});
        expect(await scene.logged(/pip install runpod$/)).toContainEqual(
          expect.stringMatching(/^The SDK is not installed for this Python, /),
        );
      },
    );

    it('is named when there is no Python', async () => {
      const path = process.env['PATH'];
      process.env['PATH'] = scene.folder;
      try {
        await serve('def handler(job): return 1');
        await scene.caller.run('my', {});
        expect((await scene.logged(/./))[0]).toMatch(
          /There is no python3 on the PATH, which a Python handler needs\.$/,
        );
      } finally {
        process.env['PATH'] = path;
      }
    });
  });

  it('is reloaded when it, or a module beside it, changes', async () => {
    scene.write('words.py', 'word = "first"');
    await serve('import words', 'def handler(job): return words.word');
    expect((await scene.caller.runsync('my', {})).output).toBe('first');
    scene.write('words.py', 'word = "other"');
    await scene.logged(/^words\.py changed: .*version 2/);
    expect((await scene.caller.runsync('my', {})).output).toBe('other');
  });

  describe('a cancelled job', () => {
    it.each([
      ['sleeps', 'def', 'time.sleep(600)'],
      ['computes', 'def', 'while True: pass'],
      ['awaits', 'async def', 'await asyncio.sleep(600)'],
    ])('that %s ends immediately, and its worker is kept', async (_how, form, line) => {
      await serve(
        'import asyncio, os, time',
        `${form} handler(job):`,
        '    if job["input"].get("quick"): return os.getpid()',
        '    try:',
        '        print("begun")',
        `        ${line}`,
        '    finally:',
        '        print("cleaned up")',
      );
      const { output: before } = await scene.caller.runsync('my', { quick: true });
      const id = await scene.caller.run('my', {});
      await scene.logged(/begun/);
      expect((await scene.caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      expect((await scene.caller.runsync('my', { quick: true })).output).toBe(before);
      expect(scene.linesOf(id)).toEqual(['begun', 'cleaned up']);
    });

    it('that streams ends too', async () => {
      await serve(
        'import itertools, os',
        'def handler(job):',
        '    if job["input"].get("quick"): return os.getpid()',
        '    return ({"at": at} for at in itertools.count())',
      );
      const { output: before } = await scene.caller.runsync('my', { quick: true });
      const id = await scene.caller.run('my', {});
      await scene.statusWhen(id, ({ status }) => status === 'IN_PROGRESS');
      expect((await scene.caller.post(`my/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
      expect((await scene.caller.runsync('my', { quick: true })).output).toBe(before);
    });

    it('whose handler ignores that loses its worker', async () => {
      scene.write(
        'handler.py',
        'import os, time',
        'def handler(job):',
        '    if job["input"].get("quick"): return os.getpid()',
        '    while True:',
        '        try:',
        '            print("on")',
        '            time.sleep(600)',
        '        except BaseException: pass',
      );
      await serveWritten({ timeScale: 20 });
      const { output: before } = await scene.caller.runsync('my', { quick: true });
      const id = await scene.caller.run('my', {});
      await scene.logged(/^on$/);
      await scene.caller.post(`my/cancel/${id}`);
      expect((await scene.caller.runsync('my', { quick: true })).output).not.toBe(before);
      expect(scene.linesOf(id).at(-1)).toMatch(
        /its worker was ended\. To keep the worker, re-raise the exception that stops it\.$/,
      );
      await turnsUntil(() => !isRunning(Number(before)));
    });
  });

  it('leaves no process when the sandbox ends', async () => {
    await serve('import os', 'def handler(job): return os.getpid()');
    const { output } = await scene.caller.runsync('my', {});
    expect(isRunning(Number(output))).toBe(true);
    await scene.sandbox.close();
    await turnsUntil(() => !isRunning(Number(output)));
  });

  it('writes nothing beside the handler', async () => {
    scene.write('words.py', 'word = "w"');
    await serve('import os, words', `def handler(job): return sorted(os.listdir(${JSON.stringify(scene.folder)}))`);
    expect((await scene.caller.runsync('my', {})).output).toEqual(['handler.py', 'words.py']);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
