import { describe, expect, it } from 'vitest';
import { createMemoryDocuments } from '../../../../src-main/sandbox/documents.ts';
import { A100, credits, L4, MI300X, RTX_4090 } from '../../../../src-main/sandbox/management/hardware.ts';
import { PYTORCH } from '../../../../src-main/sandbox/management/template-catalogue.ts';
import {
  cpuTypeTable,
  gpuTable,
  machineTable,
  networkVolumeTable,
  podTable,
  savingsPlanTable,
  templateTable,
} from '../../../kit/pod-table.ts';
import { createVirtualClock } from '../../../kit/sandbox.ts';
import { openScene, scriptedEndpoint, START_MS } from './scene.ts';

/** Spec: Pod, the fields that need a flag. */
const FLAGGED_FIELDS: readonly string[] = ['machine', 'networkVolume', 'savingsPlans'];
const POD_FIELDS: readonly string[] = podTable.filter((name) => !FLAGGED_FIELDS.includes(name));
const ALL_FLAGS =
  'includeMachine=true&includeNetworkVolume=true&includeSavingsPlans=true&includeTemplate=true&includeWorkers=true';

const sorted = (names: readonly string[]): string[] => [...names].toSorted();
const fieldsOf = (value: unknown): string[] => sorted(Object.keys(Object(value)));
const clockAfter = (ms: number): ReturnType<typeof createVirtualClock> => createVirtualClock(START_MS + ms);

describe('the catalogue', () => {
  it('contains every field of the Pod table, and no other', async () => {
    const scene = openScene();
    expect(scene.management.podIds.length).toBeGreaterThanOrEqual(6);
    for (const podId of scene.management.podIds) {
      const { status, body } = await scene.pod(podId);
      expect(status).toBe(200);
      expect(fieldsOf(body)).toEqual(sorted(POD_FIELDS));
      expect(body['id']).toBe(podId);
    }
  });

  it('contains values of the types of the table, null only where the spec allows it', async () => {
    const scene = openScene();
    const nullable = [
      'containerRegistryAuthId',
      'cpuFlavorId',
      'endpointId',
      'aiApiId',
      'gpu',
      'machineId',
      'publicIp',
      'slsVersion',
      'templateId',
    ];
    for (const podId of scene.management.podIds) {
      const { body } = await scene.pod(podId);
      expect(Object.keys(body).filter((name) => body[name] === null && !nullable.includes(name))).toEqual([]);
      expect(body).toMatchObject({
        desiredStatus: expect.stringMatching(/^(?:RUNNING|EXITED|TERMINATED)$/),
        costPerHr: expect.any(Number),
        adjustedCostPerHr: expect.any(Number),
        dockerEntrypoint: expect.any(Array),
        dockerStartCmd: expect.any(Array),
        lastStartedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        lastStatusChange: expect.stringMatching(
          /^[A-Z].+: [A-Z][a-z]{2} [A-Z][a-z]{2} \d\d 20\d\d \d\d:\d\d:\d\d GMT\+0000 \(Coordinated Universal Time\)$/,
        ),
        volumeMountPath: expect.stringMatching(/^\//),
      });
      for (const name of ['containerDiskInGb', 'volumeInGb', 'vcpuCount', 'memoryInGb'])
        expect(body[name]).toSatisfy(Number.isInteger);
      for (const name of ['interruptible', 'locked', 'volumeEncrypted']) expect(body[name]).toBeTypeOf('boolean');
      for (const entry of Object(body['ports'])) expect(entry).toMatch(/^\d+\/(?:http|tcp)$/);
      expect(String(body['name']).length).toBeLessThanOrEqual(191);
      expect(Date.parse(String(body['lastStartedAt']))).toBeLessThanOrEqual(START_MS);
    }
  });

  it('covers every case of the specification', async () => {
    const scene = openScene();
    const pods = await Promise.all(
      scene.management.podIds.map(async (podId) => (await scene.pod(podId, ALL_FLAGS)).body),
    );
    const cases: Record<string, (pod: Record<string, unknown>) => boolean> = {
      running: (pod) => pod['desiredStatus'] === 'RUNNING',
      exited: (pod) => pod['desiredStatus'] === 'EXITED',
      terminated: (pod) => pod['desiredStatus'] === 'TERMINATED',
      interruptible: (pod) => pod['interruptible'] === true,
      locked: (pod) => pod['locked'] === true,
      'CPU only': (pod) => pod['gpu'] === null && typeof pod['cpuFlavorId'] === 'string',
      'several GPUs': (pod) => Object(pod['gpu']).count > 1,
      'network volume': (pod) => pod['networkVolume'] !== null,
      'savings plan': (pod) => Object(pod['savingsPlans']).length > 0,
      'with template': (pod) => pod['template'] !== null,
      'without template': (pod) => pod['templateId'] === null && pod['template'] === null,
      'longest name': (pod) => String(pod['name']).length === 191,
      encrypted: (pod) => pod['volumeEncrypted'] === true,
      'private registry': (pod) => typeof pod['containerRegistryAuthId'] === 'string',
      'own entrypoint': (pod) => Object(pod['dockerEntrypoint']).length > 0,
      'maintenance planned': (pod) => typeof Object(pod['machine']).maintenanceNote === 'string',
      initializing: (pod) => pod['desiredStatus'] === 'RUNNING' && pod['publicIp'] === null,
    };
    expect(Object.keys(cases).filter((name) => !pods.some((pod) => cases[name]?.(pod)))).toEqual([]);
  });

  it('keeps the same ids at every start, in the form seen in the field', () => {
    const [first, second] = [openScene({ clock: clockAfter(0) }), openScene({ clock: clockAfter(1e9) })];
    expect(second.management.podIds).toEqual(first.management.podIds);
    expect(second.management.templateIds).toEqual(first.management.templateIds);
    expect(new Set([...first.management.podIds, ...first.management.templateIds]).size).toBe(
      first.management.podIds.length + first.management.templateIds.length,
    );
    for (const id of first.management.podIds) expect(id).toMatch(/^[a-z0-9]{14}$/);
    for (const id of first.management.templateIds) expect(id).toMatch(/^[a-z0-9]{10}$/);
  });

  it('has hardware that fits its host, and consistent prices: a longer plan costs less, spot less than reserved, community less than secure', () => {
    for (const { type, gpusPerHost, vcpuPerGpu, cpuType } of [A100, RTX_4090, L4, MI300X]) {
      expect(gpusPerHost * vcpuPerGpu).toBeLessThanOrEqual(cpuType.cores * cpuType.threadsPerCore);
      const falling = [
        type.securePrice,
        type.oneWeekPrice,
        type.oneMonthPrice,
        type.threeMonthPrice,
        type.sixMonthPrice,
      ];
      expect(falling).toEqual(falling.toSorted((a, b) => b - a));
      expect(type.communityPrice).toBeLessThan(type.securePrice);
      expect(type.communitySpotPrice).toBeLessThan(type.communityPrice);
      expect(type.secureSpotPrice).toBeLessThan(type.securePrice);
    }
  });

  it('prices a pod by its hardware', async () => {
    expect(credits(0.69 * 3)).toBe(2.07);
    const scene = openScene();
    expect(await scene.named('zebrafish training', 'includeSavingsPlans=true&includeMachine=true')).toMatchObject({
      costPerHr: 2.98,
      adjustedCostPerHr: 2.54,
      gpu: { count: 2, securePrice: 1.49, sixMonthPrice: 1.27 },
      savingsPlans: [{ costPerHr: 2.54 }],
      machine: { currentPricePerGpu: 1.49, costPerHr: 2.98, secureCloud: true, gpuTypeId: 'NVIDIA A100-SXM4-80GB' },
    });
    expect(await scene.named('image studio (spot)', 'includeMachine=true')).toMatchObject({
      costPerHr: 0.29,
      adjustedCostPerHr: 0.29,
      machine: { secureCloud: false, currentPricePerGpu: 0.29 },
    });
    expect(await scene.named('data preparation', 'includeMachine=true')).toMatchObject({
      vcpuCount: 8,
      memoryInGb: 16,
      costPerHr: 0.24,
      machine: { gpuType: null, gpuTypeId: null, gpuDisplayName: null },
    });
  });

  it('maps its tcp ports only, on a public address, while it runs', async () => {
    const scene = openScene();
    const spot = await scene.named('image studio (spot)');
    expect(spot['ports']).toEqual(['7860/http', '22/tcp', '9090/tcp']);
    expect(Object.keys(Object(spot['portMappings']))).toEqual(['22', '9090']);
    const publicPorts = Object.values(Object(spot['portMappings'])).map(Number);
    expect(new Set(publicPorts).size).toBe(2);
    for (const port of publicPorts)
      expect(port).toSatisfy((value: number) => Number.isInteger(value) && value >= 10_000 && value < 65_536);
    expect(spot['publicIp']).toMatch(/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d{1,3}\.\d{1,3}$/);
    expect(await scene.named('data preparation')).toMatchObject({
      desiredStatus: 'EXITED',
      publicIp: null,
      portMappings: {},
    });
    expect(await scene.named('ablation', 'includeMachine=true')).toMatchObject({
      desiredStatus: 'TERMINATED',
      publicIp: null,
      portMappings: {},
      machineId: null,
      machine: null,
    });
  });
});

describe('the include flags', () => {
  it.each([
    ['includeMachine', 'machine'],
    ['includeNetworkVolume', 'networkVolume'],
    ['includeSavingsPlans', 'savingsPlans'],
    ['includeTemplate', 'template'],
    ['includeWorkers', 'workers'],
  ])('%s adds %s and nothing else; false and omitted do not', async (flag, field) => {
    const scene = openScene();
    for (const podId of scene.management.podIds) {
      expect(fieldsOf((await scene.pod(podId, `${flag}=true`)).body)).toEqual(sorted([...POD_FIELDS, field]));
      expect(fieldsOf((await scene.pod(podId, `${flag}=false`)).body)).toEqual(sorted(POD_FIELDS));
    }
  });

  it.each(['includeMachine', 'includeNetworkVolume', 'includeSavingsPlans', 'includeTemplate', 'includeWorkers'])(
    '%s accepts true or false only, once',
    async (flag) => {
      const scene = openScene();
      const [podId = ''] = scene.management.podIds;
      for (const value of ['', '1', '0', 'TRUE', 'yes', 'null', 'true ']) {
        const { status, body } = await scene.pod(podId, new URLSearchParams({ [flag]: value }).toString());
        expect({ value, status, error: body['error'] }).toEqual({
          value,
          status: 400,
          error: `${flag} must be true or false.`,
        });
      }
      expect(await scene.pod(podId, `${flag}=true&${flag}=false`)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(flag) },
      });
    },
  );

  it('ignores parameters of other names', async () => {
    const scene = openScene();
    const { status, body } = await scene.pod(scene.management.podIds[0] ?? '', 'includemachine=maybe&wait=x');
    expect(status).toBe(200);
    expect(fieldsOf(body)).toEqual(sorted(POD_FIELDS));
  });

  it('all together return every field of the nested objects', async () => {
    const scene = openScene();
    const pod = await scene.named('zebrafish training', ALL_FLAGS);
    const { machine, networkVolume, savingsPlans, template, gpu } = pod;
    expect(fieldsOf(gpu)).toEqual(sorted(gpuTable));
    expect(fieldsOf(machine)).toEqual(sorted(machineTable));
    expect(fieldsOf(Object(machine).gpuType)).toEqual(sorted(gpuTable));
    expect(fieldsOf(Object(machine).cpuType)).toEqual(sorted(cpuTypeTable));
    expect(fieldsOf(networkVolume)).toEqual(sorted(networkVolumeTable));
    expect(Object(networkVolume).dataCenterId).toBe(Object(machine).dataCenterId);
    expect(fieldsOf(Object(savingsPlans)[0])).toEqual(sorted(savingsPlanTable));
    expect(Object(savingsPlans)[0]).toMatchObject({ podId: pod['id'], gpuTypeId: Object(gpu).id });
    expect(fieldsOf(template)).toEqual(sorted(templateTable));
    expect(template).toMatchObject({ id: pod['templateId'], isServerless: false, isRunpod: true, isPublic: true });
  });

  it('return null or an empty list if there is nothing to include', async () => {
    const scene = openScene();
    expect(await scene.named('ablation', ALL_FLAGS)).toMatchObject({
      machine: null,
      networkVolume: null,
      savingsPlans: [],
      template: null,
      workers: [],
    });
  });

  it('show the template as it is now, and the pod as it was created (spec: Update a template, Effect)', async () => {
    const scene = openScene({ omitted: 'keep' });
    const before = await scene.named('zebrafish training');
    await scene.update(PYTORCH.id, { imageName: 'runpod/pytorch:3.0', env: { NEW: 'yes' } });
    const after = await scene.named('zebrafish training', 'includeTemplate=true');
    expect(after['template']).toMatchObject({ imageName: 'runpod/pytorch:3.0', env: { NEW: 'yes' } });
    expect(after).toMatchObject({ image: before['image'], env: before['env'] });
  });
});

describe('time', () => {
  it('lets the initialising pod get its public address and ports after 20 s', async () => {
    const scene = openScene();
    const at = async (ms: number): Promise<Record<string, unknown>> => {
      scene.clock.advance(START_MS + ms - scene.clock.now());
      return scene.named('fresh pod');
    };
    for (const ms of [0, 19_999]) {
      expect(await at(ms)).toMatchObject({
        desiredStatus: 'RUNNING',
        publicIp: null,
        portMappings: {},
        lastStatusChange: expect.stringMatching(/^Rented by User, initializing: Sun Oct 04 2026 11:09:24/),
      });
    }
    expect(await at(20_000)).toMatchObject({
      publicIp: expect.stringMatching(/^100\./),
      portMappings: { '22': expect.any(Number) },
      lastStatusChange: expect.stringMatching(/^Initialized: Sun Oct 04 2026 11:09:44/),
      lastStartedAt: '2026-10-04T11:09:24.633Z',
    });
  });

  it('continues initialising over a restart that keeps documents', async () => {
    const documents = createMemoryDocuments();
    openScene({ documents });
    const early = openScene({ documents, clock: clockAfter(15_000) });
    expect(await early.named('fresh pod')).toMatchObject({ publicIp: null, lastStartedAt: '2026-10-04T11:09:24.633Z' });
    const later = openScene({ documents, clock: clockAfter(25_000) });
    expect(await later.named('fresh pod')).toMatchObject({
      publicIp: expect.any(String),
      lastStartedAt: '2026-10-04T11:09:24.633Z',
    });
    expect(await openScene({ clock: clockAfter(25_000) }).named('fresh pod')).toMatchObject({ publicIp: null });
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"startedAtMs":"x"}',
    '{"startedAtMs":-1}',
    '{"startedAtMs":1e300}',
    `{"startedAtMs":${START_MS + 1}}`,
  ])('restarts from a damaged document: %s', async (text) => {
    const documents = createMemoryDocuments();
    documents.write('pods', text);
    expect(await openScene({ documents }).named('fresh pod')).toMatchObject({
      lastStartedAt: '2026-10-04T11:09:24.633Z',
      publicIp: null,
    });
  });

  it('restarts if documents cannot be read', async () => {
    const broken = {
      read: (): string => {
        throw new Error('disk');
      },
      write: () => undefined,
    };
    expect(await openScene({ documents: broken }).named('fresh pod')).toMatchObject({ publicIp: null });
  });

  it('ends the savings plan, and with it the lower price', async () => {
    const scene = openScene();
    const { savingsPlans } = await scene.named('zebrafish training', 'includeSavingsPlans=true');
    const endMs = Date.parse(Object(savingsPlans)[0].endTime);
    scene.clock.advance(endMs - START_MS - 1);
    expect(await scene.named('zebrafish training')).toMatchObject({ adjustedCostPerHr: 2.54 });
    scene.clock.advance(1);
    expect(await scene.named('zebrafish training', 'includeSavingsPlans=true')).toMatchObject({
      adjustedCostPerHr: 2.98,
      savingsPlans: [],
    });
  });

  it('needs no timer', () => {
    const scene = openScene({ endpoints: [scriptedEndpoint('text')] });
    expect(scene.clock.pendingTimers()).toBe(0);
  });
});

describe('the observed dialect', () => {
  it('sends costPerHr as a text, and one start in the unexpected format (ruling 29)', async () => {
    const scene = openScene({ dialect: 'observed' });
    const starts: string[] = [];
    for (const podId of scene.management.podIds) {
      const { body } = await scene.pod(podId);
      expect(body['costPerHr']).toMatch(/^\d+(?:\.\d+)?$/);
      expect(body['adjustedCostPerHr']).toBeTypeOf('number');
      starts.push(String(body['lastStartedAt']));
    }
    expect(await scene.named('image studio (spot)')).toMatchObject({
      costPerHr: '0.29',
      lastStartedAt: '2026-10-04 10:22:24.633 +0000 UTC',
    });
    expect(starts.filter((start) => !/^\d{4}-\d\d-\d\dT/.test(start))).toHaveLength(1);
  });
});

describe('paths', () => {
  it.each([
    [[]],
    [['pods']],
    [['pods', '']],
    [['pods', 'a', 'b']],
    [['templates']],
    [['templates', 'a']],
    [['templates', 'a', 'delete']],
    [['templates', '', 'update']],
    [['templates', 'a', 'update', 'b']],
    [['endpoints', 'text']],
  ])('%j is 404', async (path) => {
    for (const method of ['GET', 'POST']) {
      expect(await openScene().send({ method, path })).toEqual({
        status: 404,
        body: { error: 'The management interface serves nothing at this path.' },
      });
    }
  });

  it('an unknown pod or template is 404 with one sentence (ruling 6)', async () => {
    const scene = openScene();
    expect(await scene.pod('nobody', 'includeMachine=true')).toEqual({
      status: 404,
      body: { error: 'There is no pod with this id.' },
    });
    expect(await scene.send({ method: 'POST', path: ['templates', 'nobody', 'update'] })).toEqual({
      status: 404,
      body: { error: 'There is no template with this id.' },
    });
  });

  it('a wrong method is 400 and named', async () => {
    const scene = openScene();
    const [podId = ''] = scene.management.podIds;
    for (const method of ['POST', 'DELETE', 'HEAD'])
      expect(await scene.send({ method, path: ['pods', podId] })).toEqual({
        status: 400,
        body: { error: 'get-pod is called with GET.' },
      });
    for (const method of ['GET', 'PATCH'])
      expect(await scene.send({ method, path: ['templates', PYTORCH.id, 'update'] })).toEqual({
        status: 400,
        body: { error: 'update-template is called with POST.' },
      });
  });
});
