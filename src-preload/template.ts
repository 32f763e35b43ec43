import { z } from 'zod';

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
  /** Dotted names of fields whose value has another form than the specification gives; they are absent from `template`, their value stands in `raw`. */
  oddFields: string[];
  /** The reply as it came. Holds env values. */
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

/** `<port>/<protocol>`, port 1 to 65535, protocol http or tcp (spec: Template, ports). */
export const portEntry = z.string().regex(
  /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])\/(?:http|tcp)$/,
  'A port is written as 8888/http or 22/tcp, from 1 to 65535',
);

const diskGb = z.number('A size in GB is a whole number').int('A size in GB is a whole number').min(0, 'A size in GB is not negative');
const argument = z.string().refine((text) => !text.includes('\0'), 'An argument holds no NUL character');

/**
 * Body of an update: every field optional, nothing that the table does not list, so that no field goes out
 * that the user could not see (spec: Update a template; ruling 22).
 */
export const templateUpdate = z.strictObject({
  containerDiskInGb: diskGb.optional(),
  containerRegistryAuthId: z.string().max(191).optional(),
  dockerEntrypoint: z.array(argument).optional(),
  dockerStartCmd: z.array(argument).optional(),
  env: z.record(z.string().regex(/^[^=\0]+$/, 'The name of a variable has no = and is not empty'), z.string().refine((text) => !text.includes('\0'), 'A value holds no NUL character')).optional(),
  imageName: z.string().trim().min(1, 'An image needs a name').regex(/^\S+$/, 'The name of an image has no spaces').optional(),
  isPublic: z.boolean().optional(),
  name: z.string().trim().min(1, 'A template needs a name').max(191, 'A name has at most 191 characters').optional(),
  ports: z.array(portEntry).optional(),
  readme: z.string().optional(),
  volumeInGb: diskGb.optional(),
  volumeMountPath: z.string().regex(/^\/[^\0]*$/, 'A mount path starts with /').optional(),
});
export type TemplateUpdate = z.infer<typeof templateUpdate>;
