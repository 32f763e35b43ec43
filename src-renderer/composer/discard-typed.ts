import { commonText } from '../messages/common.ts';
import { discardedText } from '../messages/composer/input.ts';
import { useBulk } from './bulk/bulk-store.ts';
import { useComposerNotice } from './composer-notice.ts';
import { useComposer } from './composer-store.ts';

const show = (title: string, undo?: () => void): void =>
  useComposerNotice.getState().show({
    title,
    actions: undo === undefined ? [] : [{ label: commonText.undo, onSelect: undo }],
  });

/** Replaces the earlier edits of a job's input with the saved input. They can be restored until it is edited again. */
export function discardEdits(): void {
  const { draft, unedited, slot, dropEdits } = useComposer.getState();
  if (draft === null || unedited === null) return;
  dropEdits();
  show(discardedText.edits, () => {
    const now = useComposer.getState();
    if (now.slot !== slot || now.draft !== unedited) return show(discardedText.editedSince);
    now.change(draft);
    useComposer.setState({ unedited });
  });
}

/** Empties the field of many inputs. Its text can be restored until something else is entered. */
export function discardInputs(): void {
  const { text, fileName, setText } = useBulk.getState();
  setText('');
  show(discardedText.inputs(fileName), () => {
    if (useBulk.getState().text === '') setText(text, fileName);
    else show(discardedText.editedSince);
  });
}
