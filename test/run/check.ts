import { runChecks } from './checks.ts';
import { closingLine, runVitest } from './test-suites.ts';

/*
 * npm run check: format, types, lint, unused code, the limits of `npm run house`, and the tests of words, titles and
 * citations. Nothing here runs the app.
 */
const outcomes = [
  ...(await runChecks(new Set(['format', 'types', 'lint', 'unused', 'house']))),
  await runVitest(['test/unit/house/'], false),
];
console.log(`\n${closingLine(outcomes)}`);
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
