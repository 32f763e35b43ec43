import type { z } from 'zod';
import type { ServiceFailure } from './failure.ts';
import type { templateUpdate } from './template-schema.ts';

/**
 * A template as the service sent it (spec: Template). A field left out is absent here, one sent as null is null,
 * and numbers sent as text are numbers (ruling 29); the reply's own text is kept in `TemplateReply.raw`.
 */
export interface Template {
  id: string;
  /** Unique for its user. */
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

/** A template with what came around it. */
export interface TemplateReply {
  template: Template;
  /** Fields the specification does not name. */
  extra: Record<string, unknown>;
  /**
   * Dotted names of fields whose value has another form than the specification gives; they are absent from `template`,
   * their value stands in `raw`.
   */
  oddFields: string[];
  /** Raw reply. Holds env values. */
  raw: string;
}

/** What the service sets fields to that an update leaves out (spec: Update a template; ruling 22). */
export const templateDefaults = {
  containerDiskInGb: 50,
  isPublic: false,
  readme: '',
  volumeInGb: 20,
  volumeMountPath: '/workspace',
} as const;

/** Body of an update (spec: Update a template). */
export type TemplateUpdate = z.infer<typeof templateUpdate>;

/** Every field an update can carry, in the order they are shown and sent. */
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

/** A template as a window sees it: of its variables the names only. */
export type SeenTemplate = Omit<Template, 'env'> & { env?: readonly string[] | null };

/** Where a copy of a template came from (ruling 23). */
export type TemplateSource = { kind: 'update-reply' } | { kind: 'pod'; podId: string };

/** A dated copy of a template (ruling 23). */
export interface TemplateSnapshot {
  /** Counts up per template, from 1. */
  seq: number;
  /** When it was first seen so. */
  atMs: number;
  /** When it was last seen so: the same values came again. */
  seenAtMs: number;
  /** Of the last time. */
  source: TemplateSource;
  template: SeenTemplate;
  /**
   * Fields that the last reply did not hold, with when their value was last known: an earlier copy has them, or an
   * update sent them.
   */
  carriedAtMs: Partial<Record<keyof Template, number>>;
  /** Fields whose value had another form than the specification gives. */
  oddFields: string[];
}

/** One variable of a draft. */
export interface EnvEntry {
  name: string;
  /** Null: kept as the copy of number `from` has it, or the copy the draft is based on. Main fills it in. */
  value: string | null;
  from?: number | undefined;
}

/**
 * What was edited of a template, as it is in the form: numbers and ports as typed. A field that was not touched is
 * absent.
 */
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
  /** The copy it was made against; null: none was known. */
  baseSeq: number | null;
  edits: TemplateEdits;
  savedAtMs: number;
  /** Names of variables whose typed value was kept for a former session only. */
  lostEnv: string[];
}

/** An endpoint whose worker was seen to be made from a template. */
export interface TemplateUse {
  endpointId: string;
  podId: string;
  atMs: number;
}

/**
 * A field that an update's reply says otherwise than it was asked, or that changed without being asked for. Env values
 * are never in it.
 */
export interface OutcomeDifference {
  field: UpdatableField;
  /** What was asked, as text; null: the field was not sent. */
  asked: string | null;
  /** What the reply says, as text; null: the reply does not hold the field. */
  got: string | null;
}

/** The last update of a template, from before it was sent. */
export interface TemplateUpdateRecord {
  atMs: number;
  /** What was sent, field by field, in the order sent. */
  changed: UpdatableField[];
  pinned: UpdatableField[];
  /** The copy before it; null: none was known. */
  formerSeq: number | null;
  outcome:
    | { kind: 'pending' }
    | { kind: 'applied'; seq: number; differences: OutcomeDifference[] }
    | { kind: 'refused'; failure: ServiceFailure }
    /** It may or may not have reached the service; also after a crash while it was in progress (ruling 9). */
    | { kind: 'unknown'; failure: ServiceFailure | null };
}

/** Everything known here of one template. */
export interface TemplateView {
  connectionId: string;
  templateId: string;
  known: TemplateSnapshot | null;
  /**
   * True where the values of the copy's variables can no longer be read here: they were kept for a former session only.
   */
  isEnvLost: boolean;
  /** Copies kept, newest first, without what they hold. */
  history: { seq: number; atMs: number; source: TemplateSource }[];
  /** Newest first. Others may use it too: the service has no list. */
  uses: TemplateUse[];
  /** Pods it was seen at, newest first: it can be read from one of them again. */
  podIds: string[];
  lastUpdate: TemplateUpdateRecord | null;
  draft: TemplateDraft | null;
  /** False: values typed into variables do not outlive this session. */
  isVaultLasting: boolean;
}

/** A line of the list of templates. */
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
}

/** The edits that bring back what was before the last update. */
export interface TemplateUndo {
  edits: TemplateEdits;
  /** Fields that cannot be brought back: their former value is unknown, or an update cannot send it. */
  notRestorable: UpdatableField[];
}

/** What must be typed to confirm an update, and what that is (ruling 31). Null: a tick is enough. */
export function confirmationOf(
  templateId: string,
  known: Pick<SeenTemplate, 'name' | 'isServerless'> | null,
): { word: string; kind: 'name' | 'id' } | null {
  // What is not known to be a pod's template may well be an endpoint's.
  if (known?.isServerless === false) return null;
  const name = known?.name ?? '';
  return canBeTyped(name) ? { word: name, kind: 'name' } : { word: templateId, kind: 'id' };
}

/** Whether a name can be typed as it is seen: one line without signs that cannot be seen, spaces only between words. */
function canBeTyped(name: string): boolean {
  return name.length <= 191 && /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u.test(name);
}
