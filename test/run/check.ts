import { checkFormat, checkTypes, closingLine, lint } from './stages.ts';

/* npm run check: format, type check and lint, nothing that runs the app. */
const outcomes = [await checkFormat(), await checkTypes(), await lint()];
console.log(`\n${closingLine(outcomes)}`);
process.exitCode = outcomes.some((outcome) => outcome.failed > 0) ? 1 : 0;
