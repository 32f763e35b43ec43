import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { findChromium } from '../kit/chromium.ts';
import { TOAST_MS, endTimers, holdTimers } from '../kit/held-timers.ts';
import { sendBatch, sendJobs, toastOf } from '../kit/person.ts';
import { connectTo, expect, openJobIn, runByPalette, shareApp, test } from './fixtures.ts';

const shared = shareApp(async ({ page }, startService) => connectTo(page, await startService()));

/** Goes back to the list, and ends the selection there. */
async function leaveComparison(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Compared jobs' })).toBeHidden();
  await page.getByRole('listbox', { name: 'Jobs' }).press('Escape');
  await expect(page.getByRole('toolbar', { name: /selected$/ })).toBeHidden();
}

test('selected jobs are compared: facts, input by path, output by words, even at 900 px', async () => {
  const { app, page } = shared();
  const story = 'A matte ceramic kettle that fits a small worktop and boils in under four minutes.';
  const inputs = [
    { title: 'warm kettle', tone: 'warm', seed: 7, story: `${story} It is gorgeous.` },
    { title: 'plain kettle', tone: 'plain', seed: 7, story },
    { title: 'third kettle', tone: 'plain', seed: 8, story },
  ];
  await sendJobs(
    page,
    inputs.map((input) => ({ endpoint: 'echo', input })),
  );
  const row = (name: string) => page.getByRole('option', { name: new RegExp(name) });
  for (const { title } of inputs) await expect(row(title)).toHaveAccessibleName(/Completed/, { timeout: 20_000 });

  await row('warm').click({ modifiers: ['ControlOrMeta'] });
  const one = page.getByRole('toolbar', { name: '1 selected' });
  await expect(one).toBeVisible();
  await expect(one.getByRole('button', { name: 'Compare' })).toHaveCount(0);
  // The key says what is missing, for some seconds.
  await holdTimers(page, TOAST_MS);
  await page.keyboard.press('c');
  await expect(toastOf(page, 'Select two to four jobs to compare')).toBeVisible();
  await endTimers(page, TOAST_MS);
  await row('plain').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Compare' }).click();

  const region = page.getByRole('region', { name: 'Compared jobs' });
  await expect(region.getByRole('button', { name: 'warm kettle' })).toBeVisible();
  const input = region.getByRole('region', { name: 'Input' });
  await expect(input.getByRole('group', { name: '$.tone, differs' })).toContainText('"warm"');
  await expect(input.getByRole('group', { name: '$.tone, differs' })).toContainText('"plain"');
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('del')).toContainText('gorgeous');
  await expect(input.getByRole('group', { name: /seed/ })).toHaveCount(0);
  await input.getByRole('button', { name: /1 equal value/ }).click();
  await expect(input.getByRole('group', { name: '$.seed, equal' })).toBeVisible();
  await expect(
    region.getByRole('region', { name: 'Output' }).getByRole('group', { name: '$.tone, differs' }),
  ).toBeVisible();
  expect(await faults(app, page, 'comparison')).toEqual([]);

  // F8 goes from one difference to the next, the facts first, and says how far it is.
  const bar = page.getByRole('toolbar', { name: 'Comparison' });
  const facts = await region
    .getByRole('region', { name: 'Facts' })
    .getByRole('group', { name: /differs$/ })
    .count();
  await expect(bar.getByRole('status')).toHaveText(/\d/);
  for (let step = 0; step <= facts; step += 1) await page.keyboard.press('F8');
  await expect(bar.getByRole('status')).toHaveText(new RegExp(`^${facts + 1} of \\d+$`));
  await expect(input.getByRole('group', { name: '$.story, differs' })).toContainText('1 change');
  await expect(input.getByRole('group', { name: '$.title, differs' })).toBeFocused();
  await page.keyboard.press('F8');
  await expect(input.getByRole('group', { name: '$.tone, differs' })).toBeFocused();

  await bar.getByRole('button', { name: 'Swap' }).click();
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('ins')).toContainText('gorgeous');
  // Inline, both stand in one text; a click on a letter makes its side the baseline.
  await bar.getByRole('radio', { name: 'Inline' }).click();
  await expect(input.getByRole('group', { name: '$.story, differs' }).getByRole('group')).toHaveCount(1);
  await region.getByRole('button', { name: 'Compare the others with B' }).click();
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('del')).toContainText('gorgeous');
  expect(await faults(app, page)).toEqual([]);
  await bar.getByRole('radio', { name: 'Side by side' }).click();
  // The palette has what the bar has.
  await runByPalette(page, 'Swap');
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('ins')).toContainText('gorgeous');
  await runByPalette(page, 'Swap');
  await expect(input.getByRole('group', { name: '$.story, differs' }).locator('del')).toContainText('gorgeous');

  // A again with B's input: the composer has it, and nothing is sent before the user does.
  await page.keyboard.press('e');
  const composer = page.getByRole('dialog', { name: 'Resubmit warm kettle' });
  await expect(composer.getByRole('textbox', { name: 'Input JSON' })).toContainText('"plain kettle"');
  await page.keyboard.press('Escape');
  await expect(composer).toBeHidden();

  await page.setViewportSize({ width: 900, height: 600 });
  await expect.poll(() => region.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Back to the list by Escape; three by the key, and one is taken out again.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox', { name: 'Jobs' })).toBeVisible();
  await expect(page.getByRole('toolbar', { name: '2 selected' })).toBeVisible();
  await row('third').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  await expect(region.getByRole('button', { name: /kettle$/ })).toHaveCount(3);
  expect(await faults(app, page)).toEqual([]);
  await region.getByRole('button', { name: 'Remove A' }).click();
  await expect(region.getByRole('button', { name: 'warm kettle' })).toHaveCount(0);
  await expect(region.getByRole('button', { name: /kettle$/ })).toHaveCount(2);
  await leaveComparison(page);
});

/** A PNG of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('timings, cost and images of jobs are compared, a job is added, and everything is saved as a report', async () => {
  const { app, page, dataDir } = shared();
  const listed = await page.evaluate(() => window.bridge?.call('connection:list', undefined));
  const connectionId = listed?.ok === true ? (listed.value[0]?.id ?? '') : '';
  const rate = { endpointId: 'mock', creditsPerHour: 36_000, source: { kind: 'typed' as const }, connectionId };
  await page.evaluate((given) => window.bridge?.call('cost:setRate', given), rate);
  for (const [at, delay] of [200, 900].entries()) {
    const images = [{ id: 'front', data: png, seed: at }];
    // The second has an image put in at the front: the one that both have is still found by its id.
    const mock_return = { images: at === 0 ? images : [{ id: 'new', data: png }, ...images] };
    await sendJobs(page, [{ endpoint: 'mock', input: { title: `kettle ${at}`, mock_delay: delay, mock_return } }]);
  }
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'broken kettle', mock_error: 'no such <model>' } }]);
  await expect(page.getByRole('option', { name: /kettle \d, Completed/ })).toHaveCount(2, { timeout: 20_000 });
  await expect(page.getByRole('option', { name: /broken kettle, Failed/ })).toHaveCount(1, { timeout: 20_000 });
  for (const name of [/kettle 0/, /kettle 1/])
    await page.getByRole('option', { name }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  const region = page.getByRole('region', { name: 'Compared jobs' });
  const facts = region.getByRole('region', { name: 'Facts' });
  await expect(facts.getByRole('group', { name: 'Execution, differs' })).toContainText(
    // Which of them took longer is up to the machine.
    /\d\.\d+ s.*\d\.\d+ s.*% (?:more|less)/,
  );
  await expect(facts.getByRole('group', { name: 'Cost, estimated, differs' })).toContainText(
    /credits.*credits.*% (?:more|less)/,
  );

  const output = region.getByRole('region', { name: 'Output' });
  const pair = output.getByRole('group', { name: /^\$\.images\[\?@\.id=="front"\]\.data/ });
  await expect(pair.getByRole('img')).toHaveCount(2);
  await expect(output.getByRole('group', { name: '$.images[?@.id=="front"].seed, differs' })).toBeVisible();
  await pair.getByRole('button', { name: 'Overlay' }).click();
  const overlay = pair.getByRole('img', { name: 'A with 50 % of B over it' });
  await expect(overlay).toBeVisible();
  await pair.getByRole('slider', { name: 'B over A' }).fill('100');
  await expect(pair.getByRole('img', { name: 'A with 100 % of B over it' })).toBeVisible();
  expect(await faults(app, page)).toEqual([]);
  await pair.getByRole('button', { name: 'Blink' }).click();
  await expect(pair.getByRole('img', { name: 'A with 0 % of B over it' })).toBeVisible();
  await pair.getByRole('button', { name: 'Blink' }).click();

  // The pair is judged by one key, and the marks stand among the facts.
  await page.keyboard.press('3');
  await expect(facts.getByRole('group', { name: 'Mark, differs' })).toContainText(/bad.*good/);
  const judge = page.getByRole('toolbar', { name: 'Judge the pair' });
  await expect(judge.getByRole('button', { name: 'B better' })).toHaveAttribute('aria-pressed', 'true');
  await judge.getByRole('button', { name: 'Equal' }).click();
  await expect(facts.getByRole('group', { name: 'Mark, differs' })).toHaveCount(0);

  // Only the outputs are judged while the rest is hidden.
  await judge.getByRole('switch', { name: 'Hide settings' }).click();
  await expect(facts).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Input', exact: true })).toHaveCount(0);
  await expect(output).toBeVisible();
  await expect(page.getByRole('button', { name: 'Job B', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Compared jobs' })).not.toContainText('kettle 0');
  expect(await faults(app, page)).toEqual([]);
  await judge.getByRole('switch', { name: 'Hide settings' }).click();
  await expect(facts).toBeVisible();

  // A third one is found by a word; it failed, so that its bar has the hue of that, and it has no output.
  await page.getByRole('button', { name: 'Add a job' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a job to compare' });
  await expect(dialog.getByRole('button', { name: /kettle 0/ })).toHaveCount(0);
  await dialog.getByRole('textbox', { name: 'Find a job' }).fill('broken');
  expect(await faults(app, page, 'add a job to compare')).toEqual([]);
  await dialog.getByRole('button', { name: /broken kettle/ }).click();
  await expect(region.getByRole('button', { name: 'broken kettle' })).toBeVisible();
  await expect(output).toContainText('C has no output');
  await expect(output.getByRole('group', { name: '$.images[?@.id=="front"].seed, differs' })).toBeVisible();
  await expect(facts.getByRole('group', { name: 'Cost, estimated, differs' })).toBeVisible();

  const path = join(dataDir, 'comparison.html');
  await app.answerDialog({ canceled: false, filePath: path });
  await page.getByRole('button', { name: 'Save report' }).click();
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain('</html>');
  const browser = await chromium.launch({ executablePath: findChromium() ?? '' });
  try {
    const report = await (await browser.newContext({ offline: true })).newPage();
    const asked: string[] = [];
    const said: string[] = [];
    report.on('request', (request) => asked.push(request.url().slice(0, 16)));
    report.on('console', (message) => said.push(message.text()));
    await report.goto(`file://${path}`);
    await expect(report.getByRole('heading', { level: 1 })).toHaveText(
      'Comparison of kettle 0, kettle 1 and broken kettle',
    );
    await expect(report.getByRole('row', { name: /^Cost, estimated/ })).toBeVisible();
    await expect(report.getByText('no such <model>').first()).toBeVisible();
    const image = report.getByRole('img', { name: /of A$/ }).first();
    await expect.poll(() => image.evaluate((element) => 'naturalWidth' in element && element.naturalWidth)).toBe(1);
    // Its own style is applied under its policy.
    await expect(report.getByRole('article').first()).toHaveCSS('border-radius', '10px');
    expect(asked.every((url) => url.startsWith('file:') || url.startsWith('data:image'))).toBe(true);
    expect(said).toEqual([]);
  } finally {
    await browser.close();
  }
  await leaveComparison(page);
});

test('the attempts of a job are compared from its pane', async () => {
  const { page } = shared();
  await sendJobs(page, [{ endpoint: 'mock', input: { title: 'fails twice', mock_error: 'no such model' } }]);
  await page.getByRole('option', { name: /fails twice/ }).click();
  const pane = await openJobIn(page, 'fails twice', 'Failed');
  await pane.getByRole('button', { name: 'Retry' }).first().click();
  await expect(pane.getByRole('button', { name: 'Attempt 2 of 2' })).toBeVisible({ timeout: 20_000 });
  await pane.getByRole('button', { name: 'Attempt 2 of 2' }).click();
  await page.getByRole('menuitem', { name: 'Compare attempts' }).click();
  const region = page.getByRole('region', { name: 'Compared jobs' });
  await expect(region.getByText('attempt 1')).toBeVisible();
  await expect(region.getByText('attempt 2')).toBeVisible();
  await leaveComparison(page);
});

/** The rows of a batch in one tone. */
const inTone = (tone: string): object[] =>
  ['kettle', 'toaster', 'lamp'].map((title) => ({ title: `${title} ${tone}`, tone }));

test('the rows of two batches are judged pair by pair, with a reason and a tally', async () => {
  const { app, page } = shared();
  await sendBatch(page, 'Tone: warm', inTone('warm'));
  await sendBatch(page, 'Tone: plain', inTone('plain'));
  await expect(page.getByRole('option', { name: /(warm|plain),.*Completed/ })).toHaveCount(6, { timeout: 20_000 });
  await page.getByRole('button', { name: /^Tone: plain/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with a batch…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare the rows of Tone: plain with' });
  await expect(dialog.getByRole('button', { name: /^Tone: warm.*3 rows/ })).toBeVisible();
  expect(await faults(app, page, 'choose a batch to compare')).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Find a batch' }).fill('warm');
  await expect(dialog.getByRole('button', { name: /^Tone: warm/ })).toBeVisible();
  await page.keyboard.press('Enter');

  // The older batch is A. Its rows are compared one by one.
  const region = page.getByRole('region', { name: 'Compared jobs' });
  const bar = page.getByRole('toolbar', { name: 'Judge the pair' });
  await expect(region).toContainText('Pair 1 of 3');
  await expect(region.getByRole('button', { name: 'kettle warm' })).toBeVisible();
  await expect(region.getByRole('button', { name: 'kettle plain' })).toBeVisible();
  const label = bar.getByRole('textbox', { name: 'Label of the better job' });
  await expect(label).toBeDisabled();
  await page.keyboard.press('3');
  await expect(bar.getByRole('status')).toHaveText('1 of 3 judged, B ahead 1 to 0');
  await label.fill('States the time, no adjectives');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Label saved')).toBeVisible();
  expect(await faults(app, page, 'pair of two batches')).toEqual([]);

  // Hidden parts stay hidden for the next pair. Enter moves on, Shift and Enter back.
  await bar.getByRole('switch', { name: 'Hide settings' }).click();
  await region.focus();
  await page.keyboard.press('Enter');
  await expect(region).toContainText('Pair 2 of 3');
  await expect(region.getByRole('button', { name: 'Job A' })).toBeVisible();
  await page.keyboard.press('1');
  await expect(bar.getByRole('status')).toHaveText('2 of 3 judged, even at 1 each');
  await bar.getByRole('switch', { name: 'Hide settings' }).click();
  await region.focus();
  await page.keyboard.press('Shift+Enter');
  await expect(region).toContainText('Pair 1 of 3');
  await expect(label).toHaveValue('States the time, no adjectives');
  await expect(bar.getByRole('button', { name: 'Previous pair' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(region).toContainText('Pair 2 of 3');

  // Swapped, the batches change places for all pairs.
  await page.getByRole('toolbar', { name: 'Comparison' }).getByRole('button', { name: 'Swap' }).click();
  await expect(bar.getByRole('status')).toHaveText('2 of 3 judged, even at 1 each');
  await bar.getByRole('button', { name: 'Next pair' }).click();
  await expect(region).toContainText('Pair 3 of 3');
  await page.keyboard.press('1');
  await expect(bar.getByRole('status')).toHaveText('3 of 3 judged, A ahead 2 to 1');
  await expect(bar.getByRole('button', { name: 'Next pair' })).toBeDisabled();
  await page.setViewportSize({ width: 900, height: 600 });
  await expect(bar.getByRole('button', { name: 'Next pair' })).toBeInViewport();
  expect(await faults(app, page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await expect(region).toBeHidden();
});
