import { commonText } from '../messages/common.ts';
import { discardedText } from '../messages/composer/input.ts';
import { composerText } from '../messages/composer/sheet.ts';
import { isUntouched, type ComposerDraft } from './composer-draft.ts';
import { useComposerNotice, type ComposerNotice } from './composer-notice.ts';
import { useComposer } from './composer-store.ts';

/** Offers an input that came along, from a link or an example, while the sheet has a draft. */
export function offerInput(inputText: string): void {
  const use = (): void => {
    useComposerNotice.getState().show(null);
    useComposer.getState().setInputCount('one');
    replaceInput(inputText, discardedText.replacedByOther);
  };
  useComposerNotice.getState().show({
    title: composerText.draftStays,
    detail: composerText.inputCame,
    actions: [{ label: composerText.otherInput, onSelect: use }],
  });
}

/** Replaces what was typed by an earlier input. A notice can undo it, if there was anything to lose. */
export function takeEarlierInput(inputText: string): void {
  replaceInput(inputText, discardedText.replacedByEarlier);
}

function replaceInput(inputText: string, title: string): void {
  const { draft, change } = useComposer.getState();
  if (draft === null || draft.inputText === inputText) return;
  change({ inputText });
  if (!isUntouched(draft))
    useComposerNotice.getState().show({
      title,
      actions: undoDraft({ inputText: draft.inputText }),
    });
}

/**
 * The button that restores fields as they were, unless one of them was edited since they were replaced, or the draft is
 * another one: that would be lost. To be called after they were replaced. `restored` is called after they are back.
 */
export function undoDraft(former: DraftFields, restored?: () => void): ComposerNotice['actions'] {
  const replaced = useComposer.getState();
  const onSelect = (): void => {
    const { draft, slot, change } = useComposer.getState();
    if (slot === replaced.slot && isSameIn(former, draft, replaced.draft)) {
      change(former);
      restored?.();
    } else useComposerNotice.getState().show({ title: discardedText.editedSince, actions: [] });
  };
  return [{ label: commonText.undo, onSelect }];
}

type DraftFields = Partial<Omit<ComposerDraft, 'connectionId' | 'endpointId'>>;

/** Whether two drafts have the same values in these fields. A change of a field always makes a new value. */
function isSameIn(fields: DraftFields, one: ComposerDraft | null, other: ComposerDraft | null): boolean {
  const values = new Map<string, unknown>(Object.entries(other ?? {}));
  return Object.entries(one ?? {}).every(([name, value]) => !(name in fields) || values.get(name) === value);
}
