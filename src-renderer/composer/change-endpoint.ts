import { endpointName } from '../../src-preload/connection.ts';
import { useSession } from '../data/session-store.ts';
import { composerText } from '../messages/composer/sheet.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposerNotice } from './composer-notice.ts';
import { useComposer } from './composer-store.ts';
import { undoDraft } from './replace-input.ts';

/**
 * Sends the draft to another endpoint of its connection. If that endpoint has a draft of its own, it is shown instead,
 * and the bar says so.
 */
export async function changeEndpoint(endpointId: string): Promise<void> {
  const former = useComposer.getState().draft;
  if (former === null) return;
  await useComposer.getState().goTo({ connectionId: former.connectionId, endpointId });
  const { draft, carried } = useComposer.getState();
  const { show } = useComposerNotice.getState();
  if (draft === null || draft.endpointId !== endpointId) return;
  // The undo in the bar belongs to the other draft.
  show(null);
  if (carried !== null || draft.inputText === former.inputText) return;
  show({
    title: composerText.draftIsBack(nameOf(draft)),
    detail: composerText.formerIsSaved(nameOf(former)),
    actions: [
      {
        label: composerText.otherInput,
        onSelect: () => {
          const { draft: replaced, change } = useComposer.getState();
          if (replaced === null) return;
          change(inputOf(former));
          show({ title: composerText.usesInputFor(nameOf(former)), actions: undoDraft(inputOf(replaced)) });
        },
      },
    ],
  });
}

function inputOf({ inputText, variables }: ComposerDraft): Pick<ComposerDraft, 'inputText' | 'variables'> {
  return { inputText, variables };
}

function nameOf({ connectionId, endpointId }: ComposerDraft): string {
  const endpoints = useSession.getState().connections.find(({ id }) => id === connectionId)?.endpoints ?? [];
  const endpoint = endpoints.find(({ id }) => id === endpointId);
  return endpoint === undefined ? endpointId : endpointName(endpoint);
}
