import type { Locator, Page } from '@playwright/test';
import { stableId } from '../../src-main/sandbox/management/field-forms.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src-main/sandbox/sandbox-options.ts';
import { updatableFields } from '../../src-preload/template.ts';
import { templateFieldText } from '../../src-renderer/messages/templates/fields.ts';
import { REVEALED_MS, endTimers, holdTimers } from '../kit/held-timers.ts';
import { TEST_API_KEY } from '../kit/sandbox.ts';
import { connectTo, expect, shareApp, test } from './fixtures.ts';
import type { LaunchedApp } from './fixtures.ts';

const headers = { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' };
const templateOf = (endpointId: string): string => stableId('template', `endpoint ${endpointId}`);

/** The service's own record of a template, read past the app, from a pod that is made from it. */
async function record(service: Sandbox, podId: string): Promise<Record<string, unknown>> {
  const reply = await fetch(`${service.restUrl}/v1/pods/${podId}?includeTemplate=true`, { headers });
  const pod: { template: Record<string, unknown> } = await reply.json();
  return pod.template;
}

/** How many updates reached the service. */
function updatesOf(service: Sandbox): number {
  return service.requestLog.since(0).filter(({ operation }) => operation === 'update-template').length;
}

/** A live worker of an endpoint; a job brings one up where there is none. */
async function workerOf(service: Sandbox, endpointId: string): Promise<string> {
  await fetch(`${service.baseUrl}/v2/${endpointId}/runsync`, { method: 'POST', headers, body: '{"input":{"a":1}}' });
  const reply = await fetch(`${service.restUrl}/v1/pods/${service.pods[0]}?includeWorkers=true`, { headers });
  const { workers }: { workers: { id: string; endpointId: string }[] } = await reply.json();
  return workers.find((worker) => worker.endpointId === endpointId)?.id ?? '';
}

/** Types the id into the list of templates and opens the window. */
async function openById(app: LaunchedApp, page: Page, templateId: string): Promise<Page> {
  await page.getByRole('button', { name: 'Templates', exact: true }).click();
  await page.getByLabel('Template id').fill(templateId);
  await page.getByRole('button', { name: 'Open template', exact: true }).click();
  const own = await app.waitForWindow(new RegExp(`/template/[^/]+/${templateId}$`));
  await own.setViewportSize({ width: 1440, height: 900 });
  await expect(own.getByRole('group', { name: 'Image', exact: true })).toBeVisible();
  return own;
}

async function readFrom(own: Page, podId: string): Promise<void> {
  await own.getByRole('button', { name: 'Read from a pod', exact: true }).click();
  const dialog = own.getByRole('dialog', { name: 'Read from a pod' });
  await dialog.getByLabel('Pod id').fill(podId);
  await dialog.getByRole('button', { name: 'Read', exact: true }).click();
  await expect(dialog).toBeHidden();
}

const field = (own: Page, name: string): Locator => own.getByRole('group', { name, exact: true });
const review = (own: Page): Locator => own.getByRole('complementary', { name: 'Review' });

/** Confirms as the window asks for it, and saves. */
async function save(own: Page, name: string): Promise<void> {
  await own.getByLabel(/^Type the template’s/).fill(name);
  await own.getByRole('checkbox', { name: /Replace the workers of .* now/ }).check();
  await own.getByRole('button', { name: /^Save and replace/ }).click();
}

/** A template's window, read from a worker of its endpoint. */
async function openRead(app: LaunchedApp, page: Page, service: Sandbox, endpointId: string) {
  const worker = await workerOf(service, endpointId);
  const own = await openById(app, page, templateOf(endpointId));
  await readFrom(own, worker);
  await expect(own.getByRole('heading', { name: endpointId, exact: true }).first()).toBeVisible();
  return { worker, own };
}

/** An app of its own with the window of echo's template. */
async function open(
  {
    launch,
    startService,
  }: {
    launch: () => Promise<{ app: LaunchedApp; page: Page }>;
    startService: (options?: SandboxOptions) => Promise<Sandbox>;
  },
  options: SandboxOptions = {},
) {
  const service = await startService(options);
  const { app, page } = await launch();
  await connectTo(page, service);
  return { service, app, page, ...(await openRead(app, page, service, 'echo')) };
}

for (const [dialect, templateOmitted] of [
  ['spec', 'reset'],
  ['observed', 'keep'],
] as const) {
  test(`one field changes and every other stays, workers are replaced, and undo restores everything (${dialect}, ${templateOmitted})`, async ({
    launch,
    startService,
  }) => {
    const { service, worker, own } = await open({ launch, startService }, { dialect, templateOmitted });
    const before = await record(service, worker);

    await field(own, 'Image').getByRole('textbox').fill('registry.atlas.internal/atlas/asr-serve:2.31.4');
    await expect(field(own, 'Image')).toContainText('was sandbox/worker-echo:1.0.0');
    await expect(review(own)).toContainText('1 field changed');
    await expect(review(own).getByRole('group', { name: 'Changed' })).toHaveText(/imageName/);
    await expect(review(own).getByRole('group', { name: 'Pinned' })).toHaveText(
      /containerDiskInGb 20.*volumeInGb 0.*volumeMountPath \/runpod-volume.*isPublic false.*readme # echo/,
    );
    await expect(review(own).getByRole('group', { name: 'Left out' })).toHaveText(
      /name.*containerRegistryAuthId.*dockerEntrypoint.*dockerStartCmd.*ports.*env/,
    );
    await review(own).getByRole('radio', { name: 'Request body' }).click();
    await expect(review(own).locator('pre')).toContainText(
      '"imageName": "registry.atlas.internal/atlas/asr-serve:2.31.4"',
    );
    await expect(review(own).locator('pre')).not.toContainText('env');
    await review(own).getByRole('radio', { name: 'Changes' }).click();

    // Its one known endpoint is named, and it is asked for the template's name.
    await expect(own.getByRole('region', { name: 'Saving' })).toContainText(
      'Jobdeck knows of one. There may be others.',
    );
    await expect(own.getByRole('region', { name: 'Saving' }).getByRole('listitem')).toContainText(/echo.*1 worker/);
    const button = own.getByRole('button', { name: 'Save and replace the workers' });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await own.getByLabel(/^Type the template’s name/).fill('ech');
    await own.getByRole('checkbox', { name: /Replace the workers of .* now/ }).check();
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(updatesOf(service)).toBe(0);
    await own.getByLabel(/^Type the template’s name/).fill('echo');
    await own.keyboard.press('Control+s');
    await expect(own.getByText(/^Saved today/)).toBeVisible({ timeout: 20_000 });
    await expect(review(own)).toContainText('The service accepted image exactly as sent.');
    await expect(own.getByText(/from an update/)).toBeVisible();

    const next = await workerOf(service, 'echo');
    expect(next).not.toBe(worker);
    expect(await record(service, next)).toEqual({
      ...before,
      imageName: 'registry.atlas.internal/atlas/asr-serve:2.31.4',
    });

    await own.getByRole('button', { name: 'Undo this update' }).click();
    await expect(field(own, 'Image').getByRole('textbox')).toHaveValue('sandbox/worker-echo:1.0.0');
    await save(own, 'echo');
    await expect(field(own, 'Image')).not.toContainText('was');
    await expect(own.getByText(/^Saved today/)).toBeVisible({ timeout: 20_000 });
    expect(await record(service, await workerOf(service, 'echo'))).toEqual(before);
  });
}

test('a draft survives a crash with the typed variables', async ({ launch, startService }) => {
  const { service, app, own } = await open({ launch, startService });
  await field(own, 'Container disk').getByRole('textbox').fill('8x');
  await field(own, 'Environment').getByRole('button', { name: 'Change LOG_LEVEL' }).click();
  await own.getByRole('textbox', { name: 'Value of LOG_LEVEL' }).fill('typed-secret');
  await expect(own.getByText(/^Draft saved/)).toBeVisible();
  await app.kill();

  const again = await launch();
  const reopened = await openById(again.app, again.page, templateOf('echo'));
  await expect(field(reopened, 'Container disk').getByRole('textbox')).toHaveValue('8x');
  await expect(reopened.getByRole('textbox', { name: 'Value of LOG_LEVEL' })).toHaveValue('typed-secret');
  await field(reopened, 'Container disk').getByRole('textbox').fill('80');
  await save(reopened, 'echo');
  await expect(reopened.getByText(/^Saved today/)).toBeVisible({ timeout: 20_000 });
  expect(await record(service, await workerOf(service, 'echo'))).toMatchObject({
    containerDiskInGb: 80,
    env: { LOG_LEVEL: 'typed-secret', HF_TOKEN: 'not-a-real-token' },
  });
});

/** Over what is there, as a person does: what a script fills in, Chromium styles inline, which the policy refuses. */
async function writeReadme(own: Page, text: string): Promise<void> {
  const editor = field(own, 'Readme').getByRole('textbox');
  await editor.press('ControlOrMeta+a');
  await editor.press('Delete');
  await own.keyboard.insertText(text);
}

/** Changes the REST URL of the only connection, as another window's settings would. */
async function setRestUrl(page: Page, restUrl: string): Promise<void> {
  await page.evaluate(
    async ([url, key]) => {
      const listed = await window.bridge?.call('connection:list', undefined);
      const [connection] = listed?.ok === true ? listed.value : [];
      if (connection === undefined) throw new Error('There is no connection.');
      const { id, name, baseUrl, authorization, endpoints } = connection;
      const draft = { id, name, baseUrl, restUrl: url, authorization, endpoints };
      const saved = await window.bridge?.call('connection:save', { draft, key });
      if (saved?.ok !== true) throw new Error('The connection was not saved.');
    },
    [restUrl, TEST_API_KEY] as const,
  );
}

/** Each test in the shared app has the template of an endpoint of its own. */
const ownEndpoints = [
  'table',
  'invalid',
  'variables',
  'pasted',
  'preview',
  'editor',
  'unread',
  'refused',
  'lost',
  'no-rest',
  'busy',
] as const;

test.describe('in one app', () => {
  let service: Sandbox;
  const shared = shareApp(async ({ page }, startService) => {
    service = await startService({
      endpoints: ownEndpoints.map((id) => ({
        id,
        handler: { builtIn: id === 'busy' ? 'mock' : 'echo' },
        minWorkers: 1,
        maxWorkers: 3,
        coldStartMs: 150,
        idleTimeoutMs: 10_000,
      })),
    });
    await connectTo(page, service);
  });
  const openOf = async (endpointId: (typeof ownEndpoints)[number]) => {
    const { app, page } = shared();
    const before = updatesOf(service);
    return {
      updates: (): number => updatesOf(service) - before,
      ...(await openRead(app, page, service, endpointId)),
    };
  };

  test('the window shows every field of the table with its meaning', async () => {
    const { own } = await openOf('table');
    const unchanged = own.getByRole('region', { name: 'Not changed by an update' });
    await expect(unchanged).toContainText(/Runtime runtimeInMin5,120 min/);
    const groups = await own.getByRole('group').evaluateAll((elements) =>
      elements.map((element) => ({
        label: element.getAttribute('aria-label'),
        meaning: element.getAttribute('aria-description'),
        text: element.textContent,
      })),
    );
    for (const [name, { label, meaning }] of Object.entries(templateFieldText)) {
      if (updatableFields.some((field) => field === name))
        expect(groups.filter((group) => group.label === label)).toEqual([
          { label, meaning, text: expect.stringContaining(name) },
        ]);
      else await expect(unchanged).toContainText(new RegExp(`${label} ${name}`));
    }
    // Empty and a value are two things.
    await expect(field(own, 'Registry auth')).toContainText('empty');
    await expect(field(own, 'Entrypoint')).toContainText('empty');
    await expect(field(own, 'Start command')).toContainText('handler.py');
  });

  test('invalid input is shown at its field, nothing is sent, and undo steps back', async () => {
    const { own, updates } = await openOf('invalid');
    const typed: [string, string, RegExp][] = [
      ['Name', 'x'.repeat(192), /at most 191 characters; this one has 192/],
      ['Image', 'two words', /no spaces/],
      ['Container disk', '1.5', /whole number/],
      ['Volume', '-3', /not negative/],
      ['Mount path', 'workspace', /starts with \//],
    ];
    for (const [name, value, message] of typed) {
      await field(own, name).getByRole('textbox').fill(value);
      await expect(field(own, name).getByRole('alert')).toHaveText(message);
    }
    const ports = field(own, 'Ports');
    for (const [value, message] of [
      ['80/udp', /http or tcp, not udp/],
      ['70000/http', /1 to 65535, not 70000/],
      ['22/tcp', /is already in line 2/],
    ] as const) {
      await ports.getByRole('button', { name: 'Port', exact: true }).click();
      await ports.getByLabel('Port 3', { exact: true }).fill(value);
      await expect(ports.getByRole('alert')).toHaveText(message);
      await ports
        .getByRole('button', { name: /^Remove port/ })
        .last()
        .click();
    }
    const env = field(own, 'Environment');
    await env.getByRole('button', { name: 'Variable', exact: true }).click();
    await env.getByLabel('Name of variable 3').fill('2FAST');
    await expect(env.getByRole('alert')).toHaveText(/does not start with a digit/);
    await env.getByLabel('Name of 2FAST').fill('HF_TOKEN');
    await expect(env.getByRole('alert')).toHaveText(/HF_TOKEN is already in line 1/);

    await own.getByLabel(/^Type the template’s name/).fill('invalid');
    await own.getByRole('checkbox', { name: /Replace the workers of .* now/ }).check();
    await own.keyboard.press('Control+s');
    await expect(own.getByRole('region', { name: 'Saving' })).toContainText('6 fields need fixing');
    expect(updates()).toBe(0);

    // A field is undone by its own button, the rest step by step.
    await field(own, 'Name').getByRole('button', { name: 'Undo change of name' }).click();
    await expect(field(own, 'Name').getByRole('textbox')).toHaveValue('invalid');
    for (let step = 0; step < 30; step += 1) await own.keyboard.press('Control+z');
    await expect(review(own)).toContainText('No changes');
    await own.keyboard.press('Control+Shift+z');
    await expect(review(own)).toContainText('1 field changed');
  });

  test('a .env file is parsed, previewed and imported; a value is masked except while it is revealed', async () => {
    const { own } = await openOf('variables');
    const env = field(own, 'Environment');
    await env.getByRole('button', { name: 'Paste .env' }).click();
    const dialog = own.getByRole('dialog', { name: 'Paste a .env file' });
    await dialog
      .getByRole('textbox')
      .fill('# production\r\nexport MODEL_ID="atlas/whisper\\nlarge"\r\nLOG_LEVEL=debug # loud\r\nBAD LINE\r\n');
    await expect(dialog).toContainText('AddsMODEL_ID');
    await expect(dialog).toContainText('ChangesLOG_LEVEL');
    await expect(dialog).toContainText('Line 4: No NAME=value in this line.');
    // Escape loses nothing of it.
    await own.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await env.getByRole('button', { name: 'Paste .env' }).click();
    await expect(dialog.getByText('Unsaved changes restored. Cancel discards them.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import 2 variables' }).click();
    await expect(review(own).getByRole('group', { name: 'Change of env' })).toContainText('1 kept as it is');
    await expect(review(own)).not.toContainText('debug');

    // The value of the sandbox's own token is revealed for a moment.
    await holdTimers(own, REVEALED_MS);
    await expect(own.getByText('not-a-real-token')).toHaveCount(0);
    await env.getByRole('button', { name: 'Reveal HF_TOKEN' }).click();
    await expect(env.getByText('not-a-real-token')).toBeVisible();
    await endTimers(own, REVEALED_MS);
    await expect(env.getByText('not-a-real-token')).toHaveCount(0);
    await env.getByRole('button', { name: 'Reveal HF_TOKEN' }).click();
    await expect(env.getByText('not-a-real-token')).toBeVisible();
    // A person who sees the screen later must not find it.
    await own.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(env.getByText('not-a-real-token')).toHaveCount(0);
    await env.getByRole('button', { name: 'Reveal HF_TOKEN' }).click();
    await expect(env.getByText('not-a-real-token')).toBeVisible();
    await env.getByRole('button', { name: 'Reveal MODEL_ID' }).click();
    await expect(env.getByText('not-a-real-token')).toHaveCount(0);
    await save(own, 'variables');
    await expect(own.getByText(/^Saved today/)).toBeVisible({ timeout: 20_000 });
    expect((await record(service, await workerOf(service, 'variables')))['env']).toEqual({
      HF_TOKEN: 'not-a-real-token',
      LOG_LEVEL: 'debug',
      MODEL_ID: 'atlas/whisper\nlarge',
    });
  });

  test('a .env file that is pasted but not imported is there after its window was closed', async () => {
    const { own } = await openOf('pasted');
    const env = field(own, 'Environment');
    await env.getByRole('button', { name: 'Paste .env' }).click();
    const dialogOf = (window: Page): Locator => window.getByRole('dialog', { name: 'Paste a .env file' });
    await dialogOf(own).getByRole('textbox').fill('HF_TOKEN=pasted-secret-012345');
    await expect(own.getByText(/^Draft saved/)).toBeVisible();
    await own.close();
    const { own: again, updates } = await openOf('pasted');
    await expect(again.getByText(/^Draft saved/)).toBeVisible();
    await field(again, 'Environment').getByRole('button', { name: 'Paste .env' }).click();
    await expect(dialogOf(again).getByText('Unsaved changes restored. Cancel discards them.')).toBeVisible();
    await expect(dialogOf(again).getByRole('textbox')).toHaveValue('HF_TOKEN=pasted-secret-012345');
    await dialogOf(again).getByRole('button', { name: 'Cancel' }).click();
    await expect(again.getByText(/^Draft saved/)).toBeHidden();
    expect(updates()).toBe(0);
  });

  test('the preview of a readme runs nothing and loads nothing', async () => {
    const { own } = await openOf('preview');
    const elsewhere = (): number => service.requestLog.since(0).filter(({ area }) => area === 'elsewhere').length;
    const before = elsewhere();
    // What asks for it is seen: otherwise that nothing does would say nothing.
    await fetch(`${service.baseUrl}/beacon.png`);
    expect(elsewhere()).toBe(before + 1);
    await writeReadme(
      own,
      `# Hello\n\n<script>window.wasRun = true</script>\n\n<img src="${service.baseUrl}/beacon.png" ` +
        'onerror="window.wasRun = ' +
        `true">\n\n![picture](${service.baseUrl}/remote.png)\n\n[bad](javascript:window.wasRun=true) ` +
        '[good](https://example.test/)',
    );
    const preview = own.getByRole('region', { name: 'Readme preview' });
    await expect(preview.getByRole('heading', { name: 'Hello' })).toBeVisible();
    await expect(preview).toContainText('image not loaded');
    await expect(preview.getByRole('link', { name: 'good' })).toBeVisible();
    await expect(preview.getByRole('link', { name: 'bad' })).toHaveCount(0);
    expect(await preview.locator('img, script, iframe, style').count()).toBe(0);
    expect(await own.evaluate(() => 'wasRun' in window)).toBe(false);
    expect(elsewhere()).toBe(before + 1);
    // A link is shown before it is opened.
    await preview.getByRole('link', { name: 'good' }).click();
    await expect(own.getByRole('dialog', { name: 'Open this address in the browser?' })).toContainText(
      'https://example.test/',
    );
  });

  test('the readme editor behaves like other fields: undo belongs to the draft, and Tab moves on', async () => {
    const { own } = await openOf('editor');
    const editor = field(own, 'Readme').getByRole('textbox', { name: 'Readme, markdown' });
    const before = await editor.innerText();
    await writeReadme(own, '# Echo\n\nSays what it was told.');
    await expect(
      own.getByRole('region', { name: 'Readme preview' }).getByRole('heading', { name: 'Echo' }),
    ).toBeVisible();
    await expect(field(own, 'Readme').getByRole('button', { name: 'Undo change of readme' })).toBeVisible();
    await editor.press('ControlOrMeta+z');
    await expect(editor).not.toContainText('Says what it was told.');
    // To delete and to type are one step, or two if a second passed between them.
    if (!(await editor.innerText()).includes('Workers of')) await editor.press('ControlOrMeta+z');
    await expect(editor).toHaveText(before, { useInnerText: true });
    await expect(field(own, 'Readme').getByRole('button', { name: 'Undo change of readme' })).toHaveCount(0);
    // Past the edge between the two.
    await editor.press('Tab');
    const edge = own.getByRole('separator', { name: 'Width of the source' });
    await expect(edge).toBeFocused();
    await edge.press('Tab');
    await expect(own.getByRole('region', { name: 'Readme preview' })).toBeFocused();
  });

  test('if nothing is known, only edited fields are sent, and possible defaults are named', async () => {
    const { app, page } = shared();
    const before = await record(service, await workerOf(service, 'unread'));
    await page.getByRole('button', { name: 'Templates', exact: true }).click();
    await page.getByLabel('Template id').fill('two words');
    await page.getByRole('button', { name: 'Open template', exact: true }).click();
    await expect(page.getByText('An id has no spaces and no slashes.')).toBeVisible();
    const own = await openById(app, page, templateOf('unread'));
    await expect(own.getByText('Nothing known about this template').first()).toBeVisible();
    await field(own, 'Image').getByRole('textbox').fill('x:2');
    await expect(review(own).getByRole('group', { name: 'May be reset' })).toHaveText(
      /containerDiskInGb 50.*volumeInGb 20.*volumeMountPath \/workspace.*isPublic false.*readme ""/,
    );
    await save(own, templateOf('unread'));
    await expect(own.getByText(/^Saved today/)).toBeVisible({ timeout: 20_000 });
    expect(await record(service, await workerOf(service, 'unread'))).toEqual({
      ...before,
      imageName: 'x:2',
      containerDiskInGb: 50,
      volumeInGb: 20,
      volumeMountPath: '/workspace',
      isPublic: false,
      readme: '',
    });
    await expect(page.getByRole('button', { name: 'Open template unread' })).toBeVisible();
  });

  test('refusals and unknown outcomes are shown in place, and nothing typed is lost', async () => {
    const { own, updates } = await openOf('refused');
    const image = field(own, 'Image').getByRole('textbox');
    await image.fill('x:2');
    const expected: [number, RegExp][] = [
      [400, /rejected the update/],
      [401, /rejected the update/],
      [404, /rejected the update/],
      [500, /Outcome of the update unknown/],
    ];
    for (const [index, [status, title]] of expected.entries()) {
      service.setFault({ kind: 'status', operation: 'update-template', status });
      await save(own, 'refused');
      await expect(review(own).getByText(title)).toBeVisible({ timeout: 20_000 });
      await expect(review(own)).toContainText(`(${status})`);
      await expect(image).toHaveValue('x:2');
      expect(updates()).toBe(index + 1);
    }
    service.setFault(null);

    // A name in use is reported by the service, and shown at the field.
    await field(own, 'Name').getByRole('textbox').fill('PyTorch 2.8');
    await save(own, 'refused');
    await expect(field(own, 'Name').getByRole('alert')).toContainText('name must be unique', { timeout: 20_000 });
    await expect(field(own, 'Name').getByRole('textbox')).toHaveValue('PyTorch 2.8');
  });

  test('an update whose reply was lost is found by reading the template again', async () => {
    const { own, updates } = await openOf('lost');
    await field(own, 'Image').getByRole('textbox').fill('x:2');
    await field(own, 'Volume').getByRole('textbox').fill('7');
    service.setFault({ kind: 'drop-after-accept', operation: 'update-template', times: 1 });
    await save(own, 'lost');
    await expect(review(own)).toContainText('Outcome of the update unknown', { timeout: 20_000 });
    // What was typed stays, and is sent again only by the user.
    await expect(review(own)).toContainText('2 fields changed');
    expect(updates()).toBe(1);
    await field(own, 'Volume').getByRole('textbox').fill('9');
    await readFrom(own, await workerOf(service, 'lost'));
    await expect(review(own)).toContainText('Jobdeck has read it since');
    // The image is there already; the volume was typed since.
    await expect(review(own)).toContainText('1 field changed');
    await expect(field(own, 'Volume')).toContainText('was 7');
    expect(updates()).toBe(1);
  });

  test('the jobs affected by an update are counted again while the window is open', async () => {
    const { own } = await openOf('busy');
    await field(own, 'Image').getByRole('textbox').fill('x:2');
    const use = own.getByRole('region', { name: 'Saving' }).getByRole('listitem');
    await expect(use).toContainText('idle');
    const input = JSON.stringify({ input: { mock_delay: 120_000 } });
    await fetch(`${service.baseUrl}/v2/busy/run`, { method: 'POST', headers, body: input });
    await expect(use).toContainText('1 running', { timeout: 20_000 });
  });

  test('an official pod template shows a warning, and a tick is enough', async () => {
    const { app, page } = shared();
    const training = stableId('pod', 'training');
    const own = await openById(app, page, stableId('template', 'pytorch'));
    // A pod that comes from another template teaches nothing of this one.
    await own.getByRole('button', { name: 'Read from a pod', exact: true }).click();
    const dialog = own.getByRole('dialog', { name: 'Read from a pod' });
    await dialog.getByLabel('Pod id').fill(stableId('pod', 'spot'));
    await dialog.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText(/does not use this template/);
    await dialog.getByLabel('Pod id').fill('nobody');
    await dialog.getByRole('button', { name: 'Read', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText(/does not know this pod \(404\)/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await readFrom(own, training);

    const before = await record(service, training);
    await field(own, 'Public template').getByRole('switch').click();
    await field(own, 'Volume').getByRole('textbox').fill('41');
    await own.getByRole('heading', { name: 'Image' }).click();
    await own.keyboard.press('Control+d');
    await expect(field(own, 'Volume').getByRole('textbox')).toBeFocused();
    await own.keyboard.press('Control+d');
    await expect(field(own, 'Public template').getByRole('switch')).toBeFocused();
    const saving = own.getByRole('region', { name: 'Saving' });
    await expect(saving).toContainText('This is an official template, managed by the platform operator.');
    await expect(saving.getByLabel(/^Type the template’s/)).toHaveCount(0);
    await saving.getByRole('checkbox').check();
    await service.goOffline();
    await saving.getByRole('button', { name: 'Save template' }).click();
    await expect(review(own)).toContainText('The template is unchanged.', { timeout: 20_000 });
    await expect(field(own, 'Volume').getByRole('textbox')).toHaveValue('41');
    await service.goOnline();
    await saving.getByRole('checkbox').check();
    await saving.getByRole('button', { name: 'Save template' }).click();
    await expect(own.getByText(/^Saved today/)).toBeVisible({ timeout: 20_000 });
    expect(await record(service, training)).toEqual({ ...before, isPublic: false, volumeInGb: 41 });
  });

  test('a connection without a REST URL says so and leads to its settings', async () => {
    const { app, page } = shared();
    await setRestUrl(page, '');
    const own = await openById(app, page, templateOf('no-rest'));
    await field(own, 'Image').getByRole('textbox').fill('x:2');
    await expect(own.getByRole('region', { name: 'Saving' })).toContainText('This connection has no REST URL');
    await own.getByRole('button', { name: 'Open its settings' }).click();
    await expect(own.getByLabel('REST URL')).toBeVisible();
    await setRestUrl(page, service.restUrl);
  });
});
