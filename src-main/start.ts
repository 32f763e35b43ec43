import { app } from 'electron';
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/* The program's first file. The compiled code of the others is cached in the data folder, which only this user can
   open, so that main and its threads need not be compiled at every start (docs/security.md: Compiled code). Threads
   get the folder through their environment (async/thread-env.ts). */
const folder = join(app.getPath('userData'), 'compiled');
try {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  enableCompileCache(folder);
  // Including what was compiled when it was first called.
  app.once('will-quit', () => flushCompileCache());
} catch {
  // Without the cache the start takes longer; nothing else changes.
}

await import('./main.ts');
