import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSandbox, submitJob } from '../kit/person.ts';
import { expect, jobPane, openJobIn, shareApp, test } from './fixtures.ts';

const withdrawn = { response: 0, checkboxChecked: false };
const ownPage = 'Playwright does not follow a page whose process died, as the stand-in does';

test('a window whose process dies is reloaded where it was, and says so', async ({ launch, dataDir }) => {
  const { app, page } = await launch();
  test.skip(app.kind !== 'stand-in', ownPage);
  await openSandbox(page);
  await submitJob(page, { endpoint: 'echo', input: { prompt: 'still here after the crash' } });
  await openJobIn(page, 'still here after the crash', 'Completed');
  const key = await page.getByRole('option').first().getAttribute('data-key');
  await expect
    .poll(() => page.evaluate(async () => window.bridge?.call('draft:load', { slot: 'main-window' })))
    .toMatchObject({ ok: true, value: { text: expect.stringContaining(`"selectedKey":"${key}"`) } });
  const [main] = await app.windowStates();
  await app.ask('crashWindow', main?.id ?? -1);
  await expect.poll(() => app.windows().some((each) => each !== page)).toBe(true);
  const again = app.windows().find((each) => each !== page) ?? page;
  await expect(again.getByText('A window crashed and was reloaded')).toBeVisible();
  await expect(jobPane(again).getByRole('heading', { name: 'still here after the crash' })).toBeVisible();
  expect(app.logs()).not.toContain('MaxListenersExceededWarning');

  // The third time within a minute the user decides.
  const crashAgain = async (former: Page): Promise<Page> => {
    await app.ask('crashWindow', main?.id ?? -1);
    await expect.poll(() => app.windows().some((each) => each !== former)).toBe(true);
    return app.windows().find((each) => each !== former) ?? former;
  };
  // The page need not be drawn before it crashes again, so that a slow machine keeps to the minute.
  const second = await crashAgain(again);
  expect(await app.dialogs()).toEqual([]);
  await app.answerDialog({ response: 1, checkboxChecked: false });
  const third = await crashAgain(second);
  await expect(third.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  expect((await app.dialogs()).map(({ options }) => options)).toEqual([
    expect.objectContaining({ message: 'This window crashed 3 times within a minute.' }),
  ]);

  // The user closes it instead, and its place is saved as by any other way of closing it.
  await third.setViewportSize({ width: 1111, height: 777 });
  await expect.poll(async () => (await app.windowStates())[0]?.place.width).toBe(1111);
  await app.ask('crashWindow', main?.id ?? -1);
  expect(await app.exited).toBe(0);
  const saved: unknown = JSON.parse(await readFile(join(dataDir, 'window.json'), 'utf8'));
  expect(saved).toMatchObject({ place: { width: 1111, height: 777 } });
});

test('an uncaught error in main is logged, pending writes finish, and Jobdeck restarts', async ({
  launch,
  dataDir,
}) => {
  // A link that started Jobdeck is followed once.
  const { app, page } = await launch({ args: ['--kept-by-a-test', 'jobdeck://job/gone'] });
  await openSandbox(page);
  await app.ask('rejectInMain', 'a promise nobody watched');
  await expect(page.getByText('Something inside Jobdeck failed')).toBeVisible();
  await app.ask('throwInMain', 'an error nobody caught');
  expect(await app.exited).toBe(1);
  const [, line = '[]'] = /relaunch (\[.*\])/.exec(app.logs()) ?? [];
  expect(JSON.parse(line)).toContain('--kept-by-a-test');
  expect(line).not.toContain('jobdeck://');
  expect(line).not.toContain('--hidden');
  const log = await readFile(join(dataDir, 'jobdeck.log'), 'utf8');
  expect(log).toContain('a promise nobody watched');
  expect(log).toContain('an error nobody caught');

  const again = await launch();
  await expect(again.page.getByText('Jobdeck restarted after an internal error')).toBeVisible();
  await again.page.getByRole('button', { name: 'Show folder' }).click();
  await expect.poll(() => again.app.shownInFolder()).toEqual([join(dataDir, 'jobdeck.log')]);
  await again.app.ask('throwInMain', 'once more');
  expect(await again.app.exited).toBe(1);
  expect(again.app.logs()).toContain('does not restart');
  expect(again.app.logs()).not.toContain('relaunch');
});

test.describe('in one app', () => {
  const shared = shareApp(({ page }) => openSandbox(page));

  test('a page downloads nothing; main saves a requested file where the user chooses', async () => {
    const { app, dataDir } = shared();
    const page = await app.mainWindow();
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['a file of the page']));
      link.download = 'page.txt';
      link.click();
    });
    await expect
      .poll(() => readFile(join(dataDir, 'jobdeck.log'), 'utf8').catch(() => ''))
      .toContain('kept from downloading');
    expect(await app.ask('downloads')).toEqual([]);
  });

  test('Jobdeck asks about an unresponsive window and reloads it if the user agrees', async () => {
    const { app, dataDir } = shared();
    test.skip(app.kind !== 'stand-in', ownPage);
    const page = await app.mainWindow();
    const [main] = await app.windowStates();
    const id = main?.id ?? -1;
    // It is asked about once, and no longer when it answers again: a late click must not reload it.
    await app.answerDialog('nobody answers');
    await app.ask('freezeWindow', id);
    await expect.poll(async () => (await app.dialogs()).length).toBe(1);
    await app.ask('freezeWindow', id);
    await app.ask('thawWindow', id);
    await expect.poll(async () => (await app.dialogs()).map(({ answer }) => answer)).toEqual([withdrawn]);
    expect(app.windows()).toEqual([page]);

    await app.answerDialog({ response: 1, checkboxChecked: false });
    await app.ask('freezeWindow', id);
    await expect.poll(async () => (await app.dialogs()).length).toBe(2);
    expect((await app.dialogs())[0]?.options).toMatchObject({ message: expect.stringContaining('is not responding') });
    await expect.poll(() => app.windows().some((each) => each !== page)).toBe(true);
    await expect.poll(() => readFile(join(dataDir, 'jobdeck.log'), 'utf8')).toContain('a window does not answer');

    // One that dies while it is asked about is reloaded, and there is nothing left to ask.
    const again = app.windows().find((each) => each !== page) ?? page;
    await expect(again.getByRole('button', { name: 'New job' }).first()).toBeVisible();
    await app.answerDialog('nobody answers');
    await app.ask('freezeWindow', id);
    await expect.poll(async () => (await app.dialogs()).length).toBe(3);
    await app.ask('crashWindow', id);
    await expect.poll(async () => (await app.dialogs())[2]?.answer).toEqual(withdrawn);
    await expect.poll(() => app.windows().some((each) => each !== again)).toBe(true);
    const third = app.windows().find((each) => each !== again) ?? again;
    await expect(third.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  });
});
