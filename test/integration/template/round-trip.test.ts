import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { stableId } from '../../../src-main/sandbox/management/field-forms.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { confirmationOf, updatableFields } from '../../../src-preload/template.ts';
import type { TemplateEdits, TemplateUpdateRecord } from '../../../src-preload/template.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import { closeTemplateScenes, connectionId, openTemplates, value } from './template-scene.ts';
import type { TemplateScene } from './template-scene.ts';

const services: Sandbox[] = [];
afterEach(closeTemplateScenes);
afterAll(async () => {
  for (const service of services) await service.close();
});

async function start(
  templateOmitted: 'reset' | 'keep',
  dialect: 'spec' | 'observed' = 'spec',
): Promise<{ service: Sandbox; scene: TemplateScene }> {
  const service = await startSandbox({ templateOmitted, dialect });
  services.push(service);
  return { service, scene: await openTemplates(service) };
}

const spot = stableId('pod', 'spot');
const studio = stableId('template', 'image-studio');

/** The service's own record, read past the app. */
async function record(service: Sandbox, podId: string): Promise<Record<string, unknown>> {
  const reply = await fetch(`${service.restUrl}/v1/pods/${podId}?includeTemplate=true`, {
    headers: { authorization: `Bearer ${TEST_API_KEY}` },
  });
  const pod: { template: Record<string, unknown> } = await reply.json();
  return pod.template;
}

/** Reviews and sends as the window does. */
async function send(
  { templates }: TemplateScene,
  templateId: string,
  edits: TemplateEdits,
): Promise<TemplateUpdateRecord> {
  const at = { connectionId, templateId };
  const { known } = value(await templates.view(at));
  return value(
    await templates.update(at, {
      baseSeq: known?.seq ?? null,
      edits,
      confirmedWith: confirmationOf(templateId, known?.template ?? null)?.word ?? null,
    }),
  );
}

/** For each field an edit that is new, and what the service then has. */
const oneEach: [string, TemplateEdits, Record<string, unknown>][] = [
  ['name', { name: 'studio, renamed' }, { name: 'studio, renamed' }],
  ['imageName', { imageName: 'zebrafish-lab/image-studio:1.5.0' }, { imageName: 'zebrafish-lab/image-studio:1.5.0' }],
  ['containerRegistryAuthId', { containerRegistryAuthId: 'reg-other' }, { containerRegistryAuthId: 'reg-other' }],
  ['dockerEntrypoint', { dockerEntrypoint: [] }, { dockerEntrypoint: [] }],
  ['dockerStartCmd', { dockerStartCmd: ['python', '-u', 'a b.py'] }, { dockerStartCmd: ['python', '-u', 'a b.py'] }],
  ['containerDiskInGb', { containerDiskInGb: '31' }, { containerDiskInGb: 31 }],
  ['volumeInGb', { volumeInGb: '0' }, { volumeInGb: 0 }],
  ['volumeMountPath', { volumeMountPath: '/models' }, { volumeMountPath: '/models' }],
  ['ports', { ports: ['7860/http'] }, { ports: ['7860/http'] }],
  ['isPublic', { isPublic: true }, { isPublic: true }],
  [
    'env',
    {
      env: [
        { name: 'HF_TOKEN', value: null },
        { name: 'LOG_LEVEL', value: 'debug' },
      ],
    },
    { env: { HF_TOKEN: 'not-a-real-token', LOG_LEVEL: 'debug' } },
  ],
  ['readme', { readme: '' }, { readme: '' }],
];

describe.each(['reset', 'keep'] as const)(
  'an update of one field, where the service would %s omitted fields (ruling 22)',
  (omitted) => {
    it('has a case for every field', () =>
      expect(oneEach.map(([field]) => field).sort()).toEqual([...updatableFields].sort()));

    it.each(oneEach)(
      '%s changes and every other field of the service’s record stays the same',
      async (_, edits, after) => {
        const { service, scene } = await start(omitted);
        await scene.readPod(spot);
        const before = await record(service, spot);
        const updates = async () => value(await scene.templates.list(connectionId))[0]?.updatedAtMs;
        expect(await updates()).toEqual([]);
        const sent = await send(scene, studio, edits);
        expect(sent.outcome).toMatchObject({ kind: 'applied', differences: [] });
        expect(await updates()).toEqual([sent.atMs]);
        expect(await record(service, spot)).toEqual({ ...before, ...after });

        // And back again: the undo leaves the record as it was before both.
        const undo = value(await scene.templates.undo({ connectionId, templateId: studio }, null));
        expect(undo.notRestorable).toEqual([]);
        const back = await send(scene, studio, undo.edits);
        expect(back.outcome).toMatchObject({ kind: 'applied', differences: [] });
        expect(await record(service, spot)).toEqual(before);
        expect(await updates()).toEqual([expect.any(Number), back.atMs]);
      },
    );

    it('works for the template of an endpoint in the observed dialect, whose workers are replaced', async () => {
      const { service, scene } = await start(omitted, 'observed');
      const worker = await firstWorker(service, 'echo');
      await scene.readPod(worker);
      const templateId = stableId('template', 'endpoint echo');
      const { uses } = value(await scene.templates.view({ connectionId, templateId }));
      expect(uses.map(({ endpointId }) => endpointId)).toEqual(['echo']);
      const before = await record(service, worker);
      expect((await send(scene, templateId, { imageName: 'sandbox/worker-echo:2.0.0' })).outcome.kind).toBe('applied');
      const next = await firstWorker(service, 'echo');
      expect(next).not.toBe(worker);
      expect(await record(service, next)).toEqual({ ...before, imageName: 'sandbox/worker-echo:2.0.0' });
    });
  },
);

/** A live worker of an endpoint; a job brings one up where there is none. */
async function firstWorker(service: Sandbox, endpointId: string): Promise<string> {
  const headers = { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' };
  await fetch(`${service.baseUrl}/v2/${endpointId}/runsync`, { method: 'POST', headers, body: '{"input":{"a":1}}' });
  const reply = await fetch(`${service.restUrl}/v1/pods/${service.pods[0]}?includeWorkers=true`, { headers });
  const { workers }: { workers: { id: string; endpointId: string }[] } = await reply.json();
  const found = workers.find((worker) => worker.endpointId === endpointId);
  if (found === undefined) throw new Error(`${endpointId} has no worker.`);
  return found.id;
}

describe('without a last-known copy', () => {
  it('sends the edited fields, and the service resets those with a default', async () => {
    const { service, scene } = await start('reset');
    const before = await record(service, spot);
    const sent = await send(scene, studio, { imageName: 'x:2' });
    expect(sent).toMatchObject({ changed: ['imageName'], pinned: [], formerSeq: null });
    // What the window had named: the defaults that may apply.
    expect(await record(service, spot)).toEqual({
      ...before,
      imageName: 'x:2',
      containerDiskInGb: 50,
      isPublic: false,
      readme: '',
      volumeInGb: 20,
      volumeMountPath: '/workspace',
    });
    expect(await scene.templates.undo({ connectionId, templateId: studio }, null)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringMatching(/is unknown/) },
    });
  });
});
