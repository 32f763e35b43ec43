import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../../src-preload/json-spans.ts';
import { projectDir } from '../kit/electron-binary.ts';
import { crashedFilesVariable } from './crashed-files.ts';
import { runProgram, scriptOf, type Finished, type ProgramOptions } from './program.ts';
import { timedPlaywrightTests, timedVitestTests } from './slowest.ts';
import type { TimedTest } from './slowest.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** The result of one stage, counted from the runner's own report. */
export interface Outcome {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
  ms: number;
  /** The tests that the runner timed. Empty for a stage without tests. */
  tests: TimedTest[];
}

type Counts = Omit<Outcome, 'name' | 'ms' | 'tests'>;

const reports = join(projectDir, '.cache', 'reports');
const node = process.execPath;

/** Unit and integration suites in plain Node, with a real, unlocked keyring if the machine has one. */
export async function runVitest(filters: readonly string[], hasKeychain: boolean): Promise<Outcome> {
  return timed('unit and integration', async () => {
    const first = await runVitestOnce(filters, hasKeychain);
    if (first.crashed.length === 0) return { ...withExit(first.counts, first.code), tests: first.tests };
    console.log(
      `\nV8 ended the process of ${first.crashed.length} test ${first.crashed.length === 1 ? 'file' : 'files'} (nodejs/node#64500). Run once more:\n${first.crashed.join('\n')}`,
    );
    const again = await runVitestOnce(first.crashed, hasKeychain);
    const counts = withExit(again.counts, again.code);
    const before = first.counts ?? withExit(null, first.code);
    return {
      passed: before.passed + counts.passed,
      failed: before.failed + (first.hasOtherErrors ? 1 : 0) + counts.failed,
      skipped: before.skipped + counts.skipped,
      tests: [...first.tests, ...again.tests],
    };
  });
}

interface VitestRun {
  code: number | null;
  counts: Counts | null;
  tests: TimedTest[];
  /** Files whose process V8 ended; see crashed-files.ts. They are not in the counts. */
  crashed: string[];
  hasOtherErrors: boolean;
}

async function runVitestOnce(filters: readonly string[], hasKeychain: boolean): Promise<VitestRun> {
  const report = freshReport('vitest.json');
  const crashes = freshReport('crashed-files.json');
  const reporter = join(projectDir, 'test', 'run', 'crashed-files.ts');
  const vitest = [
    scriptOf('vitest'),
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${reporter}`,
    `--outputFile.json=${report}`,
    ...filters,
  ];
  const code = await runSuite(vitest, hasKeychain, { [crashedFilesVariable]: crashes });
  const crashReport = await readJson(crashes);
  const crashed =
    isJsonObject(crashReport) && Array.isArray(crashReport['crashed'])
      ? crashReport['crashed'].filter((path) => typeof path === 'string')
      : [];
  const results = await readJson(report);
  return {
    code,
    counts: countVitest(results, crashed),
    tests: timedVitestTests(results),
    crashed,
    hasOtherErrors: isJsonObject(crashReport) && crashReport['hasOtherErrors'] === true,
  };
}

/**
 * End-to-end specs on the built app, in real Chromium. The app finds a real, unlocked keyring if the machine has one.
 */
export async function runPlaywright(filters: readonly string[], hasKeychain: boolean): Promise<Outcome> {
  return timed('end to end', async () => {
    const report = freshReport('playwright.json');
    const playwright = [
      scriptOf('@playwright/test', 'playwright'),
      'test',
      '--config',
      'test/playwright.config.ts',
      ...filters,
    ];
    const code = await runSuite(playwright, hasKeychain, {
      JOBDECK_E2E_REPORT: report,
      // Not among what is temporary: Playwright then keeps the specs and sources that it compiled.
      PWTEST_CACHE_DIR: join(projectDir, '.cache', 'specs'),
    });
    const results = await readJson(report);
    return { ...withExit(countPlaywright(results), code), tests: timedPlaywrightTests(results) };
  });
}

/**
 * Runs a suite with this Node, with its own keyring if there can be one. Only Linux gets another folder for what is
 * temporary: Windows does not read TMPDIR, and on macOS the path of Chromium's socket there would become too long.
 */
async function runSuite(
  script: readonly string[],
  hasKeychain: boolean,
  env: Record<string, string>,
): Promise<number | null> {
  const temporary = process.platform === 'linux' ? makeTemporaryFolder() : null;
  try {
    const own: Record<string, string> = temporary === null ? {} : { TMPDIR: temporary.folder };
    const { code } = await runBesideKeyring(script, hasKeychain, { env: { ...env, ...own } });
    return code;
  } finally {
    temporary?.remove();
  }
}

/** Runs a Node script, with its own keyring if there can be one. */
export function runBesideKeyring(
  script: readonly string[],
  hasKeychain: boolean,
  options: ProgramOptions,
): Promise<Finished> {
  if (!hasKeychain) return runProgram(node, script, options);
  const session = ['--', node, join(projectDir, 'test', 'run', 'keychain-session.ts'), node];
  return runProgram('dbus-run-session', [...session, ...script], options);
}

/** One line for a stage. */
export function describeOutcome(outcome: Outcome): string {
  const counts = [
    `${outcome.passed} passed`,
    `${outcome.failed} failed`,
    ...(outcome.skipped > 0 ? [`${outcome.skipped} skipped`] : []),
  ].join(', ');
  return `${outcome.failed > 0 ? 'FAILED' : 'ok    '}  ${outcome.name}: ${counts} (${(outcome.ms / 1000).toFixed(1)} s)`;
}

/** The closing line of all stages together. */
export function closingLine(outcomes: readonly Outcome[]): string {
  const sum = (key: keyof Counts): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed${sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''}`;
}

/**
 * The counts of vitest's JSON report, without those of the files `leavingOut`. A file that could not be read or set up
 * counts as one failure. Null if there is no such report.
 */
export function countVitest(report: unknown, leavingOut: readonly string[] = []): Counts | null {
  if (
    !isJsonObject(report) ||
    typeof report['numPassedTests'] !== 'number' ||
    typeof report['numFailedTests'] !== 'number'
  )
    return null;
  const all = Array.isArray(report['testResults']) ? report['testResults'].filter(isJsonObject) : [];
  const isLeftOut = ({ name }: Record<string, unknown>): boolean =>
    typeof name === 'string' && leavingOut.includes(name);
  const files = all.filter((file) => !isLeftOut(file));
  const leftOut = all.filter(isLeftOut).flatMap(testsOf);
  const leftOutWith = (status: string): number => leftOut.filter((test) => test['status'] === status).length;
  const brokenFiles = files.filter(
    (file) => file['status'] === 'failed' && !testsOf(file).some((test) => test['status'] === 'failed'),
  );
  const skipped = (['numPendingTests', 'numTodoTests'] as const).reduce(
    (total, key) => total + (typeof report[key] === 'number' ? report[key] : 0),
    0,
  );
  const [leftOutPassed, leftOutFailed] = [leftOutWith('passed'), leftOutWith('failed')];
  return {
    passed: report['numPassedTests'] - leftOutPassed,
    failed: report['numFailedTests'] - leftOutFailed + brokenFiles.length,
    skipped: skipped - (leftOut.length - leftOutPassed - leftOutFailed),
  };
}

function testsOf(file: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(file['assertionResults']) ? file['assertionResults'].filter(isJsonObject) : [];
}

/**
 * The counts of Playwright's JSON report. Errors outside of tests count as failures. Null if there is no such report.
 */
export function countPlaywright(report: unknown): Counts | null {
  if (!isJsonObject(report) || !isJsonObject(report['stats'])) return null;
  const { expected, unexpected, flaky, skipped } = report['stats'];
  if (
    typeof expected !== 'number' ||
    typeof unexpected !== 'number' ||
    typeof flaky !== 'number' ||
    typeof skipped !== 'number'
  )
    return null;
  const outside = Array.isArray(report['errors']) ? report['errors'].length : 0;
  return { passed: expected, failed: unexpected + flaky + outside, skipped };
}

/** A runner with an error code has failed, whatever its report says, and so has one without a report. */
export function withExit(counts: Counts | null, code: number | null): Counts {
  if (counts === null) return { passed: 0, failed: 1, skipped: 0 };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

async function timed(name: string, run: () => Promise<Counts & { tests?: TimedTest[] }>): Promise<Outcome> {
  console.log(`\n— ${name}`);
  const startedAt = performance.now();
  const { tests = [], ...counts } = await run();
  const outcome = { name, ...counts, ms: performance.now() - startedAt, tests };
  console.log(describeOutcome(outcome));
  return outcome;
}

function freshReport(name: string): string {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}

async function readJson(path: string): Promise<unknown> {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
