import { connectTo } from '../../e2e/fixtures.ts';
import { chooseEndpoint, submitJob, typeInput } from '../../kit/person.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** An input with three variables, whose grid makes nine jobs, and what they cost by the runs before. */
export async function variables({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  for (const subject of ['Fog over ridges', 'Kettle, matte ceramic', 'Harbour at dusk'])
    await submitJob(page, { endpoint: 'mock', input: { title: `${subject}, 35 mm`, seed: 901, mock_delay: 300 } });
  await page
    .getByRole('option', { name: /Completed/ })
    .nth(2)
    .waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await chooseEndpoint(page, 'mock');
  await typeInput(page, '{\n  "title": "{{subject}}, 35 mm",\n  "seed": {{seed}},\n  "steps": {{steps}}\n}');
  await sheet.getByRole('textbox', { name: 'Value of subject' }).fill('Fog over ridges');
  const seed = sheet.getByRole('group', { name: 'seed' });
  await seed.getByRole('radio', { name: 'List' }).click();
  await seed.getByRole('textbox', { name: 'Values of seed' }).fill('901, 902, 903');
  await page.keyboard.press('Enter');
  const steps = sheet.getByRole('group', { name: 'steps' });
  await steps.getByRole('radio', { name: 'Range' }).click();
  await steps.getByRole('textbox', { name: 'steps from' }).fill('20');
  await steps.getByRole('textbox', { name: 'steps to' }).fill('28');
  await steps.getByRole('textbox', { name: 'steps step' }).fill('4');
  await sheet.getByText('3 values of seed by 3 of steps').waitFor();
  await shoot(page, 'variables');
}
