import { checkFormat, checkHouse, checkTypes, checkUnused, closingLine, lint } from './stages.ts';

/* npm run check: format, types, lint, unused code and the limits of `npm run house`. Nothing here runs the app. */
const outcomes = [await checkFormat(), await checkTypes(), await lint(), await checkUnused(), await checkHouse()];
console.log(`\n${closingLine(outcomes)}`);
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
