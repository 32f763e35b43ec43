import { app } from 'electron';
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/*
 * The program's first file. What V8 made of the others is kept in the data folder, which only this user can enter, so
 * that main and its threads need not be compiled at every start (docs/security.md: Compiled code). Threads take the
 * folder from the environment.
 */
const folder = join(app.getPath('userData'), 'compiled');
try {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  enableCompileCache(folder);
  process.env['NODE_COMPILE_CACHE'] ||= folder;
  // With what was compiled since the start, when it was first called.
  app.once('will-quit', () => flushCompileCache());
} catch {
  // Without it everything is compiled again: a start takes longer, and nothing else changes.
}

await import('./main.ts');
