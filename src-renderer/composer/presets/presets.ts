import { longestPresetInput, mostPresets } from '../../../src-preload/preset-bounds.ts';
import type { Preset, PresetFields } from '../../../src-preload/preset.ts';
import { formatCount } from '../../design/format.ts';
import type { ComposerDraft } from '../composer-draft.ts';

/** What a preset keeps of a draft. Pure. */
export function fieldsOf(draft: ComposerDraft): PresetFields {
  const { connectionId: _c, endpointId: _e, presetId: _p, ...fields } = draft;
  return fields;
}

/** The draft with a preset's fields in place of its own, for the same endpoint. Pure. */
export function withPreset(draft: ComposerDraft, { id, fields }: Preset): ComposerDraft {
  return { connectionId: draft.connectionId, endpointId: draft.endpointId, presetId: id, ...fields };
}

/** In how many fields a draft is not as the preset keeps it. Pure. */
export function editsSince(draft: ComposerDraft, preset: Preset): number {
  const now = fieldsOf(draft);
  const names: readonly (keyof PresetFields)[] = [
    'operation',
    'inputText',
    'waitText',
    'executionTimeoutText',
    'ttlText',
    'isLowPriority',
    'isKeptWhole',
    'webhook',
    's3ProfileId',
    'tagsText',
    'variables',
    'mostLiveText',
    'stopAfterFailuresText',
  ];
  return names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(preset.fields[name])).length;
}

/** The presets of the endpoint a draft goes to, the newest first. Pure. */
export function presetsFor(all: readonly Preset[], at: Pick<ComposerDraft, 'connectionId' | 'endpointId'>): Preset[] {
  return all.filter(({ connectionId, endpointId }) => connectionId === at.connectionId && endpointId === at.endpointId);
}

/** The preset of an endpoint under a name, however it is capitalised. Pure. */
export function presetNamed(presets: readonly Preset[], name: string): Preset | null {
  const wanted = name.trim().toLowerCase();
  return presets.find((preset) => preset.name.toLowerCase() === wanted) ?? null;
}

/** Why a draft cannot be kept as a preset, or null. `isNew`: it takes no other's place. Pure. */
export function presetProblem(all: readonly Preset[], draft: ComposerDraft, isNew: boolean): string | null {
  if (draft.inputText.length > longestPresetInput)
    return (
      `A preset keeps inputs of up to ${formatCount(longestPresetInput)} characters; this one has ` +
      `${formatCount(draft.inputText.length)}. Remove attached files, and attach them again after loading it.`
    );
  return isNew && all.length >= mostPresets ? `Jobdeck keeps up to ${mostPresets} presets. Delete one first.` : null;
}
