import type { Page } from '@playwright/test';
import { faults } from '../kit/axe.ts';
import { chooseEndpoint, openSandbox, typeInput } from '../kit/person.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'New job' });

test('variables make a grid whose inputs are previewed and sent as one batch', async ({ launch, startService }) => {
  const service = await startService();
  const { app, page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = sheetOf(page);
  await chooseEndpoint(page, 'mock');
  await typeInput(page, '{"title": "A {{object}}", "seed": {{seed}}, "steps": {{steps}}, "mock_delay": 30}');
  await expect(sheet.getByText('Give {{seed}} a value').first()).toBeVisible();
  // A key behind an unquoted variable is coloured as a key.
  const colourOf = (text: string) =>
    sheet
      .locator('.cm-line')
      .getByText(text, { exact: true })
      .evaluate((part) => getComputedStyle(part).color);
  await expect
    .poll(async () => [
      (await colourOf('"steps"')) === (await colourOf('"title"')),
      (await colourOf('"steps"')) === (await colourOf('30')),
    ])
    .toEqual([true, false]);

  const seed = sheet.getByRole('group', { name: 'seed' });
  await seed.getByRole('radio', { name: 'List' }).click();
  const steps = sheet.getByRole('group', { name: 'steps' });
  await steps.getByRole('radio', { name: 'Range' }).click();
  expect.soft(await faults(app, page), 'with problems').toEqual([]);
  await seed.getByRole('textbox', { name: 'Values of seed' }).fill('901, 902, 903');
  await seed.getByRole('textbox', { name: 'Values of seed' }).press('Enter');
  await expect(seed.getByRole('button', { name: 'Remove 902' })).toBeVisible();
  await steps.getByRole('textbox', { name: 'steps from' }).fill('20');
  await steps.getByRole('textbox', { name: 'steps to' }).fill('24');
  await steps.getByRole('textbox', { name: 'steps step' }).fill('4');
  // Not needed: within a string it would be sent literally, and the footer warns of it.
  await expect(sheet.getByRole('contentinfo')).toContainText('No value yet: {{object}} is sent literally');
  await sheet.getByRole('textbox', { name: 'Value of object' }).fill('kettle');
  await expect(sheet.getByText('3 values of seed by 2 of steps')).toBeVisible();
  expect.soft(await faults(app, page), 'with a grid').toEqual([]);

  const curl = sheet.getByRole('region', { name: 'cURL' });
  await expect(curl.getByText('job 1 of 6')).toBeVisible();
  await sheet.getByRole('button', { name: 'seed 903, steps 24' }).click();
  await expect(curl.getByText('job 6 of 6')).toBeVisible();
  await expect(curl.getByText('"seed": 903')).toBeVisible();
  await curl.getByRole('button', { name: 'Next input' }).click();
  await expect(curl.getByText('"title": "A kettle", "seed": 901')).toBeVisible();

  // One after the other, as the batch says.
  await sheet.getByRole('textbox', { name: 'At most' }).fill('0one');
  await expect(sheet.getByRole('textbox', { name: 'At most' })).toHaveValue('');
  await sheet.getByRole('textbox', { name: 'At most' }).fill('1');
  await expect(sheet.getByRole('button', { name: 'Submit 6 jobs' })).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(sheet).toBeHidden();
  const strip = page.getByRole('region', { name: 'Batch' });
  await expect(strip.getByRole('img', { name: '6 rows: 6 completed' })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { level: 1, name: /^seed by steps, / })).toBeVisible();
  const moves = service
    .transitions()
    .map(({ jobId, to }) => ({ jobId, isLive: to === 'IN_QUEUE' || to === 'IN_PROGRESS' }));
  expect(new Set(moves.map(({ jobId }) => jobId)).size).toBe(6);
  const live = new Set<string>();
  for (const { jobId, isLive } of moves) {
    if (isLive) live.add(jobId);
    else live.delete(jobId);
    expect(live.size).toBeLessThanOrEqual(1);
  }

  // What a job takes is known now.
  await page.getByRole('button', { name: 'New job' }).first().click();
  await chooseEndpoint(page, 'mock');
  await typeInput(page, `{"seed": {{seed}}, "prompt": "${'a long prompt '.repeat(40)}"}`);
  // A long line wraps, and hangs behind its own beginning.
  const editor = sheet.locator('.cm-scroller');
  await expect.poll(() => editor.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(editor.locator('.cm-line.cm-hanging-2')).toHaveCount(1);
  await sheet.getByRole('group', { name: 'seed' }).getByRole('radio', { name: 'Range' }).click();
  await sheet.getByRole('textbox', { name: 'seed from' }).fill('1');
  await sheet.getByRole('textbox', { name: 'seed to' }).fill('40');
  await expect(sheet.getByText(/From 6 finished jobs at p50/)).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Submit 40 jobs' })).toBeVisible();

  // Values come from a column of a file.
  await sheet.getByLabel('File with values').setInputFiles({
    name: 'seeds.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('seed,note\n7,a\n8,b\n'),
  });
  await expect(sheet.getByText('2 of seed.')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Submit 2 jobs' })).toBeVisible();

  // Rows know the variables, and what they will take, too.
  await sheet.getByRole('radio', { name: 'Many inputs' }).click();
  await expect(sheet.getByRole('button', { name: 'Usual columns' })).toBeVisible();
  await sheet
    .getByRole('textbox', { name: 'Inputs' })
    .fill('{"title": "Row of {{seed}}", "seed": {{seed}}, "size": {{size}}}\n{"title": "The last row"}');
  await expect(sheet.getByRole('alert')).toHaveText('Line 1: Give {{size}} a value');
  await sheet.getByRole('textbox', { name: 'Value of size' }).fill('xl');
  await expect(sheet.getByRole('contentinfo').getByText(/^3 jobs, about/)).toBeVisible();
  await expect(sheet.getByText(/^about .* with \d workers?$/)).toBeVisible();
  await expect(sheet.getByText(/From 6 finished jobs at p50/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Submit 3 jobs' }).click();
  await expect(sheet).toBeHidden();
  for (const title of ['Row of 7', 'Row of 8', 'The last row'])
    await expect(page.getByRole('option', { name: new RegExp(`${title}, Completed`) })).toBeVisible({
      timeout: 20_000,
    });
});

test('a selected value becomes a variable, and its values survive a restart', async ({ launch }) => {
  const first = await launch();
  await openSandbox(first.page);
  await first.page.keyboard.press('n');
  await typeInput(first.page, '{"seed": 902}');
  // The number, selected by key: behind it is the brace.
  await first.page.keyboard.press('ArrowLeft');
  for (let at = 0; at < 3; at += 1) await first.page.keyboard.press('Shift+ArrowLeft');
  await sheetOf(first.page).getByRole('button', { name: 'Variable', exact: true }).click();
  const editor = sheetOf(first.page).getByRole('textbox', { name: 'Input JSON' });
  await expect(editor).toHaveText('{"seed": {{seed}}}');
  await expect(sheetOf(first.page).getByRole('textbox', { name: 'Value of seed' })).toHaveValue('902');
  await first.page.keyboard.press('Escape');
  await expect(sheetOf(first.page)).toBeHidden();
  // On disk: an earlier draft was saved before.
  const saved = (): Promise<string> =>
    first.page.evaluate(async () => {
      const targets = await window.bridge?.call('draft:load', { slot: 'composer targets' });
      const text = targets?.ok === true ? (targets.value?.text ?? '') : '';
      const [, connectionId, endpointId] = /"connectionId":"([^"]+)","endpointId":"([^"]+)"/.exec(text) ?? [];
      const slot = `composer for ${connectionId} ${endpointId}`;
      const draft = await window.bridge?.call('draft:load', { slot });
      return draft?.ok === true ? (draft.value?.text ?? '') : '';
    });
  await expect.poll(saved).toMatch(/\{\{seed\}\}.*902/);
  await first.app.kill();

  const { page } = await launch();
  await page.getByRole('button', { name: 'New job' }).first().click();
  await expect(sheetOf(page).getByRole('textbox', { name: 'Value of seed' })).toHaveValue('902');
  await sheetOf(page).getByRole('button', { name: 'Submit job' }).click();
  await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 20_000 });
  await jobPane(page).getByRole('tab', { name: 'Input' }).click();
  await expect(jobPane(page).getByText('902').first()).toBeVisible();
});
