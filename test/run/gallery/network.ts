import { connectTo } from '../../e2e/fixtures.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** The settings beside the connections: preferences with the place of keys, and the network. */
export async function network({ launch, service }: Stage): Promise<void> {
  const { page } = await launch();
  await connectTo(page, service);
  await page.keyboard.press('ControlOrMeta+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('button', { name: 'Preferences' }).click();
  await dialog.getByRole('radiogroup', { name: 'Keep keys in' }).scrollIntoViewIfNeeded();
  await shoot(page, 'settings-preferences');
  await dialog.getByRole('button', { name: 'Network' }).click();
  await dialog.getByRole('button', { name: 'Check', exact: true }).click();
  await dialog.getByText(/^Reached directly/).waitFor();
  await shoot(page, 'settings-network');
  await dialog.getByRole('radio', { name: 'Manual' }).click();
  await dialog.getByLabel('Proxy address').fill('proxy without a scheme');
  await dialog.getByRole('button', { name: 'Use proxy' }).click();
  await dialog.getByText(/Enter the proxy as/).waitFor();
  await shoot(page, 'settings-network-refused');
}
