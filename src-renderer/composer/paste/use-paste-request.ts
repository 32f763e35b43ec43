import { useRef, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import { endpointName } from '../../../src-preload/connection.ts';
import { useSession } from '../../data/session-store.ts';
import { pasteText } from '../../messages/composer/paste.ts';
import { isUntouched } from '../composer-draft.ts';
import { useComposerNotice } from '../composer-notice.ts';
import { useComposer } from '../composer-store.ts';
import type { CursorTaker } from '../json-editor.tsx';
import { undoDraft } from '../replace-input.ts';
import { fillDraft, type FilledDraft } from './fill-draft.ts';
import type { FoundRequest } from './found-request.ts';
import { readRequest } from './read-request.ts';

interface PasteHandlers {
  onKeyDownCapture: (event: KeyboardEvent) => void;
  onPasteCapture: (event: ClipboardEvent) => void;
}

/**
 * Fills the form from a request in the clipboard: always with Ctrl Shift V, and with a plain paste into an empty input.
 * Such a text usually contains a key, so it never gets into the editor.
 */
export function usePasteRequest(input: RefObject<CursorTaker | null>): PasteHandlers {
  const isPasteKey = useRef(false);
  return {
    onKeyDownCapture: (event) => {
      isPasteKey.current =
        (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey && event.key.toLowerCase() === 'v';
    },
    onPasteCapture: (event) => {
      const wasPasteKey = isPasteKey.current;
      isPasteKey.current = false;
      const { draft } = useComposer.getState();
      if (draft === null || !(event.target instanceof Element)) return;
      const isInEditor = event.target.closest('[data-editor]') !== null;
      const replacesAll = isUntouched(draft) || input.current?.isAllSelected?.() === true;
      if (!wasPasteKey && !(isInEditor && replacesAll)) return;
      const request = readRequest(event.clipboardData.getData('text/plain'));
      if (request === null && !wasPasteKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (request === null)
        useComposerNotice.getState().show({ title: pasteText.nothingFound, detail: pasteText.readsWhat, actions: [] });
      else void takeRequest(request);
    },
  };
}

/** Fills the form, and changes to the endpoint of the request if it is known. The former content can be restored. */
async function takeRequest(request: FoundRequest): Promise<void> {
  const former = useComposer.getState().draft;
  const { connections } = useSession.getState();
  if (former === null) return;
  const { show } = useComposerNotice.getState();
  const target = fillDraft(former, request, connections)?.draft;
  if (target === undefined) {
    show({ title: pasteText.formUnchanged, detail: unreadDetail(request), actions: [] });
    return;
  }
  await useComposer.getState().goTo(target);
  const there = useComposer.getState().draft;
  const filled = there === null ? null : fillDraft(there, request, connections);
  if (there === null || filled === null) return;
  useComposer.getState().change(filled.draft);
  const endpoint = connections
    .find(({ id }) => id === filled.draft.connectionId)
    ?.endpoints.find(({ id }) => id === filled.draft.endpointId);
  show({
    title: pasteText.filledFrom(request.source),
    detail: filledDetail(filled, request, endpoint === undefined ? pasteText.noEndpointYet : endpointName(endpoint)),
    actions: undoDraft(there, () => void useComposer.getState().goTo(former)),
  });
}

/** The result: the destination, how many keys, what happened to its API key, and what was left out. */
function filledDetail({ draft, notes, keys }: FilledDraft, request: FoundRequest, endpoint: string): string {
  return [
    pasteText.filled(endpoint, draft.operation, keys),
    ...(request.key === null ? [] : [pasteText.keyDiscardedUsesYours]),
    ...notes,
  ].join(' ');
}

function unreadDetail({ source, unread, key }: FoundRequest): string {
  return [pasteText.noInput(source), ...unread, ...(key === null ? [] : [pasteText.keyDiscarded])].join(' ');
}
