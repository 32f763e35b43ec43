import { faults } from '../kit/axe.ts';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { sendAndOpen } from '../kit/person.ts';
import { connectTo, expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

/* What a job shows in the room of a large window (decision 111). */

const design = { width: 1440, height: 900 };
const wide = { width: 2560, height: 1440 };
const low = { width: 1440, height: 600 };

test.describe('in a large window', () => {
  const paced = openPacedEndpoint();
  test.afterAll(() => paced.close());
  const shared = shareApp(async ({ page }, startService) => {
    await connectTo(page, await startService({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] }));
    await sendAndOpen(page, {
      endpoint: 'mock',
      input: { title: 'The kettle', seed: 4182, mock_error: 'Shard 3 of 8 is missing.' },
    });
    await openJobIn(page, 'The kettle', 'Failed');
  });

  test('the facts of a job are beside its output, and only there', async () => {
    const { app, page } = shared();
    const pane = jobPane(page);
    const facts = pane.getByRole('region', { name: 'Facts' });
    await page.setViewportSize(design);
    await expect(pane.getByRole('heading', { name: 'Shard 3 of 8 is missing.' })).toBeVisible();
    await expect(facts).toHaveCount(0);
    await page.setViewportSize(wide);
    await expect(facts.getByText('executionTimeout')).toBeVisible();
    await expect(facts.getByText('FAILED')).toBeVisible();
    await expect(facts.getByRole('heading', { name: /^Requests/ })).toBeVisible();
    // The tab that was open stays so, and the facts stay beside the others.
    await pane.getByRole('tab', { name: 'Note' }).click();
    await page.setViewportSize(design);
    await expect(facts).toHaveCount(0);
    await expect(pane.getByRole('tab', { name: 'Note' })).toHaveAttribute('aria-selected', 'true');
    await page.setViewportSize(wide);
    await expect(facts.getByText('executionTimeout')).toBeVisible();
    expect(await faults(app, page)).toEqual([]);
    // The tabs that show the same in full have the whole width.
    for (const name of ['Metrics', /^Requests/]) {
      await pane.getByRole('tab', { name }).click();
      await expect(facts).toHaveCount(0);
    }
    await pane.getByRole('tab', { name: 'Output' }).click();
    await expect(facts.getByText('executionTimeout')).toBeVisible();
  });

  test('the requests are counted alike on the tab and beside it, in every frame of a stream', async () => {
    const { page } = shared();
    await page.setViewportSize(wide);
    const paced_stream = Array.from({ length: 400 }, (_, at) => `word ${at} `);
    await sendAndOpen(page, { endpoint: 'paced', input: { title: 'The lamp', paced_stream } });
    const pane = jobPane(page);
    await expect(pane.getByRole('region', { name: 'Facts' }).getByRole('heading', { name: /^Requests/ })).toBeVisible();
    const seen = await pane.evaluateHandle((element) => {
      const frames: (readonly [string, string])[] = [];
      const numberIn = (found: Element | undefined): string => /\d+$/.exec(found?.textContent ?? '')?.[0] ?? '';
      const ofAll = (selector: string): Element | undefined =>
        [...element.querySelectorAll(selector)].find(({ textContent }) => textContent.startsWith('Requests'));
      const read = (): void => {
        frames.push([numberIn(ofAll('[role="tab"]')), numberIn(ofAll('h2'))]);
        requestAnimationFrame(read);
      };
      requestAnimationFrame(read);
      return frames;
    });
    const numbers = (): Promise<number> => seen.evaluate((frames) => new Set(frames.map(([tab]) => tab)).size);
    for (let count = 1; count < 5; count += 1) {
      paced.pass(10);
      await expect.poll(numbers).toBeGreaterThan(count);
    }
    expect(await seen.evaluate((frames) => frames.filter(([tab, column]) => tab !== column))).toEqual([]);
    await page.keyboard.press('.');
    await page.getByRole('option', { name: /^The kettle/ }).click();
    await page.setViewportSize(design);
  });

  test('a failed job shows its input below the words about its output', async () => {
    const { page } = shared();
    const output = jobPane(page).getByRole('tabpanel', { name: 'Output' });
    await page.setViewportSize(design);
    await expect(output.getByText('The job failed before returning anything.')).toBeVisible();
    await expect(output.getByText('4182')).toBeVisible();
    await page.setViewportSize(low);
    await expect(output.getByText('4182')).toHaveCount(0);
    await expect(output.getByText('The job failed before returning anything.')).toBeVisible();
    await page.setViewportSize(design);
  });
});
