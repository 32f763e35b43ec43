import { create } from 'zustand';
import { call } from '../bridge.ts';
import { afterAnswersAreDrawn, changeAnswers, makeStale } from '../data/calls.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { noteText } from '../messages/job/pane.ts';

/** What was typed into the note of a job and is not saved yet. */
interface NoteEdit {
  text: string;
  /** The saved note that it was typed over. */
  over: string;
  /** Why the last attempt to save it failed. */
  problem: string | null;
  /** The saved note is another one by now, so the user decides which one stays. */
  isChangedElsewhere: boolean;
}

/** Unsaved notes by job key. They stay while another tab or job is shown, and after a failure. */
export const useNoteEdits = create<{ edits: ReadonlyMap<string, NoteEdit> }>(() => ({ edits: new Map() }));

/** A note is saved after this pause, and when its field is left. */
const quietMs = 400;
const pauses = new Map<string, ReturnType<typeof setTimeout>>();
const inFlight = new Set<string>();
const shown = new Set<string>();

const editOf = (key: string): NoteEdit | undefined => useNoteEdits.getState().edits.get(key);

function put(key: string, edit: NoteEdit | null): void {
  const edits = new Map(useNoteEdits.getState().edits);
  if (edit === null) edits.delete(key);
  else edits.set(key, edit);
  useNoteEdits.setState({ edits });
}

/** Takes what was typed into a note, and saves it after a pause. `saved`: the note as it was shown. */
export function typeNote(key: string, saved: string, text: string): void {
  const before = editOf(key);
  const isChangedElsewhere = before?.isChangedElsewhere ?? false;
  put(key, {
    text,
    over: before?.over ?? saved,
    isChangedElsewhere,
    problem: isChangedElsewhere ? (before?.problem ?? null) : null,
  });
  if (!isChangedElsewhere) saveSoon(key);
}

function saveSoon(key: string): void {
  clearTimeout(pauses.get(key));
  pauses.set(
    key,
    setTimeout(() => {
      // What is typed while a note is being saved is saved after that.
      if (!inFlight.has(key)) void saveNote(key);
    }, quietMs),
  );
}

/** Saves a note now, if something is unsaved. */
export async function saveNote(key: string): Promise<void> {
  clearTimeout(pauses.get(key));
  const sent = editOf(key);
  if (sent === undefined || sent.isChangedElsewhere) return;
  const saved = sent.text.trim() === '' ? '' : sent.text;
  // Main writes the notes of a job in the order in which they are sent: the next one is over this one.
  put(key, { ...sent, over: saved });
  inFlight.add(key);
  const result = await call('job:note', { key, text: sent.text, over: sent.over });
  inFlight.delete(key);
  if (result.ok) {
    changeAnswers('job:get', { key }, (detail) => ({ ...detail, note: saved }));
    // Earlier, the field would show the note that was saved before, and lose what is typed then.
    afterAnswersAreDrawn(() => {
      const now = editOf(key);
      if (now?.text === sent.text) put(key, null);
      else if (now !== undefined) saveSoon(key);
    });
    return;
  }
  const now = editOf(key);
  if (now === undefined) return;
  const { failure } = result;
  const isChangedElsewhere = failure.kind === 'refused' && failure.field === 'over';
  const problem = isChangedElsewhere ? failure.message : noteText.notSaved(failure.message);
  put(key, { ...now, over: sent.over, problem, isChangedElsewhere });
  if (isChangedElsewhere) makeStale('job:get', { key });
  if (!shown.has(key))
    toast(problem, {
      action: isChangedElsewhere ? undefined : { label: commonText.tryAgain, onSelect: () => void saveNote(key) },
    });
}

/** Saves all notes that are not saved yet. */
export function saveNotes(): void {
  for (const key of useNoteEdits.getState().edits.keys()) void saveNote(key);
}

/** Tries again what could not be saved, when a note is shown. Returns the function to call when it no longer is. */
export function showNote(key: string): () => void {
  shown.add(key);
  void saveNote(key);
  return () => {
    shown.delete(key);
    void saveNote(key);
  };
}

/** Replaces the note that another window has saved, which is `saved`, with what was typed here. */
export function replaceNote(key: string, saved: string): void {
  const edit = editOf(key);
  if (edit === undefined) return;
  put(key, { ...edit, over: saved, problem: null, isChangedElsewhere: false });
  void saveNote(key);
}

/** Drops what was typed here for the note that another window has saved. A toast restores it. */
export function dropNote(key: string): void {
  const edit = editOf(key);
  if (edit === undefined) return;
  put(key, null);
  toast(noteText.dropped, {
    // As it was: in conflict, so that neither of the two is lost by the undo.
    action: undoAction(() => put(key, editOf(key) ?? edit)),
  });
}
