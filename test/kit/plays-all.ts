/**
 * True where tests that play the service for hours play every case: `JOBDECK_TRUTH=all`, as the weekly proof does. Else
 * they play fewer bags, jobs and days, so that a run of everything stays short
 * (docs/decisions/056-what-an-ordinary-run-plays.md).
 */
export const playsAll = process.env['JOBDECK_TRUTH'] === 'all';
