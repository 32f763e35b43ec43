import { create } from 'zustand';
import { maxTemplateTextChars } from '../../src-preload/bounds.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { isChanged } from '../../src-preload/template-plan.ts';
import {
  updatableFields,
  type EnvEntry,
  type TemplateEdits,
  type TemplateView,
  type UpdatableField,
} from '../../src-preload/template.ts';
import { call, on } from '../bridge.ts';
import { beforeLeaving } from '../data/unsaved-forms.ts';
import { createDebounce } from '../data/throttle.ts';
import { undoMs } from '../data/delayed-removal.ts';
import { withEdit, withStep, withoutEdit, type OtherEdits, type Step } from './edit-rules.ts';
import { engineNow } from '../data/engine-time.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { discardText } from '../messages/templates/review.ts';

export interface TemplateAt {
  connectionId: string;
  templateId: string;
}

/** The window's template: what is known, the edits, and what is in progress. */
interface TemplateState extends OtherEdits {
  at: TemplateAt | null;
  view: TemplateView | null;
  /** Why the saved copies could not be read. */
  problem: Failure | null;
  edits: TemplateEdits;
  past: Step[];
  /** The undone steps, the last one first to be repeated. */
  future: UndoneStep[];
  /** When the draft was last saved. Null if there is none. */
  draftSavedAtMs: number | null;
  /** The form has changes that are not saved yet. */
  isDraftBehind: boolean;
  draftProblem: Failure | null;
  /** What is in progress. */
  busy: 'sending' | 'reading' | 'undoing' | null;
  /** Why the last action failed. The result of the template's last update is shown instead. */
  failure: Failure | null;
  /** Fields that an undo cannot restore. */
  notRestorable: readonly UpdatableField[];
  isTicked: boolean;
  typedWord: string;
  /** What the last update from this window requested. Null if none was sent. */
  sentEdits: TemplateEdits | null;
}

/** The edits that an undone step made, and whether it discarded everything. */
interface UndoneStep {
  edits: TemplateEdits;
  isDiscard: boolean;
}

const noOtherEdits: OtherEdits = { pastedEnv: '', lostEnv: [], isPasteLost: false, hasNewerCopy: false };

const fresh = {
  ...noOtherEdits,
  view: null,
  problem: null,
  edits: {},
  past: [],
  future: [],
  draftSavedAtMs: null,
  isDraftBehind: false,
  draftProblem: null,
  busy: null,
  failure: null,
  notRestorable: [],
  isTicked: false,
  typedWord: '',
  sentEdits: null,
} as const satisfies Partial<TemplateState>;

export const useTemplate = create<TemplateState>(() => ({ at: null, ...fresh }));

const { getState: get, setState: set } = useTemplate;

/** Shows a template with its draft. Returns the function that closes it. */
export function openTemplate(at: TemplateAt): () => void {
  set({ at, ...fresh });
  void load(true);
  const end = on('template:changed', (changed) => {
    if (changed.connectionId === at.connectionId && changed.templateId === at.templateId) void load(false);
  });
  const flush = (): void => void saveDraftNow();
  const endSaving = beforeLeaving(flush);
  return () => {
    endSaving();
    flush();
    end();
  };
}

async function load(isFirst: boolean): Promise<void> {
  const { at } = get();
  if (at === null) return;
  const result = await call('template:view', at);
  if (get().at !== at) return;
  if (!result.ok) {
    set({ problem: result.failure });
    return;
  }
  const former = get().view;
  const { draft } = result.value;
  set({ view: result.value, problem: null });
  if (isFirst && draft !== null)
    set({
      edits: draft.edits,
      pastedEnv: draft.pastedEnv ?? '',
      draftSavedAtMs: draft.savedAtMs,
      lostEnv: draft.lostEnv,
      isPasteLost: draft.isPasteLost,
      hasNewerCopy: draft.baseSeq !== (result.value.known?.seq ?? null),
    });
  else if (former !== null && former.known?.seq !== result.value.known?.seq && hasEdits()) {
    // An edit that the newer copy already has is dropped.
    set({ edits: stillChanged(get().edits, {}), hasNewerCopy: true, isTicked: false, typedWord: '' });
    saveDraftSoon();
  }
}

/** Whether anything entered here is kept over a restart. */
function hasDraft(): boolean {
  return hasEdits() || get().pastedEnv !== '';
}

/** Loads the template again. */
export function retryLoad(): void {
  void load(get().view === null);
}

function hasEdits(): boolean {
  return Object.keys(get().edits).length > 0;
}

/** Edits one field. */
export function edit<F extends UpdatableField>(field: F, value: TemplateEdits[F]): void {
  takeEdits(withEdit(get().edits, field, value, get().view?.known?.template ?? null), field);
}

/** Undoes the edit of one field. */
export function undoField(field: UpdatableField): void {
  takeEdits(withoutEdit(get().edits, field), null);
}

/** The variables in the form. */
export function currentEnv({ view, edits }: Pick<TemplateState, 'view' | 'edits'>): EnvEntry[] {
  return edits.env ?? (view?.known?.template.env ?? []).map((name) => ({ name, value: null }));
}

/** Changes the text of the pasted .env file. Empty: it was imported or discarded. */
export function pasteEnv(pastedEnv: string): void {
  set({ pastedEnv, isPasteLost: false });
  saveDraftSoon();
}

function takeEdits(edits: TemplateEdits, field: UpdatableField | null, discarded: OtherEdits | null = null): void {
  const { past } = get();
  set({
    edits,
    past: withStep(past, { edits: get().edits, field, discarded }, engineNow()),
    future: [],
    isTicked: false,
    typedWord: '',
    failure: null,
    notRestorable: [],
  });
  saveDraftSoon();
}

/** Undoes the last step. */
export function undoStep(): void {
  const { past, edits, future } = get();
  const last = past.at(-1);
  if (last === undefined) return;
  set({
    edits: last.edits,
    past: past.slice(0, -1),
    future: [...future, { edits, isDiscard: last.discarded !== null }],
    isTicked: false,
    ...(last.discarded === null ? {} : withOtherEdits(last.discarded)),
  });
  saveDraftSoon();
}

/** What was discarded beside the edits. A file that was pasted since stays. */
function withOtherEdits(discarded: OtherEdits): OtherEdits {
  const { pastedEnv } = get();
  return pastedEnv === '' ? discarded : { ...discarded, pastedEnv, isPasteLost: false };
}

/** Repeats the last undone step. */
export function redoStep(): void {
  const { past, edits, future } = get();
  const next = future.at(-1);
  if (next === undefined) return;
  if (next.isDiscard) {
    discardAll();
    set({ future: future.slice(0, -1) });
    return;
  }
  set({
    edits: next.edits,
    past: withStep(past, { edits, field: null }, engineNow()),
    future: future.slice(0, -1),
    isTicked: false,
  });
  saveDraftSoon();
}

/** Discards all edits and a pasted .env file, here and on disk. One undo, or the toast's, brings them back. */
export function discard(): void {
  const { at, edits } = get();
  const discarded = discardAll();
  const step = get().past.at(-1);
  toast(discardText.discarded(discarded.pastedEnv !== ''), {
    slot: 'discarded-template',
    shownMs: undoMs,
    action: undoAction(() => {
      if (get().at !== at) return;
      if (get().past.at(-1) === step) undoStep();
      else bringBack(edits, discarded);
    }),
  });
}

function discardAll(): OtherEdits {
  const { pastedEnv, lostEnv, isPasteLost, hasNewerCopy } = get();
  const discarded = { pastedEnv, lostEnv, isPasteLost, hasNewerCopy };
  takeEdits({}, null, discarded);
  set(noOtherEdits);
  return discarded;
}

/** Brings back what was discarded. What was changed since stays. */
function bringBack(edits: TemplateEdits, discarded: OtherEdits): void {
  takeEdits(stillChanged({ ...edits, ...get().edits }, {}), null);
  set(withOtherEdits(discarded));
}

const draftPauseMs = 350;
const draftSaving = createDebounce(draftPauseMs, () => void saveDraft());

function saveDraftSoon(): void {
  set({ isDraftBehind: true });
  draftSaving.request();
}

/** Saves the draft if that was about to happen. */
async function saveDraftNow(): Promise<void> {
  if (!draftSaving.isWaiting()) return;
  draftSaving.cancel();
  await saveDraft();
}

async function saveDraft(): Promise<void> {
  const { at, view, edits, pastedEnv } = get();
  if (at === null) return;
  const isKept = hasDraft();
  const result = await call('template:saveDraft', {
    ...at,
    // A paste that is longer than can be kept does not prevent the rest from being kept.
    draft: isKept
      ? {
          baseSeq: view?.known?.seq ?? null,
          edits,
          pastedEnv: pastedEnv.length > maxTemplateTextChars ? '' : pastedEnv,
        }
      : null,
  });
  if (get().at === at)
    set({
      isDraftBehind: get().edits !== edits || get().pastedEnv !== pastedEnv,
      ...(result.ok
        ? { draftSavedAtMs: isKept ? engineNow() : null, draftProblem: null }
        : { draftProblem: result.failure }),
    });
}

/** Sends the update once. The edits stay until the service accepted it. */
export async function send(): Promise<void> {
  const { at, view, edits, typedWord, busy } = get();
  // Edits are immutable, so those that are not among these at the end were made meanwhile.
  if (at === null || view === null || busy !== null) return;
  set({ busy: 'sending', failure: null, sentEdits: edits });
  // If the app ends now, the saved draft is what was sent.
  await saveDraftNow();
  const result = await call('template:update', {
    ...at,
    baseSeq: view.known?.seq ?? null,
    edits,
    confirmedWith: typedWord === '' ? null : typedWord,
  });
  if (get().at !== at) return;
  const isApplied = result.ok && result.value.outcome.kind === 'applied';
  // The new copy first, because the edits are compared with it.
  await load(false);
  set({
    busy: null,
    isTicked: false,
    typedWord: '',
    hasNewerCopy: false,
    ...(result.ok ? {} : { failure: result.failure }),
  });
  if (!isApplied) return;
  // Edits made while the update was in progress stay, if they are still a change.
  const left = stillChanged(get().edits, edits);
  set({ edits: left, past: [], future: [], draftSavedAtMs: null, lostEnv: [] });
  if (hasDraft()) saveDraftSoon();
}

/** The edits that were made after `sent` and differ from the new copy. */
function stillChanged(edits: TemplateEdits, sent: TemplateEdits): TemplateEdits {
  const known = get().view?.known?.template ?? null;
  return Object.fromEntries(
    Object.entries(edits).filter(([name, value]) =>
      updatableFields.some((field) => field === name && value !== sent[field] && isChanged(field, known, edits)),
    ),
  );
}

/** Fills in the edits that restore a former copy, or the state before the last update. Nothing is sent. */
export async function prepareUndo(toSeq: number | null): Promise<void> {
  const { at } = get();
  if (at === null) return;
  set({ busy: 'undoing', failure: null });
  const result = await call('template:undo', { ...at, toSeq });
  if (get().at !== at) return;
  set({ busy: null });
  if (!result.ok) {
    set({ failure: result.failure });
    return;
  }
  takeEdits(result.value.edits, null);
  set({ notRestorable: result.value.notRestorable });
}

/** Reads the template again from a pod. Returns why that failed, or null. */
export async function readFromPod(podId: string): Promise<Failure | null> {
  const { at } = get();
  if (at === null) return null;
  set({ busy: 'reading' });
  const result = await call('template:readFromPod', { ...at, podId });
  if (get().at !== at) return null;
  set({ busy: null });
  if (!result.ok) return result.failure;
  await load(false);
  return null;
}
