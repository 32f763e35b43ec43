/**
 * Whether the long simulations of the service play every case: `JOBDECK_TRUTH=all`, as in the weekly proof. Otherwise
 * they play fewer bags, jobs and days, so that a run of all tests stays short
 * (docs/decisions/056-what-an-ordinary-run-plays.md).
 */
export const playsAll = process.env['JOBDECK_TRUTH'] === 'all';
