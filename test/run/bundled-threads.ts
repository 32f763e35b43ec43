import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { projectDir } from '../kit/electron-binary.ts';
import { bundledThreadsVariable, threadSources } from '../kit/threads.ts';

/**
 * Bundles the threads of the app, as its build does, once before the integration suite: every engine of a test starts
 * two or three of them, and one that reads a hundred source files costs three times what one that reads a bundle does.
 */
export async function setup(): Promise<void> {
  // Another project of the same run did so.
  if (process.env[bundledThreadsVariable] !== undefined) return;
  const folder = join(projectDir, '.cache', 'threads');
  await build({
    root: projectDir,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node24',
      rollupOptions: {
        input: Object.fromEntries(Object.entries(threadSources).map(([name, source]) => [name, fileURLToPath(source)])),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  process.env[bundledThreadsVariable] = folder;
}
