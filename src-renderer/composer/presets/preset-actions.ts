import { create } from 'zustand';
import type { EndpointFlavour } from '../../../src-preload/connection.ts';
import type { SettingsChange } from '../../../src-preload/settings-change.ts';
import type { Preset } from '../../../src-preload/settings.ts';
import type { Failure } from '../../../src-preload/failure.ts';
import { callOrReport } from '../../call-or-report.ts';
import { useSession } from '../../data/session-store.ts';
import { changeSettings } from '../../data/change-settings.ts';
import { commonText } from '../../messages/common.ts';
import { presetNoticeText } from '../../messages/composer/draft.ts';
import { openComposer } from '../../navigation/open-requests.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { useComposerNotice } from '../composer-notice.ts';
import { useComposer } from '../composer-store.ts';
import { undoDraft } from '../replace-input.ts';
import { editsSince, fieldsOf, keysOf, presetsFor, withKeysOf, withPreset } from './presets.ts';
import { engineNow } from '../../data/engine-time.ts';

/** Presets are kept in the settings (decision 050). A change of one can be undone in the bar above the input. */

interface NameQuestion {
  subject: { kind: 'new' } | { kind: 'rename'; preset: Preset } | null;
  setSubject: (subject: NameQuestion['subject']) => void;
}

/** The dialog that asks for the name of a preset. */
export const usePresetName = create<NameQuestion>((set) => ({
  subject: null,
  setSubject: (subject) => set({ subject }),
}));

const kept = (): readonly Preset[] => useSession.getState().settings.presets;
const show = (title: string, undo?: () => void, detail?: string): void =>
  useComposerNotice.getState().show({
    title,
    ...(detail === undefined ? {} : { detail }),
    actions: undo === undefined ? [] : [{ label: commonText.undo, onSelect: undo }],
  });

async function change(presets: NonNullable<SettingsChange['presets']>): Promise<Failure | null> {
  const failure = await changeSettings({ presets });
  if (failure !== null) show(presetNoticeText.unchanged, undefined, failure.message);
  return failure;
}

/** The presets of the draft's endpoint. */
export function usePresets({ connectionId, endpointId }: ComposerDraft): Preset[] {
  const all = useSession((state) => state.settings.presets);
  return presetsFor(all, { connectionId, endpointId });
}

/** The kind of the draft's endpoint, as the user chose it. */
export function useFlavour({ connectionId, endpointId }: ComposerDraft): EndpointFlavour {
  return useSession(
    ({ connections }) =>
      connections.find(({ id }) => id === connectionId)?.endpoints.find(({ id }) => id === endpointId)?.flavour ??
      'unknown',
  );
}

/**
 * Saves the draft under a name, as the newest preset of its endpoint or of a kind of endpoints. Returns why it failed,
 * or null.
 */
export async function savePreset(
  draft: ComposerDraft,
  name: string,
  flavour: EndpointFlavour | null,
): Promise<Failure | null> {
  const preset: Preset = {
    id: crypto.randomUUID(),
    name: name.trim(),
    connectionId: draft.connectionId,
    endpointId: draft.endpointId,
    flavour,
    usedCount: 0,
    savedAtMs: engineNow(),
    fields: fieldsOf(draft),
  };
  const failure = await changeSettings({ presets: { kind: 'add', item: preset, place: 0 } });
  if (failure !== null) return failure;
  useComposer.getState().change({ presetId: preset.id });
  show(presetNoticeText.saved(preset.name));
  return null;
}

/**
 * Replaces the content of a preset with the draft. If another window has deleted the preset, it is saved as a new one.
 * Returns why it failed, or null.
 */
export async function overwritePreset(draft: ComposerDraft, former: Preset): Promise<Failure | null> {
  const { id, savedAtMs, fields } = former;
  const failure = await changeSettings({
    presets: { kind: 'overwrite', id, savedAtMs: engineNow(), fields: fieldsOf(draft) },
  });
  if (failure !== null) return failure;
  if (!kept().some((preset) => preset.id === id)) return savePreset(draft, former.name, former.flavour);
  useComposer.getState().change({ presetId: id });
  show(presetNoticeText.savedOver(former.name), () => void change({ kind: 'overwrite', id, savedAtMs, fields }));
  return null;
}

/** Renames a preset. Returns the failure, or null. */
export async function renamePreset({ id }: Preset, name: string): Promise<Failure | null> {
  return changeSettings({ presets: { kind: 'rename', id, name: name.trim() } });
}

/** Deletes a preset immediately. It can be restored to its place. */
export async function deletePreset(preset: Preset): Promise<void> {
  const at = kept().findIndex(({ id }) => id === preset.id);
  if ((await change({ kind: 'remove', id: preset.id })) !== null) return;
  show(presetNoticeText.deleted(preset.name), () => {
    void change({ kind: 'add', item: preset, place: at === -1 ? null : at });
  });
}

/** Puts a preset into the fields. Their former content can be restored. */
export function takePreset(preset: Preset): void {
  const { draft, change: changeDraft } = useComposer.getState();
  if (draft === null) return;
  changeDraft(withPreset(draft, preset));
  if (editsSince(draft, preset) === 0) return;
  const isMany = useComposer.getState().inputCount === 'many';
  useComposerNotice.getState().show({
    title: presetNoticeText.loaded(preset.name),
    ...(isMany ? { detail: presetNoticeText.rowsUnchanged } : {}),
    actions: undoDraft(draft),
  });
}

/** Opens the composer for one input at an endpoint, with a preset in its fields. */
export async function openWithPreset(preset: Preset, endpointId: string): Promise<void> {
  await new Promise<void>((resolve) => openComposer({ endpointId, onOpened: resolve }));
  useComposer.getState().setInputCount('one');
  takePreset(preset);
}

/** Puts the keys of a preset over those of the input. The former input can be restored. */
export function mergePreset(preset: Preset): void {
  const { draft, change: changeDraft } = useComposer.getState();
  if (draft === null) return;
  const merged = withKeysOf(draft, preset);
  if (merged === null) {
    show(presetNoticeText.inputUnchanged, undefined, presetNoticeText.needsObjects);
    return;
  }
  changeDraft(merged);
  if (merged.inputText !== draft.inputText)
    useComposerNotice
      .getState()
      .show({ title: presetNoticeText.merged(keysOf(preset), preset.name), actions: undoDraft(draft) });
}

/** Counts a submission for the preset it was made from. The count is shown when it is saved. */
export function countUse(presetId: string): void {
  if (kept().some(({ id }) => id === presetId))
    callOrReport('settings:change', { presets: { kind: 'count-use', id: presetId } });
}
