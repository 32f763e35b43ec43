import { parseArgs } from 'node:util';
import { prepareMachine } from './machine.ts';
import {
  build,
  checkFormat,
  checkHouse,
  checkTypes,
  closingLine,
  describeOutcome,
  lint,
  runPlaywright,
  runVitest,
} from './stages.ts';
import { describeSlowest } from './slowest.ts';
import type { Outcome } from './stages.ts';

/*
 * npm test [-- [--only format,types,lint,house,unit,integration,build,e2e] [path filter ...]]
 * Runs every stage, even after one has failed, and ends with one line counted from the runners' own reports.
 */
const stageNames = ['format', 'types', 'lint', 'house', 'unit', 'integration', 'build', 'e2e'] as const;
type Stage = (typeof stageNames)[number];

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const stages = chooseStages(values.only, positionals);

const needsKeychain = stages.has('unit') || stages.has('integration') || stages.has('e2e');
const needsChromium = stages.has('e2e') || stages.has('integration');
const machine = await prepareMachine(
  [...(needsChromium ? ['chromium' as const] : []), ...(needsKeychain ? ['keychain' as const] : [])],
  (line) => console.log(line),
);
for (const sentence of machine.missing) console.log(sentence);

const outcomes: Outcome[] = [];
if (stages.has('format')) outcomes.push(await checkFormat());
if (stages.has('types')) outcomes.push(await checkTypes());
if (stages.has('lint')) outcomes.push(await lint());
if (stages.has('house')) outcomes.push(await checkHouse());
// Before the integration suite, which may read the build.
if (stages.has('build')) outcomes.push(await build());
if (stages.has('unit') || stages.has('integration'))
  outcomes.push(await runVitest(vitestFilters(), machine.hasKeychain));
if (stages.has('e2e')) outcomes.push(await runPlaywright(positionals.filter(isE2e), machine.hasKeychain));

const slowest = describeSlowest(
  outcomes.flatMap(({ tests }) => tests),
  20,
);
if (slowest.length > 0) console.log(`\nThe slowest tests\n${slowest.join('\n')}`);
console.log('');
for (const outcome of outcomes) console.log(describeOutcome(outcome));
console.log(closingLine(outcomes));
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;

/** `--only` names stages. Without it, path filters run only the suites they are in. Without either, everything runs. */
function chooseStages(only: string | undefined, filters: readonly string[]): Set<Stage> {
  if (only !== undefined) {
    const named = only.split(',').map((name) => name.trim());
    const unknown = named.filter((name) => !stageNames.some((stage) => stage === name));
    if (unknown.length > 0) {
      console.error(`There is no stage ${unknown.join(', ')}. The stages are ${stageNames.join(', ')}.`);
      process.exit(2);
    }
    const chosen = new Set(stageNames.filter((stage) => named.includes(stage)));
    // The end-to-end specs run the build, so they never run an old one by accident.
    if (chosen.has('e2e')) chosen.add('build');
    return chosen;
  }
  if (filters.length === 0) return new Set(stageNames);
  return new Set<Stage>([
    ...(filters.some(isE2e) ? (['build', 'e2e'] as const) : []),
    ...(filters.some((filter) => !isE2e(filter)) ? (['unit', 'integration'] as const) : []),
  ]);
}

function isE2e(filter: string): boolean {
  return filter.includes('e2e') || filter.endsWith('.spec.ts');
}

function vitestFilters(): string[] {
  const paths = positionals.filter((filter) => !isE2e(filter));
  if (paths.length > 0) return paths;
  if (stages.has('unit') && stages.has('integration')) return [];
  // The sandbox has its own folder, with both kinds of test and those of the conformance suite.
  return stages.has('unit')
    ? ['test/unit', 'test/sandbox/unit']
    : ['test/integration', 'test/sandbox/integration', 'test/sandbox/conformance'];
}
