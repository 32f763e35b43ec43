import { create } from 'zustand';
import { isOnThisComputer } from '../../src-preload/webhook.ts';
import { call } from '../bridge.ts';
import { callOrSay, orSay } from '../call-or-say.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { useComposerNotice } from './composer-notice.ts';
import { emptyDraft, fromSubmission, readKeptDraft, withExample, type ComposerDraft } from './composer-draft.ts';

/**
 * Drafts are kept by what they were opened from, the new job or a job to resubmit with edits, so that none replaces
 * another: closing the sheet, the app or the power loses nothing.
 */
const newJob = 'composer';
const keepAfterMs = 300;

const editOf = 'composer of ';

/** The job whose input is edited in a slot. */
export function originOf(slot: string): { originKey?: string } {
  return slot.startsWith(editOf) ? { originKey: slot.slice(editOf.length) } : {};
}

function slotOf(jobKey: string): string {
  return `${editOf}${jobKey}`;
}

/** What was typed since the window opened, by slot: also there where the disk could not keep it. */
const typed = new Map<string, ComposerDraft>();

export type InputCount = 'one' | 'many';

interface ComposerState {
  isOpen: boolean;
  /** One input or a batch of many; null until the kept draft was read. */
  inputCount: InputCount | null;
  draft: ComposerDraft | null;
  /** Under which name the draft is kept. */
  slot: string;
  /** The saved input, where the draft is an earlier edit of it that was never sent. */
  unedited: ComposerDraft | null;
  /** Set while a submission is being journalled. */
  isSubmitting: boolean;
  /** Why the last submission was not taken; what was typed stays. */
  refusal: { message: string; field: string | null } | null;
  /** Opens what was being typed, else an empty draft. `inputText` goes in only where nothing was typed. */
  openNew(prefill?: { endpointId?: string; inputText?: string }): Promise<void>;
  /** Opens a job's saved input to be edited, with the edits made to it before. */
  openFrom(jobKey: string): Promise<void>;
  /** Puts the saved input in place of the earlier edits. */
  dropEdits(): void;
  setInputCount(inputCount: InputCount): void;
  change(patch: Partial<ComposerDraft>): void;
  setRefusal(refusal: ComposerState['refusal']): void;
  setSubmitting(isSubmitting: boolean): void;
  /** After a submission was taken: the next new job starts empty again. */
  submitted(): void;
  close(): void;
}

let keepTimer: ReturnType<typeof setTimeout> | null = null;

function keepSoon(slot: string, draft: ComposerDraft): void {
  typed.set(slot, draft);
  if (keepTimer !== null) clearTimeout(keepTimer);
  keepTimer = setTimeout(() => keepNow(slot, draft), keepAfterMs);
}

function keepNow(slot: string, draft: ComposerDraft | null): void {
  if (keepTimer !== null) clearTimeout(keepTimer);
  keepTimer = null;
  if (draft === null) typed.delete(slot);
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

/**
 * A job of a removed connection is sent to the connection in use. Its endpoint there has to be chosen, unless one has
 * the same id: nobody has said where else the job may run.
 */
function withConnection(draft: ComposerDraft): ComposerDraft {
  const { connections } = useSession.getState();
  if (connections.some(({ id }) => id === draft.connectionId)) return draft;
  const current = currentConnection(useSession.getState());
  const isThere = current?.endpoints.some(({ id }) => id === draft.endpointId) ?? false;
  return { ...draft, connectionId: current?.id ?? '', endpointId: isThere ? draft.endpointId : '' };
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
  slot: newJob,
  unedited: null,
  isSubmitting: false,
  refusal: null,
  setInputCount: (inputCount) => set({ inputCount }),
  async openNew(prefill) {
    if (get().isOpen) return;
    const kept = typed.get(newJob) ?? (await loadKept(newJob));
    const target = likelyTarget();
    const draft = withTarget(
      withExample(kept ?? withReceiver(emptyDraft(target.connectionId, target.endpointId)), prefill?.inputText),
      prefill?.endpointId,
    );
    typed.set(newJob, draft);
    set({
      isOpen: true,
      draft,
      slot: newJob,
      unedited: null,
      refusal: null,
      isSubmitting: false,
      ...(prefill?.inputText === undefined ? {} : { inputCount: 'one' }),
    });
  },
  async openFrom(jobKey) {
    const saved = await call('job:draft', { key: jobKey });
    if (!saved.ok) {
      await get().openNew();
      set({ refusal: { message: saved.failure.message, field: null } });
      return;
    }
    const slot = slotOf(jobKey);
    const unedited = withConnection(fromSubmission(saved.value));
    const edited = typed.get(slot) ?? (await loadKept(slot));
    set({
      isOpen: true,
      inputCount: 'one',
      draft: edited === null ? unedited : withConnection(edited),
      slot,
      unedited: edited === null ? null : unedited,
      refusal: null,
      isSubmitting: false,
    });
  },
  dropEdits() {
    const { slot, unedited } = get();
    if (unedited === null) return;
    keepNow(slot, null);
    set({ draft: unedited, unedited: null, refusal: null });
  },
  change(patch) {
    const { draft, slot } = get();
    if (draft === null) return;
    const changed = { ...draft, ...patch };
    keepSoon(slot, changed);
    set({ draft: changed, refusal: null });
  },
  setRefusal: (refusal) => set({ refusal }),
  setSubmitting: (isSubmitting) => set({ isSubmitting }),
  submitted() {
    keepNow(get().slot, null);
    useComposerNotice.getState().say(null);
    set({ isOpen: false, draft: null, refusal: null, isSubmitting: false });
  },
  close() {
    const { slot } = get();
    const draft = typed.get(slot);
    // Of a job's input that nobody edited there is nothing to keep.
    if (draft !== undefined) keepNow(slot, draft);
    useComposerNotice.getState().say(null);
    set({ isOpen: false });
  },
}));

async function loadKept(slot: string): Promise<ComposerDraft | null> {
  const kept = orSay(await call('draft:load', { slot }));
  return kept.ok && kept.value !== null ? readKeptDraft(kept.value.text) : null;
}
