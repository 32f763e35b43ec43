import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { chooseEndpoint, openSandbox, submitJob, typeInput } from '../kit/person.ts';
import { expect, jobPane, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });

/** A list that opens under a key does not take it: Enter is its own only 75 ms later (CodeMirror's interactionDelay). */
async function untilTakesKeys(page: Page): Promise<void> {
  const now = () => page.evaluate(() => performance.now());
  const openedMs = await now();
  await expect.poll(now).toBeGreaterThan(openedMs + 75);
}

test('keys of earlier inputs are offered while typing, with what they held', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  for (const guidance of [6.5, 6.5, 7])
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'A kettle', guidance_scale: guidance, size: 'xl' } });
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(3, { timeout: 20_000 });
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible();
  await page.keyboard.press('n');
  await chooseEndpoint(page, 'echo');
  // Its completed jobs offer inputs to begin with.
  await sheetOf(page).getByRole('radio', { name: 'Presets' }).click();
  await sheetOf(page).getByRole('button', { name: 'Smallest input that ran 3 keys' }).click();
  await expect(editorOf(page)).toContainText('"guidance_scale": 7');
  await typeInput(page, '{"prompt": "A mug", }');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('"gui');
  const offers = sheetOf(page).getByRole('listbox', { name: 'Completions' });
  await expect(offers.getByRole('option', { name: /guidance_scale/ })).toBeVisible();
  await expect(sheetOf(page).getByText('number, 6.5 to 7, mostly 6.5')).toBeVisible();
  await expect(sheetOf(page).getByText(/Learned from 3 finished jobs/)).toBeVisible();
  expect.soft(await faults(app, page), 'learned keys').toEqual([]);
  // Escape takes the list away, not the sheet.
  await page.keyboard.press('Escape');
  await expect(offers).toBeHidden();
  await expect(sheetOf(page)).toBeVisible();
  await page.keyboard.press('Control+Space');
  await expect(offers).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(editorOf(page)).toHaveText('{"prompt": "A mug", "guidance_scale": 6.5}');
  await expect(editorOf(page)).toBeFocused();

  // The key alone leads to its values.
  await page.keyboard.type(', "si');
  await expect(offers.getByRole('option', { name: /size/ })).toBeVisible();
  await expect(offers.getByRole('option', { name: /prompt/ })).toHaveCount(0);
  await expect(sheetOf(page).getByText('string, mostly "xl"')).toBeVisible();
  // While it looks for the last letter typed, the list is still that of the letters before, and takes no key.
  await expect(sheetOf(page).locator('.cm-tooltip-autocomplete-disabled')).toHaveCount(0);
  await untilTakesKeys(page);
  await page.keyboard.press('Enter');
  await expect(editorOf(page)).toHaveText('{"prompt": "A mug", "guidance_scale": 6.5, "size": }');
  await expect(offers.getByRole('option', { name: /xl/ })).toBeVisible();

  // Without the list, the value that most inputs had stands behind the colon: Escape hides it, Tab accepts it.
  await page.keyboard.press('Escape');
  const ghost = editorOf(page).locator('[data-ghost]');
  await expect(ghost).toHaveAttribute('data-ghost', '"xl"');
  await page.keyboard.press('Escape');
  await expect(ghost).toHaveCount(0);
  await expect(sheetOf(page)).toBeVisible();
  await page.keyboard.type(' ');
  await page.keyboard.press('Backspace');
  await expect(ghost).toHaveAttribute('data-ghost', '"xl"');
  await page.keyboard.press('Tab');
  await expect(editorOf(page)).toHaveText('{"prompt": "A mug", "guidance_scale": 6.5, "size": "xl"}');
  await expect(editorOf(page)).toBeFocused();

  // Many inputs: columns and cells of earlier inputs, put in by a press.
  await sheetOf(page).getByRole('radio', { name: 'Many inputs' }).click();
  const inputs = sheetOf(page).getByRole('textbox', { name: 'Inputs' });
  const help = sheetOf(page).getByRole('group', { name: 'Suggestions' });
  await inputs.fill('prompt');
  await help.getByRole('button', { name: 'guidance_scale' }).click();
  await expect(inputs).toHaveValue('prompt,guidance_scale');
  await page.keyboard.type('\nA pot,');
  await expect(help).toContainText('guidance_scale: number, 6.5 to 7, mostly 6.5');
  await help.getByRole('button', { name: '6.5' }).click();
  await expect(inputs).toHaveValue('prompt,guidance_scale\nA pot,6.5');
  expect(await faults(app, page)).toEqual([]);
});
