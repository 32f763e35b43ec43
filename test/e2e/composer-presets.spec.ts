import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { chooseEndpoint, openSandbox, typeInput } from '../kit/person.ts';
import { expect, jobPane, runByPalette, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });
const nameDialog = (page: Page) => page.getByRole('dialog', { name: 'Save preset' });

async function savePreset(page: Page, name: string): Promise<void> {
  await sheetOf(page).getByRole('button', { name: 'Save preset' }).click();
  await nameDialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await nameDialog(page).getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(nameDialog(page)).toBeHidden();
}

test('a preset is saved with tags and policy, applied by Ctrl P after a restart, and sent', async ({ launch }) => {
  const first = await launch();
  await openSandbox(first.page);
  await first.page.keyboard.press('n');
  await chooseEndpoint(first.page, 'echo');
  await typeInput(first.page, '{"prompt": "A kettle"}');
  await sheetOf(first.page).getByRole('textbox', { name: 'Tags of the job' }).fill('night, seeds');
  await sheetOf(first.page).getByRole('textbox', { name: 'Time to live (ttl)' }).fill('1 h');
  await savePreset(first.page, 'Product shot');
  await expect(sheetOf(first.page).getByText('Saved the preset Product shot.')).toBeVisible();
  await typeInput(first.page, '{"prompt": "Something else"}');
  await sheetOf(first.page).getByRole('textbox', { name: 'Tags of the job' }).fill('');
  // Another endpoint takes the input over, and has a draft of its own from then on.
  await chooseEndpoint(first.page, 'mock');
  await expect(editorOf(first.page)).toHaveText('{"prompt": "Something else"}');
  await typeInput(first.page, '{"prompt": "For mock"}');
  await chooseEndpoint(first.page, 'echo');
  await expect(sheetOf(first.page).getByText('Your draft for echo is back.')).toBeVisible();
  await expect(editorOf(first.page)).toHaveText('{"prompt": "Something else"}');
  await first.page.keyboard.press('Escape');
  await expect(sheetOf(first.page)).toBeHidden();
  await first.app.close();

  const { page } = await launch();
  await page.getByRole('button', { name: 'New job' }).first().click();
  await expect(editorOf(page)).toHaveText('{"prompt": "Something else"}');
  await chooseEndpoint(page, 'mock');
  await expect(editorOf(page)).toHaveText('{"prompt": "For mock"}');
  await chooseEndpoint(page, 'echo');
  await expect(editorOf(page)).toHaveText('{"prompt": "Something else"}');
  await page.keyboard.press('ControlOrMeta+p');
  await expect(sheetOf(page).getByRole('textbox', { name: 'Search presets' })).toBeFocused();
  await page.keyboard.type('product');
  await expect(sheetOf(page).getByRole('list', { name: 'Presets' }).getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(editorOf(page)).toHaveText('{"prompt": "A kettle"}');
  await expect(sheetOf(page).getByRole('textbox', { name: 'Time to live (ttl)' })).toHaveValue('1 h');
  // What was there before is one step away.
  await sheetOf(page).getByRole('button', { name: 'Undo' }).click();
  await expect(editorOf(page)).toHaveText('{"prompt": "Something else"}');
  await page.keyboard.press('ControlOrMeta+p');
  await expect(sheetOf(page).getByRole('textbox', { name: 'Search presets' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editorOf(page)).toHaveText('{"prompt": "A kettle"}');
  // Once with the sheet kept open, then again to open the job.
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
  await expect(sheetOf(page).getByText('Submitted A kettle.')).toBeVisible();
  await expect(editorOf(page)).toHaveText('{"prompt": "A kettle"}');
  await expect(sheetOf(page).getByText(/^Draft saved \d/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheetOf(page)).toBeHidden();
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await expect(jobPane(page).getByText('night').first()).toBeVisible();
  await page.keyboard.press('n');
  await chooseEndpoint(page, 'echo');
  await page.keyboard.press('ControlOrMeta+p');
  await expect(sheetOf(page).getByText('used 2 times')).toBeVisible();

  // From anywhere by the palette: a new job with the preset in its fields.
  await typeInput(page, '{"prompt": "Something else"}');
  await sheetOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(sheetOf(page)).toBeHidden();
  await runByPalette(page, 'New job from preset Product shot');
  await expect(editorOf(page)).toHaveText('{"prompt": "A kettle"}');
  await expect(sheetOf(page).getByText('Loaded the preset Product shot.')).toBeVisible();
});

test('a preset is overwritten, renamed and deleted, each with undo, even in a small window', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await page.keyboard.press('n');
  const sheet = sheetOf(page);
  await typeInput(page, '{"prompt": "first"}');
  await savePreset(page, 'House');
  await typeInput(page, '{"prompt": "second"}');
  await page.keyboard.press('ControlOrMeta+p');
  await expect(sheet.getByText('1 edit since it was saved')).toBeVisible();
  expect.soft(await faults(app, page), 'presets').toEqual([]);
  const more = sheet.getByRole('button', { name: 'More: House' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Overwrite with this input' }).click();
  await expect(sheet.getByText('Saved over House.')).toBeVisible();
  await sheet.getByRole('button', { name: 'Undo' }).click();
  await expect(sheet.getByText('1 edit since it was saved')).toBeVisible();

  await more.click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename preset' });
  await expect(rename).toBeVisible();
  expect.soft(await faults(app, page, 'name of a preset')).toEqual([]);
  await rename.getByRole('textbox', { name: 'Name' }).fill('Barn');
  await rename.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(rename).toBeHidden();
  await sheet.getByRole('button', { name: 'More: Barn' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(sheet.getByText('Deleted the preset Barn.')).toBeVisible();
  await expect(sheet.getByRole('list', { name: 'Presets' }).getByRole('listitem')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Undo' }).click();
  await expect(sheet.getByRole('list', { name: 'Presets' }).getByRole('listitem')).toHaveCount(1);

  // One for a kind of endpoints brings its keys, and leaves the others.
  await typeInput(page, '{"seed": 7}');
  await sheet.getByRole('button', { name: 'Save preset' }).click();
  await nameDialog(page).getByRole('textbox', { name: 'Name' }).fill('Lucky seed');
  await nameDialog(page).getByRole('checkbox', { name: 'Offer it for any text endpoint, to merge its keys' }).click();
  expect.soft(await faults(app, page), 'the kind a preset is for').toEqual([]);
  await nameDialog(page).getByRole('button', { name: 'Save preset' }).click();
  await expect(nameDialog(page)).toBeHidden();
  await typeInput(page, '{"prompt": "mine", "seed": 1}');
  const ofKind = sheet.getByRole('list', { name: 'Presets of any text endpoint' });
  await ofKind.getByRole('button', { name: 'Lucky seed merges 1 key' }).click();
  await expect(editorOf(page)).toHaveText('{  "prompt": "mine",  "seed": 7}');
  await sheet.getByRole('button', { name: 'Undo' }).click();
  await expect(editorOf(page)).toHaveText('{"prompt": "mine", "seed": 1}');
  expect.soft(await faults(app, page), 'presets of a kind').toEqual([]);

  // In a small window the presets lie over the input until one is taken or Escape folds them.
  await page.setViewportSize({ width: 900, height: 600 });
  const search = sheet.getByRole('textbox', { name: 'Search presets' });
  await page.keyboard.press('ControlOrMeta+1');
  await expect(search).toBeHidden();
  await page.keyboard.press('ControlOrMeta+p');
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  await expect(sheet).toBeVisible();
  await page.keyboard.press('ControlOrMeta+p');
  await expect(search).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(search).not.toBeFocused();
  await page.keyboard.press('Enter');
  await expect(search).toBeHidden();
  await expect(editorOf(page)).toHaveText('{"prompt": "first"}');
});
