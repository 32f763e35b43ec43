import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { connectTo } from '../../e2e/fixtures.ts';
import { TEST_API_KEY } from '../../kit/sandbox.ts';
import { shoot } from './stage.ts';
import type { Stage } from './stage.ts';

const readme =
  '# Whisper large v3, batched\n\nTranscribes `audio_url` or `audio_base64` up to\n3 hours. Streams one ' +
  'segment per chunk.\n\n## Input\n| key | type | default |\n|---|---|---|\n| batch_size | int | 8 |\n> ' +
  'Batch 24 needs more than 40 GB with\n> word timestamps on.';

/**
 * The list of templates, and a template's window: unknown, known, edited, invalid, pasted into, saved, refused and
 * undone.
 */
export async function template({ launch, service }: Stage): Promise<void> {
  const { app, page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'Templates', exact: true }).click();
  await page.getByText('No templates yet').waitFor();
  await shoot(page, 'templates-empty');
  const [templateId = ''] = service.templates;
  await page.getByLabel('Template id').fill(templateId);
  await page.getByRole('button', { name: 'Open template' }).click();
  const own = await app.waitForWindow(/\/template\//);
  await own.getByText('Nothing known about this template').waitFor();
  await shoot(own, 'template-unknown');
  await readFrom(own, await workerOf(service, service.endpoints[0] ?? ''));
  await shoot(own, 'template-known');

  const field = (name: string) => own.getByRole('group', { name, exact: true });
  await field('Image').getByRole('textbox').fill('registry.atlas.internal/atlas/asr-serve:2.31.4');
  await field('Container disk').getByRole('textbox').fill('80');
  await field('Environment').getByRole('button', { name: 'Change LOG_LEVEL' }).click();
  await own.getByRole('textbox', { name: 'Value of LOG_LEVEL' }).fill('debug');
  await own.getByRole('button', { name: 'Variable', exact: true }).click();
  await own.getByRole('textbox', { name: 'Name of variable 3' }).fill('CUDA_ALLOC_CONF');
  await own.getByLabel('Value of CUDA_ALLOC_CONF').fill('max_split_size_mb:512');
  await own.getByRole('button', { name: 'Port', exact: true }).click();
  await own.getByLabel('Port 3', { exact: true }).fill('9090');
  await field('Readme').getByRole('textbox').fill(readme);
  await own.getByText(/Draft saved/).waitFor();
  await shoot(own, 'template-edited');
  await own.setViewportSize({ width: 900, height: 600 });
  await own.getByRole('radio', { name: /^Review/ }).click();
  await shoot(own, 'template-review');
  await own.getByRole('radio', { name: 'Request body' }).click();
  await shoot(own, 'template-body');
  await own.getByRole('radio', { name: 'Changes' }).click();
  await own.setViewportSize({ width: 900, height: 600 });
  await own.getByRole('radio', { name: 'Edit', exact: true }).click();
  await own.getByRole('button', { name: 'Paste .env' }).click();
  await own
    .getByLabel('Text of the .env file')
    .fill(
      '# production\nexport MODEL_ID="atlas/whisper-large-v3-ct2"\nLOG_LEVEL=info # less\nBATCH SIZE=8\nHF_TOKEN="open',
    );
  await shoot(own, 'template-paste');
  await own.getByRole('button', { name: 'Cancel' }).click();
  await own.getByLabel('Port 3', { exact: true }).fill('70000');
  await field('Mount path').getByRole('textbox').fill('workspace');
  await field('Name').getByRole('textbox').fill('x'.repeat(192));
  await shoot(own, 'template-problems');
  for (let step = 0; step < 3; step += 1) await own.keyboard.press('Control+z');
  await own.setViewportSize({ width: 1440, height: 900 });
  await own.getByLabel(/Type the template’s name/).fill(service.endpoints[0] ?? '');
  await own.getByRole('checkbox').check();
  await own.getByRole('button', { name: /^Save and replace/ }).click();
  await own.getByText(/^Saved today/).waitFor();
  await shoot(own, 'template-saved');
  await own.getByRole('button', { name: /saved copies/ }).click();
  await own.getByRole('menuitem').first().waitFor();
  await shoot(own, 'template-copies');
  await own.keyboard.press('Escape');
  await own.getByRole('button', { name: 'Undo this update' }).click();
  await own.getByText(/fields changed/).waitFor();
  await shoot(own, 'template-undo');
  service.setFault({ kind: 'status', operation: 'update-template', status: 503 });
  await own.getByLabel(/Type the template’s name/).fill(service.endpoints[0] ?? '');
  await own.getByRole('checkbox').check();
  await own.getByRole('button', { name: /^Save and replace/ }).click();
  await own.getByText('Outcome of the update unknown').waitFor();
  await shoot(own, 'template-unknown-outcome');
  await expect(page.getByRole('button', { name: /^Open template/ }))
    .toHaveCount(6, { timeout: 20_000 })
    .catch(() => null);
  await shoot(page, 'templates');
}

async function readFrom(page: Page, podId: string): Promise<void> {
  await page.getByRole('button', { name: 'Read from a pod', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Read from a pod' });
  await dialog.getByLabel('Pod id').fill(podId);
  await dialog.getByRole('button', { name: 'Read', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** A worker of an endpoint. If there is none, a job starts one. */
async function workerOf(service: Sandbox, endpointId: string): Promise<string> {
  const headers = { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' };
  await fetch(`${service.baseUrl}/v2/${endpointId}/runsync`, {
    method: 'POST',
    headers,
    body: '{"input":{"prompt":"a","max_tokens":2}}',
  });
  const reply = await fetch(`${service.restUrl}/v1/pods/${service.pods[0]}?includeWorkers=true`, { headers });
  const { workers }: { workers: { id: string; endpointId: string }[] } = await reply.json();
  return workers.find((worker) => worker.endpointId === endpointId)?.id ?? '';
}
