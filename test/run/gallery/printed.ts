import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jobPane } from '../../e2e/fixtures.ts';
import { openSandbox, sendJobs } from '../../kit/person.ts';
import { shoot, shootThemes } from './stage.ts';
import type { Stage } from './stage.ts';

/** A handler as somebody tests one: it reports each step, warns, fails for a bad input, and can flood. */
const handler = `
console.log('transcribe 1.4.0, model large-v3, cuda:0');
console.log('weights loaded in 2.31 s');
export async function handler(job) {
  const { title, minutes = 3, lines = 0, waits, fails } = job.input;
  console.log('input', JSON.stringify({ title, minutes, beam_size: 5, language: 'en' }));
  for (let step = 1; step <= 40; step += 1) process.stderr.write('\\r' + (step * 2.5).toFixed(0) + '% |' + '#'.repeat(step));
  process.stderr.write('\\n');
  for (let minute = 0; minute < minutes; minute += 1) {
    const begin = String(minute).padStart(2, '0');
    console.log('segment', begin + ':00 to ' + begin + ':58, 14 words a second, no speech 0.0' + (minute % 9));
  }
  console.warn('UserWarning: 2 segments are shorter than 0.2 s and were joined with the ones before them. ' +
    'Set min_segment_s to keep them, or merge_short to false to have them listed on their own in the result.');
  for (let line = 1; line <= lines; line += 1) console.log('frame', line, 'of', lines, 'rms -23.4 dB');
  if (fails) throw new Error('The file has no audio track.');
  if (waits) await new Promise((resolve) => job.signal.addEventListener('abort', resolve));
  console.log('done', title);
  return { title, segments: minutes };
}
`;

/** What handlers print: nothing yet, lines of three jobs, a search, a flood, the tab of a job, the sandbox stopped. */
export async function printedOutput({ launch, dataDir }: Stage): Promise<void> {
  const { app, page } = await launch();
  await openSandbox(page);
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  const pane = page.getByRole('region', { name: 'Sandbox', exact: true });
  await pane.getByRole('tab', { name: 'Printed output' }).click();
  await pane.getByText('Nothing printed yet').waitFor();
  await shoot(page, 'printed-empty');
  const path = join(dataDir, 'transcribe.mjs');
  await writeFile(path, handler);
  await app.answerDialog({ canceled: false, filePaths: [path] });
  await pane.getByRole('button', { name: 'Add handler' }).first().click();
  await pane.getByRole('button', { name: 'Remove handler transcribe' }).waitFor({ timeout: 30_000 });
  await pane.getByText('Running', { exact: true }).waitFor({ timeout: 30_000 });

  const lines = page.getByRole('list', { name: 'Printed lines' });
  const send = (input: { title: string; [field: string]: unknown }): Promise<void> =>
    sendJobs(page, [{ endpoint: 'transcribe', input }]);
  await send({ title: 'town-hall-2025-11-19.m4a', minutes: 4 });
  await lines.getByText('done town-hall-2025-11-19.m4a').waitFor({ timeout: 30_000 });
  await send({ title: 'silent.mp4', minutes: 0, fails: true });
  await lines
    .getByText(/no audio track/)
    .first()
    .waitFor({ timeout: 30_000 });
  await send({ title: 'board-call.wav', minutes: 5, waits: true });
  await lines
    .getByText(/UserWarning/)
    .nth(2)
    .waitFor({ timeout: 30_000 });
  await shoot(page, 'printed-live');
  await page.keyboard.press('ControlOrMeta+f');
  await pane.getByRole('textbox', { name: 'Find in the printed lines' }).fill('segment');
  await shoot(page, 'printed-find');
  await pane.getByRole('textbox', { name: 'Find in the printed lines' }).fill('heliotrope');
  await shoot(page, 'printed-find-none');
  await page.keyboard.press('Escape');
  await lines
    .getByRole('button', { name: /^Show job/ })
    .last()
    .click();
  await jobPane(page).getByRole('tab', { name: 'Printed' }).click();
  await lines.getByText(/UserWarning/).waitFor();
  await shoot(page, 'printed-job');

  await page.getByRole('navigation').getByRole('button', { name: 'Sandbox', exact: true }).click();
  await send({ title: 'a year of calls.tar', lines: 60_000 });
  await lines.getByText('done a year of calls.tar').waitFor({ timeout: 90_000 });
  await lines.hover();
  await page.mouse.wheel(0, -2_000);
  await page.getByRole('button', { name: 'Jump to live' }).waitFor();
  await shoot(page, 'printed-flood');
  await pane.getByRole('button', { name: 'Stop the sandbox' }).click();
  await pane.getByText('Stopped', { exact: true }).waitFor();
  await pane.getByRole('button', { name: 'Clear the list' }).click();
  await shoot(page, 'printed-stopped');
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: /a year of calls/ }).click();
  await jobPane(page).getByRole('tab', { name: 'Printed' }).click();
  await lines.getByText('done a year of calls.tar').waitFor();
  await shootThemes(page, 'printed-job-offline');
}
