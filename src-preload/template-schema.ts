import { z } from 'zod';
import { maxTemplateTextChars } from './bounds.ts';

/** `<port>/<protocol>`, port 1 to 65535, protocol http or tcp (spec: Template, ports). */
const portEntry = z
  .string()
  .regex(
    /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])\/(?:http|tcp)$/,
    'A port is written as 8888/http or 22/tcp, from 1 to 65535',
  );

const diskGb = z
  .number('A size in GB is a whole number')
  .int('A size in GB is a whole number')
  .min(0, 'A size in GB is not negative');
const argument = z.string().refine((text) => !text.includes('\0'), 'An argument cannot contain a NUL character');

/**
 * The body of an update: every field is optional, and no field beyond the table is allowed, so that every field that is
 * sent was visible to the user (spec: Update a template; ruling 22).
 */
export const templateUpdate = z.strictObject({
  containerDiskInGb: diskGb.optional(),
  containerRegistryAuthId: z.string().max(191).optional(),
  dockerEntrypoint: z.array(argument).optional(),
  dockerStartCmd: z.array(argument).optional(),
  env: z
    .record(
      z.string().regex(/^[^=\0]+$/, 'The name of a variable has no = and is not empty'),
      z.string().refine((text) => !text.includes('\0'), 'A value cannot contain a NUL character'),
    )
    .optional(),
  imageName: z
    .string()
    .trim()
    .min(1, 'An image needs a name')
    .regex(/^\S+$/, 'The name of an image has no spaces')
    .optional(),
  isPublic: z.boolean().optional(),
  name: z.string().trim().min(1, 'A template needs a name').max(191, 'A name has at most 191 characters').optional(),
  ports: z.array(portEntry).optional(),
  readme: z.string().optional(),
  volumeInGb: diskGb.optional(),
  volumeMountPath: z
    .string()
    .regex(/^\/[^\0]*$/, 'A mount path starts with /')
    .optional(),
});

/** A text that a window sends of a template. */
export const templateText = z.string().max(maxTemplateTextChars);
const texts = z.array(templateText).max(10_000);

/** The edits of a template, as a window sends them. The plan checks whether they are valid. */
export const templateEdits = z.strictObject({
  name: templateText.optional(),
  imageName: templateText.optional(),
  containerRegistryAuthId: templateText.optional(),
  dockerEntrypoint: texts.optional(),
  dockerStartCmd: texts.optional(),
  containerDiskInGb: templateText.optional(),
  volumeInGb: templateText.optional(),
  volumeMountPath: templateText.optional(),
  ports: texts.optional(),
  isPublic: z.boolean().optional(),
  env: z
    .array(
      z.strictObject({ name: templateText, value: templateText.nullable(), from: z.number().int().min(1).optional() }),
    )
    .max(10_000)
    .optional(),
  readme: templateText.optional(),
});
