import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createFaultService } from '../kit/fault-service.ts';
import { submitJob } from '../kit/person.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import { columnsHolding, filesHolding, holds } from '../kit/secrets-in-files.ts';
import { connectTo, expect, jobPane, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

/*
 * One secret of each kind, whose forms in JSON, in an address and in base64 all differ from how it is written, carried
 * through a day of Jobdeck: then looked for everywhere.
 */
const apiKey = 'canaryApiKeyQ7xW93bZT+/"%20&1';
const s3Secret = 'canaryS3SecretM4kR81vHJ+/"%20&2';
const podValue = 'canaryPodValueL9pD27cNF+/"%20&3';
const templateValue = 'canaryTemplateV5tG64yBE+/"%20&4';
const secrets = [apiKey, s3Secret, podValue, templateValue];

const template = { id: 'tmpl-1', name: 'asr', imageName: 'atlas/asr:1', env: { TEMPLATE_TOKEN: templateValue } };
const pod = {
  id: 'pod-1',
  name: 'whisper',
  desiredStatus: 'RUNNING',
  env: { POD_TOKEN: podValue },
  templateId: template.id,
  template,
};

/** Which of the secrets stand there. */
const heldBy = (where: Buffer | string): string[] => secrets.filter((secret) => holds(where, secret));

/** Everything that can be asked of a running app, beside its files. */
async function expectSilence(app: LaunchedApp): Promise<void> {
  for (const page of app.windows()) expect(heldBy(await page.content())).toEqual([]);
  expect(heldBy(JSON.stringify([await app.notifications(), await app.tray(), await app.dialogs()]))).toEqual([]);
  expect(heldBy(app.logs())).toEqual([]);
  expect(heldBy(commandLines())).toEqual([]);
}

/** The command lines of all processes, as any program on this computer can read them. */
function commandLines(): string {
  if (process.platform !== 'linux') return '';
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const lines = pids.map((pid) => {
    try {
      return readFileSync(join('/proc', pid, 'cmdline'), 'utf8');
    } catch {
      // It ended meanwhile.
      return '';
    }
  });
  return lines.join('\n');
}

async function useS3Profile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New job' });
  await sheet.getByRole('combobox', { name: /^S3 profile/ }).click();
  await page.getByRole('option', { name: 'New profile' }).click();
  await sheet.getByLabel('accessId').fill('JDX4Q7TRANSCRIPT');
  await sheet.getByLabel('accessSecret').fill(s3Secret);
  await sheet.getByLabel('bucketName').fill('transcripts-eu');
  await sheet.getByLabel('endpointUrl').fill('https://s3.example.test');
  await sheet.getByRole('button', { name: 'Use for this job' }).click();
  await expect(sheet.getByText('Secret saved in the key storage')).toBeVisible();
  await sheet.getByRole('button', { name: 'Close' }).click();
}

/** Opens a pod or a template by its id; its window. */
async function openResource(app: LaunchedApp, page: Page, kind: 'Pod' | 'Template', id: string): Promise<Page> {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: `${kind}s`, exact: true })
    .click();
  await page.getByLabel(`${kind} id`).fill(id);
  await page.getByRole('button', { name: `Open ${kind.toLowerCase()}`, exact: true }).click();
  return app.waitForWindow(new RegExp(`/${kind.toLowerCase()}/`));
}

/** What a person copies of a job never brings a secret along. */
async function copyRequestAsCode(app: LaunchedApp, page: Page): Promise<void> {
  await jobPane(page).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Request as code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request as code' });
  for (const language of ['fetch', 'PowerShell', 'Python', 'runpod-sdk']) {
    await dialog.getByRole('radio', { name: language }).click();
    await expect(dialog.getByRole('radio', { name: language })).toBeChecked();
    const former = await app.clipboard();
    await dialog.getByRole('button', { name: 'Copy code' }).click();
    await expect.poll(() => app.clipboard()).not.toBe(former);
    expect(await app.clipboard()).toContain('JOBDECK_KEY');
    expect(heldBy(await app.clipboard())).toEqual([]);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

test('canary secrets are found nowhere after a day of use and crashes of a window and of main', async ({
  launch,
  startService,
  dataDir,
}) => {
  test.setTimeout(240_000);
  const service = await startService({ apiKey });
  const management = await createFaultService();
  management.otherwise({ kind: 'reply', body: pod });
  const told = join(dataDir, 'told-to-pages');
  const env = { ELECTRON_STAND_IN_TOLD: told };
  try {
    const { app, page } = await launch({ env });
    await connectTo(page, { ...service, restUrl: management.url }, { key: apiKey });
    await useS3Profile(page);
    await submitJob(page, { endpoint: 'echo', input: { prompt: 'a plum', filler: 'leaf '.repeat(1_000) } });
    await expect(jobPane(page).getByText('Completed').first()).toBeVisible({ timeout: 30_000 });
    await copyRequestAsCode(app, page);
    await submitJob(page, {
      endpoint: 'mock',
      input: { mock_error: { error_type: 'ValueError', error_message: 'no such style', error_traceback: 'line 1' } },
    });
    await expect(jobPane(page).getByText('Failed').first()).toBeVisible({ timeout: 30_000 });

    await page.getByRole('button', { name: 'List', exact: true }).click();
    await app.answerDialog({ canceled: false, filePath: join(dataDir, 'list.ndjson') });
    await page.getByRole('menuitem', { name: 'Export as NDJSON' }).click();
    await expect(page.getByText('2 jobs written to')).toBeVisible();

    const ofPod = await openResource(app, page, 'Pod', pod.id);
    await expect(ofPod.getByRole('region', { name: 'Environment' })).toContainText('POD_TOKEN');
    await ofPod.getByRole('button', { name: 'Copy as cURL' }).click();
    await expect.poll(() => app.clipboard()).toContain('Bearer $JOBDECK_KEY');
    await ofPod.getByRole('button', { name: 'Copy the reply, env values hidden' }).click();
    await expect.poll(() => app.clipboard()).toContain('POD_TOKEN');
    expect(heldBy(await app.clipboard())).toEqual([]);
    // The one place it may be: where the user asked for it, and past the window.
    await ofPod.getByRole('button', { name: 'Copy the value of POD_TOKEN' }).click();
    await expect.poll(() => app.clipboard()).toBe(podValue);
    // A service that quotes what it was asked with, and what it has: in an answer, and in an error.
    const answered = management.requests.length;
    management.next({ kind: 'answer', answer: ({ headers }) => ({ status: 200, body: { ...pod, seen: headers } }) });
    await ofPod.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => management.requests.length).toBeGreaterThan(answered);
    await expect(ofPod.getByRole('textbox', { name: /Reply JSON/ })).toContainText('"seen"');
    await ofPod.getByRole('button', { name: 'Copy the reply, env values hidden' }).click();
    await expect.poll(() => app.clipboard()).toContain('authorization');
    expect(heldBy(await app.clipboard())).toEqual([]);
    management.next({
      kind: 'answer',
      answer: ({ headers }) => ({
        status: 500,
        body: { error: `Not ${headers.authorization}`, seen: { headers, pod } },
      }),
    });
    await ofPod.getByRole('button', { name: 'Refresh' }).click();
    await expect(ofPod.getByText('The service answered with an error (500)')).toBeVisible();

    const ofTemplate = await openResource(app, page, 'Template', template.id);
    await ofTemplate.getByRole('button', { name: 'Read from a pod', exact: true }).click();
    const reading = ofTemplate.getByRole('dialog', { name: 'Read from a pod' });
    await reading.getByLabel('Pod id').fill(pod.id);
    await reading.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(ofTemplate.getByText('TEMPLATE_TOKEN').first()).toBeVisible();

    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Health/ })
      .click();
    await expect(page.getByRole('region', { name: 'Health', exact: true })).toBeVisible();
    await expectSilence(app);

    // All of them went where they belong.
    expect(management.requests.at(-1)?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(service.requestLog.since(0).every(({ status }) => status !== 401)).toBe(true);

    const [main] = await app.windowStates();
    // Electron's page says that it crashed; the stand-in replaces it by another.
    let isCrashed = false;
    page.once('crash', () => (isCrashed = true));
    await app.ask('crashWindow', main?.id ?? -1);
    await expect.poll(() => isCrashed || !app.windows().includes(page)).toBe(true);
    await app.ask('rejectInMain', `a promise that quoted ${apiKey}`);
    await app.ask('throwInMain', `an error that quoted ${apiKey}`);
    expect(await app.exited).toBe(1);
    expect(heldBy(app.logs())).toEqual([]);

    const again = await launch({ env });
    await expect(again.page.getByRole('button', { name: 'New job' }).first()).toBeVisible();
    // It has read the key: what it has not read it cannot know in a log.
    const requests = service.requestLog.since(0).length;
    await again.page.keyboard.press('ControlOrMeta+r');
    await expect.poll(() => service.requestLog.since(0).length).toBeGreaterThan(requests);
    // A deleted job is still on disk, in the bin.
    const deletion = await again.page.evaluate(async (filter) => {
      const found = await window.bridge?.call('job:keys', { filter });
      const keys = found?.ok === true ? found.value.keys : [];
      return await window.bridge?.call('job:delete', { keys: keys.slice(-1) });
    }, emptyFilter);
    expect(deletion).toMatchObject({ ok: true, value: { deleted: [expect.any(String)] } });
    await again.app.ask('throwInMain', `once more ${apiKey}`);
    expect(await again.app.exited).toBe(1);
    expect(heldBy(again.app.logs())).toEqual([]);

    expect(await filesHolding(dataDir, secrets)).toEqual([]);
    expect(existsSync(join(dataDir, 'history-bin.db'))).toBe(true);
    expect(columnsHolding(join(dataDir, 'history.db'), secrets)).toEqual([]);
    if (again.app.kind === 'stand-in') expect(readFileSync(told, 'utf8')).toContain('POD_TOKEN');
    // What was looked through is what there is.
    expect(columnsHolding(join(dataDir, 'history.db'), ['leaf leaf leaf leaf'])).toContain('bodies.data');
  } finally {
    await management.close();
  }
});
