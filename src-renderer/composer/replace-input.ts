import { commonText } from '../messages/common.ts';
import { discardedText } from '../messages/composer/input.ts';
import { isUntouched } from './composer-draft.ts';
import { useComposerNotice, type ComposerNotice } from './composer-notice.ts';
import { useComposer } from './composer-store.ts';

/** Replaces what was typed by an earlier input. A notice can undo it, if there was anything to lose. */
export function takeEarlierInput(inputText: string): void {
  const { draft, change } = useComposer.getState();
  if (draft === null || draft.inputText === inputText) return;
  change({ inputText });
  if (!isUntouched(draft))
    useComposerNotice.getState().show({ title: discardedText.replacedByEarlier, actions: undoInput(draft.inputText) });
}

/** The button that restores the input as it was, unless it was edited since it was replaced, which would be lost. */
export function undoInput(former: string): ComposerNotice['actions'] {
  const replaced = useComposer.getState();
  const onSelect = (): void => {
    const { draft, slot, change } = useComposer.getState();
    if (slot === replaced.slot && draft?.inputText === replaced.draft?.inputText) change({ inputText: former });
    else useComposerNotice.getState().show({ title: discardedText.editedSince, actions: [] });
  };
  return [{ label: commonText.undo, onSelect }];
}
