import type { EndpointFlavour } from '../../../src-preload/connection.ts';
import { formatJson } from '../../../src-preload/format-json.ts';
import { isJsonObject, memberTexts, parseJson } from '../../../src-preload/json-spans.ts';
import { maxPresetInputChars, maxPresets } from '../../../src-preload/bounds.ts';
import type { Preset, PresetFields } from '../../../src-preload/settings.ts';
import { presetProblemText } from '../../messages/composer/draft.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { markBare, withoutMarks } from '../format-input.ts';

/** The fields of a draft that a preset saves. Pure. */
export function fieldsOf(draft: ComposerDraft): PresetFields {
  const { connectionId: _c, endpointId: _e, presetId: _p, ...fields } = draft;
  return fields;
}

/** The draft with a preset's fields instead of its own, for the same endpoint. Pure. */
export function withPreset(draft: ComposerDraft, { id, fields }: Preset): ComposerDraft {
  return { connectionId: draft.connectionId, endpointId: draft.endpointId, presetId: id, ...fields };
}

/** How many fields of a draft differ from the preset. Pure. */
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
    'maxLiveText',
    'stopAfterFailuresText',
  ];
  return names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(preset.fields[name])).length;
}

/** The presets of the draft's endpoint, the newest first. Pure. */
export function presetsFor(all: readonly Preset[], at: Pick<ComposerDraft, 'connectionId' | 'endpointId'>): Preset[] {
  return all.filter(
    ({ connectionId, endpointId, flavour }) =>
      flavour === null && connectionId === at.connectionId && endpointId === at.endpointId,
  );
}

/** The presets of a kind of endpoints, the newest first. Empty for an unknown kind. Pure. */
export function presetsOfKind(all: readonly Preset[], flavour: EndpointFlavour): Preset[] {
  return flavour === 'unknown' ? [] : all.filter((preset) => preset.flavour === flavour);
}

/**
 * An input with the keys of another one put over its own, in its own order. Values are copied as written. Null if one
 * of them is not a JSON object. Pure.
 */
export function mergedInput(inputText: string, over: string): string | null {
  const [own, other] = [inputText, over].map(markBare);
  if (own === undefined || other === undefined || ![own, other].every((text) => isJsonObject(parseJson(text))))
    return null;
  const members = new Map([...memberTexts(own), ...memberTexts(other)]);
  const text = `{${[...members].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
  return withoutMarks(formatJson(text));
}

/** How many keys the input of a preset has. 0 if it is not a JSON object. Pure. */
export function keysOf({ fields }: Preset): number {
  const value = parseJson(markBare(fields.inputText));
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

/**
 * The draft with a preset's keys in its input, and the preset's variables unless the draft has one with the same name.
 * Pure.
 */
export function withKeysOf(draft: ComposerDraft, { fields }: Preset): ComposerDraft | null {
  const inputText = mergedInput(draft.inputText, fields.inputText);
  if (inputText === null) return null;
  const names = new Set(draft.variables.map(({ name }) => name));
  return {
    ...draft,
    inputText,
    variables: [...draft.variables, ...fields.variables.filter(({ name }) => !names.has(name))],
  };
}

/** The preset of an endpoint with a name, ignoring case. Pure. */
export function presetNamed(presets: readonly Preset[], name: string): Preset | null {
  const wanted = name.trim().toLowerCase();
  return presets.find((preset) => preset.name.toLowerCase() === wanted) ?? null;
}

/** Why a draft cannot be saved as a preset, or null. `isNew`: it replaces no other. Pure. */
export function presetProblem(all: readonly Preset[], draft: ComposerDraft, isNew: boolean): string | null {
  if (draft.inputText.length > maxPresetInputChars)
    return presetProblemText.tooLong(maxPresetInputChars, draft.inputText.length);
  return isNew && all.length >= maxPresets ? presetProblemText.tooMany(maxPresets) : null;
}
