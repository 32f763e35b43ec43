import { relative } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';
import { recordsIn } from './json-records.ts';

/** The duration of one test, from its runner's report. */
export interface TimedTest {
  /** Relative to the project's folder. */
  file: string;
  title: string;
  ms: number;
}

/** The tests of vitest's JSON report. Empty if it is not such a report. */
export function timedVitestTests(report: unknown): TimedTest[] {
  return recordsIn(report, 'testResults').flatMap((file) =>
    recordsIn(file, 'assertionResults').flatMap((test) => {
      const { title, duration } = test;
      if (typeof title !== 'string' || typeof duration !== 'number' || typeof file['name'] !== 'string') return [];
      return [{ file: relative(projectDir, file['name']), title, ms: duration }];
    }),
  );
}

/** The tests of Playwright's JSON report. Empty if it is not such a report. */
export function timedPlaywrightTests(report: unknown): TimedTest[] {
  return recordsIn(report, 'suites').flatMap((suite) => [
    ...timedPlaywrightTests(suite),
    ...recordsIn(suite, 'specs').flatMap(({ title, file, tests }) => {
      const durations = recordsIn({ tests }, 'tests')
        .flatMap((test) => recordsIn(test, 'results'))
        .flatMap(({ duration }) => (typeof duration === 'number' ? [duration] : []));
      if (typeof title !== 'string' || typeof file !== 'string' || durations.length === 0) return [];
      return [{ file: `test/e2e/${file}`, title, ms: durations.reduce((total, ms) => total + ms, 0) }];
    }),
  ]);
}

/** The slowest of these tests, slowest first, one line each. */
export function describeSlowest(tests: readonly TimedTest[], count: number): string[] {
  return tests
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}: ${title}`);
}
