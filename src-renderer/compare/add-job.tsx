import { useState } from 'react';
import { emptyFilter } from '../../src-preload/history.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { statusKind, statusWord } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { Dialog } from '../design/dialog.tsx';
import { formatDay } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { useSettled } from '../design/use-pause.ts';
import { addJobText } from '../messages/compare/pane.ts';
import styles from './compare.module.css';

interface AddJobProps {
  isOpen: boolean;
  onClose: () => void;
  connectionId: string;
  endpointId: string;
  /** Keys of the jobs in the comparison. */
  compared: readonly string[];
  onAdd: (key: string) => void;
}

const maxShown = 30;
const searchPauseMs = 120;

/** Finds another job to compare: the newest of the endpoint, or any of the connection by a search. */
export function AddJob(props: AddJobProps) {
  return (
    <Dialog title={addJobText.title} isOpen={props.isOpen} onClose={props.onClose} width={560}>
      {props.isOpen && <Choice {...props} />}
    </Dialog>
  );
}

function Choice({ connectionId, endpointId, compared, onAdd }: AddJobProps) {
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim(), searchPauseMs);
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const filter = { ...emptyFilter, connectionId, text, endpointId: text === '' ? endpointId : null };
  const { data, error } = useCall(
    'job:list',
    { filter, beforeKey: null, limit: maxShown },
    { placeholder: (former) => former },
  );
  const jobs = (data?.jobs ?? []).filter(({ key }) => !compared.includes(key));
  return (
    <>
      <TextField
        autoFocus
        aria-label={addJobText.search}
        placeholder={addJobText.searchHint}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          const [first] = jobs;
          if (event.key !== 'Enter' || first === undefined || text !== typed.trim()) return;
          event.preventDefault();
          onAdd(first.key);
        }}
      />
      <div className={styles.found} role="group" aria-label={addJobText.found}>
        {jobs.map((job) => (
          <button key={job.key} type="button" className={styles.foundJob} onClick={() => onAdd(job.key)}>
            <StatusGlyph kind={statusKind(job)} size={14} />
            <span className="visually-hidden">{statusWord(job)}</span>
            <span className="trunc">{job.title}</span>
            <span className="t3 trunc">
              {endpointName(findEndpoint(connections, job.connectionId, job.endpointId))}
            </span>
            <span className="num t3">{formatDay(job.createdAtMs, nowMs)}</span>
          </button>
        ))}
        {data !== undefined && jobs.length === 0 && <p className={styles.more}>{addJobText.noneFound}</p>}
        {error !== null && <p className={styles.more}>{addJobText.couldNotSearch(error.message)}</p>}
      </div>
    </>
  );
}
