import { expect } from '@playwright/test';
import { connectTo } from '../../e2e/fixtures.ts';
import { submitJob } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** Two jobs side by side, and three with an image each. */
export async function compared({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  const card = (tone: string, text: string, more: object = {}): object => ({
    title: `Product card: kettle 4182, ${tone} tone`,
    tone,
    sampling: { temperature: tone === 'warm' ? 0.7 : 0.2, top_p: 0.9 },
    seed: 902,
    model: 'card-writer-2.3',
    text,
    attributes: {
      boil_s: tone === 'warm' ? 240 : 220,
      litres: 1.2,
      tags: tone === 'warm' ? ['matte', 'cosy'] : ['matte'],
    },
    ...more,
  });
  await submitJob(page, {
    endpoint: 'echo',
    input: card(
      'warm',
      'A gorgeous, matte ceramic kettle that brings warmth to any kitchen. It holds 1.2 litres, boils in under ' +
        'four minutes and switches off by itself. The handle stays cool, so every pour feels just right.',
    ),
  });
  await submitJob(page, {
    endpoint: 'echo',
    input: card(
      'plain',
      'A matte ceramic kettle that fits a small worktop. It holds 1.2 litres, boils in 3 min 40 s and switches off ' +
        'by itself. The handle stays cool for the whole boil.',
      { max_words: 40 },
    ),
  });
  for (const prompt of ['harbour at dusk', 'harbour at noon'])
    await submitJob(page, { endpoint: 'image', input: { prompt, seed: prompt.length, width: 640, height: 360 } });
  const rows = page.getByRole('option', { name: /Completed/ });
  await expect(rows).toHaveCount(4, { timeout: 30_000 });
  await page.getByRole('option', { name: /warm tone/ }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('option', { name: /plain tone/ }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  await expect(page.getByRole('region', { name: 'Output' }).getByText('differ').first()).toBeVisible();
  await shoot(page, 'compare');
  await page.getByRole('switch', { name: 'Hide settings' }).click();
  await shoot(page, 'compare-blind');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  for (const name of [/at dusk/, /at noon/, /plain tone/])
    await page.getByRole('option', { name }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('listbox', { name: 'Jobs' }).press('c');
  await expect(
    page
      .getByRole('region', { name: 'Output' })
      .getByText(/differ|equal/)
      .first(),
  ).toBeVisible();
  await shoot(page, 'compare-three');
}
