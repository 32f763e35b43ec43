import { connectTo } from '../../e2e/fixtures.ts';
import { sendJobs } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** The deleted jobs: none, some, the question before one is deleted for good, and the bin in the settings. */
export async function deletedJobs({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  const titles = ['Label ticket 4711', 'Describe the harbour at dusk in one sentence', 'Rank three answers', 'Stays'];
  await sendJobs(
    page,
    titles.map((title) => ({ endpoint: 'mock', input: { title, mock_return: title } })),
  );
  await page
    .getByRole('option', { name: /Completed/ })
    .nth(3)
    .waitFor();
  const list = page.getByRole('listbox', { name: 'Jobs' });
  const openBin = async (): Promise<void> => {
    await list.press('g');
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Deleted jobs' }).waitFor();
  };
  await openBin();
  await page.getByRole('heading', { name: 'No deleted jobs' }).waitFor();
  await shoot(page, 'deleted-none');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  for (const title of titles.slice(0, 3)) {
    await page.getByRole('option', { name: new RegExp(title) }).click();
    await list.press('Delete');
  }
  await shoot(page, 'deleted-toast');
  await openBin();
  const rows = page.getByRole('region', { name: 'Deleted jobs' }).getByRole('listitem');
  await rows.nth(2).waitFor();
  await rows.nth(1).focus();
  await shoot(page, 'deleted-jobs');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete this job for good?' }).waitFor();
  await shoot(page, 'deleted-question');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Storage' }).click();
  const section = settings.getByRole('region', { name: 'Deleted jobs' });
  await section.getByRole('button', { name: 'Empty bin…' }).click();
  await section.scrollIntoViewIfNeeded();
  await shoot(page, 'deleted-settings');
}

/** The question before many jobs are sent again. */
export async function manyAgain({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  const jobs = (endpoint: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ endpoint, input: { title: `ticket ${at}`, prompt: 'x' } }));
  await sendJobs(page, [...jobs('mock', 9), ...jobs('echo', 4)]);
  await page
    .getByRole('option', { name: /Completed/ })
    .nth(12)
    .waitFor();
  const list = page.getByRole('listbox', { name: 'Jobs' });
  await page.getByRole('option').first().click();
  await list.press('ControlOrMeta+a');
  await list.press('Shift+e');
  await page.getByRole('dialog', { name: 'Submit 13 jobs again?' }).waitFor();
  await shoot(page, 'many-again');
}
