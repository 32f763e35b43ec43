import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';
import { describeSlowest, timedPlaywrightTests, timedVitestTests } from '../../run/slowest.ts';

describe('the duration of each test', () => {
  it('is read from vitest’s report; a test that did not run has no time', () => {
    const report = {
      testResults: [
        {
          name: join(projectDir, 'test', 'unit', 'a.test.ts'),
          assertionResults: [{ title: 'one', duration: 1_500 }, { title: 'skipped' }],
        },
        { name: join(projectDir, 'test', 'unit', 'broken.test.ts') },
      ],
    };
    expect(timedVitestTests(report)).toEqual([{ file: join('test', 'unit', 'a.test.ts'), title: 'one', ms: 1_500 }]);
  });

  it('is read from Playwright’s report, including describe blocks', () => {
    const spec = (title: string, ms: number): object => ({
      title,
      file: 'a.spec.ts',
      tests: [{ results: [{ duration: ms }] }],
    });
    const report = { suites: [{ specs: [spec('one', 9_000)], suites: [{ specs: [spec('two', 500)] }] }] };
    expect(timedPlaywrightTests(report)).toEqual([
      { file: 'test/e2e/a.spec.ts', title: 'two', ms: 500 },
      { file: 'test/e2e/a.spec.ts', title: 'one', ms: 9_000 },
    ]);
  });

  it('is empty without such a report', () => {
    for (const report of [null, {}, [], { testResults: 3, suites: 'none' }])
      expect([...timedVitestTests(report), ...timedPlaywrightTests(report)]).toEqual([]);
  });
});

it('names the slowest, slowest first', () => {
  const tests = [500, 12_340, 3_000].map((ms) => ({ file: 'a.test.ts', title: `takes ${ms} ms`, ms }));
  expect(describeSlowest(tests, 2)).toEqual([
    '  12.3 s  a.test.ts: takes 12340 ms',
    '   3.0 s  a.test.ts: takes 3000 ms',
  ]);
});
