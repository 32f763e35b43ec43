import type { z } from 'zod';
import type { presetFields, presets } from './preset-schema.ts';

/** What the composer's fields hold, as typed, but for where it is sent. */
export type PresetFields = z.infer<typeof presetFields>;
/** A saved submission of an endpoint, to start from. */
export type Preset = z.infer<typeof presets>[number];
