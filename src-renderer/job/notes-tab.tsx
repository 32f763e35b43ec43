import { Eye, PencilLine } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { longestNote } from '../../src-preload/judgement.ts';
import { call } from '../bridge.ts';
import { changeAnswers, makeStale } from '../data/calls.ts';
import { Segmented } from '../design/segmented.tsx';
import { noteText } from '../messages/job/pane.ts';
import { LiveText } from '../stream/live-text.tsx';
import { wholeText } from '../stream/text-source.ts';
import styles from './notes-tab.module.css';

/** A note is saved after this pause, and when the field loses the focus. */
const quietMs = 400;

/** The user's note on a job, in markdown: saved while it is typed, searchable, and exported. */
export function NotesTab({ job, note }: { job: Job; note: string }) {
  const [view, setView] = useState<'write' | 'read'>(note === '' ? 'write' : 'read');
  const { text, type, state } = useNote(job.key, note);
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
      </div>
      {view === 'write' ? (
        <textarea
          className={styles.editor}
          aria-label={noteText.note}
          value={text}
          maxLength={longestNote}
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
}

/** A note that is being edited. A newer one from elsewhere is shown unless changes here wait to be saved. */
function useNote(key: string, saved: string): Note {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const waiting = useRef<string | null>(null);

  useEffect(() => {
    // Another window may have saved a note since the job was read.
    makeStale('job:get', { key });
    return () => {
      if (waiting.current !== null) void saveNote(key, waiting.current);
    };
  }, [key]);

  useEffect(() => {
    if (typed === null || typed === waiting.current) return undefined;
    waiting.current = typed;
    const timer = setTimeout(() => {
      void saveNote(key, typed).then((said) => {
        setProblem(said);
        if (said !== null || waiting.current !== typed) return;
        waiting.current = null;
        setTyped(null);
      });
    }, quietMs);
    return () => clearTimeout(timer);
  }, [key, typed]);

  const isSaving = typed !== null && problem === null;
  return {
    text: typed ?? saved,
    type: (text) => {
      setTyped(text);
      setProblem(null);
    },
    state: problem ?? (isSaving ? noteText.saving : saved === '' ? '' : noteText.saved),
  };
}

/** Null if it was saved, otherwise why not. */
async function saveNote(key: string, text: string): Promise<string | null> {
  const result = await call('job:note', { key, text });
  if (!result.ok) return noteText.notSaved(result.failure.message);
  changeAnswers('job:get', { key }, (detail) => ({
    ...detail,
    job: result.value,
    note: text.trim() === '' ? '' : text,
  }));
  return null;
}
