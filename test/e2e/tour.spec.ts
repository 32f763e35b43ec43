import { runTour } from '../run/tour.ts';
import { expect, test } from './fixtures.ts';

/* The first command of the README, where there is no display. */
test('the guided tour ends with its job found offline, its record and its images', async ({
  browserName: _browserName,
}, testInfo) => {
  const record = await runTour({ outDir: testInfo.outputPath('tour') });
  expect(record).toMatchObject({ status: 'COMPLETED', found_offline: true });
  expect(record.notification).not.toBe('');
  expect(record.screenshots).toHaveLength(7);
});
