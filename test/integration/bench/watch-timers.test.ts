import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { findNode } from '../../kit/electron-binary.ts';

const watch = fileURLToPath(new URL('../../bench/idle/watch-timers.mjs', import.meta.url));
const main = `import { Worker } from 'node:worker_threads';
new Worker(new URL('thread.js', import.meta.url), { workerData: 'kept' });
setTimeout(() => {}, 1);`;
const thread = `import { workerData } from 'node:worker_threads';
if (workerData === 'kept') setTimeout(() => {}, 1);`;

/** As the recorder does it in Electron: in main alone, whose threads inherit nothing of it. */
const recorder = `if (require('node:worker_threads').isMainThread) require(${JSON.stringify(watch)});`;

it.each(['by the recorder', 'by --import'])('each timer of main and its threads is noted once, %s', (way) => {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-watch-'));
  try {
    const out = join(folder, 'out', 'main');
    mkdirSync(out, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'recorder.cjs'), recorder);
    writeFileSync(join(out, 'main.js'), main);
    writeFileSync(join(out, 'thread.js'), thread);
    const notes = join(folder, 'notes');
    const options =
      way === 'by --import' ? `--import=${pathToFileURL(watch).href}` : `-r ${join(folder, 'recorder.cjs')}`;
    execFileSync(findNode(), [join(out, 'main.js')], {
      env: { ...process.env, JOBDECK_TIMER_NOTES: notes, NODE_OPTIONS: options },
    });
    const noted = readFileSync(notes, 'utf8').trim().split('\n');
    expect(noted.map((line) => /out\/main\/(\w+)\.js/.exec(line)?.[1] ?? '').toSorted()).toEqual(['main', 'thread']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
