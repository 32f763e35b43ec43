import type { z } from 'zod';
import type { presetFields, presets } from './preset-schema.ts';

/** The content of the composer's fields as entered, except for the destination. */
export type PresetFields = z.infer<typeof presetFields>;
/** A saved submission of an endpoint, to start from. */
export type Preset = z.infer<typeof presets>[number];
