import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepCompiled } from './run/compiled.ts';
import { LongestFirst } from './run/longest-first.ts';

keepCompiled();

/** Unit and integration suites. They run in plain Node 24; nothing here needs Electron. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    // One more than there are cores: a third of the time, an integration test waits for what the engine polls.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}', 'test/sandbox/unit/**/*.test.ts'],
          // A process for all files of a worker instead of one for each: half the time of the whole suite.
          isolate: false,
          setupFiles: ['test/kit/unit-file.ts'],
        },
      },
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
        },
      },
    ],
  },
});
