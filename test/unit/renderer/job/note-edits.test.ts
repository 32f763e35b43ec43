import { notifyManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok, type Failure, type Result } from '../../../../src-preload/failure.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import {
  dropNote,
  replaceNote,
  saveNote,
  saveNotes,
  showNote,
  typeNote,
  useNoteEdits,
} from '../../../../src-renderer/job/note-edits.ts';
import { aJob } from '../../../kit/a-job.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

/** The saved notes by job key, as main has them. */
let saved: Map<string, string>;
let failure: Failure | null;
/** While it is set, main answers when this resolves. */
let slow: Promise<void> | null;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  saved = new Map();
  failure = null;
  slow = null;
  useToasts.setState({ items: [] });
  const answer = ({ key, text, over }: { key: string; text: string; over?: string | undefined }): Result<Job> => {
    if (failure !== null) return failed(failure);
    if (over !== undefined && over !== (saved.get(key) ?? ''))
      return failed({ kind: 'refused', message: 'Another window has changed this note.', field: 'over' });
    saved.set(key, text.trim() === '' ? '' : text);
    return ok(aJob({ key }));
  };
  answerCalls({
    'job:note': async (input) => {
      const answered = answer(input);
      await slow;
      return answered;
    },
  });
});

afterEach(() => {
  useNoteEdits.setState({ edits: new Map() });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const edit = (key = 'a') => useNoteEdits.getState().edits.get(key);

test('a note is saved after a pause, and what is typed meanwhile after it', async () => {
  let goOn = (): void => {};
  slow = new Promise((resolve) => (goOn = resolve));
  typeNote('a', '', 'one');
  await vi.advanceTimersByTimeAsync(400);
  typeNote('a', '', 'one two');
  await vi.advanceTimersByTimeAsync(400);
  expect(saved.get('a')).toBe('one');
  goOn();
  await vi.advanceTimersByTimeAsync(500);
  expect(saved.get('a')).toBe('one two');
  expect(edit()).toBeUndefined();
});

test('what was typed stays until the saved note is drawn, so that the field never shows the one before', async () => {
  queries.setQueryData(['job:get', { key: 'a' }], { note: '' });
  const shown = new QueryObserver<{ note: string }>(queries, { queryKey: ['job:get', { key: 'a' }], enabled: false });
  let drawn = '';
  // As components are told.
  const endShown = shown.subscribe(notifyManager.batchCalls(({ data }) => (drawn = data?.note ?? '')));
  const fields: string[] = [];
  const endFields = useNoteEdits.subscribe(() => fields.push(edit()?.text ?? drawn));
  typeNote('a', '', 'one');
  await vi.advanceTimersByTimeAsync(500);
  expect(edit()).toBeUndefined();
  expect(fields.at(-1)).toBe('one');
  expect(new Set(fields)).toEqual(new Set(['one']));
  endShown();
  endFields();
});

test('what waits is sent when the window leaves, even if a part of it is just being saved', async () => {
  let goOn = (): void => {};
  slow = new Promise((resolve) => (goOn = resolve));
  typeNote('a', '', 'one');
  await vi.advanceTimersByTimeAsync(400);
  typeNote('a', '', 'one two');
  typeNote('b', '', 'of another job');
  saveNotes();
  expect(Object.fromEntries(saved)).toEqual({ a: 'one two', b: 'of another job' });
  goOn();
  await vi.advanceTimersByTimeAsync(0);
  expect(useNoteEdits.getState().edits.size).toBe(0);
});

test('a note that could not be saved stays, says so, and is saved when it is shown again', async () => {
  const hide = showNote('a');
  typeNote('a', '', 'a long thought');
  failure = { kind: 'storage', message: 'The disk is full.' };
  await vi.advanceTimersByTimeAsync(400);
  expect(edit()).toMatchObject({ text: 'a long thought', problem: 'Could not save the note. The disk is full.' });
  expect(useToasts.getState().items).toEqual([]);
  hide();
  await vi.advanceTimersByTimeAsync(0);
  expect(useToasts.getState().items.at(-1)).toMatchObject({
    message: 'Could not save the note. The disk is full.',
    action: { label: 'Try again' },
  });
  expect(edit()?.text).toBe('a long thought');

  failure = null;
  showNote('a')();
  await vi.advanceTimersByTimeAsync(0);
  expect(saved.get('a')).toBe('a long thought');
  expect(edit()).toBeUndefined();
});

test('a note that another window has changed is never overwritten: the user decides', async () => {
  const hide = showNote('a');
  typeNote('a', 'old', 'old and mine');
  saved.set('a', 'theirs');
  await vi.advanceTimersByTimeAsync(400);
  expect(saved.get('a')).toBe('theirs');
  expect(edit()).toMatchObject({ text: 'old and mine', isChangedElsewhere: true });
  typeNote('a', 'theirs', 'old and mine, more');
  await vi.advanceTimersByTimeAsync(4_000);
  await saveNote('a');
  expect(saved.get('a')).toBe('theirs');

  dropNote('a');
  expect(edit()).toBeUndefined();
  useToasts.getState().items.at(-1)?.action?.onSelect();
  expect(edit()).toMatchObject({ text: 'old and mine, more', isChangedElsewhere: true });

  replaceNote('a', 'theirs');
  await vi.advanceTimersByTimeAsync(0);
  expect(saved.get('a')).toBe('old and mine, more');
  expect(edit()).toBeUndefined();
  hide();
});

test('an emptied note can be written again', async () => {
  saved.set('a', 'old');
  typeNote('a', 'old', ' ');
  await vi.advanceTimersByTimeAsync(400);
  expect(saved.get('a')).toBe('');
  typeNote('a', '', 'new');
  await vi.advanceTimersByTimeAsync(500);
  expect(saved.get('a')).toBe('new');
});
