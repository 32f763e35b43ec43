import { useState, type ReactElement } from 'react';
import type { Preset } from '../../../src-preload/settings.ts';
import { useSession } from '../../data/session-store.ts';
import { Checkbox } from '../../design/form/choice.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { NameForm, type NameFacts } from '../../design/form/name-form.tsx';
import { kindNames, presetNameText } from '../../messages/composer/presets.ts';
import type { ComposerDraft } from '../composer-draft.ts';
import { useComposer } from '../composer-store.ts';
import { overwritePreset, renamePreset, savePreset, useFlavour, usePresetName, usePresets } from './preset-actions.ts';
import { presetNamed, presetProblem } from './presets.ts';
import options from '../options.module.css';

const maxChars = 80;

/** Asks for the name of a preset: a new one of the draft, or an existing one. */
export function PresetNameDialog({ draft }: { draft: ComposerDraft }): ReactElement {
  const subject = usePresetName((state) => state.subject);
  const close = (): void => usePresetName.getState().setSubject(null);
  return (
    <Dialog
      title={subject?.kind === 'rename' ? presetNameText.renameTitle : presetNameText.save}
      isOpen={subject !== null}
      onClose={close}
    >
      {subject?.kind === 'new' && <NewPresetForm draft={draft} onClose={close} />}
      {subject?.kind === 'rename' && <RenamePresetForm draft={draft} preset={subject.preset} onClose={close} />}
    </Dialog>
  );
}

interface FormProps {
  draft: ComposerDraft;
  onClose: () => void;
}

const field = { label: presetNameText.name, placeholder: presetNameText.placeholder, maxChars };

/** Saves the draft as a preset, or over the one of this name. */
function NewPresetForm({ draft, onClose }: FormProps): ReactElement {
  const presets = usePresets(draft);
  const flavour = useFlavour(draft);
  const kind = kindNames[flavour];
  const [isForKind, setForKind] = useState(false);
  const isMany = useComposer((state) => state.inputCount === 'many');
  const all = useSession((state) => state.settings.presets);
  // The user who saves again after edits probably means the preset it was started from.
  const loaded = presets.find(({ id }) => id === draft.presetId);
  const about = (name: string): NameFacts => {
    const problem = (isNew: boolean): string | null =>
      name === '' ? presetNameText.needsName : presetProblem(all, draft, isNew);
    if (presetNamed(presets, name) !== null)
      return { problem: problem(false), submit: presetNameText.overwrite, hint: presetNameText.overwrites };
    return {
      problem: problem(true),
      submit: presetNameText.save,
      hint: isMany ? presetNameText.savesWithoutRows : presetNameText.savesInput,
      choices: kind !== null && (
        <div className={options.scope}>
          <Checkbox label={presetNameText.offerForKind(kind)} isOn={isForKind} onChange={setForKind} />
        </div>
      ),
    };
  };
  return (
    <NameForm
      {...field}
      former={loaded?.name ?? ''}
      about={about}
      onSave={(name) => {
        const former = presetNamed(presets, name);
        return former === null ? savePreset(draft, name, isForKind ? flavour : null) : overwritePreset(draft, former);
      }}
      onClose={onClose}
    />
  );
}

function RenamePresetForm({ draft, preset, onClose }: FormProps & { preset: Preset }): ReactElement {
  const presets = usePresets(draft);
  const problemOf = (name: string): string | null => {
    if (name === '') return presetNameText.needsName;
    const namesake = presetNamed(presets, name);
    return namesake !== null && namesake.id !== preset.id ? presetNameText.nameTaken : null;
  };
  return (
    <NameForm
      {...field}
      former={preset.name}
      about={(name) => ({ problem: problemOf(name), submit: presetNameText.save })}
      onSave={(name) => renamePreset(preset, name)}
      onClose={onClose}
    />
  );
}
