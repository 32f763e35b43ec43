import { globSync } from 'node:fs';
import { projectDir } from '../kit/electron-binary.ts';
import { chooseTests, usage } from './choose-tests.ts';
import { prepareMachine } from './install-needs.ts';
import { runChecks } from './checks.ts';
import { closingLine, describeOutcome, runPlaywright, runVitest } from './test-suites.ts';
import { describeSlowest } from './slowest.ts';
import type { Outcome } from './test-suites.ts';

/*
 * npm test: see `usage`. Runs every stage, even after one has failed, and ends with one line counted from the runners'
 * own reports.
 */
const testFiles = globSync('test/**/*.{test.ts,test.tsx,spec.ts}', { cwd: projectDir }).map((path) =>
  path.replaceAll('\\', '/'),
);
const chosen = chooseTests(process.argv.slice(2), testFiles);
if (chosen.kind !== 'run') {
  if (chosen.kind === 'refused') console.error(`${chosen.message}\n${usage}`);
  else console.log(usage);
  process.exit(chosen.kind === 'refused' ? 2 : 0);
}
const { stages, vitest, playwright } = chosen;

const needsKeychain = stages.has('unit') || stages.has('integration') || stages.has('e2e');
const needsChromium = stages.has('e2e') || stages.has('integration');
const machine = await prepareMachine(
  [...(needsChromium ? ['chromium' as const] : []), ...(needsKeychain ? ['keychain' as const] : [])],
  (line) => console.log(line),
);
for (const sentence of machine.missing) console.log(sentence);

// With the build, which the integration suite may read.
const outcomes: Outcome[] = await runChecks(stages);
if (stages.has('unit') || stages.has('integration')) outcomes.push(await runVitest(vitest, machine.hasKeychain));
if (stages.has('e2e')) outcomes.push(await runPlaywright(playwright, machine.hasKeychain));

const slowest = describeSlowest(
  outcomes.flatMap(({ tests }) => tests),
  20,
);
if (slowest.length > 0) console.log(`\nThe slowest tests\n${slowest.join('\n')}`);
console.log('');
for (const outcome of outcomes) console.log(describeOutcome(outcome));
console.log(closingLine(outcomes));
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
