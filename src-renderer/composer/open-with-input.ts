import { toast } from '../design/toast.tsx';
import { openedInputText } from '../messages/composer/draft.ts';
import { openComposer } from '../navigation/open-requests.ts';
import { useComposer } from './composer-store.ts';

/**
 * Opens a job's saved input in the composer with a change. Nothing is sent. Earlier edits of the input stay, and the
 * change is offered beside them. If `change` returns null, it does not apply, and `problem` says so.
 */
export async function openWithInput(
  jobKey: string,
  { change, offer, problem }: { change: (inputText: string) => string | null; offer: string; problem: string },
): Promise<void> {
  await new Promise<void>((resolve) => openComposer({ jobKey, onOpened: resolve }));
  const { unedited, refusal } = useComposer.getState();
  if (refusal !== null) return;
  const apply = (): void => {
    const { draft } = useComposer.getState();
    const inputText = draft === null ? null : change(draft.inputText);
    if (inputText === null) toast(problem);
    else useComposer.getState().change({ inputText });
  };
  if (unedited === null) apply();
  else toast(openedInputText.earlierEditsOpen, { action: { label: offer, onSelect: apply } });
}
