import { expect } from '@playwright/test';
import { connectTo, jobPane } from '../../e2e/fixtures.ts';
import { submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** Jobs with marks, labels and a note, and the dialog for them. */
export async function judged({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  const titles = ['Product card: kettle 4182, warm tone', 'Product card: kettle 4182, plain tone', 'Evening harbour'];
  for (const prompt of titles) await submitJob(page, { endpoint: 'echo', input: { prompt, seed: 902 } });
  const row = (at: number) => page.getByRole('option', { name: new RegExp(titles[at] ?? '') });
  for (const at of titles.keys()) await expect(row(at)).toHaveAccessibleName(/Completed/, { timeout: 20_000 });
  await row(2).click();
  await page.keyboard.press('-');
  await row(1).click();
  await page.keyboard.press('m');
  await page.getByRole('textbox', { name: 'Label' }).fill('plain, train');
  await shoot(page, 'judge-dialog');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('m');
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1);
  await page.keyboard.press('4');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await row(0).click();
  await page.keyboard.press('+');
  await page.keyboard.press('5');
  await jobPane(page)
    .getByRole('textbox', { name: 'Note' })
    .fill('The **tone** is right; use as the reference.\n\n- no adjectives in the first line\n- the time is named\n');
  await expect(jobPane(page).getByText('Saved on this computer')).toBeVisible();
  await shoot(page, 'judged-writing');
  await jobPane(page).getByRole('radio', { name: 'Read' }).click();
  await shoot(page, 'judged');
}
