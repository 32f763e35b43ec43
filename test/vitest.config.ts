import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { keepCompiled } from './run/compiled.ts';
import { LongestFirst } from './run/longest-first.ts';

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
 * Integration tests that start few threads. They share a process as unit tests do: a process costs half a second, and V8
 * crashes only one that starts and ends many threads (see crashed-files.ts).
 */
const quietIntegrationFiles = [
  'alerts',
  'connection',
  'cost',
  'notifications',
  'pod',
  'purge',
  'secret',
  'service',
  'settings',
  'template',
  'webhook',
].map((folder) => `test/integration/${folder}/**/*.test.ts`);

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
          globalSetup: ['test/run/bundled-threads.ts'],
          include: [
            'test/integration/**/*.test.ts',
            'test/sandbox/integration/**/*.test.ts',
            'test/sandbox/conformance/**/*.test.ts',
          ],
          exclude: [...integrationFilesForVite, ...quietIntegrationFiles],
          experimental: byNode,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration, in one process',
          isolate: false,
          globalSetup: ['test/run/bundled-threads.ts'],
          include: quietIntegrationFiles,
          experimental: byNode,
        },
      },
      { extends: true, test: { name: 'integration, by Vite', include: integrationFilesForVite } },
    ],
  },
});
