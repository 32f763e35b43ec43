import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { openSandbox, typeInput } from '../kit/person.ts';
import { expect, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });

/** Drops files on the editor. Chromium lets no test drag real ones; the event is the one that a drag ends with. */
async function drop(page: Page, files: { name: string; type: string; text?: string; size?: number }[]): Promise<void> {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, type, text, size } of given)
      transfer.items.add(new File([text ?? new Uint8Array(size ?? 0)], name, { type }));
    return transfer;
  }, files);
  await editorOf(page).dispatchEvent('drop', { dataTransfer: data });
}

test('a dropped file becomes the input, many inputs, or text at the cursor', async ({ launch }) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await page.keyboard.press('n');
  const sheet = sheetOf(page);
  await typeInput(page, '{"note": ""}');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await drop(page, [{ name: 'readme.md', type: 'text/markdown', text: 'a "red"\nkettle' }]);
  await expect(sheet.getByText('Added readme.md as text.')).toBeVisible();
  await expect(editorOf(page)).toHaveText(String.raw`{"note": "a \"red\"\nkettle"}`);
  await sheet.getByRole('button', { name: 'Undo' }).click();
  await expect(editorOf(page)).toHaveText('{"note": ""}');

  await drop(page, [{ name: 'large.wav', type: 'audio/wav', size: 16_000_000 }]);
  await expect(sheet.getByText(/large\.wav is 16 MB.*runsync less than 20 MB/)).toBeVisible();
  await expect(editorOf(page)).toHaveText('{"note": ""}');
  expect.soft(await faults(app, page), 'a file that was not added').toEqual([]);

  await drop(page, [{ name: 'input.json', type: 'application/json', text: '{"from": "a file"}' }]);
  await expect(editorOf(page)).toHaveText('{"from": "a file"}');

  // Several files are one job each: JSON as it is, another one in the input that is there.
  await drop(page, [
    { name: 'a.json', type: 'application/json', text: '{\n  "from": "a"\n}' },
    { name: 'b.png', type: 'image/png', text: 'xyz' },
    { name: 'broken.json', type: 'application/json', text: '{' },
  ]);
  await expect(sheet.getByText(/2 files, one job each.*Left out: broken\.json\./)).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Submit 2 jobs' })).toBeVisible();
  await expect(sheet.getByRole('cell', { name: /"from": "a file", "image_base64": "eHl6"/ })).toBeVisible();
  await sheet.getByRole('button', { name: 'Undo' }).click();
  await expect(editorOf(page)).toHaveText('{"from": "a file"}');

  await drop(page, [{ name: 'rows.csv', type: 'text/csv', text: 'prompt,seed\na cat,1\na dog,2\n' }]);
  await expect(sheet.getByText(/rows\.csv is read as many inputs/)).toBeVisible();
  await expect(sheet.getByText('2 valid rows')).toBeVisible();
});
