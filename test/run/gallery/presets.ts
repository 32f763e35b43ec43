import { connectTo } from '../../e2e/fixtures.ts';
import { chooseEndpoint, typeInput } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** The composer's presets: the question for a name, and the list of them. */
export async function presets({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await chooseEndpoint(page, 'echo');
  for (const [name, prompt] of [
    ['Product shot, warm', 'A kettle in warm light'],
    ['Product shot, plain', 'A kettle, plain'],
    ['Poster', 'Harbour at dusk, poster'],
  ]) {
    await typeInput(page, JSON.stringify({ prompt, steps: 28, seed: 901 }, null, 2));
    await sheet.getByRole('textbox', { name: 'Tags of the job' }).fill('night, seeds');
    await sheet.getByRole('button', { name: 'Save preset' }).click();
    const question = page.getByRole('dialog', { name: 'Save preset' });
    await question.getByRole('textbox', { name: 'Name' }).fill(name ?? '');
    if (name === 'Poster') await shoot(page, 'preset-name');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'hidden' });
  }
  await page.keyboard.press('ControlOrMeta+p');
  await sheet.getByRole('textbox', { name: 'Search presets' }).waitFor();
  await shoot(page, 'presets');
}
