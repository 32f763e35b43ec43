import { Bookmark, Combine, Ellipsis, Plus, Search } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactElement, type Ref } from 'react';
import type { Preset } from '../../../src-preload/settings.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/class-names.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Menu } from '../../design/menu/menu.tsx';
import { TextField } from '../../design/form/text-field.tsx';
import { useSession } from '../../data/session-store.ts';
import { useNow } from '../../data/use-now.ts';
import { commonText } from '../../messages/common.ts';
import { presetNoticeText } from '../../messages/composer/draft.ts';
import { kindNames, presetListText } from '../../messages/composer/presets.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import {
  deletePreset,
  mergePreset,
  overwritePreset,
  takePreset,
  useFlavour,
  usePresetName,
  usePresets,
} from './preset-actions.ts';
import { SandboxInputs, useIsMock } from './sandbox-inputs.tsx';
import { StartingPoints } from './starting-points.tsx';
import { editsSince, keysOf, presetsOfKind } from './presets.ts';
import { useComposerNotice } from '../composer-notice.ts';
import rail from '../rail.module.css';

interface PresetListProps {
  draft: ComposerDraft;
  searchRef: Ref<HTMLInputElement>;
  /** Called with the input of an earlier job that was chosen. */
  onInput: (inputText: string) => void;
  /** Called after a preset was chosen. */
  onTaken: () => void;
}

/** The presets of the draft's endpoint. Enter takes the first match; arrows move through the list. */
export function PresetList({ draft, searchRef, onInput, onTaken }: PresetListProps): ReactElement {
  const [text, setText] = useState('');
  const presets = usePresets(draft);
  const setSubject = usePresetName((state) => state.setSubject);
  const wanted = text.trim().toLowerCase();
  const found = presets.filter(({ name }) => name.toLowerCase().includes(wanted));
  const flavour = useFlavour(draft);
  const kind = kindNames[flavour];
  const isMock = useIsMock(draft);
  const all = useSession((state) => state.settings.presets);
  const ofKind = presetsOfKind(all, flavour).filter(({ name }) => name.toLowerCase().includes(wanted));
  const merge = (preset: Preset): void => {
    mergePreset(preset);
    onTaken();
  };
  const take = (preset: Preset): void => {
    takePreset(preset);
    onTaken();
  };
  return (
    <>
      <div className={rail.search}>
        <TextField
          aria-label={presetListText.search}
          size="sm"
          inputRef={searchRef}
          value={text}
          placeholder={presetListText.search}
          icon={<Search size={14} strokeWidth={1.75} />}
          onChange={setText}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || first === undefined) return;
            // The focus moves to the input, where the same key would insert a line break.
            event.preventDefault();
            take(first);
          }}
        />
      </div>
      {found.length === 0 && ofKind.length === 0 && (
        <p className={rail.quiet}>{presets.length === 0 ? presetListText.empty : presetListText.noMatch}</p>
      )}
      <div className={rail.list} onKeyDown={moveByArrows} role="presentation">
        <ul aria-label={presetListText.label}>
          {found.map((preset) => (
            <PresetRow key={preset.id} preset={preset} draft={draft} onTake={() => take(preset)} />
          ))}
        </ul>
        {ofKind.length > 0 && kind !== null && (
          <>
            <h3 className={rail.group}>{presetListText.anyEndpoint(kind)}</h3>
            <ul aria-label={presetListText.ofAnyEndpoint(kind)}>
              {ofKind.map((preset) => (
                <PresetRow key={preset.id} preset={preset} draft={draft} onTake={() => merge(preset)} />
              ))}
            </ul>
          </>
        )}
        {wanted === '' && isMock && <SandboxInputs onInput={onInput} />}
        {wanted === '' && <StartingPoints draft={draft} onInput={onInput} />}
      </div>
      <div className={rail.foot}>
        <Button size="sm" icon={<Plus size={14} strokeWidth={1.75} />} onClick={() => setSubject({ kind: 'new' })}>
          {presetListText.newPreset}
        </Button>
      </div>
    </>
  );
}

function PresetRow({
  preset,
  draft,
  onTake,
}: {
  preset: Preset;
  draft: ComposerDraft;
  onTake: () => void;
}): ReactElement {
  const nowMs = useNow(60_000);
  const isOn = draft.presetId === preset.id;
  const isOfKind = preset.flavour !== null;
  const edits = isOn ? editsSince(draft, preset) : 0;
  const overwrite = async (): Promise<void> => {
    const failure = await overwritePreset(draft, preset);
    if (failure !== null)
      useComposerNotice.getState().show({ title: presetNoticeText.unchanged, detail: failure.message, actions: [] });
  };
  return (
    <li className={rail.row}>
      <button
        type="button"
        className={classes(rail.entry, isOn && rail.on)}
        aria-current={isOn ? 'true' : undefined}
        onClick={onTake}
      >
        {isOfKind ? (
          <Combine size={14} strokeWidth={1.75} aria-hidden />
        ) : (
          <Bookmark size={14} strokeWidth={1.75} aria-hidden />
        )}
        <span className={rail.title}>{preset.name}</span>
        <span className={rail.sub}>
          <span className="trunc">
            {isOfKind
              ? presetListText.merges(keysOf(preset))
              : edits > 0
                ? presetListText.edits(edits)
                : preset.usedCount === 0
                  ? presetListText.notUsed
                  : presetListText.used(preset.usedCount)}
          </span>
          {edits === 0 && <span>{presetListText.savedAgo(nowMs - preset.savedAtMs)}</span>}
        </span>
      </button>
      <span className={rail.more}>
        <Menu
          align="end"
          trigger={
            <IconButton
              size="sm"
              label={presetListText.more(preset.name)}
              icon={<Ellipsis size={14} strokeWidth={1.75} />}
            />
          }
          items={[
            isOfKind
              ? { kind: 'item', label: presetListText.replace, onSelect: () => takePreset(preset) }
              : { kind: 'item', label: presetListText.merge, onSelect: () => mergePreset(preset) },
            { kind: 'separator' },
            { kind: 'item', label: presetListText.overwrite, onSelect: () => void overwrite() },
            {
              kind: 'item',
              label: presetListText.rename,
              onSelect: () => usePresetName.getState().setSubject({ kind: 'rename', preset }),
            },
            { kind: 'separator' },
            { kind: 'item', label: commonText.delete, isDanger: true, onSelect: () => void deletePreset(preset) },
          ]}
        />
      </span>
    </li>
  );
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('li > button')];
  const next = rows[rows.findIndex((row) => row === document.activeElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
