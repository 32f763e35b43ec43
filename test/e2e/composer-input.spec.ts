import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { chooseEndpoint, openSandbox, sendJobs, typeInput } from '../kit/person.ts';
import { expect, openJobIn, shareApp, test } from './fixtures.ts';

const shared = shareApp(({ page }) => openSandbox(page));
const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });
const editorOf = (page: Page) => sheetOf(page).getByRole('textbox', { name: 'Input JSON' });
const key = 'rpa_CANARY0123456789ABCDEF';

/** Closes the composer, for one input as it was. */
async function leaveComposer(page: Page): Promise<void> {
  await sheetOf(page).getByRole('radio', { name: 'One input' }).click();
  await sheetOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(sheetOf(page)).toBeHidden();
}

/** Puts a text on the clipboard the way a person does: by cutting it out of a field. */
async function cut(page: Page, text: string): Promise<void> {
  const field = sheetOf(page).getByRole('textbox', { name: 'Search history' });
  await field.fill(text);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await expect(field).toHaveValue('');
}

test('an editor that loads late leaves the focus where Tab put it', async () => {
  const { page } = shared();
  const loads: (() => void)[] = [];
  await page.route(/json-editor[^/]*\.js/, async (route) => {
    await new Promise<void>((resolve) => loads.push(resolve));
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  await page.keyboard.press('n');
  const picker = sheetOf(page).getByRole('combobox', { name: /^Endpoint/ });
  await expect(picker).toBeVisible();
  await expect.poll(() => loads.length).toBeGreaterThan(0);
  // The sheet itself has the focus until the editor is there, so Tab reaches its first control.
  await expect(sheetOf(page).locator('[data-palette-sheet]')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(picker).toBeFocused();
  for (const load of loads) load();
  await expect(editorOf(page)).toBeVisible();
  await expect(picker).toBeFocused();
  await page.unroute(/json-editor[^/]*\.js/);
  await leaveComposer(page);
});

const command = `curl -X POST https://api.elsewhere.test/v2/image/runsync?wait=60000 -H 'Authorization: Bearer ${key}' -d '{"input": {"prompt": "A kettle", "seed": 9}, "policy": {"ttl": 3600000}}'`;

test('a pasted cURL fills the form without its key, and can be undone', async () => {
  const { app, page, dataDir } = shared();
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
  // The keys of the composer work wherever in it one has clicked.
  await sheet.getByText('The result stays on the server').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet).toBeHidden();
  await openJobIn(page, 'A kettle', 'Completed');

  await page.keyboard.press('n');
  await expect(editorOf(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  for (const name of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    // Chromium and the database have files that are there for a moment.
    const bytes = await readFile(join(name.parentPath, name.name)).catch(() => null);
    expect(bytes?.includes(key) ?? false, name.name).toBe(false);
  }
});

interface MadeFile {
  name: string;
  type: string;
  text?: string;
  size?: number;
}

/** Drops files that exist only in the page on the editor. The event is the one that a drag ends with. */
async function drop(page: Page, files: MadeFile[], target = editorOf(page)): Promise<void> {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, type, text, size } of given)
      transfer.items.add(new File([text ?? new Uint8Array(size ?? 0)], name, { type }));
    return transfer;
  }, files);
  await target.dispatchEvent('drop', { dataTransfer: data });
}

test('a dropped file becomes the input, many inputs, or text at the cursor', async () => {
  const { app, page } = shared();
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
  await leaveComposer(page);
});

test('a text is found and replaced in the input, in a bar of the window', async () => {
  const { app, page } = shared();
  await page.keyboard.press('n');
  const sheet = sheetOf(page);
  await typeInput(page, '{"prompt": "red leaf", "also": "Red lake", "path": "a.b axb"}');
  await page.keyboard.press('ControlOrMeta+f');
  const find = sheet.getByRole('textbox', { name: 'Find' });
  await expect(find).toBeFocused();
  await find.fill('red');
  await expect(sheet.getByText('1 of 2')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(sheet.getByText('2 of 2')).toBeVisible();
  await page.keyboard.press('Shift+Enter');
  await expect(sheet.getByText('1 of 2')).toBeVisible();
  await sheet.getByRole('button', { name: 'Match case' }).click();
  await expect(sheet.getByText('1 of 1')).toBeVisible();
  expect.soft(await faults(app, page), 'find and replace').toEqual([]);
  await sheet.getByRole('button', { name: 'Match case' }).click();

  const replacement = sheet.getByRole('textbox', { name: 'Replace with' });
  await replacement.fill('blue');
  await page.keyboard.press('Enter');
  await expect(editorOf(page)).toHaveText('{"prompt": "blue leaf", "also": "Red lake", "path": "a.b axb"}');
  await sheet.getByRole('button', { name: 'Replace all matches' }).click();
  await expect(editorOf(page)).toHaveText('{"prompt": "blue leaf", "also": "blue lake", "path": "a.b axb"}');
  await expect(sheet.getByText('No matches')).toBeVisible();

  // Signs mean themselves, unless an expression is asked for.
  await find.fill('a.b');
  await expect(sheet.getByText('1 of 1')).toBeVisible();
  await sheet.getByRole('button', { name: 'Regular expression' }).click();
  await expect(sheet.getByText('1 of 2')).toBeVisible();
  await find.fill('(');
  await expect(sheet.getByText('Not a valid expression')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Replace all matches' })).toHaveAttribute('aria-disabled', 'true');

  // Escape closes the bar, and only then the sheet.
  await page.keyboard.press('Escape');
  await expect(find).toHaveCount(0);
  await expect(editorOf(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+f');
  await expect(find).toBeFocused();
  await editorOf(page).click();
  await page.keyboard.press('Escape');
  await expect(find).toHaveCount(0);
  await expect(sheet).toBeVisible();
  await leaveComposer(page);
});

/** Drags files and folders of the disk onto an element, as a file manager does. */
async function dragIn(page: Page, target: Locator, files: string[]): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('There is nothing to drop on.');
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      type,
      ...place,
      data: { items: [], files, dragOperationsMask: 1 },
    });
  await session.detach();
}

test('files and folders dropped on many inputs are added to the existing ones, and skipped files are named', async () => {
  const { app, page } = shared();
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-drop-'));
  try {
    await mkdir(join(folder, 'inputs', 'more'), { recursive: true });
    await writeFile(join(folder, 'inputs', 'b.csv'), 'prompt,seed\na dog,2\n');
    await writeFile(join(folder, 'inputs', 'photo.png'), 'xyz');
    await writeFile(join(folder, 'inputs', 'more', 'c.json'), '[{"prompt": "a fox"},\n {"prompt": "an owl"}]');
    await writeFile(join(folder, 'a.jsonl'), '{"prompt": "a cat"}\n');
    await page.keyboard.press('n');
    const sheet = sheetOf(page);
    await sheet.getByRole('radio', { name: 'Many inputs' }).click();
    const inputs = sheet.getByRole('textbox', { name: 'Inputs' });
    await inputs.fill('{"prompt": "typed"}');
    await dragIn(page, inputs, [join(folder, 'inputs'), join(folder, 'a.jsonl')]);
    await expect(sheet.getByText('Added 3 files.')).toBeVisible();
    await expect(sheet.getByText(/Left out photo\.png: inputs are in/)).toBeVisible();
    const rows = ['typed', 'a cat', 'a dog', 'a fox', 'an owl'];
    await expect(sheet.getByText('5 valid rows')).toBeVisible();
    await expect.poll(async () => (await inputs.inputValue()).match(/(?<="prompt": ?")[^"]*/g)).toEqual(rows);
    expect.soft(await faults(app, page), 'a dropped folder').toEqual([]);
    await sheet.getByRole('button', { name: 'Undo' }).click();
    await expect(inputs).toHaveValue('{"prompt": "typed"}');
    await expect(inputs).toBeFocused();

    // Tables with the same columns stay one table.
    await inputs.fill('prompt,seed\na cat,1');
    await dragIn(page, inputs, [join(folder, 'inputs', 'b.csv')]);
    await expect(inputs).toHaveValue('prompt,seed\na cat,1\na dog,2\n');

    // Rows that need fixing are not lost, because nothing is added to them.
    await inputs.fill('prompt,seed\na cat');
    await drop(page, [{ name: 'one.json', type: 'application/json', text: '{"a": 1}' }], inputs);
    await expect(sheet.getByText(/The rows are unchanged\. Fix or remove the invalid rows/)).toBeVisible();
    await expect(inputs).toHaveValue('prompt,seed\na cat');

    // Files that are chosen are added in the same way.
    await inputs.fill('');
    await sheet
      .getByLabel('Files with inputs')
      .setInputFiles([join(folder, 'a.jsonl'), join(folder, 'inputs', 'more', 'c.json')]);
    await expect(sheet.getByText('Added 2 files.')).toBeVisible();
    await expect(sheet.getByText('3 valid rows')).toBeVisible();
    await inputs.fill('');
    await leaveComposer(page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** A list that opens under a key does not take it: Enter is its own only 75 ms later (CodeMirror's interactionDelay). */
async function untilTakesKeys(page: Page): Promise<void> {
  const now = () => page.evaluate(() => performance.now());
  const openedMs = await now();
  await expect.poll(now).toBeGreaterThan(openedMs + 75);
}

test('keys of earlier inputs are offered while typing, with their values', async () => {
  const { app, page } = shared();
  await sendJobs(
    page,
    [6.5, 6.5, 7].map((guidance) => ({
      endpoint: 'echo',
      input: { prompt: 'A teapot', guidance_scale: guidance, size: 'xl' },
    })),
  );
  await expect(page.getByRole('option', { name: /A teapot, Completed/ })).toHaveCount(3, { timeout: 20_000 });
  await page.keyboard.press('n');
  await chooseEndpoint(page, 'echo');
  // Its completed jobs offer inputs to begin with.
  await sheetOf(page).getByRole('radio', { name: 'Presets' }).click();
  await sheetOf(page).getByRole('button', { name: 'Smallest input that ran 3 keys' }).click();
  await expect(editorOf(page)).toContainText('"guidance_scale": 7');
  await typeInput(page, '{"prompt": "A mug", }');
  await expect(editorOf(page)).toHaveText('{"prompt": "A mug", }');
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
  await leaveComposer(page);
});
