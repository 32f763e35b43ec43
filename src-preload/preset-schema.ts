import { z } from 'zod';
import { refusalText } from './messages/refusals.ts';
import { endpointFlavour } from './connection-schema.ts';
import { operation } from './job-schema.ts';
import { maxPresetInputChars, maxPresets } from './bounds.ts';

/** The most characters of all presets together. */
const maxPresetChars = 4_000_000;

const typed = z.string().max(2_000);

/** The content of the composer's fields as entered, except for the destination. */
export const presetFields = z.object({
  operation,
  inputText: z.string().max(maxPresetInputChars),
  waitText: typed,
  executionTimeoutText: typed,
  ttlText: typed,
  isLowPriority: z.boolean(),
  isKeptWhole: z.boolean(),
  webhook: typed,
  /** A profile's id. The secret is kept with the keys. */
  s3ProfileId: z.string().max(64),
  tagsText: typed,
  /** Empty in presets of an earlier version. */
  maxLiveText: typed.default(''),
  stopAfterFailuresText: typed.default(''),
  variables: z
    .array(
      z.object({
        name: z.string().min(1).max(60),
        kind: z.enum(['one', 'list', 'range']),
        one: z.string().max(maxPresetInputChars),
        list: z.array(z.string().max(maxPresetInputChars)).max(20_000),
        from: typed,
        to: typed,
        step: typed,
      }),
    )
    .max(100),
});

/** A saved submission of an endpoint, to start from. */
export const preset = z.object({
  id: z.string().min(1).max(64),
  name: z.string().trim().min(1).max(80),
  connectionId: z.string().max(64),
  endpointId: z.string().max(200),
  /** The kind of endpoints it is for, of any connection. Null: for its endpoint only. */
  flavour: endpointFlavour.nullable().default(null),
  /** How many submissions were made from it. */
  usedCount: z.number().int().min(0),
  savedAtMs: z.number().min(0),
  fields: presetFields,
});

/** Presets of all endpoints, the newest first. */
export const presets = z
  .array(preset)
  .max(maxPresets)
  .refine((all) => JSON.stringify(all).length <= maxPresetChars, refusalText.presetsSize);
