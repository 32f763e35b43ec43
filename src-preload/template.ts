import type { z } from 'zod';
import type { ServiceFailure } from './failure.ts';
import type { templateUpdate } from './template-schema.ts';

/**
 * A template as the service sent it (spec: Template). A missing field is absent here, null is null, and numbers sent as
 * text are numbers (ruling 29). The text of the reply is in `TemplateReply.raw`.
 */
export interface Template {
  id: string;
  /** Unique among the user's templates. */
  name?: string | null;
  imageName?: string | null;
  /** NVIDIA, AMD or CPU at present. */
  category?: string | null;
  /** Wiped on restart. */
  containerDiskInGb?: number | null;
  containerRegistryAuthId?: string | null;
  /** Empty: the image's own ENTRYPOINT. */
  dockerEntrypoint?: string[] | null;
  /** Empty: the image's own CMD. */
  dockerStartCmd?: string[] | null;
  /** Credits its creator earned from it. */
  earned?: number | null;
  /** Carries secrets: masked before it leaves main. */
  env?: Record<string, string> | null;
  isPublic?: boolean | null;
  isRunpod?: boolean | null;
  /** True: its instances are serverless workers, and an update rolls them (ruling 31). */
  isServerless?: boolean | null;
  /** `<port>/<protocol>`. */
  ports?: string[] | null;
  /** Markdown. */
  readme?: string | null;
  /** The specification does not say what it means. */
  runtimeInMin?: number | null;
  /** Kept across restarts. */
  volumeInGb?: number | null;
  volumeMountPath?: string | null;
}

/** A template with the rest of its reply. */
export interface TemplateReply {
  template: Template;
  /** Fields that the specification does not name. */
  extra: Record<string, unknown>;
  /**
   * Dotted names of fields whose value is not of the form that the specification gives. They are absent from
   * `template`; their value is in `raw`.
   */
  oddFields: string[];
  /** Raw reply. Contains env values. */
  raw: string;
}

/** The defaults that the service applies to fields that an update leaves out (spec: Update a template; ruling 22). */
export const templateDefaults = {
  containerDiskInGb: 50,
  isPublic: false,
  readme: '',
  volumeInGb: 20,
  volumeMountPath: '/workspace',
} as const;

/** Body of an update (spec: Update a template). */
export type TemplateUpdate = z.infer<typeof templateUpdate>;

/** Every field that an update can contain, in the order of the form and the request. */
export const updatableFields = [
  'name',
  'imageName',
  'containerRegistryAuthId',
  'dockerEntrypoint',
  'dockerStartCmd',
  'containerDiskInGb',
  'volumeInGb',
  'volumeMountPath',
  'ports',
  'isPublic',
  'env',
  'readme',
] as const satisfies readonly (keyof Template & keyof TemplateUpdate)[];
export type UpdatableField = (typeof updatableFields)[number];

/** What an update cannot change, in the order of the form. */
export const fixedFields = [
  'id',
  'category',
  'isServerless',
  'isRunpod',
  'earned',
  'runtimeInMin',
] as const satisfies readonly Exclude<keyof Template, UpdatableField>[];

/** A template as windows get it: only the names of its variables. */
export type SeenTemplate = Omit<Template, 'env'> & { env?: readonly string[] | null };

/** Where a copy of a template came from (ruling 23). */
export type TemplateSource = { kind: 'update-reply' } | { kind: 'pod'; podId: string };

/** A dated copy of a template (ruling 23). */
export interface TemplateSnapshot {
  /** Counts up per template, from 1. */
  seq: number;
  /** When it was first seen in this form. */
  atMs: number;
  /** When it was last seen with the same values. */
  seenAtMs: number;
  /** The source of the last time. */
  source: TemplateSource;
  template: SeenTemplate;
  /**
   * Fields that the last reply did not have, with the time their value was last known, from an earlier copy or an
   * update.
   */
  carriedAtMs: Partial<Record<keyof Template, number>>;
  /** Fields whose value is not of the form that the specification gives. */
  oddFields: string[];
}

/** One variable of a draft. */
export interface EnvEntry {
  name: string;
  /** Null: unchanged from copy `from`, or from the copy that the draft is based on. Main fills it in. */
  value: string | null;
  from?: number | undefined;
}

/** The edits of a template in the form: numbers and ports as entered. An untouched field is absent. */
export interface TemplateEdits {
  name?: string | undefined;
  imageName?: string | undefined;
  containerRegistryAuthId?: string | undefined;
  dockerEntrypoint?: string[] | undefined;
  dockerStartCmd?: string[] | undefined;
  containerDiskInGb?: string | undefined;
  volumeInGb?: string | undefined;
  volumeMountPath?: string | undefined;
  ports?: string[] | undefined;
  isPublic?: boolean | undefined;
  env?: EnvEntry[] | undefined;
  readme?: string | undefined;
}

/** A draft kept over restarts. */
export interface TemplateDraft {
  /** The copy it is based on. Null: none was known. */
  baseSeq: number | null;
  edits: TemplateEdits;
  savedAtMs: number;
  /** Names of variables whose entered value was kept for an earlier session only. */
  lostEnv: string[];
  /** The text in the field for a .env file that is neither imported nor discarded. Absent: none. */
  pastedEnv?: string | undefined;
  /** Such a text was kept for an earlier session only. */
  isPasteLost: boolean;
}

/** An endpoint with a worker that was made from a template. */
export interface TemplateUse {
  endpointId: string;
  podId: string;
  atMs: number;
}

/**
 * A field whose value in an update's reply differs from the request, or that changed without one. Env values are never
 * included.
 */
export interface OutcomeDifference {
  field: UpdatableField;
  /** The requested value as text. Null: the field was not sent. */
  asked: string | null;
  /** The value in the reply as text. Null: the reply does not have the field. */
  got: string | null;
}

/** The last update of a template. It exists from before it is sent. */
export interface TemplateUpdateRecord {
  atMs: number;
  /** What was sent, field by field, in the order sent. */
  changed: UpdatableField[];
  pinned: UpdatableField[];
  /** The copy before it. Null: none was known. */
  formerSeq: number | null;
  outcome:
    | { kind: 'pending' }
    | { kind: 'applied'; seq: number; differences: OutcomeDifference[] }
    | { kind: 'refused'; failure: ServiceFailure }
    /** It may or may not have reached the service. Also after a crash while it was in progress (ruling 9). */
    | { kind: 'unknown'; failure: ServiceFailure | null };
}

/** Everything known here of one template. */
export interface TemplateView {
  connectionId: string;
  templateId: string;
  known: TemplateSnapshot | null;
  /** True if the values of the copy's variables can no longer be read: they were kept for an earlier session only. */
  isEnvLost: boolean;
  /** The saved copies, newest first, without their content. */
  history: { seq: number; atMs: number; source: TemplateSource }[];
  /** Newest first. Other endpoints may use it too: the service has no list. */
  uses: TemplateUse[];
  /** Pods that it was seen at, newest first. It can be read again from one of them. */
  podIds: string[];
  lastUpdate: TemplateUpdateRecord | null;
  draft: TemplateDraft | null;
  /** False: entered values of variables are lost when this session ends. */
  isVaultLasting: boolean;
}

/** One line in the list of templates. */
export interface TemplateSummary {
  connectionId: string;
  templateId: string;
  /** Null: only its id is known. */
  name: string | null;
  imageName: string | null;
  category: string | null;
  isServerless: boolean | null;
  isRunpod: boolean | null;
  /** Null: it was never seen. */
  seenAtMs: number | null;
  source: TemplateSource | null;
  endpointIds: string[];
  hasDraft: boolean;
  /** Null: never updated from here. */
  lastOutcome: TemplateUpdateRecord['outcome']['kind'] | null;
  /** When updates from here were applied, as far as copies of them are saved; oldest first. */
  updatedAtMs: number[];
}

/** The edits that restore the state before the last update. */
export interface TemplateUndo {
  edits: TemplateEdits;
  /** Fields that cannot be restored: their former value is unknown, or an update cannot send it. */
  notRestorable: UpdatableField[];
}

/** What the user must enter to confirm an update, and what that is (ruling 31). Null: a tick is enough. */
export function confirmationOf(
  templateId: string,
  known: Pick<SeenTemplate, 'name' | 'isServerless'> | null,
): { word: string; kind: 'name' | 'id' } | null {
  // Unless it is known to be a pod's template, it may be an endpoint's.
  if (known?.isServerless === false) return null;
  const name = known?.name ?? '';
  return canBeTyped(name) ? { word: name, kind: 'name' } : { word: templateId, kind: 'id' };
}

/**
 * Whether a name can be entered as it is shown: one line without invisible characters, with spaces only between words.
 */
function canBeTyped(name: string): boolean {
  return name.length <= 191 && /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u.test(name);
}
