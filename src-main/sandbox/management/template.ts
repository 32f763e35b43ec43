import { isObject, refuse, type Checked } from '../checked.ts';
import { readObject, type Documents } from '../documents.ts';

/** What an update can change (spec: Update a template). Sizes in GB. */
export interface TemplateSettings {
  /** Wiped on restart. */
  containerDiskInGb: number;
  /** Empty: the image is pulled without a registry login. */
  containerRegistryAuthId: string;
  /** Empty: the image's own ENTRYPOINT. */
  dockerEntrypoint: string[];
  /** Empty: the image's own CMD. */
  dockerStartCmd: string[];
  env: Record<string, string>;
  imageName: string;
  /** Usable by any user. */
  isPublic: boolean;
  /** Unique among templates. */
  name: string;
  /** `<port>/<protocol>`. */
  ports: string[];
  /** Markdown. */
  readme: string;
  /** Kept across restarts. */
  volumeInGb: number;
  volumeMountPath: string;
}

/** Spec: Template, every field of the table. */
export interface Template extends TemplateSettings {
  id: string;
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /** Credits its creator earned from it. */
  earned: number;
  /** Official, managed by the platform operator. */
  isRunpod: boolean;
  /** Its instances are serverless workers, not pods. */
  isServerless: boolean;
  runtimeInMin: number;
}

/** The settings in an update. */
export type TemplateUpdate = Partial<TemplateSettings>;

/** What happens to a setting that has a default and is left out of an update (ruling 22). */
export type OmittedSettings = 'reset' | 'keep';

/** Spec: Update a template, column Default. */
const UPDATE_DEFAULTS = {
  containerDiskInGb: 50,
  isPublic: false,
  readme: '',
  volumeInGb: 20,
  volumeMountPath: '/workspace',
} as const satisfies TemplateUpdate;

/** The template after an update. Settings without a default stay if they are left out. */
function updateTemplate(template: Template, update: TemplateUpdate, omitted: OmittedSettings): Template {
  return { ...template, ...(omitted === 'reset' ? UPDATE_DEFAULTS : {}), ...update };
}

/** Checks one field's value. The message is the end of a sentence that begins with the field's name. */
type CheckValue<T> = (value: unknown) => Checked<T>;

const PORT_MAX = 65_535;

function accept<T>(value: T): Checked<T> {
  return { ok: true, value };
}

function checkSizeGb(value: unknown): Checked<number> {
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isWhole ? accept(value) : refuse('must be an integer in GB, 0 or more');
}

function checkText(value: unknown): Checked<string> {
  return typeof value === 'string' ? accept(value) : refuse('must be a string');
}

function checkFilledText(value: unknown): Checked<string> {
  const isFilled = typeof value === 'string' && value.trim() !== '';
  return isFilled ? accept(value) : refuse('must be a string that is not empty');
}

function checkBoolean(value: unknown): Checked<boolean> {
  return typeof value === 'boolean' ? accept(value) : refuse('must be true or false');
}

function checkAbsolutePath(value: unknown): Checked<string> {
  const isAbsolute = typeof value === 'string' && value.startsWith('/');
  return isAbsolute ? accept(value) : refuse('must be an absolute path, starting with /');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function checkTexts(value: unknown): Checked<string[]> {
  return Array.isArray(value) && value.every(isText) ? accept(value) : refuse('must be a list of strings');
}

/** Environment variables. A refusal never repeats a value, because it may be a secret. */
function checkEnv(value: unknown): Checked<Record<string, string>> {
  const sentence = 'must be an object whose values are all strings';
  if (!isObject(value)) return refuse(sentence);
  const env: [string, string][] = [];
  for (const [name, text] of Object.entries(value)) {
    if (!isText(text)) return refuse(sentence);
    env.push([name, text]);
  }
  return accept(Object.fromEntries(env));
}

function isPort(entry: string): boolean {
  const port = /^([1-9]\d{0,4})\/(?:http|tcp)$/.exec(entry)?.[1];
  return port !== undefined && Number(port) <= PORT_MAX;
}

function checkPorts(value: unknown): Checked<string[]> {
  const texts = checkTexts(value);
  if (!texts.ok) return texts;
  if (!texts.value.every(isPort)) {
    return refuse(`must be a list of <port>/<protocol>, the port from 1 to ${PORT_MAX}, the protocol http or tcp`);
  }
  return new Set(texts.value).size === texts.value.length ? texts : refuse('must not name a port twice');
}

const CHECKS: { [Field in keyof TemplateSettings]: CheckValue<TemplateSettings[Field]> } = {
  containerDiskInGb: checkSizeGb,
  containerRegistryAuthId: checkText,
  dockerEntrypoint: checkTexts,
  dockerStartCmd: checkTexts,
  env: checkEnv,
  imageName: checkFilledText,
  isPublic: checkBoolean,
  name: checkFilledText,
  ports: checkPorts,
  readme: checkText,
  volumeInGb: checkSizeGb,
  volumeMountPath: checkAbsolutePath,
};

function isSetting(name: string): name is keyof TemplateSettings {
  return Object.hasOwn(CHECKS, name);
}

/**
 * Reads the body of an update (spec: Update a template). Every field is optional; null is not valid for any of them.
 * Unlisted fields are ignored. The refusal is one sentence with the name of the field.
 */
export function checkTemplateUpdate(body: Record<string, unknown>): Checked<TemplateUpdate> {
  const update: TemplateUpdate = {};
  /** Null if the field was accepted, otherwise the refusal. */
  function take<Field extends keyof TemplateSettings>(
    field: Field,
    check: CheckValue<TemplateSettings[Field]>,
  ): string | null {
    const checked = check(body[field]);
    if (!checked.ok) return `${field} ${checked.message}.`;
    update[field] = checked.value;
    return null;
  }
  for (const field of Object.keys(body)) {
    const refusal = isSetting(field) ? take(field, CHECKS[field]) : null;
    if (refusal !== null) return refuse(refusal);
  }
  return accept(update);
}

export interface TemplateStore {
  ids(): string[];
  find(templateId: string): Template | undefined;
  /** Changes a template and saves the change. Refused with a sentence if another template has the name. */
  update(template: Template, update: TemplateUpdate): Checked<{ former: Template; updated: Template }>;
}

function documentName(templateId: string): string {
  return `template/${templateId}`;
}

/** What an update can change, as the body of an update with the present values. */
function settingsText(template: Template): string {
  return JSON.stringify(Object.fromEntries(Object.entries(template).filter(([name]) => isSetting(name))));
}

/** The template in its last state; that of the catalogue if nothing readable was saved. */
function restore(template: Template, documents: Documents): Template {
  const kept = readObject(documents, documentName(template.id));
  const checked = kept === null ? null : checkTemplateUpdate(kept);
  return checked?.ok === true ? updateTemplate(template, checked.value, 'keep') : template;
}

interface TemplateStoreInput {
  catalogue: readonly Template[];
  omitted: OmittedSettings;
  documents: Documents;
}

/** The templates of the catalogue with all changes since. */
export function createTemplateStore({ catalogue, omitted, documents }: TemplateStoreInput): TemplateStore {
  const templates = new Map(catalogue.map((template) => [template.id, restore(template, documents)]));

  function isNameTaken({ id }: Template, name: string): boolean {
    return [...templates.values()].some((other) => other.id !== id && other.name === name);
  }

  return {
    ids: () => [...templates.keys()],
    find: (templateId) => templates.get(templateId),
    update: (template, update) => {
      // There may have been another update since the caller read it.
      const former = templates.get(template.id) ?? template;
      // A template may keep its name even if a new endpoint's template has the same one.
      if (update.name !== undefined && update.name !== former.name && isNameTaken(former, update.name)) {
        return { ok: false, message: 'name must be unique: another template has it.' };
      }
      const updated = updateTemplate(former, update, omitted);
      documents.write(documentName(updated.id), settingsText(updated));
      templates.set(updated.id, updated);
      return { ok: true, value: { former, updated } };
    },
  };
}
