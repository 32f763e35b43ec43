import { join } from 'node:path';
import { z } from 'zod';
import { openHistory } from '../../../src-main/history/open-history.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { TEST_API_KEY } from '../../kit/sandbox.ts';
import { connectTo } from '../../e2e/fixtures.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

/** A connection form that asks: for the key at another address, and whether http:// to another machine is intended. */
export async function connectionKey({ launch, service }: Stage): Promise<void> {
  const stranger = await createFaultService();
  const { page } = await launch();
  await page.getByLabel('Connection name').fill('Lab');
  await page.getByLabel('Base URL').fill('http://gpu-box.lab.internal:8080');
  await page.getByLabel('API key').fill(TEST_API_KEY);
  await page.getByLabel('Endpoint ids').fill('text image ');
  const question = page.getByRole('note').filter({ hasText: 'is not encrypted' });
  await question.waitFor();
  await shoot(page, 'onboarding-plain-http');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await question.getByRole('alert').waitFor();
  await shoot(page, 'onboarding-plain-http-refused');

  await connectTo(page, service);
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Production' }).first().click();
  await settings.getByLabel('Base URL').fill(stranger.url);
  await settings.getByText('Enter the key again').waitFor();
  await shoot(page, 'settings-key-again');
  await settings.getByLabel('REST URL').fill('http://gpu-box.lab.internal:9000');
  await settings.getByRole('note').waitFor();
  await shoot(page, 'settings-plain-http');
  await stranger.close();
}

/** An http:// connection of a former version, which did not ask. */
export async function plainHttpKept({ launch, dataDir }: Stage): Promise<void> {
  const first = await launch();
  await first.page.evaluate(
    (key) =>
      window.bridge?.call('connection:save', {
        draft: {
          name: 'Lab',
          baseUrl: 'http://10.255.255.1:8080',
          restUrl: 'http://10.255.255.1:9000',
          authorization: 'bearer',
          endpoints: [{ id: 'text', label: '', flavour: 'text' }],
          plainHttpOrigins: ['http://10.255.255.1:8080', 'http://10.255.255.1:9000'],
        },
        key,
      }),
    TEST_API_KEY,
  );
  await first.app.close();
  const { history } = await openHistory({ path: join(dataDir, 'history.db'), now: Date.now });
  const [document] = await history.documents('connection');
  const { plainHttpOrigins: _asked, ...former } = z.looseObject({}).parse(JSON.parse(document?.json ?? '{}'));
  await history.putDocument('connection', document?.id ?? '', JSON.stringify(former));
  await history.close();
  const { page } = await launch();
  await page.getByText('Lab is not encrypted').waitFor();
  await shoot(page, 'plain-http-kept');
}
