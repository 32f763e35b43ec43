import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * The fast tests of the pure core, for `npm run mutation`: each breakage of that code is tried against these alone.
 * Forecasts are not mutated, and whole simulated services take too long to be played a thousand times.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/unit/job/**/*.test.ts', 'test/unit/service/**/*.test.ts'],
    exclude: ['test/unit/job/forecast/**', 'test/unit/job/schedule/simulated-service.test.ts'],
    testTimeout: 60_000,
    retry: 0,
  },
});
