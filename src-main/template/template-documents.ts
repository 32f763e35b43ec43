import { parseJson } from '../../src-preload/json-spans.ts';
import { z } from 'zod';
import { templateEdits } from '../../src-preload/template-schema.ts';
import {
  updatableFields,
  type SeenTemplate,
  type TemplateUpdateRecord,
  type TemplateUse,
} from '../../src-preload/template.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { parseDocument, type DocumentKind } from '../history/collection.ts';
import type { PodReply } from '../../src-preload/pod.ts';

/** What is saved of templates, as documents of the history. Values of variables are always sealed. */

const text = z.string().nullable().exactOptional();
const number = z.number().nullable().exactOptional();
const yesNo = z.boolean().nullable().exactOptional();
const texts = z.array(z.string()).nullable().exactOptional();
const seenTemplate: z.ZodType<SeenTemplate> = z.object({
  id: z.string(),
  name: text,
  imageName: text,
  category: text,
  containerDiskInGb: number,
  containerRegistryAuthId: text,
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  earned: number,
  env: texts,
  isPublic: yesNo,
  isRunpod: yesNo,
  isServerless: yesNo,
  ports: texts,
  readme: text,
  runtimeInMin: number,
  volumeInGb: number,
  volumeMountPath: text,
});
const source = z.union([
  z.object({ kind: z.literal('update-reply') }),
  z.object({ kind: z.literal('pod'), podId: z.string() }),
]);
const seq = z.number().int().min(1);

const storedCopy = z.object({
  seq,
  atMs: z.number(),
  seenAtMs: z.number(),
  source,
  /** The service it was seen at. Absent in copies of the first versions. */
  service: z.string().exactOptional(),
  template: seenTemplate,
  /** JSON of the variables, sealed. Null if there are none or they could not be sealed. */
  sealedEnv: z.string().nullable(),
  carriedAtMs: z.record(z.string(), z.number()),
  oddFields: z.array(z.string()),
});
export type StoredCopy = z.infer<typeof storedCopy>;

const field = z.enum(updatableFields);
const failure: z.ZodType<ServiceFailure> = z.object({
  kind: z.enum([
    'invalid',
    'unauthorized',
    'not-found',
    'too-large',
    'rate-limited',
    'server',
    'network',
    'timeout',
    'malformed',
    'cancelled',
  ]),
  message: z.string(),
  serviceSaid: z.string().exactOptional(),
  httpStatus: z.number().exactOptional(),
  rawReply: z.string().exactOptional(),
  retryAfterMs: z.number().exactOptional(),
  isJson: z.literal(true).exactOptional(),
  isBeyondLimits: z.literal(true).exactOptional(),
  mayHaveArrived: z.boolean(),
});
const updateRecord: z.ZodType<TemplateUpdateRecord> = z.object({
  atMs: z.number(),
  changed: z.array(field),
  pinned: z.array(field),
  formerSeq: seq.nullable(),
  outcome: z.union([
    z.object({ kind: z.literal('pending') }),
    z.object({
      kind: z.literal('applied'),
      seq,
      differences: z.array(z.object({ field, asked: z.string().nullable(), got: z.string().nullable() })),
    }),
    z.object({ kind: z.literal('refused'), failure }),
    z.object({ kind: z.literal('unknown'), failure: failure.nullable() }),
  ]),
});

const storedTemplate = z.object({
  connectionId: z.string(),
  templateId: z.string(),
  current: storedCopy.nullable(),
  history: z.array(z.object({ seq, atMs: z.number(), source })),
  uses: z.array(z.object({ endpointId: z.string(), podId: z.string(), atMs: z.number() })),
  podIds: z.array(z.string()),
  lastUpdate: updateRecord.nullable(),
});
export type StoredTemplate = z.infer<typeof storedTemplate>;

const storedDraft = z.object({
  baseSeq: seq.nullable(),
  savedAtMs: z.number(),
  /** Entered values of variables are left out here. */
  edits: templateEdits,
  /** JSON of the entered values by the index of their variable, sealed. Null if there are none. */
  sealedValues: z.string().nullable(),
  /** Names of variables whose entered value is not here, because it could not be sealed. */
  unsealed: z.array(z.string()).exactOptional(),
  /** JSON of the lines of a .env file that is not imported yet, sealed. Absent: none, or it could not be sealed. */
  sealedPaste: z.string().exactOptional(),
});
export type StoredDraft = z.infer<typeof storedDraft>;

/** A template of a connection. */
export interface TemplateAt {
  connectionId: string;
  templateId: string;
}

/** The document id of a template. */
export function documentId({ connectionId, templateId }: TemplateAt): string {
  return `${encodeURIComponent(connectionId)}/${encodeURIComponent(templateId)}`;
}

export const templateKind: DocumentKind<StoredTemplate, TemplateAt> = {
  kind: 'template',
  schema: storedTemplate,
  id: documentId,
};
export const copyKind: DocumentKind<StoredCopy, TemplateAt & { seq: number }> = {
  kind: 'template-copy',
  schema: storedCopy,
  id: (of) => `${documentId(of)}/${of.seq}`,
};
export const draftKind: DocumentKind<StoredDraft, TemplateAt> = {
  kind: 'template-draft',
  schema: storedDraft,
  id: documentId,
};

/** The subject of the sealed texts of a template, in any of its documents. */
export function templateBelonging(at: TemplateAt): string {
  return templateBelongings.template(documentId(at));
}

/** The subject of the sealed draft of a template. */
export function draftBelonging(at: TemplateAt): string {
  return templateBelongings['template-draft'](documentId(at));
}

/** By the kind of a document and its id. */
export const templateBelongings = {
  template: (id: string): string => `template/${id}`,
  'template-copy': (id: string): string => `template/${id.slice(0, id.lastIndexOf('/'))}`,
  'template-draft': (id: string): string => `template-draft/${id}`,
};

/** The variables in an opened text. Null if it has none. */
export function parseEnv(json: string | null): Record<string, string> | null {
  return json === null ? null : parseDocument(z.record(z.string(), z.string()), json);
}

const worker = z.object({ id: z.string().min(1), templateId: z.string().min(1), endpointId: z.string().min(1) });

/**
 * Which endpoints use which templates, as far as a pod shows (spec: Pod, endpointId and templateId): the pod itself,
 * and the workers that includeWorkers lists. By template id, with the first worker of each endpoint.
 */
export function usesIn(
  { pod, workersJson }: Pick<PodReply, 'pod' | 'workersJson'>,
  nowMs: number,
): Map<string, TemplateUse[]> {
  const uses = new Map<string, TemplateUse[]>();
  const candidates: unknown[] = [
    { id: pod.id, templateId: pod.templateId, endpointId: pod.endpointId ?? pod.aiApiId },
    ...listed(workersJson),
  ];
  for (const candidate of candidates) {
    const read = worker.safeParse(candidate);
    if (!read.success) continue;
    const { id: podId, templateId, endpointId } = read.data;
    const known = uses.get(templateId) ?? [];
    if (!known.some((use) => use.endpointId === endpointId))
      uses.set(templateId, [...known, { endpointId, podId, atMs: nowMs }]);
  }
  return uses;
}

function listed(json: string | null): unknown[] {
  const value = json === null ? [] : parseJson(json);
  return Array.isArray(value) ? value : [];
}
