import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/*
 * Loaded into main and each of its threads before anything else: notes every timer of the app's own code that fires,
 * with the line that set it.
 */
const file = process.env.JOBDECK_TIMER_NOTES;
const ours = /\/out\/main\/[^)\s]+/;

for (const name of ['setTimeout', 'setInterval']) {
  const original = globalThis[name];
  globalThis[name] = Object.assign((run, ...rest) => {
    const at = ours.exec(new Error().stack ?? '')?.[0];
    if (file === undefined || at === undefined || typeof run !== 'function') return original(run, ...rest);
    return original(
      (...given) => {
        appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), at })}\n`);
        return run(...given);
      },
      ...rest,
    );
  }, original);
}

/**
 * Threads inherit --import, and not what the recorder loaded on Electron. It is loaded once, however often it is
 * requested.
 */
threads.Worker = class extends threads.Worker {
  constructor(url, options = {}) {
    super(url, { ...options, execArgv: [...(options.execArgv ?? []), `--import=${import.meta.url}`] });
  }
};
syncBuiltinESMExports();
