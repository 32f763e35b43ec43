import type { CpuType, Gpu, Machine, NetworkVolume, Pod, PodInclude, SavingsPlan } from './pod.ts';

/** How a value is written. `id` and `raw` in monospace; `id` can be copied. */
type FieldForm =
  | 'text'
  | 'id'
  | 'raw'
  | 'number'
  | 'price'
  | 'yesNo'
  | 'time'
  | 'arguments'
  | 'object'
  | 'list'
  | 'map';

export interface PodFieldInfo {
  label: string;
  form: FieldForm;
  /** Null if it has none. */
  unit: string | null;
  /** One or two sentences (spec: Pod). */
  meaning: string;
  /** The text for true and false, if "Yes" and "No" say too little. */
  booleanText?: readonly [whenTrue: string, whenFalse: string];
  /** What an empty list or text means. */
  whenEmpty?: string;
  /** Written after the value: `80 GB, wiped on restart`. */
  aside?: string;
  /** The flag that includes it in the reply. */
  flag?: PodInclude;
}

/** One entry for every field of T. A field of the type without an entry does not compile. */
export type FieldTable<T> = { readonly [Name in keyof T]-?: PodFieldInfo };

const credits = 'credits per hour';

/** spec: Pod, every field of the table, and `template` (includeTemplate). */
export const podFields: FieldTable<Pod> = {
  id: { label: 'Id', form: 'id', unit: null, meaning: 'Identifies the pod.' },
  name: {
    label: 'Name',
    form: 'text',
    unit: null,
    meaning: 'Chosen by its user, at most 191 characters; several pods may have the same.',
  },
  desiredStatus: {
    label: 'Desired status',
    form: 'text',
    unit: null,
    meaning: 'What the pod is expected to be now: RUNNING, EXITED or TERMINATED. Not what it has reached.',
  },
  image: { label: 'Image', form: 'id', unit: null, meaning: 'The container image with its tag.' },
  adjustedCostPerHr: {
    label: 'Adjusted',
    form: 'price',
    unit: credits,
    meaning: 'What the pod costs an hour after its savings plans.',
  },
  costPerHr: {
    label: 'List',
    form: 'price',
    unit: credits,
    meaning: 'The list price; with savings plans the pod may cost less.',
  },
  consumerUserId: { label: 'Owner', form: 'id', unit: null, meaning: 'The user who rents the pod.' },
  containerDiskInGb: {
    label: 'Disk',
    form: 'number',
    unit: 'GB',
    aside: 'temporary',
    meaning: "Size of the container's disk. It is wiped on restart.",
  },
  containerRegistryAuthId: {
    label: 'Registry auth',
    form: 'id',
    unit: null,
    meaning: 'The registry login the image is pulled with, if any.',
  },
  cpuFlavorId: { label: 'CPU flavor', form: 'id', unit: null, meaning: 'The kind of CPU, for pods without GPUs.' },
  dockerEntrypoint: {
    label: 'Entrypoint',
    form: 'arguments',
    unit: null,
    whenEmpty: 'from the image',
    meaning: "Replaces the image's ENTRYPOINT. An empty list uses the image's own.",
  },
  dockerStartCmd: {
    label: 'Start command',
    form: 'arguments',
    unit: null,
    whenEmpty: 'from the image',
    meaning: "Replaces the image's CMD. An empty list uses the image's own.",
  },
  endpointId: {
    label: 'Endpoint',
    form: 'id',
    unit: null,
    meaning: 'The endpoint the pod works for, if it is a serverless worker.',
  },
  aiApiId: {
    label: 'AI API',
    form: 'id',
    unit: null,
    meaning: 'An older name for the endpoint: the same id as endpointId.',
  },
  env: {
    label: 'Environment',
    form: 'map',
    unit: null,
    whenEmpty: 'no variables',
    meaning: 'Variables the container starts with. Values are hidden; each can be shown for ten seconds.',
  },
  gpu: { label: 'GPU', form: 'object', unit: null, meaning: "Kind and count of the pod's GPUs, with their prices." },
  interruptible: {
    label: 'Interruptible',
    form: 'yesNo',
    unit: null,
    booleanText: ['Yes, can be stopped at any time', 'No, reserved'],
    meaning:
      'Yes: cheaper, and it can be stopped at any time. No: reserved, it runs until it exits or is stopped by hand.',
  },
  lastStartedAt: {
    label: 'Last started',
    form: 'time',
    unit: 'UTC',
    meaning: 'When the pod was started last, in UTC.',
  },
  lastStatusChange: {
    label: 'Last status change',
    form: 'text',
    unit: null,
    meaning: "The last event of its life in the service's own words.",
  },
  locked: {
    label: 'Locked',
    form: 'yesNo',
    unit: null,
    booleanText: ['Locked', 'Not locked'],
    meaning: 'A locked pod cannot be stopped or reset.',
  },
  machine: {
    label: 'Machine',
    form: 'object',
    unit: null,
    flag: 'includeMachine',
    meaning: 'The host the pod runs on. In the reply with includeMachine.',
  },
  machineId: { label: 'Id', form: 'id', unit: null, meaning: 'Identifies the host machine.' },
  memoryInGb: { label: 'Memory', form: 'number', unit: 'GB', meaning: 'RAM of the pod.' },
  networkVolume: {
    label: 'Network volume',
    form: 'object',
    unit: null,
    flag: 'includeNetworkVolume',
    meaning: 'The network volume attached to the pod. In the reply with includeNetworkVolume.',
  },
  portMappings: {
    label: 'Port mappings',
    form: 'map',
    unit: null,
    whenEmpty: 'nothing mapped',
    meaning: 'Which public port leads to which port inside. Empty while the pod initializes.',
  },
  ports: {
    label: 'Ports',
    form: 'list',
    unit: null,
    whenEmpty: 'no ports',
    meaning: 'What the container opens, each as <port>/<protocol> with http or tcp.',
  },
  publicIp: {
    label: 'Public IP',
    form: 'id',
    unit: null,
    meaning: 'The IPv4 address the pod is reached at. Empty until initialization completes.',
  },
  savingsPlans: {
    label: 'Savings plans',
    form: 'list',
    unit: null,
    flag: 'includeSavingsPlans',
    whenEmpty: 'no active plan',
    meaning: 'The active savings plans. In the reply with includeSavingsPlans.',
  },
  slsVersion: {
    label: 'Endpoint version',
    form: 'number',
    unit: null,
    meaning: 'The version of its endpoint, if the pod is a serverless worker. A rolling release raises it.',
  },
  template: {
    label: 'Template',
    form: 'object',
    unit: null,
    flag: 'includeTemplate',
    meaning:
      'The template the pod was made from. In the reply with includeTemplate; its fields are not in the ' +
      'specification of the pod.',
  },
  templateId: { label: 'Template', form: 'id', unit: null, meaning: 'The template the pod was made from, if any.' },
  vcpuCount: { label: 'vCPU', form: 'number', unit: 'vCPU', meaning: 'Virtual CPUs of the pod.' },
  volumeEncrypted: {
    label: 'Encrypted',
    form: 'yesNo',
    unit: null,
    meaning: "Whether the pod's volume is encrypted. It can be set only when the pod is created.",
  },
  volumeInGb: {
    label: 'Volume',
    form: 'number',
    unit: 'GB',
    aside: 'kept',
    meaning: "Size of the pod's volume. It survives restarts.",
  },
  volumeMountPath: {
    label: 'Mounted at',
    form: 'raw',
    unit: null,
    meaning: "Where the pod's volume or the network volume appears in the container; an absolute path.",
  },
};

/** spec: GPU type object. */
export const gpuFields: FieldTable<Gpu> = {
  id: { label: 'Type', form: 'id', unit: null, meaning: 'Identifies the GPU type.' },
  count: { label: 'Count', form: 'number', unit: 'GPUs', meaning: 'How many GPUs of this type.' },
  displayName: { label: 'Name', form: 'text', unit: null, meaning: 'Name of the GPU type.' },
  securePrice: { label: 'Secure', form: 'price', unit: credits, meaning: 'Price in the secure cloud.' },
  communityPrice: { label: 'Community', form: 'price', unit: credits, meaning: 'Price in the community cloud.' },
  oneMonthPrice: { label: '1 month', form: 'price', unit: credits, meaning: 'Price with a savings plan of one month.' },
  threeMonthPrice: {
    label: '3 months',
    form: 'price',
    unit: credits,
    meaning: 'Price with a savings plan of three months.',
  },
  sixMonthPrice: {
    label: '6 months',
    form: 'price',
    unit: credits,
    meaning: 'Price with a savings plan of six months.',
  },
  oneWeekPrice: { label: '1 week', form: 'price', unit: credits, meaning: 'Price with a savings plan of one week.' },
  communitySpotPrice: {
    label: 'Community spot',
    form: 'price',
    unit: credits,
    meaning: 'Price of an interruptible pod in the community cloud.',
  },
  secureSpotPrice: {
    label: 'Secure spot',
    form: 'price',
    unit: credits,
    meaning: 'Price of an interruptible pod in the secure cloud.',
  },
};

/** spec: Machine object, cpuType. */
export const cpuTypeFields: FieldTable<CpuType> = {
  id: { label: 'Type', form: 'id', unit: null, meaning: 'Identifies the CPU type.' },
  displayName: { label: 'Name', form: 'text', unit: null, meaning: 'Name of the CPU type.' },
  groupId: { label: 'Group', form: 'text', unit: null, meaning: 'The family the CPU type belongs to.' },
  cores: { label: 'Cores', form: 'number', unit: 'cores', meaning: 'Cores of the CPU type.' },
  threadsPerCore: { label: 'Threads', form: 'number', unit: 'per core', meaning: 'Threads each core runs at a time.' },
};

/** spec: Machine object. */
export const machineFields: FieldTable<Machine> = {
  minPodGpuCount: {
    label: 'Minimum GPUs',
    form: 'number',
    unit: 'GPUs',
    meaning: 'The fewest GPUs a pod on this machine rents.',
  },
  gpuTypeId: { label: 'GPU type', form: 'id', unit: null, meaning: "Identifies the type of the machine's GPUs." },
  gpuType: { label: 'GPUs', form: 'object', unit: null, meaning: "The type of the machine's GPUs, with prices." },
  cpuCount: { label: 'CPUs', form: 'number', unit: 'CPUs', meaning: 'CPUs of the whole machine.' },
  cpuTypeId: { label: 'CPU type', form: 'id', unit: null, meaning: "Identifies the type of the machine's CPU." },
  cpuType: { label: 'CPU', form: 'object', unit: null, meaning: "The type of the machine's CPU." },
  location: {
    label: 'Location',
    form: 'text',
    unit: null,
    meaning: 'Location of the machine, as the service writes it.',
  },
  dataCenterId: {
    label: 'Data centre',
    form: 'text',
    unit: null,
    meaning: "Identifies the machine's data centre.",
  },
  diskThroughputMBps: {
    label: 'Disk',
    form: 'number',
    unit: 'MB/s',
    meaning: "Throughput of the machine's disk, in megabytes a second.",
  },
  maxDownloadSpeedMbps: {
    label: 'Download',
    form: 'number',
    unit: 'Mbps',
    meaning: 'Fastest download, in megabits a second.',
  },
  maxUploadSpeedMbps: {
    label: 'Upload',
    form: 'number',
    unit: 'Mbps',
    meaning: 'Fastest upload, in megabits a second.',
  },
  supportPublicIp: {
    label: 'Public IP',
    form: 'yesNo',
    unit: null,
    booleanText: ['Supported', 'Not supported'],
    meaning: 'Whether pods on this machine can have a public IP.',
  },
  secureCloud: {
    label: 'Cloud',
    form: 'yesNo',
    unit: null,
    booleanText: ['Secure', 'Community'],
    meaning: 'Yes: a machine of the secure cloud. No: of the community cloud.',
  },
  maintenanceStart: {
    label: 'Service from',
    form: 'time',
    unit: 'UTC',
    meaning: 'When the next announced work on the machine begins.',
  },
  maintenanceEnd: {
    label: 'Service until',
    form: 'time',
    unit: 'UTC',
    meaning: 'When the announced work on the machine ends.',
  },
  maintenanceNote: {
    label: 'Service note',
    form: 'text',
    unit: null,
    meaning: 'What the owner says about the announced work.',
  },
  note: { label: 'Note', form: 'text', unit: null, meaning: 'What the owner says about the machine.' },
  costPerHr: {
    label: 'Cost',
    form: 'price',
    unit: credits,
    meaning: "What the pod's part of the machine costs an hour.",
  },
  currentPricePerGpu: {
    label: 'Price per GPU',
    form: 'price',
    unit: credits,
    meaning: 'What one GPU of the machine costs an hour at present.',
  },
  gpuAvailable: {
    label: 'Free GPUs',
    form: 'number',
    unit: 'GPUs',
    meaning: 'GPUs of the machine that are not rented.',
  },
  gpuDisplayName: { label: 'GPU name', form: 'text', unit: null, meaning: "Name of the machine's GPU type." },
};

/** spec: Pod, networkVolume. */
export const networkVolumeFields: FieldTable<NetworkVolume> = {
  id: { label: 'Id', form: 'id', unit: null, meaning: 'Identifies the network volume.' },
  name: { label: 'Name', form: 'text', unit: null, meaning: 'Name of the network volume.' },
  size: { label: 'Size', form: 'number', unit: 'GB', meaning: 'Size of the network volume.' },
  dataCenterId: {
    label: 'Data centre',
    form: 'text',
    unit: null,
    meaning: 'Identifies the data centre the volume lies in.',
  },
};

/** spec: Pod, savingsPlans, each item. */
export const savingsPlanFields: FieldTable<SavingsPlan> = {
  id: { label: 'Plan', form: 'id', unit: null, meaning: 'Identifies the savings plan.' },
  podId: { label: 'Pod', form: 'id', unit: null, meaning: 'The pod the plan covers.' },
  gpuTypeId: { label: 'GPU type', form: 'id', unit: null, meaning: 'The GPU type the plan covers.' },
  costPerHr: { label: 'Cost', form: 'price', unit: credits, meaning: 'What the pod costs an hour under the plan.' },
  startTime: { label: 'From', form: 'time', unit: 'UTC', meaning: 'When the plan began.' },
  endTime: { label: 'Until', form: 'time', unit: 'UTC', meaning: 'When the plan ends; then the list price applies.' },
};

/** What each flag adds to the reply (spec: Get a pod). */
export const includeHints: Readonly<Record<PodInclude, string>> = {
  includeMachine: 'the host machine',
  includeNetworkVolume: 'the attached volume',
  includeSavingsPlans: 'active savings plans',
  includeTemplate: 'its template',
  includeWorkers: 'all pods that are serverless workers',
};
