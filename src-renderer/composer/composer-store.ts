import { create } from 'zustand';
import { isOnThisComputer } from '../../src-preload/webhook.ts';
import { call } from '../bridge.ts';
import { callOrSay, orSay } from '../call-or-say.ts';
import { useSession } from '../data/session-store.ts';
import { emptyDraft, fromSubmission, readKeptDraft, withExample, type ComposerDraft } from './composer-draft.ts';

/** One draft is kept, whatever it was opened from: closing the sheet, the app or the power never loses it. */
const slot = 'composer';
const keepAfterMs = 300;

export type InputCount = 'one' | 'many';

interface ComposerState {
  isOpen: boolean;
  /** One input or a batch of many; null until the kept draft was read. */
  inputCount: InputCount | null;
  draft: ComposerDraft | null;
  /** Set while a submission is being journalled. */
  isSubmitting: boolean;
  /** Why the last submission was not taken; what was typed stays. */
  refusal: { message: string; field: string | null } | null;
  /** Opens what was being typed, else an empty draft. `inputText` goes in only where nothing was typed. */
  openNew(prefill?: { endpointId?: string; inputText?: string }): Promise<void>;
  openFrom(jobKey: string): Promise<void>;
  setInputCount(inputCount: InputCount): void;
  change(patch: Partial<ComposerDraft>): void;
  setRefusal(refusal: ComposerState['refusal']): void;
  setSubmitting(isSubmitting: boolean): void;
  /** After a submission was taken: the next new job starts empty again. */
  submitted(): void;
  close(): void;
}

let keepTimer: ReturnType<typeof setTimeout> | null = null;

function keepSoon(draft: ComposerDraft): void {
  if (keepTimer !== null) clearTimeout(keepTimer);
  keepTimer = setTimeout(() => keepNow(draft), keepAfterMs);
}

function keepNow(draft: ComposerDraft | null): void {
  if (keepTimer !== null) clearTimeout(keepTimer);
  keepTimer = null;
  callOrSay('draft:keep', { slot, text: draft === null ? '' : JSON.stringify(draft) });
}

/** The connection in view and its first endpoint: where a new job most likely goes. */
function likelyTarget(): { connectionId: string; endpointId: string } {
  const { connections, settings } = useSession.getState();
  const connection = connections.find((each) => each.id === settings.currentConnectionId) ?? connections[0];
  const text = connection?.endpoints.find((endpoint) => endpoint.flavour === 'text') ?? connection?.endpoints[0];
  return { connectionId: connection?.id ?? '', endpointId: text?.id ?? '' };
}

/**
 * A fresh draft for a service that can call this computer names Jobdeck's own receiver, where it listens (ruling 25).
 */
function withReceiver(draft: ComposerDraft): ComposerDraft {
  const { connections, webhook } = useSession.getState();
  const connection = connections.find(({ id }) => id === draft.connectionId);
  const url = webhook?.url ?? null;
  return url !== null && connection !== undefined && isOnThisComputer(connection.baseUrl)
    ? { ...draft, webhook: url }
    : draft;
}

/** A draft may name a connection or endpoint that is gone; then it goes to the likely one. */
function withTarget(draft: ComposerDraft, wantedEndpointId?: string): ComposerDraft {
  const { connections, settings } = useSession.getState();
  const likely = likelyTarget();
  const connectionId = settings.currentConnectionId ?? likely.connectionId;
  const connection =
    connections.find((each) => each.id === (draft.connectionId === connectionId ? draft.connectionId : connectionId)) ??
    connections[0];
  const has = (id: string): boolean => connection?.endpoints.some((endpoint) => endpoint.id === id) ?? false;
  const endpointId =
    wantedEndpointId !== undefined && has(wantedEndpointId)
      ? wantedEndpointId
      : has(draft.endpointId)
        ? draft.endpointId
        : likely.endpointId;
  return { ...draft, connectionId: connection?.id ?? '', endpointId };
}

export const useComposer = create<ComposerState>((set, get) => ({
  isOpen: false,
  inputCount: null,
  draft: null,
  isSubmitting: false,
  refusal: null,
  setInputCount: (inputCount) => set({ inputCount }),
  async openNew(prefill) {
    if (get().isOpen) return;
    const kept = get().draft ?? (await loadKept());
    const target = likelyTarget();
    const draft = withTarget(
      withExample(kept ?? withReceiver(emptyDraft(target.connectionId, target.endpointId)), prefill?.inputText),
      prefill?.endpointId,
    );
    set({
      isOpen: true,
      draft,
      refusal: null,
      isSubmitting: false,
      ...(prefill?.inputText === undefined ? {} : { inputCount: 'one' }),
    });
  },
  async openFrom(jobKey) {
    const saved = await call('job:draft', { key: jobKey });
    if (!saved.ok) {
      const target = likelyTarget();
      set({
        isOpen: true,
        draft: get().draft ?? emptyDraft(target.connectionId, target.endpointId),
        refusal: { message: saved.failure.message, field: null },
      });
      return;
    }
    const draft = fromSubmission(saved.value);
    keepNow(draft);
    set({ isOpen: true, inputCount: 'one', draft, refusal: null, isSubmitting: false });
  },
  change(patch) {
    const { draft } = get();
    if (draft === null) return;
    const changed = { ...draft, ...patch };
    keepSoon(changed);
    set({ draft: changed, refusal: null });
  },
  setRefusal: (refusal) => set({ refusal }),
  setSubmitting: (isSubmitting) => set({ isSubmitting }),
  submitted() {
    keepNow(null);
    set({ isOpen: false, draft: null, refusal: null, isSubmitting: false });
  },
  close() {
    keepNow(get().draft);
    set({ isOpen: false });
  },
}));

async function loadKept(): Promise<ComposerDraft | null> {
  const kept = orSay(await call('draft:load', { slot }));
  return kept.ok && kept.value !== null ? readKeptDraft(kept.value.text) : null;
}
