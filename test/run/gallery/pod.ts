import type { Page } from '@playwright/test';
import { connectTo } from '../../e2e/fixtures.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { TEST_API_KEY } from '../../kit/sandbox.ts';
import { outDir, shoot, sizes } from './stage.ts';
import type { Stage } from './stage.ts';

/** The pod of the design, as a service would send it: ports of every kind, a plan in progress, secrets in env. */
const designPod = {
  id: 'p7d2kx40nqa1we',
  name: 'whisper-finetune-a',
  desiredStatus: 'RUNNING',
  image: 'registry.atlas.internal/atlas/asr-train:2.31.4',
  adjustedCostPerHr: 4.86,
  costPerHr: '6.48',
  consumerUserId: 'usr_4k19xq',
  containerDiskInGb: 80,
  containerRegistryAuthId: 'reg-atlas',
  cpuFlavorId: null,
  dockerEntrypoint: [],
  dockerStartCmd: ['python', 'train.py', '--config', '$TRAIN_CONFIG'],
  endpointId: null,
  aiApiId: null,
  env: {
    HF_HOME: '/workspace/cache/hf',
    WANDB_MODE: 'offline',
    NCCL_DEBUG: 'WARN',
    TRAIN_CONFIG: 'configs/large-v3-nl.yaml',
    S3_ACCESS_SECRET: 'sk-live-9f27a1',
    REGISTRY_TOKEN: 'rt-77aa-0912',
  },
  gpu: {
    id: 'h100-sxm-80',
    count: 2,
    displayName: 'H100 SXM 80 GB',
    securePrice: 3.24,
    communityPrice: 2.9,
    oneMonthPrice: 2.43,
    threeMonthPrice: 2.3,
    sixMonthPrice: 2.1,
    oneWeekPrice: 2.9,
    communitySpotPrice: 1.6,
    secureSpotPrice: 1.9,
  },
  interruptible: false,
  lastStartedAt: new Date(Date.now() - 76 * 3_600_000).toISOString(),
  lastStatusChange: 'Resumed by user: Mon Nov 17 2025 10:07:52 GMT+0000',
  locked: true,
  machineId: 'm8f2l0q7xe',
  memoryInGb: 251,
  portMappings: { 22: 10341, 6006: 10342 },
  ports: ['22/tcp', '6006/http', '8888/http'],
  publicIp: '203.0.113.47',
  slsVersion: null,
  templateId: 'tpl-asr-train',
  vcpuCount: 48,
  volumeEncrypted: true,
  volumeInGb: 200,
  volumeMountPath: '/workspace',
  machine: {
    minPodGpuCount: 1,
    gpuTypeId: 'h100-sxm-80',
    gpuType: { id: 'h100-sxm-80', count: 8, displayName: 'H100 SXM 80 GB', securePrice: 3.24 },
    cpuCount: 96,
    cpuTypeId: 'epyc-9474f',
    cpuType: { id: 'epyc-9474f', displayName: 'EPYC 9474F', groupId: 'Genoa', cores: 48, threadsPerCore: 2 },
    location: 'NL',
    dataCenterId: 'EU-NL-1',
    diskThroughputMBps: 5_120,
    maxDownloadSpeedMbps: 9_400,
    maxUploadSpeedMbps: 8_800,
    supportPublicIp: true,
    secureCloud: true,
    maintenanceStart: '2026-11-24T02:00:00Z',
    maintenanceEnd: '2026-11-24T04:00:00Z',
    maintenanceNote: 'Power supply',
    note: null,
    costPerHr: 6.48,
    currentPricePerGpu: 3.24,
    gpuAvailable: 4,
    gpuDisplayName: 'H100 SXM 80 GB',
  },
  networkVolume: { id: 'nv-3h8s2m', name: 'speech-corpora', size: 2_000, dataCenterId: 'EU-NL-1' },
  savingsPlans: [
    {
      id: 'sp-1',
      podId: 'p7d2kx40nqa1we',
      gpuTypeId: 'h100-sxm-80',
      costPerHr: 4.86,
      startTime: new Date(Date.now() - 19 * 86_400_000).toISOString(),
      endTime: new Date(Date.now() + 11 * 86_400_000).toISOString(),
    },
  ],
};

/** Pods: the list, and the window in its states. */
export async function pod({ launch, service }: Stage): Promise<void> {
  const management = await createFaultService();
  management.otherwise({ kind: 'reply', body: designPod });
  const { app, page } = await launch();
  await connectTo(
    page,
    { baseUrl: service.baseUrl, restUrl: management.url, endpoints: service.endpoints },
    { key: TEST_API_KEY },
  );
  await page.getByRole('button', { name: 'Pods', exact: true }).click();
  await page.getByText('No pods yet').waitFor();
  await shoot(page, 'pods-empty');
  await page.getByLabel('Pod id').fill('a pod/with spaces');
  await page.getByRole('button', { name: 'Open pod', exact: true }).click();
  await shoot(page, 'pods-bad-id');

  await page.getByLabel('Pod id').fill(designPod.id);
  await page.getByRole('button', { name: 'Open pod', exact: true }).click();
  const own = await app.waitForWindow(/\/pod\//);
  await own.setViewportSize(sizes[0]);
  await own
    .getByRole('group', { name: /publicIp/ })
    .getByText('203.0.113.47')
    .waitFor();
  await own.getByRole('textbox', { name: /Reply JSON/ }).waitFor();
  await shoot(own, 'pod');
  await own.getByRole('group', { name: /, containerDiskInGb$/ }).hover();
  await own.getByText('It is wiped on restart').waitFor();
  await own.screenshot({ path: `${outDir}/pod-meaning.png` });
  await scrolled(own, 'pod-lower');
  await own.getByRole('button', { name: 'Reveal S3_ACCESS_SECRET' }).click();
  await own.getByRole('button', { name: 'Open', exact: true }).click();
  await shoot(own, 'pod-open-port');
  await own.getByRole('button', { name: 'Cancel' }).click();

  management.otherwise({
    kind: 'reply',
    body: {
      ...designPod,
      publicIp: '203.0.113.48',
      portMappings: { 22: 10_341 },
      costPerHr: { amount: 6 },
      newField: { a: 1 },
      locked: null,
      env: { ...designPod.env, HF_HOME: '/other' },
      machine: { ...designPod.machine, gpuAvailable: 2 },
    },
  });
  await own.getByRole('button', { name: 'Refresh' }).click();
  await own.getByText('203.0.113.48').first().waitFor();
  await shoot(own, 'pod-changed');
  management.otherwise({
    kind: 'reply',
    status: 429,
    body: { error: 'Too many requests' },
    headers: { 'retry-after': '40' },
  });
  await own.getByRole('button', { name: 'Refresh' }).click();
  await own.getByText('Too many requests (429)').waitFor();
  await shoot(own, 'pod-429');

  await own.getByRole('region', { name: 'Changed' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Pin whisper-finetune-a' }).click();
  await page.getByRole('region', { name: 'Pinned' }).waitFor();

  await management.close();
}

/** Pods of the sandbox: one with everything, one that starts, one that is gone, and none at all. */
export async function sandboxPods({ launch, service }: Stage): Promise<void> {
  const { app, page } = await launch();
  await connectTo(page, service);
  await page.getByRole('button', { name: 'Pods', exact: true }).click();
  const open = async (podId: string): Promise<Page> => {
    await page.getByLabel('Pod id').fill(podId);
    await page.getByRole('button', { name: 'Open pod', exact: true }).click();
    const own = await app.waitForWindow(new RegExp(`/pod/[^/]+/${podId}$`));
    await own.setViewportSize(sizes[0]);
    return own;
  };
  const [training = '', , , terminated = '', , initializing = ''] = service.pods;
  const starting = await open(initializing);
  await starting.getByText('waiting for the pod').first().waitFor();
  await shoot(starting, 'pod-starting');
  const whole = await open(training);
  await whole.getByRole('switch', { name: 'includeTemplate' }).click();
  await whole.getByRole('switch', { name: 'includeWorkers' }).click();
  await whole.getByRole('region', { name: 'Worker pods' }).waitFor();
  await whole.getByRole('region', { name: 'Worker pods' }).scrollIntoViewIfNeeded();
  await whole.getByRole('group', { name: /, memoryInGb$/ }).hover();
  await shoot(whole, 'pod-workers');
  await whole.keyboard.press('ControlOrMeta+f');
  await whole.getByRole('textbox', { name: 'Search in the reply' }).fill('cuda');
  await shoot(whole, 'pod-search');
  const gone = await open(terminated);
  await gone.getByText('Terminated').first().waitFor();
  await gone.getByRole('textbox', { name: /Reply JSON/ }).waitFor();
  await shoot(gone, 'pod-terminated');
  const nobody = await open('nobody');
  await nobody.getByText('No such pod').waitFor();
  await nobody.getByRole('textbox', { name: /Reply JSON/ }).waitFor();
  await shoot(nobody, 'pod-404');
  await shoot(page, 'pods');
}

/** The same window, scrolled further down. */
async function scrolled(own: Page, name: string): Promise<void> {
  await own.getByRole('region', { name: 'GPU type of the machine' }).scrollIntoViewIfNeeded();
  await shoot(own, name);
  await own.getByRole('region', { name: 'Compute' }).scrollIntoViewIfNeeded();
}
