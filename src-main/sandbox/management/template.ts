/** What an update can change (spec: Update a template). Sizes in GB. */
export interface TemplateSettings {
  /** Wiped on restart. */
  containerDiskInGb: number;
  /** Null: the image is pulled without a registry login. */
  containerRegistryAuthId: string | null;
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

/** The settings of an update that were sent. */
export type TemplateUpdate = Partial<TemplateSettings>;

/** What becomes of a setting that an update leaves out although it has a default (ruling 22). */
export type OmittedSettings = 'reset' | 'keep';

/** Spec: Update a template, column Default. */
export const UPDATE_DEFAULTS = {
  containerDiskInGb: 50,
  isPublic: false,
  readme: '',
  volumeInGb: 20,
  volumeMountPath: '/workspace',
} as const satisfies TemplateUpdate;

/** The template after an update. Settings without a default stay as they are when left out. */
export function updateTemplate(template: Template, update: TemplateUpdate, omitted: OmittedSettings): Template {
  return { ...template, ...(omitted === 'reset' ? UPDATE_DEFAULTS : {}), ...update };
}
