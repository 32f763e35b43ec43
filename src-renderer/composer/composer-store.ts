import { isSameEndpoint } from '../../src-preload/endpoint-key.ts';
import { create } from 'zustand';
import { isUrlOfThisMachine } from '../../src-preload/url.ts';
import { call } from '../bridge.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { useComposerRequest } from '../navigation/open-requests.ts';
import { useComposerNotice } from './composer-notice.ts';
import { emptyDraft, fromSubmission, isUntouched, withExample, type ComposerDraft } from './composer-draft.ts';
import {
  saveNow,
  saveSoon,
  loadDraft,
  loadTargets,
  noteTarget,
  originOf,
  slotOfJob,
  slotOfTarget,
  typedIn,
  type Target,
} from './draft-slots.ts';
import { engineNow } from '../data/engine-time.ts';
import { readLearnedInputs } from './learned/use-learned.ts';

export type InputCount = 'one' | 'many';

/** A draft that is being submitted, and the slot it was in. */
export interface SentDraft {
  slot: string;
  draft: ComposerDraft;
}

interface ComposerState {
  isOpen: boolean;
  /** One input or a batch of many. Null until the saved draft is read. */
  inputCount: InputCount | null;
  draft: ComposerDraft | null;
  /** The name under which the draft is saved. */
  slot: string;
  /**
   * The draft in the form in which it was brought from another endpoint. Until it is changed, it is not saved for this
   * one.
   */
  carried: string | null;
  /** The saved input, if the draft is an earlier edit of it that was never sent. */
  unedited: ComposerDraft | null;
  /** The title of the job whose input is edited. Null for a new job. */
  originTitle: string | null;
  /** When the draft was last saved since it was opened, or null. */
  savedAtMs: number | null;
  /** Set while a submission is being journalled. */
  isSubmitting: boolean;
  /** Why the last submission was refused. The draft stays. */
  refusal: { message: string; field: string | null } | null;
  /** Opens the last draft, or an empty one. `inputText` is filled in only if there is no input. */
  openNew(prefill?: { endpointId?: string; inputText?: string }): Promise<void>;
  /** Opens a job's saved input for editing, with earlier edits of it. */
  openFrom(jobKey: string): Promise<void>;
  /**
   * Changes the destination. The draft stays with the old endpoint, and the draft of the new one is shown; if there is
   * none, the present draft is brought along.
   */
  goTo(target: Target): Promise<void>;
  /** Replaces the earlier edits with the saved input. */
  dropEdits(): void;
  setInputCount(inputCount: InputCount): void;
  change(patch: Partial<Omit<ComposerDraft, keyof Target>>): void;
  setRefusal(refusal: ComposerState['refusal']): void;
  setSubmitting(isSubmitting: boolean): void;
  /**
   * Called after a submission: what was sent is no draft any longer, the sheet closes, and the next job starts empty.
   * What was typed since, or opened in the sheet, stays. Returns whether the sheet is closed now. Without `sent`,
   * whatever is in the sheet was sent.
   */
  submitted(sent?: SentDraft): boolean;
  close(): void;
}

/** The connection on screen and its first text endpoint, or else its first: where a new job probably goes. */
function likelyTarget(): { connectionId: string; endpointId: string } {
  const connection = currentConnection(useSession.getState());
  const text = connection?.endpoints.find((endpoint) => endpoint.flavour === 'text') ?? connection?.endpoints[0];
  return { connectionId: connection?.id ?? '', endpointId: text?.id ?? '' };
}

/**
 * An empty draft for a service that can call this computer gets the address of Jobdeck's own receiver, if that is
 * running (ruling 25).
 */
function withReceiver(draft: ComposerDraft): ComposerDraft {
  const { connections, webhook } = useSession.getState();
  const connection = connections.find(({ id }) => id === draft.connectionId);
  const url = webhook?.url ?? null;
  return url !== null && connection !== undefined && isUrlOfThisMachine(connection.baseUrl)
    ? { ...draft, webhook: url }
    : draft;
}

/**
 * A job of a removed connection is sent to the current connection. The user has to choose the endpoint, unless one has
 * the same id.
 */
function withConnection(draft: ComposerDraft): ComposerDraft {
  const { connections } = useSession.getState();
  if (connections.some(({ id }) => id === draft.connectionId)) return draft;
  const current = currentConnection(useSession.getState());
  const exists = current?.endpoints.some(({ id }) => id === draft.endpointId) ?? false;
  return { ...draft, connectionId: current?.id ?? '', endpointId: exists ? draft.endpointId : '' };
}

/** Whether a job can be sent there. */
function exists({ connectionId, endpointId }: Target): boolean {
  const connection = useSession.getState().connections.find(({ id }) => id === connectionId);
  return connection?.endpoints.some(({ id }) => id === endpointId) ?? false;
}

/** The destination of a new job: the requested endpoint, or else that of the connection's last job. */
function newTarget(targets: readonly Target[], endpointId: string | undefined): Target {
  const likely = likelyTarget();
  const wanted = { connectionId: likely.connectionId, endpointId: endpointId ?? '' };
  if (exists(wanted)) return wanted;
  return targets.find((each) => each.connectionId === likely.connectionId && exists(each)) ?? likely;
}

/**
 * The draft of a destination. If it has none, the last draft whose endpoint was removed, so that it can be found again.
 */
async function draftFor(target: Target, targets: readonly Target[]): Promise<ComposerDraft | null> {
  const own = await loadDraft(slotOfTarget(target));
  const [last] = targets;
  if (own !== null || last === undefined || exists(last)) return own;
  const left = await loadDraft(slotOfTarget(last));
  return left === null ? null : { ...left, ...target };
}

/** Drops a draft that was sent, unless it was changed since. */
function dropUnchanged({ slot, draft }: SentDraft): void {
  if ((typedIn(slot) ?? draft) === draft) saveNow(slot, null);
}

export const useComposer = create<ComposerState>((set) => ({
  isOpen: false,
  inputCount: null,
  draft: null,
  slot: '',
  carried: null,
  unedited: null,
  originTitle: null,
  savedAtMs: null,
  isSubmitting: false,
  refusal: null,
  setInputCount: (inputCount) => set({ inputCount }),
  openNew,
  openFrom,
  goTo,
  dropEdits,
  change,
  setRefusal: (refusal) => set({ refusal }),
  setSubmitting: (isSubmitting) => set({ isSubmitting }),
  submitted,
  close,
}));

/** Set whenever another draft is opened. */
const opened = { isOpen: true, refusal: null, carried: null, savedAtMs: null } as const;

async function openNew(prefill?: { endpointId?: string; inputText?: string }): Promise<void> {
  if (useComposer.getState().isOpen) return;
  const targets = await loadTargets();
  const target = newTarget(targets, prefill?.endpointId);
  const kept = await draftFor(target, targets);
  const draft = withExample(
    kept ?? withReceiver(emptyDraft(target.connectionId, target.endpointId)),
    prefill?.inputText,
  );
  const slot = slotOfTarget(target);
  noteTarget(target);
  if (!isUntouched(draft)) save(slot, draft);
  const count = prefill?.inputText === undefined ? {} : ({ inputCount: 'one' } as const);
  useComposer.setState({ ...opened, ...count, draft, slot, unedited: null, originTitle: null });
}

async function openFrom(jobKey: string): Promise<void> {
  const [saved, job] = await Promise.all([call('job:draft', { key: jobKey }), call('job:get', { key: jobKey })]);
  if (!saved.ok) {
    await openNew();
    useComposer.setState({ refusal: { message: saved.failure.message, field: null } });
    return;
  }
  const slot = slotOfJob(jobKey);
  const unedited = withConnection(fromSubmission(saved.value));
  const edited = await loadDraft(slot);
  useComposer.setState({
    ...opened,
    inputCount: 'one',
    draft: edited === null ? unedited : withConnection(edited),
    slot,
    unedited: edited === null ? null : unedited,
    originTitle: job.ok ? job.value.job.title : '',
  });
}

function goTo({ connectionId, endpointId }: Target): Promise<void> {
  const target = { connectionId, endpointId };
  const isOfJob = originOf(useComposer.getState().slot).originKey !== undefined;
  return isOfJob ? sendEditedTo(target) : moveToOwnDraft(target);
}

/** Changes where the edited input of a job goes. It stays in its slot. */
async function sendEditedTo(target: Target): Promise<void> {
  const { slot } = useComposer.getState();
  await readLearnedInputs(target);
  const { draft, slot: slotThen } = useComposer.getState();
  if (draft === null || slotThen !== slot) return;
  const moved = { ...draft, ...target };
  save(slot, moved);
  useComposer.setState({ draft: moved, refusal: null });
}

/** Shows the draft of another endpoint, or brings the present one along if that has none. */
async function moveToOwnDraft(target: Target): Promise<void> {
  const { slot: from } = useComposer.getState();
  const slot = slotOfTarget(target);
  const [kept] = await Promise.all([loadDraft(slot), readLearnedInputs(target)]);
  const { draft, isOpen, slot: slotThen } = useComposer.getState();
  // The sheet was closed or another endpoint was chosen in the meantime.
  if (draft === null || !isOpen || slotThen !== from || isSameEndpoint(draft, target)) return;
  leave();
  noteTarget(target);
  if (kept === null) {
    const carried = { ...draft, ...target, presetId: '' };
    if (!isUntouched(carried)) save(slot, carried);
    useComposer.setState({ draft: carried, slot, carried: JSON.stringify(carried), refusal: null });
  } else {
    useComposer.setState({ draft: { ...kept, ...target }, slot, carried: null, refusal: null, savedAtMs: null });
  }
}

function dropEdits(): void {
  const { slot, unedited } = useComposer.getState();
  if (unedited === null) return;
  saveNow(slot, null);
  useComposer.setState({ draft: unedited, unedited: null, refusal: null });
}

function change(patch: Partial<Omit<ComposerDraft, keyof Target>>): void {
  const { draft, slot } = useComposer.getState();
  if (draft === null) return;
  // An undo may restore a draft of another endpoint, but only `goTo` changes the destination.
  const { connectionId, endpointId } = draft;
  const changed = { ...draft, ...patch, connectionId, endpointId };
  save(slot, changed);
  useComposer.setState({ draft: changed, refusal: null });
}

function submitted(sent?: SentDraft): boolean {
  const { slot, draft, isOpen } = useComposer.getState();
  if (sent !== undefined && sent.slot !== slot) dropUnchanged(sent);
  if (sent !== undefined && (sent.slot !== slot || sent.draft !== draft)) return !isOpen;
  saveNow(slot, null);
  useComposerNotice.getState().show(null);
  useComposer.setState({ isOpen: false, draft: null, refusal: null });
  return true;
}

function close(): void {
  const { slot } = useComposer.getState();
  const draft = typedIn(slot);
  // A job's unedited input need not be saved.
  if (draft !== undefined) saveNow(slot, draft);
  useComposerNotice.getState().show(null);
  useComposer.setState({ isOpen: false });
}

/** Saves a draft soon, and notes when, if it is still the one in the sheet. */
function save(slot: string, draft: ComposerDraft): void {
  saveSoon(slot, draft, () => {
    if (useComposer.getState().slot === slot) useComposer.setState({ savedAtMs: engineNow() });
  });
}

/** Saves the draft for its endpoint, unless it was brought from another endpoint and is unchanged. */
function leave(): void {
  const { draft, slot, carried } = useComposer.getState();
  if (draft !== null && carried === JSON.stringify(draft)) saveNow(slot, null);
  else if (typedIn(slot) !== undefined) saveNow(slot, draft);
}

/**
 * Opens what other parts of the window requested, even before this was called. `offer` gets an input that came along
 * while the sheet had another one. Returns the function that stops it.
 */
export function answerRequests(offer: (inputText: string) => void): () => void {
  const answer = (): void => {
    const { request } = useComposerRequest.getState();
    if (request === null) return;
    useComposerRequest.setState({ request: null });
    const { openFrom, openNew, setInputCount, isOpen } = useComposer.getState();
    if ('jobKey' in request) {
      void openFrom(request.jobKey).then(request.onOpened);
      return;
    }
    const { endpointId, inputText, isMany, onOpened } = request;
    if (isMany === true && !isOpen) setInputCount('many');
    void openNew({
      ...(endpointId === null ? {} : { endpointId }),
      ...(inputText === undefined ? {} : { inputText }),
    }).then(() => {
      if (inputText !== undefined && useComposer.getState().draft?.inputText !== inputText) offer(inputText);
      onOpened?.();
    });
  };
  answer();
  return useComposerRequest.subscribe(answer);
}
