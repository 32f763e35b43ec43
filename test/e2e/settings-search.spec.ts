import { expect, runByPalette, test } from './fixtures.ts';
import { openPreferences, openSandbox } from '../kit/person.ts';

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

test('a setting is found by its name or other words, and opened with the focus in it', async ({ launch }) => {
  const { page } = await launch();
  await openSandbox(page);
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
