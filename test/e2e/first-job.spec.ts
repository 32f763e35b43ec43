import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { BUILT_IN_ENDPOINTS } from '../../src-main/sandbox/endpoint.ts';
import { openPacedEndpoint } from '../kit/paced-endpoint.ts';
import { closeWindow, findJob, openSandbox, sendJobs, submitJob, wordOnlyIn } from '../kit/person.ts';
import { connectTo, expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

const prompt = 'Write an incident review of the heliotrope outage';

const paced = openPacedEndpoint();
test.beforeEach(() => paced.hold());
test.afterAll(() => paced.close());
const endpoints = [...BUILT_IN_ENDPOINTS, paced.endpoint];

test('first run to first result: sandbox, streaming job shown live, notification, tray, found offline after a restart', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await expect(page.getByRole('heading', { name: 'Where do your jobs run?' })).toBeVisible();
  await openSandbox(page);
  await expect(page.getByText('No jobs yet')).toBeVisible();
  await expect(page.getByText('Sandbox', { exact: true }).first()).toBeVisible();

  // The mock endpoint says what its jobs can do.
  await page.getByRole('button', { name: 'Fail on purpose' }).click();
  const composer = page.getByRole('dialog', { name: 'New job' });
  const editor = composer.getByRole('textbox', { name: 'Input JSON' });
  await expect(editor).toContainText('"mock_error"');
  await composer.getByRole('button', { name: /^Crash its worker/ }).click();
  await expect(editor).toContainText('"mock_crash": true');
  await page.keyboard.press('Escape');
  await expect(composer).toBeHidden();

  // Live: the count of chunks is seen growing while the job is in progress, which it is until it is cancelled.
  const mock_stream = Array.from({ length: 3_000 }, (_, at) => `Line ${at}. `);
  await submitJob(page, { endpoint: 'mock', input: { title: 'streams on', mock_delay: 200, mock_stream } });
  const pane = await openJobIn(page, 'streams on', 'In progress');
  const output = pane.getByRole('tabpanel', { name: 'Output' });
  await expect(output.getByText(/^(?:[3-9]|\d{2,}) chunks$/)).toBeVisible();
  await expect(pane.getByText('In progress').first()).toBeVisible();
  await pane.getByRole('button', { name: 'Cancel job' }).click();
  await expect(pane.getByText('Cancelled').first()).toBeVisible();

  await app.leave();
  await submitJob(page, { endpoint: 'text', input: { prompt } });
  await expect(pane.getByRole('heading', { name: prompt })).toBeVisible();
  await expect(pane.getByText('Completed').first()).toBeVisible({ timeout: 30_000 });
  await expect(output).toContainText('heliotrope');
  await expect(pane.getByText('Saved locally')).toBeVisible();

  const titles = async (): Promise<string[]> => (await app.notifications()).map(({ title }) => title);
  await expect
    .poll(async () => (await titles()).filter((title) => title.startsWith(prompt)))
    .toEqual([`${prompt} completed`]);
  await output.getByRole('button', { name: 'Copy output' }).click();
  await expect.poll(() => app.clipboard()).toContain('heliotrope');
  const wholeText = await app.clipboard();
  const word = wordOnlyIn(wholeText, prompt);
  await app.close();

  const again = await launch({ env: { JOBDECK_SANDBOX: 'off' } });
  const row = await findJob(again.page, word);
  await expect(row).toContainText(word, { ignoreCase: true });
  await row.click();
  const saved = jobPane(again.page).getByRole('tabpanel', { name: 'Output' });
  await expect(saved).toContainText('heliotrope');
  await saved.getByRole('button', { name: 'Copy output' }).click();
  await expect.poll(() => again.app.clipboard()).toBe(wholeText);
});

test('the tray counts running jobs and lists the last ones; an item opens its job and its live stream', async ({
  launch,
  startService,
}) => {
  const { app, page } = await launch();
  await connectTo(page, await startService({ endpoints }));
  const paced_stream = Array.from({ length: 700 }, (_, at) => `Line ${at}\n\nand the one after it\n\n`);
  await sendJobs(page, [{ endpoint: 'paced', input: { title: 'long one', paced_stream } }]);
  paced.pass(100);
  await expect.poll(async () => JSON.stringify(await app.tray())).toContain('1 running');
  await sendJobs(page, [{ endpoint: 'echo', input: { title: 'short one' } }]);
  await expect.poll(async () => JSON.stringify(await app.tray())).toContain('Completed: short one');
  // One of two is done: the task bar says so too.
  await expect.poll(async () => (await app.windowStates())[0]?.taskbar.progress).toBe(0.5);
  await app.clickTrayItem('In progress: long one');
  await expect(jobPane(page).getByRole('heading', { name: 'long one' })).toBeVisible();

  // A reader who scrolls up stays there; a press returns to the end, which is followed again.
  const output = jobPane(page).getByRole('tabpanel', { name: 'Output' });
  const jump = output.getByRole('button', { name: 'Jump to live' });
  const belowPx = (element: HTMLElement | SVGElement): number =>
    element.scrollHeight - element.clientHeight - element.scrollTop;
  const goesUpAndBack = async (scroller: Locator): Promise<void> => {
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(200);
    await expect(jump).toHaveCount(0);
    await scroller.hover();
    await page.mouse.wheel(0, -150);
    await expect(jump).toBeVisible();
    // What comes now is below.
    paced.pass(20);
    await expect.poll(() => scroller.evaluate(belowPx)).toBeGreaterThan(150);
    await jump.click();
    await expect(jump).toHaveCount(0);
    await expect(output.getByRole('button', { name: 'Following' })).toBeVisible();
    await expect.poll(() => scroller.evaluate(belowPx)).toBeLessThan(6);
  };
  await goesUpAndBack(output.getByRole('document', { name: 'Output text' }));
  await output.getByRole('button', { name: 'Show as plain text' }).click();
  await goesUpAndBack(output.getByRole('document', { name: 'Output text' }));
  await output.getByRole('radio', { name: 'Chunks' }).click();
  await goesUpAndBack(output.getByRole('list', { name: 'Chunks' }));

  // On a dock it is the app's, and would stay when its window is gone.
  await closeWindow(app, page);
  await expect.poll(async () => (await app.windowStates()).length).toBe(0);
  if (app.kind === 'stand-in') await expect.poll(() => app.ask('appProgress')).toBeLessThan(0);
});

test.describe('in one window', () => {
  const shared = shareApp(async ({ page }, startService) => {
    await connectTo(page, await startService({ endpoints }));
  });

  test('a job that ends while it is open is only listed; a click on a notification opens its job', async () => {
    const { app, page } = shared();
    await submitJob(page, { endpoint: 'paced', input: { title: 'first of two' } });
    await openJobIn(page, 'first of two', 'In progress');
    paced.end();
    await openJobIn(page, 'first of two', 'Completed');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const centre = page.getByRole('complementary', { name: 'Notifications' });
    await expect(centre.getByText('not shown on the desktop (you had the job open)').first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(centre).toBeHidden();

    await app.leave();
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'second of two' } });
    await expect
      .poll(async () =>
        (await app.notifications()).map(({ title }) => title).filter((title) => title.includes('of two')),
      )
      .toEqual(['second of two completed']);
    await page.getByRole('option', { name: /first of two/ }).click();
    await expect(jobPane(page).getByRole('heading', { name: 'first of two' })).toBeVisible();
    await app.clickNotification((await app.notifications()).length - 1);
    await expect(jobPane(page).getByRole('heading', { name: 'second of two' })).toBeVisible();
  });

  test('an image job shows its images, which can be enlarged, copied and saved', async () => {
    const { app, page, dataDir } = shared();
    await submitJob(page, {
      endpoint: 'image',
      input: { prompt: 'Layered mountain ridges in morning fog', width: 256, height: 256, count: 2 },
    });
    await openJobIn(page, 'Layered mountain ridges', 'Completed');
    const picture = jobPane(page).getByRole('tabpanel', { name: 'Output' }).getByRole('img').first();
    await expect(picture).toBeVisible();
    await expect
      .poll(() => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)))
      .toBe(256);
    expect(await picture.getAttribute('src')).toMatch(/^(blob|data):/);
    expect.soft(await faults(app, page)).toEqual([]);
    // The right button offers what can be done with the image under it, one at the side too.
    await picture.click({ button: 'right' });
    await expect(page.getByRole('menuitem')).toHaveText([
      'Enlarge image',
      'Copy image',
      'Save image',
      'Save all 2 images',
      /^Open in its own window/,
    ]);
    expect.soft(await faults(app, page, 'menu of an image')).toEqual([]);
    await page.getByRole('menuitem', { name: 'Copy image' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Image copied' })).toBeVisible();
    const first = await app.clipboardPng();
    await jobPane(page).getByRole('option', { name: 'Image 2' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy image' }).click();
    await expect.poll(() => app.clipboardPng()).not.toBe(first);
    await expect(jobPane(page).getByRole('option', { name: 'Image 1' })).toHaveAttribute('aria-selected', 'true');

    // A press enlarges it; keys scale it, go to the next one and close it.
    await picture.click();
    const zoom = page.getByRole('dialog', { name: /^landscape-.*-1\.png$/ });
    const enlarged = zoom.getByRole('region', { name: 'Image' }).getByRole('img');
    const widthPx = async (): Promise<number> => Math.round((await enlarged.boundingBox())?.width ?? 0);
    await expect.poll(widthPx).toBe(256);
    await page.keyboard.press('+');
    await expect(zoom.getByRole('status')).toHaveText('125 %');
    await expect.poll(widthPx).toBe(320);
    await enlarged.hover();
    await page.mouse.wheel(0, -100);
    await expect.poll(widthPx).toBeGreaterThan(320);
    expect(await faults(app, page, 'enlarged image')).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('dialog', { name: /^landscape-.*-2\.png$/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);

    // Saved into one folder, whole and beside what is there; then copied as what was saved.
    await app.answerDialog({ canceled: false, filePaths: [dataDir] });
    await jobPane(page).getByRole('button', { name: 'Save all' }).click();
    await page.getByRole('status').getByRole('button', { name: 'Show in folder' }).click();
    await expect.poll(async () => (await app.shownInFolder()).join()).toMatch(/landscape-.*-1\.png$/);
    const second = (await readdir(dataDir)).find((name) => /^landscape-.*-2\.png$/.test(name));
    await jobPane(page).getByRole('button', { name: 'Copy image' }).click();
    await expect.poll(() => app.clipboardPng()).toBe(await readFile(join(dataDir, second ?? ''), 'base64'));

    // Compared with another one: the question for it comes first, and closing it returns to the list.
    await jobPane(page).getByRole('button', { name: 'Compare with…' }).click();
    await expect(page.getByRole('dialog', { name: 'Add a job to compare' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(picture).toBeVisible();
  });

  test('runsync waits for its result, and continues by polling when the wait ends first (ruling 13)', async () => {
    const { page } = shared();
    await submitJob(page, { endpoint: 'echo', operation: 'runsync', input: { prompt: 'quick and synchronous' } });
    await openJobIn(page, 'quick and synchronous', 'Completed');

    await page.getByRole('button', { name: 'New job' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'New job' });
    await sheet.getByRole('radio', { name: 'runsync' }).click();
    await sheet.getByLabel('Wait', { exact: true }).fill('1 s');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await submitJob(page, {
      endpoint: 'mock',
      operation: 'runsync',
      input: { title: 'slower than its wait', mock_delay: 2_500, mock_return: { answer: 'marmalade' } },
    });
    const pane = await openJobIn(page, 'slower than its wait', 'Completed');
    await expect(pane.getByRole('tabpanel', { name: 'Output' })).toContainText('marmalade');
  });
});
