import { failed, ok } from '../../src-preload/failure.ts';
import type { CpuType, Gpu, Machine, NetworkVolume, Pod, PodReply, SavingsPlan } from '../../src-preload/pod.ts';
import type { Template, TemplateReply } from '../../src-preload/template.ts';
import {
  deepestValue,
  extraOf,
  idOf,
  nestsDeeper,
  numberOf,
  objectOf,
  textOf,
  type Fields,
  type Parsed,
} from './shapes.ts';
import { memberTexts, parseJson } from '../../src-preload/json-spans.ts';
import { replyText } from '../messages/service/failures.ts';

/**
 * Reads one value of the form that the specification gives. Undefined if it is of another form. Never called with null.
 */
type Read<T> = (value: unknown, odd: (name: string) => void) => T | undefined;
/** A reader for every field of T. A field of the type without a reader does not compile. */
type Readers<T> = { [Name in keyof T]-?: Read<NonNullable<T[Name]>> };

const text: Read<string> = (value) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
const number: Read<number> = (value) => numberOf(value) ?? undefined;
const yesNo: Read<boolean> = (value) =>
  typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
const texts: Read<string[]> = (value) =>
  Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;

/** Variables: names to texts. Numbers and booleans, which some services send, become texts. */
const variables: Read<Record<string, string>> = (value) =>
  mapOf(value, (element) =>
    typeof element === 'boolean' ? String(element) : element === null ? '' : text(element, ignore),
  );
/** Null is not a number: a port that is not mapped yet. */
const numbers: Read<Record<string, number>> = (value) =>
  mapOf(value, (element) => (element === null ? null : number(element, ignore)));

const gpuReaders: Readers<Gpu> = {
  id: text,
  count: number,
  displayName: text,
  securePrice: number,
  communityPrice: number,
  oneMonthPrice: number,
  threeMonthPrice: number,
  sixMonthPrice: number,
  oneWeekPrice: number,
  communitySpotPrice: number,
  secureSpotPrice: number,
};

const cpuTypeReaders: Readers<CpuType> = {
  id: text,
  displayName: text,
  groupId: text,
  cores: number,
  threadsPerCore: number,
};

const machineReaders: Readers<Machine> = {
  minPodGpuCount: number,
  gpuTypeId: text,
  gpuType: nested('gpuType', gpuReaders),
  cpuCount: number,
  cpuTypeId: text,
  cpuType: nested('cpuType', cpuTypeReaders),
  location: text,
  dataCenterId: text,
  diskThroughputMBps: number,
  maxDownloadSpeedMbps: number,
  maxUploadSpeedMbps: number,
  supportPublicIp: yesNo,
  secureCloud: yesNo,
  maintenanceStart: text,
  maintenanceEnd: text,
  maintenanceNote: text,
  note: text,
  costPerHr: number,
  currentPricePerGpu: number,
  gpuAvailable: number,
  gpuDisplayName: text,
};

const networkVolumeReaders: Readers<NetworkVolume> = { id: text, name: text, size: number, dataCenterId: text };

const savingsPlanReaders: Readers<SavingsPlan> = {
  id: text,
  podId: text,
  gpuTypeId: text,
  costPerHr: number,
  startTime: text,
  endTime: text,
};

const templateReaders: Readers<Template> = {
  id: text,
  name: text,
  imageName: text,
  category: text,
  containerDiskInGb: number,
  containerRegistryAuthId: text,
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  earned: number,
  env: variables,
  isPublic: yesNo,
  isRunpod: yesNo,
  isServerless: yesNo,
  ports: texts,
  readme: text,
  runtimeInMin: number,
  volumeInGb: number,
  volumeMountPath: text,
};

const podReaders: Readers<Pod> = {
  id: text,
  name: text,
  desiredStatus: text,
  image: text,
  adjustedCostPerHr: number,
  costPerHr: number,
  consumerUserId: text,
  containerDiskInGb: number,
  containerRegistryAuthId: text,
  cpuFlavorId: text,
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  endpointId: text,
  aiApiId: text,
  env: variables,
  gpu: nested('gpu', gpuReaders),
  interruptible: yesNo,
  lastStartedAt: text,
  lastStatusChange: text,
  locked: yesNo,
  machine: nested('machine', machineReaders),
  machineId: text,
  memoryInGb: number,
  networkVolume: nested('networkVolume', networkVolumeReaders),
  portMappings: numbers,
  ports: texts,
  publicIp: text,
  savingsPlans: list('savingsPlans', savingsPlanReaders),
  slsVersion: number,
  template: (value, odd) => withId(value, nested('template', templateReaders)(value, odd)),
  templateId: text,
  vcpuCount: number,
  volumeEncrypted: yesNo,
  volumeInGb: number,
  volumeMountPath: text,
};

/** What is returned of a reply about a pod or a template. */
export const podFields: readonly string[] = [...Object.keys(podReaders), 'workers'];
export const templateFields: readonly string[] = Object.keys(templateReaders);

/** Reads a pod in a JSON text. See `readPodFields`. */
export function readPod(raw: string, requestedId: string): Parsed<PodReply> {
  const read = readObject(raw);
  return read.ok ? readPodFields(read.value, requestedId) : read;
}

/**
 * spec: Pod. `askedId` is used if the reply has no id. Fields of another form than listed are named in `oddFields`
 * (ruling 29).
 */
export function readPodFields(reply: Fields, requestedId: string): Parsed<PodReply> {
  const fields = valuesOf(reply, Object.keys(podReaders));
  if (fields.size === 0) return failed(replyText.noPodField);
  const oddFields: string[] = [];
  const pod = readFields(fields, podReaders, (name) => oddFields.push(name));
  return ok({
    pod: { ...pod, id: idOf(reply.texts.get('id')) ?? requestedId },
    workersJson: reply.texts.get('workers') ?? null,
    extra: extraOf(reply, new Set(podFields)),
    oddFields,
    raw: reply.raw,
  });
}

/** spec: Template. `askedId` is used if the reply has no id. */
export function readTemplateFields(reply: Fields, requestedId: string): Parsed<TemplateReply> {
  const fields = valuesOf(reply, templateFields);
  if (fields.size === 0) return failed(replyText.noTemplateField);
  const oddFields: string[] = [];
  const template = readFields(fields, templateReaders, (name) => oddFields.push(name));
  return ok({
    template: { ...template, id: idOf(reply.texts.get('id')) ?? requestedId },
    extra: extraOf(reply, new Set(templateFields)),
    oddFields,
    raw: reply.raw,
  });
}

/** Characters; a longer object or list is not a field of a pod and stays text. */
const maxFieldChars = 262_144;

/** The values of those `names` that exist, in the order they came. */
function valuesOf({ texts }: Fields, names: readonly string[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, json] of texts) {
    if (!names.includes(name)) continue;
    const value: unknown = json.length <= maxFieldChars || json.startsWith('"') ? JSON.parse(json) : json;
    values.set(name, value);
  }
  return values;
}

/** Reads what is there: absent stays absent, null stays null, and fields of another form are named and left out. */
function readFields<T extends object>(
  fields: Map<string, unknown>,
  readers: Readers<T>,
  odd: (name: string) => void,
): Partial<T> {
  const result: Partial<T> = {};
  for (const name in readers) {
    if (!fields.has(name)) continue;
    const value = fields.get(name);
    if (value === null) {
      Object.assign(result, { [name]: null });
      continue;
    }
    const read = readers[name](value, odd);
    if (read === undefined) odd(name);
    else Object.assign(result, { [name]: read });
  }
  return result;
}

function nested<T extends object>(prefix: string, readers: Readers<T>): Read<Partial<T>> {
  return (value, odd) => {
    const fields = objectOf(value);
    return fields === null ? undefined : readFields(fields, readers, (name) => odd(`${prefix}.${name}`));
  };
}

function list<T extends object>(prefix: string, readers: Readers<T>): Read<Partial<T>[]> {
  return (value, odd) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((element, index) => nested(`${prefix}.${index}`, readers)(element, odd));
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

function withId(value: unknown, template: Partial<Template> | undefined): Template | undefined {
  return template === undefined ? undefined : { ...template, id: textOf(objectOf(value)?.get('id')) ?? '' };
}

/** `read` returns null to leave an element out, and undefined if the whole map is of another form. */
function mapOf<T>(value: unknown, read: (element: unknown) => T | null | undefined): Record<string, T> | undefined {
  const fields = objectOf(value);
  if (fields === null) return undefined;
  const entries: [string, T][] = [];
  for (const [name, element] of fields) {
    const part = read(element);
    if (part === undefined) return undefined;
    if (part !== null) entries.push([name, part]);
  }
  return Object.fromEntries(entries);
}

function ignore(): void {}

/** Reads a text that must be a JSON object: one that was saved, or a short one. */
export function readObject(raw: string): Parsed<Fields> {
  if (raw.trim() === '') return failed(replyText.empty);
  const value = parseJson(raw);
  if (value === undefined) return failed(/^\s*</.test(raw) ? replyText.page : replyText.notJson);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failed(replyText.notObject);
  const texts = memberTexts(raw);
  const deep = new Set([...texts].filter(([, json]) => nestsDeeper(json, deepestValue)).map(([name]) => name));
  return ok({ raw, texts, deep, idText: texts.get('id') ?? null, errorText: null });
}
