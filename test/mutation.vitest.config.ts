import { defineConfig } from 'vitest/config';

/** The fast tests of the pure core, for `npm run mutation`: each breakage of that code is tried against these alone. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/unit/job/**/*.test.ts', 'test/unit/service/**/*.test.ts'],
    exclude: ['test/unit/job/forecast/**'],
    testTimeout: 30_000,
    retry: 0,
  },
});
