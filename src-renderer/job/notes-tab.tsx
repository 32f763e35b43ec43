import { Eye, PencilLine } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { maxNoteChars } from '../../src-preload/judgement.ts';
import { beforeLeaving } from '../data/unsaved-forms.ts';
import { makeStale } from '../data/calls.ts';
import { Button } from '../design/button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { noteText } from '../messages/job/pane.ts';
import { LiveText } from '../stream/live-text.tsx';
import { wholeText } from '../stream/text-source.ts';
import { dropNote, replaceNote, saveNotes, showNote, typeNote, useNoteEdits } from './note-edits.ts';
import styles from './notes-tab.module.css';

/** The user's note on a job, in markdown: saved while it is typed, searchable, and exported. */
export function NotesTab({ job, note }: { job: Job; note: string }) {
  const isTyped = useNoteEdits((state) => state.edits.has(job.key));
  // Until the job is read, there is only what the list knows of it: that it has a note.
  if (note === '' && job.noteLine !== undefined && !isTyped)
    return (
      <div className={styles.tab} aria-busy="true">
        <p className={styles.empty}>{noteText.reading}</p>
      </div>
    );
  return <NoteEditor job={job} note={note} />;
}

function NoteEditor({ job, note }: { job: Job; note: string }) {
  const [view, setView] = useState<'write' | 'read'>(note === '' ? 'write' : 'read');
  const { text, type, state, isChangedElsewhere } = useNote(job.key, note);
  return (
    <div className={styles.tab}>
      <div className={styles.toolbar}>
        <Segmented
          label={noteText.note}
          size="sm"
          value={view}
          onChange={setView}
          options={[
            { value: 'write', label: noteText.write, icon: <PencilLine size={14} /> },
            { value: 'read', label: noteText.read, icon: <Eye size={14} /> },
          ]}
        />
        <span className={styles.state} role="status">
          {state}
        </span>
        {isChangedElsewhere && (
          <>
            <Button size="sm" onClick={() => replaceNote(job.key, note)}>
              {noteText.keepThis}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => dropNote(job.key)}>
              {noteText.showOther}
            </Button>
          </>
        )}
      </div>
      {view === 'write' ? (
        <textarea
          className={styles.editor}
          aria-label={noteText.note}
          value={text}
          maxLength={maxNoteChars}
          placeholder={noteText.placeholder}
          onChange={(event) => type(event.target.value)}
        />
      ) : text.trim() === '' ? (
        <p className={styles.empty}>{noteText.empty}</p>
      ) : (
        <ReadNote text={text} />
      )}
    </div>
  );
}

function ReadNote({ text }: { text: string }) {
  const source = useMemo(() => wholeText(text), [text]);
  return (
    <LiveText
      source={source}
      version={0}
      subject="note"
      isLive={false}
      isArriving={false}
      isFollowing={false}
      onFollowChange={ignore}
      isPlain={false}
      isFinding={false}
      onFindEnd={ignore}
    />
  );
}

const ignore = (): void => {};

interface Note {
  text: string;
  type: (text: string) => void;
  /** Whether it is saved, as text. */
  state: string;
  /** Another window has changed the note since this text was begun. */
  isChangedElsewhere: boolean;
}

/** A note that is being edited. A newer one from elsewhere is shown unless changes here wait to be saved. */
function useNote(key: string, saved: string): Note {
  const edit = useNoteEdits((state) => state.edits.get(key));
  useEffect(() => {
    // Another window may have saved a note since the job was read.
    const readAgain = (): void => makeStale('job:get', { key });
    readAgain();
    window.addEventListener('focus', readAgain);
    const endShowing = showNote(key);
    const endSaving = beforeLeaving(saveNotes);
    return () => {
      window.removeEventListener('focus', readAgain);
      endShowing();
      endSaving();
    };
  }, [key]);
  return {
    text: edit?.text ?? saved,
    type: (text) => typeNote(key, saved, text),
    state: edit?.problem ?? (edit !== undefined ? noteText.saving : saved === '' ? '' : noteText.saved),
    isChangedElsewhere: edit?.isChangedElsewhere ?? false,
  };
}
