import type { Pod, PodInclude } from '../../../src-preload/pod.ts';

/** What a field is called and what it means. */
export interface FieldText {
  label: string;
  unit?: string;
  /** One or two sentences (spec: Pod). */
  meaning: string;
  /** The text for true and false, if "Yes" and "No" say too little. */
  booleanText?: readonly [whenTrue: string, whenFalse: string];
  /** What an empty list or text means. */
  whenEmpty?: string;
  /** Written after the value: `80 GB, wiped on restart`. */
  aside?: string;
}

/** One entry for every field of T. A field of the type without an entry does not compile. */
export type FieldTexts<T> = { readonly [Name in keyof T]-?: FieldText };

/** The unit of a pod's prices. */
export const creditsPerHour = 'credits per hour';

/** spec: Pod, every field of the table, and `template` (includeTemplate). */
export const podFieldText: FieldTexts<Pod> = {
  id: { label: 'Id', meaning: 'Identifies the pod.' },
  name: { label: 'Name', meaning: 'Chosen by its user, at most 191 characters; several pods may have the same.' },
  desiredStatus: {
    label: 'Desired status',
    meaning: 'What the pod is expected to be now: RUNNING, EXITED or TERMINATED. Not what it has reached.',
  },
  image: { label: 'Image', meaning: 'The container image with its tag.' },
  adjustedCostPerHr: {
    label: 'Adjusted',
    unit: creditsPerHour,
    meaning: 'What the pod costs an hour after its savings plans.',
  },
  costPerHr: {
    label: 'List',
    unit: creditsPerHour,
    meaning: 'The list price; with savings plans the pod may cost less.',
  },
  consumerUserId: { label: 'Owner', meaning: 'The user who rents the pod.' },
  containerDiskInGb: {
    label: 'Disk',
    unit: 'GB',
    aside: 'temporary',
    meaning: 'Size of the container’s disk. It is wiped on restart.',
  },
  containerRegistryAuthId: { label: 'Registry auth', meaning: 'The registry login the image is pulled with, if any.' },
  cpuFlavorId: { label: 'CPU flavor', meaning: 'The kind of CPU, for pods without GPUs.' },
  dockerEntrypoint: {
    label: 'Entrypoint',
    whenEmpty: 'from the image',
    meaning: 'Replaces the image’s ENTRYPOINT. An empty list uses the image’s own.',
  },
  dockerStartCmd: {
    label: 'Start command',
    whenEmpty: 'from the image',
    meaning: 'Replaces the image’s CMD. An empty list uses the image’s own.',
  },
  endpointId: { label: 'Endpoint', meaning: 'The endpoint the pod works for, if it is a serverless worker.' },
  aiApiId: { label: 'AI API', meaning: 'An older name for the endpoint: the same id as endpointId.' },
  env: {
    label: 'Environment',
    whenEmpty: 'no variables',
    meaning: 'Variables the container starts with. Values are hidden; each can be shown for ten seconds.',
  },
  gpu: { label: 'GPU', meaning: 'Kind and count of the pod’s GPUs, with their prices.' },
  interruptible: {
    label: 'Interruptible',
    booleanText: ['Yes, can be stopped at any time', 'No, reserved'],
    meaning:
      'Yes: cheaper, and it can be stopped at any time. No: reserved, it runs until it exits or is stopped by hand.',
  },
  lastStartedAt: { label: 'Last started', unit: 'UTC', meaning: 'When the pod was started last, in UTC.' },
  lastStatusChange: { label: 'Last status change', meaning: 'The last event of its life in the service’s own words.' },
  locked: {
    label: 'Locked',
    booleanText: ['Locked', 'Not locked'],
    meaning: 'A locked pod cannot be stopped or reset.',
  },
  machine: { label: 'Machine', meaning: 'The host the pod runs on. In the reply with includeMachine.' },
  machineId: { label: 'Id', meaning: 'Identifies the host machine.' },
  memoryInGb: { label: 'Memory', unit: 'GB', meaning: 'RAM of the pod.' },
  networkVolume: {
    label: 'Network volume',
    meaning: 'The network volume attached to the pod. In the reply with includeNetworkVolume.',
  },
  portMappings: {
    label: 'Port mappings',
    whenEmpty: 'nothing mapped',
    meaning: 'Which public port leads to which port inside. Empty while the pod initializes.',
  },
  ports: {
    label: 'Ports',
    whenEmpty: 'no ports',
    meaning: 'What the container opens, each as <port>/<protocol> with http or tcp.',
  },
  publicIp: {
    label: 'Public IP',
    meaning: 'The IPv4 address the pod is reached at. Empty until initialization completes.',
  },
  savingsPlans: {
    label: 'Savings plans',
    whenEmpty: 'no active plan',
    meaning: 'The active savings plans. In the reply with includeSavingsPlans.',
  },
  slsVersion: {
    label: 'Endpoint version',
    meaning: 'The version of its endpoint, if the pod is a serverless worker. A rolling release raises it.',
  },
  template: {
    label: 'Template',
    meaning:
      'The template the pod was made from. In the reply with includeTemplate; its fields are not in the ' +
      'specification of the pod.',
  },
  templateId: { label: 'Template', meaning: 'The template the pod was made from, if any.' },
  vcpuCount: { label: 'vCPU', unit: 'vCPU', meaning: 'Virtual CPUs of the pod.' },
  volumeEncrypted: {
    label: 'Encrypted',
    meaning: 'Whether the pod’s volume is encrypted. It can be set only when the pod is created.',
  },
  volumeInGb: {
    label: 'Volume',
    unit: 'GB',
    aside: 'kept',
    meaning: 'Size of the pod’s volume. It survives restarts.',
  },
  volumeMountPath: {
    label: 'Mounted at',
    meaning: 'Where the pod’s volume or the network volume appears in the container; an absolute path.',
  },
};

/** The parts of the window that show one field. */
export const fieldText = {
  /** For screen readers: the label and the name in the API. */
  name: (label: string, path: string): string => `${label}, ${path}`,
  inUnit: (unit: string): string => `In ${unit}.`,
  oddFormat: 'unexpected format',
  copy: (label: string): string => `Copy ${label.toLowerCase()}`,
  copied: 'Field copied',
  nothingToCopy: 'The reply does not contain this field',
};

/** What each flag adds to the reply (spec: Get a pod). */
export const includeHints: Readonly<Record<PodInclude, string>> = {
  includeMachine: 'the host machine',
  includeNetworkVolume: 'the attached volume',
  includeSavingsPlans: 'active savings plans',
  includeTemplate: 'its template',
  includeWorkers: 'all pods that are serverless workers',
};
