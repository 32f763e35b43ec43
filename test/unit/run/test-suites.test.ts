import { describe, expect, it } from 'vitest';
import { closingLine, countPlaywright, countVitest, withExit } from '../../run/test-suites.ts';

const outcome = (passed: number, failed: number, skipped = 0): Parameters<typeof closingLine>[0][number] => ({
  name: 'x',
  passed,
  failed,
  skipped,
  ms: 0,
  tests: [],
});

describe('the closing line', () => {
  it('adds up the stages, and names skipped ones only if there are any', () => {
    expect(closingLine([outcome(1, 0), outcome(120, 2)])).toBe('121 passed, 2 failed');
    expect(closingLine([outcome(1, 0), outcome(5, 0, 3)])).toBe('6 passed, 0 failed, 3 skipped');
  });
});

describe('vitest’s report', () => {
  const report = {
    numPassedTests: 10,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [] },
    ],
  };

  it('contains its counts', () => {
    expect(countVitest(report)).toEqual({ passed: 10, failed: 1, skipped: 3 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(
      countVitest({
        ...report,
        testResults: [
          ...report.testResults,
          { status: 'failed', assertionResults: [] },
          { status: 'failed', assertionResults: [{ status: 'passed' }] },
        ],
      }),
    ).toMatchObject({ failed: 3 });
  });

  it('leaves out the files that are run again, whatever became of their tests, and no other failure', () => {
    const [passed, failed, pending] = ['passed', 'failed', 'pending'].map((status) => ({ status }));
    expect(
      countVitest(
        {
          ...report,
          testResults: [
            { name: '/a.test.ts', status: 'failed', assertionResults: [passed, passed, pending] },
            { name: '/b.test.ts', status: 'failed', assertionResults: [] },
            { name: '/c.test.ts', status: 'failed', assertionResults: [failed] },
          ],
        },
        ['/a.test.ts', '/b.test.ts', '/never-begun.test.ts'],
      ),
    ).toEqual({ passed: 8, failed: 1, skipped: 2 });
  });

  it('is null if it is not such a report', () => {
    expect([countVitest(null), countVitest({}), countVitest([]), countVitest('10 passed')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('Playwright’s report', () => {
  it('contains its counts; flaky specs and errors outside of specs have failed', () => {
    expect(
      countPlaywright({
        stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
        errors: [{ message: 'no specs' }],
      }),
    ).toEqual({ passed: 7, failed: 3, skipped: 2 });
  });

  it('is null if it is not such a report', () => {
    expect([countPlaywright(null), countPlaywright({ stats: {} })]).toEqual([null, null]);
  });
});

describe('a runner’s exit', () => {
  it('fails a stage whose report shows no failure', () => {
    expect(withExit({ passed: 5, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(withExit({ passed: 5, failed: 0, skipped: 0 }, null)).toMatchObject({ failed: 1 });
    expect(withExit({ passed: 5, failed: 2, skipped: 0 }, 1)).toMatchObject({ failed: 2 });
    expect(withExit({ passed: 5, failed: 0, skipped: 1 }, 0)).toEqual({ passed: 5, failed: 0, skipped: 1 });
  });

  it('fails a stage that left no report', () => {
    expect(withExit(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
