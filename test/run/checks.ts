import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';
import { runProgram, scriptOf } from './program.ts';
import { describeOutcome } from './test-suites.ts';
import type { Outcome } from './test-suites.ts';

/** The stages without tests, in the order in which their outcomes are listed. */
const checkNames = ['format', 'types', 'lint', 'unused', 'house', 'build'] as const;
type Check = (typeof checkNames)[number];

/** The tsconfig of every room. */
const rooms = ['src-preload', 'src-preload/tsconfig.preload.json', 'src-main', 'src-renderer', 'test', 'tsconfig.json'];

/** Each resolves with what there is to complain about. Null: nothing. */
const checks: Record<Check, { title: string; run: () => Promise<string | null> }> = {
  format: {
    title: 'format',
    run: async () => {
      const complaint = await complaintOf(scriptOf('oxfmt'), '--check');
      return complaint === null ? null : `${complaint}\nRun npm run format.`;
    },
  },
  types: {
    title: 'type check',
    // One room after the other: each already uses every core.
    run: () => inTurn(rooms.map((room) => () => typesOf(room))),
  },
  lint: { title: 'lint', run: () => complaintOf(scriptOf('oxlint'), '--type-aware', '--deny-warnings') },
  // That every file and every export is used by another file (knip.json), and every export by the product itself, not
  // by tests alone (knip.production.json).
  unused: {
    title: 'unused',
    run: () => inTurn(['knip.json', 'knip.production.json'].map((config) => () => unusedBy(config))),
  },
  // The limits of how the code is built; see docs/decisions/025-measures-of-the-house.md.
  house: { title: 'house', run: () => complaintOf(join(projectDir, 'test', 'run', 'house.ts')) },
  build: { title: 'build', run: () => complaintOf(scriptOf('electron-vite'), 'build') },
};

/** What keeps every core busy, and what keeps one busy: one of each runs at a time. */
const lanes: readonly (readonly Check[])[] = [
  ['types', 'lint'],
  ['format', 'build', 'unused', 'house'],
];

/**
 * Runs these checks, even after one has failed, and prints each one's complaints when it ends. Resolves with an outcome
 * for each, in a constant order.
 */
export async function runChecks(chosen: ReadonlySet<string>): Promise<Outcome[]> {
  const outcomes = new Map<Check, Outcome>();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const name of lane) if (chosen.has(name)) outcomes.set(name, await check(name));
    }),
  );
  return checkNames.flatMap((name) => outcomes.get(name) ?? []);
}

async function check(name: Check): Promise<Outcome> {
  const { title, run } = checks[name];
  const startedAt = performance.now();
  const complaint = await run();
  const outcome = {
    name: title,
    passed: complaint === null ? 1 : 0,
    failed: complaint === null ? 0 : 1,
    skipped: 0,
    ms: performance.now() - startedAt,
    tests: [],
  };
  console.log(`\n— ${title}`);
  if (complaint !== null) console.log(complaint);
  console.log(describeOutcome(outcome));
  return outcome;
}

async function inTurn(runs: readonly (() => Promise<string | null>)[]): Promise<string | null> {
  const complaints: string[] = [];
  for (const run of runs) {
    const complaint = await run();
    if (complaint !== null) complaints.push(complaint);
  }
  return complaints.length === 0 ? null : complaints.join('\n');
}

/**
 * The type errors of a room. What did not change since the last run is not checked again. Each of tsc's checkers works
 * out the types of libraries for itself, so more of them than cores only cost.
 */
function typesOf(room: string): Promise<string | null> {
  const folder = join(projectDir, '.cache', 'types');
  mkdirSync(folder, { recursive: true });
  const checkers = String(Math.min(availableParallelism(), 4));
  const kept = join(folder, `${room.replaceAll('/', '.')}.tsbuildinfo`);
  const args = ['--pretty', 'false', '-p', room, '--checkers', checkers, '--incremental', '--tsBuildInfoFile', kept];
  return complaintOf(scriptOf('typescript', 'tsc'), ...args);
}

async function unusedBy(config: string): Promise<string | null> {
  const complaint = await complaintOf(scriptOf('knip'), '--config', config);
  return complaint === null ? null : `${config}\n${complaint}`;
}

/** What a Node script wrote. Null if it ended well. */
async function complaintOf(...script: string[]): Promise<string | null> {
  const { code, output } = await runProgram(process.execPath, script, { isQuiet: true });
  return code === 0 ? null : output.trim();
}
