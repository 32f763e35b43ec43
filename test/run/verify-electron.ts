import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasDisplay } from '../kit/chromium.ts';
import { findElectron, projectDir } from '../kit/electron-binary.ts';
import { buildWhereNeeded } from './app-build.ts';
import { tryToGetElectron } from './electron-download.ts';
import { prepareMachine } from './install-needs.ts';
import { runProgram, scriptOf } from './program.ts';
import { runBesideKeyring, runPlaywright } from './test-suites.ts';
import type { Figures } from './verify/figures.ts';
import { findPackaged } from './verify/packaged.ts';
import { proofs, startJobs } from './verify/proofs.ts';
import { exitCodeOf, judge, pageOf } from './verify/report.ts';
import type { RunResults } from './verify/report.ts';
import { specResults } from './verify/spec-results.ts';

/*
 * npm run verify:electron [-- --out FILE]
 * Proves on Electron's program what the stand-in cannot, and writes a page about it. Exit codes: 0 if everything is
 * proved, 1 if something failed, and 3 if something could not be proved. Without the program, nothing can be.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/verify-electron.md' } } });
const say = (line: string): void => console.log(line);
const notReached = 'not reached';

const results = await verify();
const judged = judge(proofs, results);
const page = pageOf(judged, results);
const out = resolve(projectDir, values.out);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
say(`\n${page}\nWritten to ${out}`);
process.exitCode = exitCodeOf(judged);

async function verify(): Promise<RunResults> {
  const canShow = hasDisplay();
  const electron = canShow ? (findElectron() ?? (await tryToGetElectron(say, Date.now))) : null;
  const results: RunResults = {
    system: `${platform()} ${release()} ${arch()}`,
    platform: process.platform,
    electron: electron === null ? null : electronVersion(),
    specs: null,
    packaged: null,
    figures: { start: null, idle: null },
    why: {
      electron: [
        ...(findElectron() === null ? ['Electron’s program is not on this machine'] : []),
        ...(canShow ? [] : ['this machine has no display to show a window on']),
      ].join(', and '),
      packaged: notReached,
      figures: notReached,
    },
  };
  if (electron === null) return results;
  try {
    await runAll(results);
  } catch (error) {
    // The page is written all the same: what was not reached is not proved.
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return results;
}

/** Runs everything on Electron, and adds to the results what was found. Errors: rejects where nothing can follow. */
async function runAll(results: RunResults): Promise<void> {
  await buildWhereNeeded(say);
  const machine = await prepareMachine(['keychain'], say);
  await runPlaywright([], machine.hasKeychain);
  results.specs = specResults(readReport());
  results.figures.start = await bench('start', { JOBDECK_BENCH_JOBS: String(startJobs) });
  results.figures.idle = await bench('idle', {});
  results.why.figures = 'the bench ended without figures';
  const packing = await runProgram(process.execPath, [scriptOf('electron-builder'), '--dir', '--publish', 'never']);
  const program = findPackaged();
  results.why.packaged = `packing ended with code ${String(packing.code)}`;
  if (packing.code === 0 && program !== null) results.packaged = await packaged(program, machine.hasKeychain);
}

/** In a separate process, with the same keyring as the specs: the packaged app keeps its keys there. */
async function packaged(program: string, hasKeychain: boolean): Promise<RunResults['packaged']> {
  const found = join(projectDir, '.cache', 'reports', 'packaged.json');
  mkdirSync(dirname(found), { recursive: true });
  rmSync(found, { force: true });
  await runBesideKeyring(
    [join(projectDir, 'test', 'run', 'verify', 'ask-packaged.ts'), program, found],
    hasKeychain,
    {},
  );
  if (!existsSync(found)) return null;
  const checked: RunResults['packaged'] = JSON.parse(readFileSync(found, 'utf8'));
  return checked;
}

function electronVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(projectDir, 'node_modules', 'electron', 'package.json'), 'utf8'),
  );
  return version;
}

/** Null if Playwright ended without one. */
function readReport(): unknown {
  try {
    const report: unknown = JSON.parse(readFileSync(join(projectDir, '.cache', 'reports', 'playwright.json'), 'utf8'));
    return report;
  } catch {
    return null;
  }
}

async function bench(name: 'start' | 'idle', env: Record<string, string>): Promise<Figures | null> {
  const script = join(projectDir, 'test', 'bench', 'run.ts');
  const { code, output } = await runProgram(process.execPath, [script, name, '--json'], { isQuiet: true, env });
  if (code !== 0) return null;
  try {
    // What it and the app say on stderr may come after it.
    const figures: Figures = JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '');
    return figures;
  } catch {
    return null;
  }
}
