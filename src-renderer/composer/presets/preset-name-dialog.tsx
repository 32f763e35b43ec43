import { useState, type ReactElement } from 'react';
import type { Failure } from '../../../src-preload/failure.ts';
import { oneAtATime } from '../../data/one-at-a-time.ts';
import { useSession } from '../../data/session-store.ts';
import { Checkbox } from '../../design/choice.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FormActions } from '../../design/form-actions.tsx';
import { TextField } from '../../design/text-field.tsx';
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
  const setSubject = usePresetName((state) => state.setSubject);
  return (
    <Dialog
      title={subject?.kind === 'rename' ? presetNameText.renameTitle : presetNameText.save}
      isOpen={subject !== null}
      onClose={() => setSubject(null)}
    >
      {subject !== null && <NameForm draft={draft} subject={subject} onClose={() => setSubject(null)} />}
    </Dialog>
  );
}

interface NameFormProps {
  draft: ComposerDraft;
  subject: NonNullable<ReturnType<typeof usePresetName.getState>['subject']>;
  onClose: () => void;
}

function NameForm({ draft, subject, onClose }: NameFormProps): ReactElement {
  const presets = usePresets(draft);
  const flavour = useFlavour(draft);
  const kind = kindNames[flavour];
  const [isForKind, setForKind] = useState(false);
  const isMany = useComposer((state) => state.inputCount === 'many');
  const all = useSession((state) => state.settings.presets);
  // The user who saves again after edits probably means the preset it was started from.
  const loaded = presets.find(({ id }) => id === draft.presetId);
  const [name, setName] = useState(subject.kind === 'rename' ? subject.preset.name : (loaded?.name ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const [once] = useState(oneAtATime);
  const former = presetNamed(presets, name);
  const isTaken = subject.kind === 'rename' && former !== null && former.id !== subject.preset.id;
  const keep = (): Promise<Failure | null> => {
    if (subject.kind === 'rename') return renamePreset(subject.preset, name);
    return former === null ? savePreset(draft, name, isForKind ? flavour : null) : overwritePreset(draft, former);
  };
  const save = async (): Promise<void> => {
    const wrong =
      name.trim() === ''
        ? presetNameText.needsName
        : isTaken
          ? presetNameText.nameTaken
          : subject.kind === 'new'
            ? presetProblem(all, draft, former === null)
            : null;
    const failure = wrong === null ? await keep() : null;
    if (wrong === null && failure === null) onClose();
    else setProblem(wrong ?? failure?.message ?? null);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The sheet behind it has keys of its own.
        event.stopPropagation();
        void once(save);
      }}
    >
      <TextField
        aria-label={presetNameText.name}
        autoFocus
        onFocus={(event) => event.target.select()}
        maxLength={maxChars}
        value={name}
        placeholder={presetNameText.placeholder}
        hint={
          former !== null && subject.kind === 'new'
            ? presetNameText.overwrites
            : isMany
              ? presetNameText.savesWithoutRows
              : presetNameText.savesInput
        }
        problem={problem}
        onChange={(next) => {
          setName(next);
          setProblem(null);
        }}
      />
      {subject.kind === 'new' && former === null && kind !== null && (
        <div className={options.scope}>
          <Checkbox label={presetNameText.offerForKind(kind)} isOn={isForKind} onChange={setForKind} />
        </div>
      )}
      <FormActions
        submit={former !== null && subject.kind === 'new' ? presetNameText.overwrite : presetNameText.save}
        onCancel={onClose}
      />
    </form>
  );
}
