import { create } from 'zustand';
import { isOnThisComputer } from '../../src-preload/webhook.ts';
import { call } from '../bridge.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { useComposerRequest } from '../navigation/composer-request.ts';
import { useComposerNotice } from './composer-notice.ts';
import { emptyDraft, fromSubmission, isUntouched, withExample, type ComposerDraft } from './composer-draft.ts';
import {
  isSameTarget,
  keepNow,
  keepSoon,
  loadDraft,
  loadTargets,
  noteTarget,
  originOf,
  slotOfJob,
  slotOfTarget,
  typedIn,
  type Target,
} from './draft-slots.ts';

export type InputCount = 'one' | 'many';

interface ComposerState {
  isOpen: boolean;
  /** One input or a batch of many; null until the kept draft was read. */
  inputCount: InputCount | null;
  draft: ComposerDraft | null;
  /** Under which name the draft is kept. */
  slot: string;
  /** The draft as it came along from another endpoint: while it is still that, it is no draft of this one. */
  carried: string | null;
  /** The saved input, where the draft is an earlier edit of it that was never sent. */
  unedited: ComposerDraft | null;
  /** What the job is called whose input is edited; null for a new job. */
  originTitle: string | null;
  /** When the draft was last saved, since it was opened; null: not yet. */
  keptAtMs: number | null;
  /** Set while a submission is being journalled. */
  isSubmitting: boolean;
  /** Why the last submission was not taken; what was typed stays. */
  refusal: { message: string; field: string | null } | null;
  /** Opens what was being typed, else an empty draft. `inputText` goes in only where nothing was typed. */
  openNew(prefill?: { endpointId?: string; inputText?: string }): Promise<void>;
  /** Opens a job's saved input to be edited, with the edits made to it before. */
  openFrom(jobKey: string): Promise<void>;
  /**
   * Sends the job elsewhere. The draft stays where it was, and that of the other endpoint comes in its place; where
   * there is none, the draft comes along.
   */
  goTo(target: Target): Promise<void>;
  /** Puts the saved input in place of the earlier edits. */
  dropEdits(): void;
  setInputCount(inputCount: InputCount): void;
  change(patch: Partial<Omit<ComposerDraft, keyof Target>>): void;
  setRefusal(refusal: ComposerState['refusal']): void;
  setSubmitting(isSubmitting: boolean): void;
  /** After a submission was taken: the next new job starts empty again. */
  submitted(): void;
  close(): void;
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

/** Whether a job can be sent there. */
function isThere({ connectionId, endpointId }: Target): boolean {
  const connection = useSession.getState().connections.find(({ id }) => id === connectionId);
  return connection?.endpoints.some(({ id }) => id === endpointId) ?? false;
}

/** Where a new job goes: to the endpoint that is asked for, else where the last one of this connection went. */
function newTarget(targets: readonly Target[], endpointId: string | undefined): Target {
  const likely = likelyTarget();
  const asked = { connectionId: likely.connectionId, endpointId: endpointId ?? '' };
  if (isThere(asked)) return asked;
  return targets.find((each) => each.connectionId === likely.connectionId && isThere(each)) ?? likely;
}

/** The draft of a target; where it has none, the last one whose endpoint is gone, so that it is never out of reach. */
async function draftFor(target: Target, targets: readonly Target[]): Promise<ComposerDraft | null> {
  const own = await loadDraft(slotOfTarget(target));
  const [last] = targets;
  if (own !== null || last === undefined || isThere(last)) return own;
  const left = await loadDraft(slotOfTarget(last));
  return left === null ? null : { ...left, ...target };
}

export const useComposer = create<ComposerState>((set, get) => {
  const opened = { isOpen: true, refusal: null, isSubmitting: false, carried: null, keptAtMs: null } as const;
  const noteKept = (slot: string) => (): void => {
    if (get().slot === slot) set({ keptAtMs: Date.now() });
  };
  /** Keeps the draft where it was typed, unless it only came along from another endpoint and is unchanged since. */
  const leave = (): void => {
    const { draft, slot, carried } = get();
    if (draft !== null && carried === JSON.stringify(draft)) keepNow(slot, null);
    else if (typedIn(slot) !== undefined) keepNow(slot, draft);
  };
  return {
    isOpen: false,
    inputCount: null,
    draft: null,
    slot: '',
    carried: null,
    unedited: null,
    originTitle: null,
    keptAtMs: null,
    isSubmitting: false,
    refusal: null,
    setInputCount: (inputCount) => set({ inputCount }),
    async openNew(prefill) {
      if (get().isOpen) return;
      const targets = await loadTargets();
      const target = newTarget(targets, prefill?.endpointId);
      const kept = await draftFor(target, targets);
      const draft = withExample(
        kept ?? withReceiver(emptyDraft(target.connectionId, target.endpointId)),
        prefill?.inputText,
      );
      const slot = slotOfTarget(target);
      noteTarget(target);
      if (!isUntouched(draft)) keepSoon(slot, draft, noteKept(slot));
      const count = prefill?.inputText === undefined ? {} : ({ inputCount: 'one' } as const);
      set({ ...opened, ...count, draft, slot, unedited: null, originTitle: null });
    },
    async openFrom(jobKey) {
      const [saved, job] = await Promise.all([call('job:draft', { key: jobKey }), call('job:get', { key: jobKey })]);
      if (!saved.ok) {
        await get().openNew();
        set({ refusal: { message: saved.failure.message, field: null } });
        return;
      }
      const slot = slotOfJob(jobKey);
      const unedited = withConnection(fromSubmission(saved.value));
      const edited = await loadDraft(slot);
      set({
        ...opened,
        inputCount: 'one',
        draft: edited === null ? unedited : withConnection(edited),
        slot,
        unedited: edited === null ? null : unedited,
        originTitle: job.ok ? job.value.job.title : '',
      });
    },
    async goTo({ connectionId, endpointId }) {
      const target = { connectionId, endpointId };
      const { slot: from } = get();
      if (originOf(from).originKey !== undefined) {
        const { draft } = get();
        if (draft === null) return;
        const moved = { ...draft, ...target };
        keepSoon(from, moved, noteKept(from));
        set({ draft: moved, refusal: null });
        return;
      }
      const slot = slotOfTarget(target);
      const kept = await loadDraft(slot);
      const { draft, isOpen, slot: now } = get();
      // Meanwhile the sheet was closed, or another endpoint chosen.
      if (draft === null || !isOpen || now !== from || isSameTarget(draft, target)) return;
      leave();
      noteTarget(target);
      if (kept === null) {
        const carried = { ...draft, ...target, presetId: '' };
        if (!isUntouched(carried)) keepSoon(slot, carried, noteKept(slot));
        set({ draft: carried, slot, carried: JSON.stringify(carried), refusal: null, keptAtMs: null });
      } else {
        set({ draft: { ...kept, ...target }, slot, carried: null, refusal: null, keptAtMs: null });
      }
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
      // What is taken back may have been typed for another endpoint: where the job goes is changed by `goTo` alone.
      const { connectionId, endpointId } = draft;
      const changed = { ...draft, ...patch, connectionId, endpointId };
      keepSoon(slot, changed, noteKept(slot));
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
      const draft = typedIn(slot);
      // Of a job's input that nobody edited there is nothing to keep.
      if (draft !== undefined) keepNow(slot, draft);
      useComposerNotice.getState().say(null);
      set({ isOpen: false });
    },
  };
});

/** Opens what is asked for elsewhere in the window, even before this was called. Answers the function that ends it. */
export function answerRequests(): () => void {
  const answer = (): void => {
    const { request } = useComposerRequest.getState();
    if (request === null) return;
    useComposerRequest.setState({ request: null });
    const { openFrom, openNew, setInputCount, isOpen } = useComposer.getState();
    if ('jobKey' in request) {
      void openFrom(request.jobKey);
      return;
    }
    const { endpointId, inputText, isMany } = request;
    if (isMany === true && !isOpen) setInputCount('many');
    void openNew({
      ...(endpointId === null ? {} : { endpointId }),
      ...(inputText === undefined ? {} : { inputText }),
    });
  };
  answer();
  return useComposerRequest.subscribe(answer);
}
