import { checkFormat, checkHouse, checkTypes, closingLine, lint } from './stages.ts';

/* npm run check: format, type check, lint and the limits of the house, nothing that runs the app. */
const outcomes = [await checkFormat(), await checkTypes(), await lint(), await checkHouse()];
console.log(`\n${closingLine(outcomes)}`);
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
