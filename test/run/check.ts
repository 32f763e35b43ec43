import { checkFormat, checkHouse, checkTypes, checkUnused, closingLine, lint, runVitest } from './stages.ts';

/*
 * npm run check: format, types, lint, unused code, the limits of `npm run house`, and the tests of words, titles and
 * citations. Nothing here runs the app.
 */
const outcomes = [
  await checkFormat(),
  await checkTypes(),
  await lint(),
  await checkUnused(),
  await checkHouse(),
  await runVitest(['test/unit/house/'], false),
];
console.log(`\n${closingLine(outcomes)}`);
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
