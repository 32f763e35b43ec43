import type { Locator, Page } from '@playwright/test';
import { goTo, openSandbox, submitJob, typeInput } from '../kit/person.ts';
import { expect, jobPane, shareApp, test } from './fixtures.ts';

/** As much of the page as a window of 1440 by 900 shows at 200 %. */
const zoomed = { width: 720, height: 450 };

/** Whether all of it can be seen and pressed where it stands, and nothing sticks out of the window at the side. */
async function expectReached(page: Page, ...controls: Locator[]): Promise<void> {
  for (const control of controls) {
    // Scrolls to it, and tries again if it is drawn again meanwhile.
    await control.click({ trial: true });
    await expect(control).toBeInViewport({ ratio: 0.99 });
  }
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}

const shared = shareApp(async ({ page }) => {
  await page.setViewportSize(zoomed);
  await openSandbox(page);
});

test('at 200 % zoom every step of a job’s life is reachable, and nothing is cut off', async () => {
  const { page } = shared();
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name });

  await expectReached(page, button('New job').first(), page.getByRole('combobox', { name: 'Search jobs' }));
  await button('New job').first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await typeInput(page, '{"prompt": "seen from far"}');
  await expectReached(
    page,
    sheet.getByRole('button', { name: 'Submit job' }),
    sheet.getByRole('button', { name: 'Close' }).first(),
    sheet.getByRole('radio', { name: 'Many inputs' }),
  );
  // The command leaves its room to the input, until it is asked for; then it stays.
  const curl = sheet.getByRole('button', { name: 'cURL', exact: true });
  await expect(curl).toHaveAttribute('aria-expanded', 'false');
  const heightPx = async (): Promise<number> =>
    (await sheet.getByRole('textbox', { name: 'Input JSON' }).boundingBox())?.height ?? 0;
  const roomPx = await heightPx();
  await curl.click();
  await expect(sheet.getByText('curl -X POST')).toBeVisible();
  await expect.poll(heightPx).toBeLessThan(roomPx);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await button('New job').first().click();
  await expect(curl).toHaveAttribute('aria-expanded', 'true');
  await curl.click();
  await expect.poll(heightPx).toBe(roomPx);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await submitJob(page, { endpoint: 'text', input: { prompt: 'seen from far' } });
  const pane = jobPane(page);
  await expect(pane.getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await expectReached(
    page,
    pane.getByRole('button', { name: 'Run again' }).first(),
    pane.getByRole('tab', { name: 'Requests' }),
    pane.getByRole('button', { name: 'More' }).first(),
  );
  await pane.getByRole('tab', { name: 'Input' }).click();
  await expect(pane.getByRole('tabpanel', { name: 'Input' })).toContainText('seen from far');

  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expectReached(
    page,
    settings.getByRole('button', { name: 'Close' }),
    settings.getByRole('radio', { name: 'Dark' }),
    settings.getByRole('button', { name: 'Storage' }),
  );
  await settings.getByRole('button', { name: 'Close' }).click();

  await page.keyboard.press('ControlOrMeta+k');
  await expectReached(page, page.getByRole('dialog').getByRole('combobox').first());
  await page.keyboard.press('Escape');
  await goTo(page, 'h');
  await expect(page.getByRole('heading', { name: /Health/ }).first()).toBeInViewport();
  await expectReached(page);
});

test('Ctrl and plus, minus and zero zoom every window, up to 200 % and back', async () => {
  const { page } = shared();
  await page.setViewportSize({ width: 1440, height: 900 });
  const widthPx = (): Promise<number> => page.evaluate(() => window.innerWidth);
  await expect.poll(widthPx).toBe(1440);
  const fullPx = 1440;
  const expectWidthPx = (levels: number): Promise<void> =>
    expect.poll(widthPx).toBe(Math.round(fullPx / 1.2 ** (levels / 2)));
  await page.keyboard.press('Control+=');
  await expectWidthPx(1);
  await page.keyboard.press('Control+Shift++');
  await expectWidthPx(2);
  await page.keyboard.press('Control+-');
  await expectWidthPx(1);
  for (let press = 1; press < 8; press += 1) await page.keyboard.press('Control+=');
  await expectWidthPx(8);
  await expectReached(page, page.getByRole('button', { name: 'New job' }).first());
  await page.keyboard.press('Control+0');
  await expectWidthPx(0);
});
