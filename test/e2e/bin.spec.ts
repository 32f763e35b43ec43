import { faults } from '../kit/axe.ts';
import { holdToasts } from '../kit/held-timers.ts';
import { goTo, sendJobs, toastOf, untilListed } from '../kit/person.ts';
import { connectTo, expect, jobPane, shareApp, test } from './fixtures.ts';

const shared = shareApp(async ({ page }, startService) => {
  await connectTo(page, await startService());
  await holdToasts(page);
});

test('a deleted job is found among the deleted jobs, restored by keys, and deleted for good there', async () => {
  const { app, page } = shared();
  await sendJobs(
    page,
    ['the plum', 'the pear', 'the fig'].map((title) => ({ endpoint: 'mock', input: { title, mock_return: title } })),
  );
  const rows = page.getByRole('option');
  await expect(page.getByRole('option', { name: /Completed/ })).toHaveCount(3, { timeout: 20_000 });
  const list = page.getByRole('listbox', { name: 'Jobs' });
  const deleted = page.getByRole('region', { name: 'Deleted jobs' });
  const binRows = deleted.getByRole('listitem');

  await test.step('an empty bin says what it is for', async () => {
    await list.focus();
    await goTo(page, 'x');
    await expect(deleted.getByRole('heading', { name: 'No deleted jobs' })).toBeVisible();
    await goTo(page, 'a');
    await expect(rows).toHaveCount(3);
  });

  await test.step('two deleted jobs are there, over a restart of the offer to undo', async () => {
    for (const title of ['the plum', 'the pear']) {
      await page.getByRole('option', { name: new RegExp(title) }).click();
      await list.press('Delete');
      await expect(page.getByRole('option', { name: new RegExp(title) })).toHaveCount(0);
      await toastOf(page, 'Deleted 1 job').first().getByRole('button', { name: 'Dismiss' }).click();
    }
    await expect(rows).toHaveCount(1);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('trash');
    await page.getByRole('option', { name: 'Deleted jobs', exact: true }).click();
    await expect(binRows).toHaveText([/the pear/, /the plum/]);
    expect(await faults(app, page, 'deleted jobs')).toEqual([]);
  });

  await test.step('Enter restores the row in focus', async () => {
    await binRows.nth(0).focus();
    await page.keyboard.press('ArrowDown');
    await expect(binRows.nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(binRows).toHaveText([/the pear/]);
    await toastOf(page, 'Restored 1 job').getByRole('button', { name: 'Show' }).click();
    await expect(jobPane(page).getByRole('heading', { name: 'the plum' })).toBeVisible();
    await expect(jobPane(page).getByRole('tabpanel', { name: 'Output' })).toContainText('the plum');
    await expect(rows).toHaveCount(2);
  });

  await test.step('Del asks, and deletes for good', async () => {
    await list.focus();
    await goTo(page, 'x');
    await binRows.nth(0).focus();
    await page.keyboard.press('Delete');
    const question = page.getByRole('dialog', { name: 'Delete this job for good?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(await faults(app, page, 'delete for good')).toEqual([]);
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await expect(deleted.getByRole('heading', { name: 'No deleted jobs' })).toBeVisible();
  });

  await test.step('the settings say how much the bin holds, and empty it after a question', async () => {
    await goTo(page, 'a');
    await page.getByRole('option', { name: /the fig/ }).click();
    await list.press('Delete');
    await expect(rows).toHaveCount(1);
    await page.keyboard.press('ControlOrMeta+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Storage' }).click();
    const section = settings.getByRole('region', { name: 'Deleted jobs' });
    await expect(section.getByRole('status')).toHaveText(/^1 job, /);
    await section.getByRole('button', { name: 'Empty bin…' }).click();
    await section.getByRole('button', { name: 'Empty bin', exact: true }).click();
    await expect(section.getByRole('status')).toHaveText('The bin is empty.');
    // Its offer to undo is gone, from the toast and from the palette.
    await expect(toastOf(page, 'Deleted 1 job')).toHaveCount(0);
    await section.getByRole('button', { name: 'Show deleted jobs' }).click();
    await expect(deleted.getByRole('heading', { name: 'No deleted jobs' })).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('undo the last');
    await expect(page.getByRole('option', { name: /Undo the last change/ })).toContainText('Nothing of the last five');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('combobox', { name: 'Search or run' })).toHaveCount(0);
    await deleted.getByRole('button', { name: 'Show all jobs' }).click();
    await expect(rows).toHaveCount(1);
  });
});

test('Ctrl Z undoes the last thing outside of text fields, even when its toast is gone', async () => {
  const { page } = shared();
  // A window that was just opened has nothing to undo. It may open at the deleted jobs: their place was saved last.
  await page.reload();
  await untilListed(page);
  await holdToasts(page);
  await goTo(page, 'a');
  await sendJobs(
    page,
    ['the sloe', 'the quince'].map((title) => ({ endpoint: 'echo', input: { title } })),
  );
  await expect(page.getByRole('option', { name: /the (sloe|quince), Completed/ })).toHaveCount(2, { timeout: 20_000 });
  const list = page.getByRole('listbox', { name: 'Jobs' });
  const sloe = page.getByRole('option', { name: /the sloe/ });
  await sloe.click();
  await list.press('+');
  await expect(toastOf(page, /^1 job marked|^Marked/).first()).toBeVisible();
  await expect(sloe).toHaveAccessibleName(/marked good/i);
  await list.press('Delete');
  await expect(sloe).toHaveCount(0);
  await toastOf(page, 'Deleted 1 job').getByRole('button', { name: 'Dismiss' }).click();

  // In a text field the key is the field's.
  const search = page.getByRole('combobox', { name: 'Search jobs' });
  await search.fill('quince');
  await expect(page.getByRole('option', { name: /the quince/ })).toBeVisible();
  await search.press('ControlOrMeta+z');
  await search.fill('');
  await search.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(2);
  await expect(sloe).toHaveCount(0);

  await list.focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(toastOf(page, 'Undone: Deleted 1 job')).toBeVisible();
  await expect(sloe).toHaveAccessibleName(/marked good/i);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(sloe).not.toHaveAccessibleName(/marked good/i);

  // The palette names what it would undo, and that there is nothing more.
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('undo the last');
  await expect(page.getByRole('option', { name: /Undo the last change/ })).toContainText('Nothing of the last five');
});
