import { Plus } from 'lucide-react';
import { useMemo, useState, type ReactElement } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatCount, formatCountOf } from '../../src-preload/format.ts';
import { Select } from '../design/select.tsx';
import { toast } from '../design/toast.tsx';
import { showJob } from '../job/actions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnection, useUnknownJobs } from '../data/session-store.ts';
import styles from './follow-dialog.module.css';
import { useFollow } from '../navigation/follow-store.ts';
import { jobIdsIn } from './job-ids.ts';

/** Tracks jobs that were submitted elsewhere: with an SDK, with curl, by a colleague. */
export function FollowDialog(): ReactElement | null {
  const isOpen = useFollow((state) => state.isOpen);
  return isOpen ? <FollowForm /> : null;
}

function FollowForm(): ReactElement {
  const connection = useCurrentConnection();
  const place = useJobs((state) => state.place);
  const endpoints = connection?.endpoints ?? [];
  const [text, setText] = useState(useFollow((state) => state.text));
  // An id looked up at the wrong endpoint seems to be a job that is gone. So if there are several endpoints, none is
  // preselected, not even the one on screen for an id that comes from there.
  const likely = endpoints.length === 1 ? endpoints[0]?.id : text === '' ? place.endpointId : null;
  const [endpointId, setEndpointId] = useState(likely ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const ids = useMemo(() => jobIdsIn(text), [text]);
  const close = useFollow((state) => state.close);

  const refusal =
    ids.length === 0
      ? 'Paste at least one job id'
      : endpointId === ''
        ? 'Choose an endpoint'
        : ids.length > mostAtOnce
          ? `At most ${formatCount(mostAtOnce)} at once`
          : isSending
            ? 'Adding…'
            : undefined;

  const follow = async (): Promise<void> => {
    if (connection === null || isSending) return;
    // The button has the reason as a tooltip. The keyboard needs another place for it.
    if (refusal !== undefined) return setProblem(refusal);
    setSending(true);
    const followed = await call('job:followExternal', { connectionId: connection.id, endpointId, jobIds: ids });
    setSending(false);
    if (!followed.ok) return setProblem(followed.failure.message);
    close();
    const [only, ...others] = followed.value;
    if (only !== undefined && others.length === 0) showJob(only.key);
    toast(`Tracking ${formatCountOf(followed.value.length, 'job')}`);
  };

  return (
    <Dialog
      title="Track jobs submitted elsewhere"
      isOpen
      onClose={close}
      width={560}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" keys={['Ctrl', '↵']} disabledReason={refusal} onClick={() => void follow()}>
            {ids.length > 1 ? `Track ${formatCountOf(ids.length, 'job')}` : 'Track job'}
          </Button>
        </>
      }
    >
      <div
        className={styles.form}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void follow();
        }}
        role="presentation"
      >
        <p className={styles.words}>
          Results are saved here before the service deletes them. Read-only; nothing is submitted.
        </p>
        <label className={styles.label} htmlFor="follow-ids">
          Job ids
        </label>
        <textarea
          id="follow-ids"
          className={styles.ids}
          autoFocus
          spellCheck={false}
          rows={5}
          value={text}
          aria-describedby="follow-found"
          placeholder="One per line, or any text with ids in it"
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
        <UnknownIds
          known={ids}
          onAdd={(more) => {
            setText([text.trimEnd(), ...more].filter((line) => line !== '').join('\n'));
            setProblem(null);
          }}
        />
        <p
          id="follow-found"
          className={problem === null ? styles.hint : styles.problem}
          role={problem === null ? 'status' : 'alert'}
        >
          {problem ??
            (text.trim() === ''
              ? 'Paste ids, a log or an API response.'
              : ids.length === 0
                ? 'No job id found.'
                : `${formatCountOf(ids.length, 'id')} found.`)}
        </p>
        <div className={styles.endpoint}>
          <span className={styles.label}>Endpoint</span>
          <Select
            label="Endpoint"
            value={endpointId}
            options={endpoints.map((endpoint) => ({
              value: endpoint.id,
              label: endpointName(endpoint),
              icon: <EndpointIcon endpoint={endpoint} />,
            }))}
            onChange={(id) => {
              setEndpointId(id);
              setProblem(null);
            }}
          />
        </div>
      </div>
    </Dialog>
  );
}

const unknownShown = 6;

interface UnknownIdsProps {
  known: readonly string[];
  onAdd: (jobIds: string[]) => void;
}

/** Unknown job ids from webhook calls. A click adds one. */
function UnknownIds({ known, onAdd }: UnknownIdsProps): ReactElement | null {
  const unknownJobs = useUnknownJobs();
  const fresh = unknownJobs.map(({ jobId }) => jobId).filter((jobId) => !known.includes(jobId));
  if (fresh.length === 0) return null;
  return (
    <div className={styles.unknown} role="group" aria-label="Reported by webhooks">
      <span className={styles.hint}>
        {fresh.length === 1
          ? 'A webhook arrived for a job not known here:'
          : `Webhooks arrived for ${formatCountOf(fresh.length, 'job')} not known here:`}
      </span>
      {fresh.slice(0, unknownShown).map((jobId) => (
        <button
          key={jobId}
          type="button"
          className={styles.stray}
          aria-label={`Add ${jobId}`}
          title={jobId}
          onClick={() => onAdd([jobId])}
        >
          <Plus size={12} aria-hidden />
          {shortId(jobId)}
        </button>
      ))}
      {fresh.length > 1 && (
        <Button size="sm" variant="ghost" onClick={() => onAdd(fresh)}>
          Add all {formatCount(fresh.length)}
        </Button>
      )}
    </div>
  );
}

/** Enough of an id to recognise it. The tooltip has the whole id. */
function shortId(jobId: string): string {
  return jobId.length <= 14 ? jobId : `${jobId.replace(/^sync-/, '').slice(0, 8)}…`;
}

const mostAtOnce = 1_000;
