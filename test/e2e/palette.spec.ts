import { expect, jobPane, openJobIn, runByPalette, shareApp, test } from './fixtures.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { openPreferences, openSandbox, submitJob } from '../kit/person.ts';

test('the palette stops a sandbox with active jobs, starts it again with them, knows synonyms and quits', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await holdToasts(page);
  await submitJob(page, { endpoint: 'mock', input: { title: 'Still running', mock_delay: 600_000 } });
  await openJobIn(page, 'Still running', 'In progress');
  await runByPalette(page, 'Extend lifetime');
  await page.getByRole('dialog', { name: 'Extend lifetime' }).getByRole('button', { name: 'Extend' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Lifetime extended' })).toBeVisible();
  await runByPalette(page, 'Stop the sandbox');
  await expect(page.getByText('The sandbox is not running').first()).toBeVisible();
  await page.getByRole('button', { name: 'Start the sandbox' }).first().click();
  await expect(page.getByText('The sandbox is not running')).toHaveCount(0, { timeout: 20_000 });
  await jobPane(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(jobPane(page).getByText('Cancelled').first()).toBeVisible({ timeout: 20_000 });

  const find = async (text: string): Promise<void> => {
    if (!(await page.getByRole('combobox', { name: 'Search or run' }).isVisible()))
      await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill(text);
  };
  await find('settings');
  await expect(page.getByRole('option', { name: 'Preferences' })).toBeVisible();
  await find('health of mock');
  await expect(page.getByRole('option', { name: 'Health of mock' })).toBeVisible();
  // What cannot be done now stays, last, with the reason; Enter does nothing.
  await find('abort');
  const refused = page.getByRole('option', { name: 'Cancel job' });
  await expect(refused).toHaveAttribute('aria-disabled', 'true');
  await expect(refused).toHaveAccessibleDescription('The job is finished');
  await expect(refused).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(refused).toBeVisible();
  await find('exit');
  await expect(page.getByRole('option', { name: 'Quit Jobdeck' })).toHaveAttribute('aria-selected', 'true');
  // The window is gone before the key is up again.
  await page.keyboard.press('Enter').catch(() => {});
  expect(await app.exited).toBe(0);
});

test('commands that were run last come first, also after a restart, and never one that acts on a job', async ({
  launch,
}) => {
  const { app, page } = await launch();
  await openSandbox(page);
  await runByPalette(page, 'Pods');
  await runByPalette(page, 'Health');
  await page.keyboard.press('ControlOrMeta+k');
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await expect(options.nth(0)).toHaveAccessibleName('Health');
  await expect(options.nth(1)).toHaveAccessibleName('Pods');
  // They are not repeated further down.
  await expect(page.getByRole('option', { name: 'Pods', exact: true })).toHaveCount(1);
  await page.keyboard.press('Escape');
  await app.close();

  const { page: again } = await launch();
  await expect(again.getByRole('button', { name: 'New job' }).first()).toBeVisible();
  await again.keyboard.press('ControlOrMeta+k');
  const later = again.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await expect(later.nth(0)).toHaveAccessibleName('Health');
  await expect(later.nth(1)).toHaveAccessibleName('Pods');
});

/** On each page some, by their name and the control that has the focus then. */
const settings = [
  ['dark', 'Theme', 'Preferences', 'System'],
  ['budget', 'Share of the rate limit', 'Preferences', '25 %'],
  ['keyring', 'Keep keys in', 'Preferences', /./],
  ['night', 'Quiet hours', 'Notifications', 'Quiet hours'],
  ['privacy', 'Show titles and errors in system notifications', 'Notifications', /^Show titles/],
  ['certificate', 'Address to check', 'Network', 'Address to check'],
  ['forget', 'Retention', 'Storage', /./],
  ['merge', 'Backup', 'Storage', /./],
  ['upgrade', 'Updates', 'About', /./],
] as const;

test.describe('in one app', () => {
  const shared = shareApp(({ page }) => openSandbox(page));

  test('over the composer, the palette acts on the draft; what leads elsewhere closes it and keeps the draft', async () => {
    const { page } = shared();
    await page.keyboard.press('n');
    const sheet = page.getByRole('dialog', { name: 'New job' });
    const editor = sheet.getByRole('textbox', { name: 'Input JSON' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"title":"From the palette","mock_delay":1}');
    await runByPalette(page, 'Send to Mock');
    await expect(sheet.getByRole('combobox', { name: 'Endpoint: Mock' })).toBeVisible();
    await runByPalette(page, 'Format the input');
    await expect(editor).toContainText('"title": "From the palette"');
    // The keys are the editor's again.
    await expect(editor).toBeFocused();

    await runByPalette(page, 'Health');
    await expect(sheet).toBeHidden();
    await expect(page.getByRole('region', { name: 'Health', exact: true })).toBeVisible();
    await runByPalette(page, 'New job');
    await expect(editor).toContainText('From the palette');
    // Escape closes the palette only.
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeHidden();
    await expect(sheet).toBeVisible();
    await runByPalette(page, 'Submit job');
    await expect(sheet).toBeHidden();
    await runByPalette(page, 'All jobs');
    await page.getByRole('option', { name: /^From the palette/ }).click();
    await openJobIn(page, 'From the palette', 'Completed');
  });

  test('a setting is found by its name or other words, and opened with the focus in it', async () => {
    const { page } = shared();
    const dialog = await openPreferences(page);
    const search = dialog.getByRole('textbox', { name: 'Search settings' });
    for (const [words, name, section, control] of settings) {
      await search.fill(words);
      const found = dialog.getByRole('list', { name: 'Settings found' }).getByRole('button');
      await expect(found.first()).toHaveAccessibleName(`${name} ${section}`);
      await search.press('Enter');
      await expect(search).not.toBeFocused();
      const focused = dialog.locator(':focus');
      await expect(focused).toHaveAccessibleName(control);
      await expect(focused).toBeInViewport({ ratio: 1 });
    }
    await search.fill('nothing of that name');
    await expect(dialog.getByRole('status').filter({ hasText: 'No setting for' })).toBeVisible();
    // Escape clears the search, and closes the dialog when it is pressed again.
    await search.press('Escape');
    await expect(search).toHaveValue('');
    await dialog.getByRole('button', { name: 'Storage', exact: true }).click();
    await search.fill('127.0.0');
    await expect(dialog.getByRole('list', { name: 'Settings found' }).getByRole('button')).toHaveCount(1);
    await search.press('Enter');
    await expect(dialog.getByText('Base URL').first()).toBeVisible();
    await search.fill('');
    await search.press('Escape');
    await expect(dialog).toBeHidden();

    await runByPalette(page, 'Setting: Quiet hours');
    await expect(dialog.locator(':focus')).toHaveAccessibleName('Quiet hours');
  });
});
