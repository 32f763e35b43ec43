import { flushCompileCache, registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { standInOrigin } from './origin.ts';

/*
 * Replaces the `electron` program: `node run.ts <main file or app folder> [arguments]` runs an unmodified main bundle
 * with this folder's `electron.ts` as its `electron`.
 */
const [node = process.execPath, , target = '.', ...args] = process.argv;
const mainFile = mainFileOf(resolve(target));
process.argv = [node, target, ...args];
process.env['JOBDECK_APP_ORIGIN'] ??= standInOrigin;

/*
 * Plays another system, for the code paths that can run here. It is set before our own code reads the platform.
 * Chromium is found before, because it is this computer's.
 */
const played = process.env['ELECTRON_STAND_IN_PLATFORM'];
if (played !== undefined) {
  const { findChromium } = await import('../kit/chromium.ts');
  process.env['CHROMIUM_PATH'] ??= findChromium() ?? '';
  Object.defineProperty(process, 'platform', { value: played });
}

const electronUrl = new URL('electron.ts', import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron' || specifier === 'electron/main' || specifier === 'electron/common')
      return { url: electronUrl, shortCircuit: true };
    return next(specifier, context);
  },
});

const { app } = await import('./app.ts');
const { desktop } = await import('./shared-chromium.ts');
const { isLockHeld } = await import('./instance-lock.ts');
const { serveControl } = await import('./control.ts');
const { records } = await import('./records.ts');
const { dialog } = await import('./dialog.ts');

app.locate(mainFile);
serveControl();
process.on('SIGINT', () => app.quit());
process.on('SIGTERM', () => app.quit());
process.on('SIGHUP', () => app.quit());
// Neither ends Electron's main process: it shows a dialog for the first and a warning for the second.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  dialog.showErrorBox('A JavaScript error occurred in the main process', error.stack ?? error.message);
});
process.on('unhandledRejection', (reason) => {
  if (process.listenerCount('unhandledRejection') === 1) console.error('UnhandledPromiseRejectionWarning:', reason);
});

// Chromium starts while main is being read, unless this is a second start that is about to end.
if (!isLockHeld(app.getPath('userData'))) desktop().catch(() => {});

const stuck = setTimeout(() => {
  console.error(
    '[electron stand-in] The main file waits at its top level. Electron becomes ready only when main is evaluated, so awaiting app.whenReady() there never ends.',
  );
}, 10_000);
stuck.unref();
records.start.mainBegunMs = Date.now();
try {
  await import(pathToFileURL(mainFile).href);
} catch (error) {
  console.error(error);
  process.exit(1);
}
clearTimeout(stuck);
try {
  await app.becomeReady();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

// A test usually kills its app, and otherwise the compile cache is written only at a normal exit.
if (process.env['NODE_COMPILE_CACHE'] !== undefined) flushCompileCache();

/** A folder names its main file in package.json, as for Electron. */
function mainFileOf(path: string): string {
  try {
    const { main = 'index.js' } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { main?: string };
    return join(path, main);
  } catch {
    return path;
  }
}
