import { parseArgs } from 'node:util';

/** The stages of `npm test`, in the order in which they run. */
const stageNames = ['format', 'types', 'lint', 'unused', 'house', 'build', 'unit', 'integration', 'e2e'] as const;
type Stage = (typeof stageNames)[number];

/** What `npm test` was called for. A refusal is one sentence. */
export type ChosenTests =
  | { kind: 'run'; stages: ReadonlySet<Stage>; vitest: string[]; playwright: string[] }
  | { kind: 'help' }
  | { kind: 'refused'; message: string };

/** Printed by `npm test -- --help`. */
export const usage = `npm test [-- [--only STAGE,...] [PATH ...]]
  --only STAGE,...   these stages: ${stageNames.join(', ')}
  PATH               part of the path of test files; without --only, in every suite that has such files`;

/** Where the files of each suite are. The sandbox has its own folder, which includes the conformance suite. */
const suites = {
  unit: ['test/unit/', 'test/sandbox/unit/'],
  integration: ['test/integration/', 'test/sandbox/integration/', 'test/sandbox/conformance/'],
  e2e: ['test/e2e/'],
} as const;
type Suite = keyof typeof suites;
const suiteNames: readonly Suite[] = ['unit', 'integration', 'e2e'];

/**
 * Reads the command line of `npm test`. `testFiles` are all test files, relative to the project. A path that selects no
 * file is refused, because a runner without any file would run its whole suite.
 */
export function chooseTests(args: readonly string[], testFiles: readonly string[]): ChosenTests {
  const refused = (message: string): ChosenTests => ({ kind: 'refused', message });
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { only: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    // Its first sentence. The rest is about arguments that begin with a dash.
    return refused(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  const only = values.only?.split(',').map((name) => name.trim());
  const unknown = only?.filter((name) => !stageNames.some((stage) => stage === name)) ?? [];
  if (unknown.length > 0)
    return refused(`There is no stage ${unknown.join(', ')}. The stages are ${stageNames.join(', ')}.`);

  const mayRun = (suite: Suite): boolean => only?.includes(suite) ?? true;
  const selected = positionals.map((path) => ({ path, files: filesWith(path, testFiles, suiteNames.filter(mayRun)) }));
  const missed = selected.filter(({ files }) => files.length === 0).map(({ path }) => path);
  if (missed.length > 0)
    return refused(
      `No test file${only === undefined ? '' : ` of ${only.join(', ')}`} has this path: ${missed.join(', ')}`,
    );

  const files = [...new Set(selected.flatMap((each) => each.files))];
  const stages = new Set(
    stageNames.filter((stage) =>
      only === undefined && files.length > 0
        ? files.some((file) => suiteOf(file) === stage)
        : (only?.includes(stage) ?? true),
    ),
  );
  // The end-to-end specs run the build, so they never run an old one by accident.
  if (stages.has('e2e')) stages.add('build');
  const isWhole = files.length === 0;
  return {
    kind: 'run',
    stages,
    vitest: isWhole
      ? [...(stages.has('unit') ? suites.unit : []), ...(stages.has('integration') ? suites.integration : [])]
      : files.filter((file) => suiteOf(file) !== 'e2e'),
    playwright: files.filter((file) => suiteOf(file) === 'e2e'),
  };
}

/** The files of these suites with this in their path. A line (`:12`) stays at their ends, for the runner. */
function filesWith(path: string, testFiles: readonly string[], allowed: readonly Suite[]): string[] {
  const [, part = path, line = ''] = /^(?:\.\/)?(.*?)(:\d+)?$/.exec(path) ?? [];
  return testFiles
    .filter((file) => file.includes(part) && allowed.some((suite) => suiteOf(file) === suite))
    .map((file) => file + line);
}

function suiteOf(file: string): Suite | undefined {
  return suiteNames.find((suite) => suites[suite].some((folder) => file.startsWith(folder)));
}
