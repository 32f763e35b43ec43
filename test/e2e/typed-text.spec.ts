import type { Page } from '@playwright/test';
import { openSandbox, sendAndOpen, typeInput } from '../kit/person.ts';
import { expect, jobPane, openJobIn, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });

/** What Chromium does when a window closes or is loaded again. The stand-in ends its pages without it. */
const leave = (page: Page): Promise<boolean> => page.evaluate(() => window.dispatchEvent(new Event('pagehide')));

/** The pauses after which typed text is saved never end, so that only leaving saves it. */
const endlessPauses = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const wait = window.setTimeout.bind(window);
    const patient = (run: () => void, ms?: number): number => (ms === 300 || ms === 400 ? 0 : wait(run, ms));
    return Reflect.set(window, 'setTimeout', patient);
  });

test('what was typed a moment before Jobdeck quits is there after the next start', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await sendAndOpen(page, { endpoint: 'echo', input: { title: 'The kettle' } });
  await openJobIn(page, 'The kettle', 'Completed');
  await page.keyboard.press('5');
  await endlessPauses(page);
  await jobPane(page).getByRole('textbox', { name: 'Note' }).fill('Typed a moment before');
  await leave(page);
  await page.getByRole('button', { name: 'New job' }).first().click();
  await typeInput(page, '{"title": "Typed a moment before"}');
  await leave(page);
  await app.close();

  const again = await launch();
  await openJobIn(again.page, 'The kettle', 'Completed');
  await expect(jobPane(again.page).getByRole('tab', { name: /^Note/ })).toContainText('1');
  await again.page.keyboard.press('n');
  await expect(editorOf(again.page)).toHaveText('{"title": "Typed a moment before"}');
});
