import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const file = new URL('../../../src-main/async/thread-env.ts', import.meta.url).href;

/** What a program that uses the cache of compiled code says, and a thread of it. */
function said(folder: string | null): { own: string | null; ofThread: string | null } {
  const code = `
    import { enableCompileCache } from 'node:module';
    import { Worker } from 'node:worker_threads';
    const { threadEnv } = await import(${JSON.stringify(file)});
    ${folder === null ? '' : `enableCompileCache(${JSON.stringify(folder)});`}
    const tell = "import { getCompileCacheDir } from 'node:module'; import { parentPort } from 'node:worker_threads';" +
      'parentPort.postMessage(getCompileCacheDir() ?? null);';
    const thread = new Worker(tell, { eval: true, env: threadEnv() });
    thread.once('message', (ofThread) =>
      console.log(JSON.stringify({ own: process.env.NODE_COMPILE_CACHE ?? null, ofThread })));`;
  const { NODE_COMPILE_CACHE: _ofTheSuite, ...env } = process.env;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' });
  return JSON.parse(told);
}

it('passes the folder for compiled code to threads, and not to the programs that Jobdeck opens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-compiled-'));
  try {
    const { own, ofThread } = said(folder);
    expect(own).toBeNull();
    expect(ofThread?.startsWith(folder)).toBe(true);
    // The same for both, not one in the other.
    expect(ofThread?.slice(folder.length + 1)).toMatch(/^[^/\\]+$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('adds nothing if there is no such folder', () => {
  expect(said(null)).toEqual({ own: null, ofThread: null });
});
