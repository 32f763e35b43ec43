import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { openSandbox, typeInput } from '../kit/person.ts';
import { expect, jobPane, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });
const key = 'rpa_CANARY0123456789ABCDEF';

/** Puts a text on the clipboard the way a person does: by cutting it out of a field. */
async function cut(page: Page, text: string): Promise<void> {
  const field = sheetOf(page).getByRole('textbox', { name: 'Search history' });
  await field.fill(text);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await expect(field).toHaveValue('');
}

const command = `curl -X POST https://api.elsewhere.test/v2/image/runsync?wait=60000 -H 'Authorization: Bearer ${key}' -d '{"input": {"prompt": "A kettle", "seed": 9}, "policy": {"ttl": 3600000}}'`;

test('a pasted cURL fills the form, without its key, and can be taken back', async ({ launch, dataDir }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await page.keyboard.press('n');
  const sheet = sheetOf(page);
  await cut(page, command);
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(sheet.getByText('Filled from a cURL command.')).toBeVisible();
  await expect(sheet.getByText(/Image, runsync, 2 keys\. Its API key was discarded/)).toBeVisible();
  await expect(editorOf(page)).toContainText('"prompt": "A kettle"');
  await expect(sheet.getByRole('combobox', { name: 'Endpoint: Image' })).toBeVisible();
  await expect(sheet.getByRole('radio', { name: 'runsync' })).toBeChecked();
  await expect(sheet.getByRole('textbox', { name: 'Time to live (ttl)' })).toHaveValue('1 h');
  expect.soft(await faults(app, page), 'filled from a paste').toEqual([]);
  await sheet.getByRole('button', { name: 'Undo' }).click();
  await expect(sheet.getByRole('radio', { name: 'run', exact: true })).toBeChecked();
  await expect(editorOf(page)).not.toContainText('kettle');

  // Over an input that was typed, only by its own key.
  await typeInput(page, '{"prompt": "typed"}');
  await page.keyboard.press('ControlOrMeta+Shift+v');
  await expect(editorOf(page)).toContainText('"prompt": "A kettle"');
  await cut(page, 'a red kettle');
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Shift+v');
  await expect(sheet.getByText('No request found in the clipboard.')).toBeVisible();
  await expect(editorOf(page)).not.toContainText('red');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });

  await page.keyboard.press('n');
  await expect(editorOf(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await app.kill();
  for (const name of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (name.isFile()) expect((await readFile(join(name.parentPath, name.name))).includes(key), name.name).toBe(false);
});
