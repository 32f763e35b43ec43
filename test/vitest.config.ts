import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { keepCompiled } from './run/compiled.ts';
import { LongestFirst, longestFiles } from './run/longest-first.ts';

keepCompiled();

/** Files whose code Vite has to transform first: JSX, and what replaces Electron by `vi.mock`. */
const unitFilesForVite = [
  'test/unit/**/*.test.tsx',
  'test/unit/renderer/**/*.test.ts',
  'test/unit/preload/preload.test.ts',
];
const integrationFilesForVite = [
  'test/integration/desktop/pages/hardened-windows.test.ts',
  'test/integration/desktop/pages/answers-after-events.test.ts',
  'test/integration/desktop/pages/hostile-calls.test.ts',
  'test/integration/desktop/windows/given-up-loads.test.ts',
];

/**
 * Node itself strips types and keeps what it compiled. Vite's module runner would read every import through a getter:
 * the same integration tests take a third more time.
 */
const byNode = { viteModuleRunner: false };

/** A process for all files of a worker instead of one for each: half the time of the whole suite. */
const unit = { isolate: false, setupFiles: ['test/kit/unit-file.ts'] };

/**
 * Integration tests that need a process of their own: what is about threads and processes, and files so long that no
 * other should wait for them. The others share one, as unit tests do, because each costs half a second. Their histories
 * share threads too (test/kit/hosted-threads.ts): V8 crashes a process that starts and ends many (crashed-files.ts).
 */
const integrationFilesApart = [
  ...longestFiles.map((path) => `test/${path}`),
  'test/integration/hosted-threads.test.ts',
  'test/integration/{bench,desktop,electron-stand-in,history,lint,packaging}/**/*.test.ts',
  'test/sandbox/conformance/**/*.test.ts',
];

/** Unit and integration suites. They run in plain Node 24; nothing here needs Electron. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    pool: 'forks',
    // More than there are cores: a third of the time, an integration test waits for a thread or for what is polled.
    maxWorkers: Math.min(availableParallelism() + 2, 4),
    // Both only end what hangs: property tests take a minute on a machine that does much else.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of one second is the pause of a busy machine.
    expect: { poll: { timeout: 20_000 } },
    retry: 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/sandbox/unit/**/*.test.ts'],
          exclude: unitFilesForVite,
          experimental: byNode,
        },
      },
      { extends: true, test: { ...unit, name: 'unit, by Vite', include: unitFilesForVite } },
      {
        extends: true,
        test: {
          name: 'integration',
          isolate: false,
          globalSetup: ['test/run/bundled-threads.ts'],
          include: ['test/integration/**/*.test.ts', 'test/sandbox/integration/**/*.test.ts'],
          exclude: [...integrationFilesForVite, ...integrationFilesApart],
          experimental: byNode,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration, a process each',
          globalSetup: ['test/run/bundled-threads.ts'],
          include: integrationFilesApart,
          exclude: integrationFilesForVite,
          experimental: byNode,
        },
      },
      { extends: true, test: { name: 'integration, by Vite', include: integrationFilesForVite } },
    ],
  },
});
