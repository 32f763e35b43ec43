import { Plus } from 'lucide-react';
import { useMemo, useState, type ReactElement } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { Select } from '../design/form/select.tsx';
import { toast } from '../design/toast.tsx';
import { showJob } from '../job/actions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnection, useUnknownJobs } from '../data/session-store.ts';
import { UnsavedNotice } from '../design/form/form-parts.tsx';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { commonText } from '../messages/common.ts';
import { followRefusalText, followText, unknownIdsText } from '../messages/follow.ts';
import styles from './follow-dialog.module.css';
import { useFollowDialog } from '../navigation/open-requests.ts';
import { jobIdsIn } from './job-ids.ts';

/** Tracks jobs that were submitted elsewhere: with an SDK, with curl, by a colleague. */
export function FollowDialog(): ReactElement | null {
  const isOpen = useFollowDialog((state) => state.isOpen);
  return isOpen ? <FollowForm /> : null;
}

interface FollowFields {
  text: string;
  endpointId: string;
}

const unsaved = unsavedForms<FollowFields>({ kind: 'track', isForm: isLike({ text: '', endpointId: '' }) });

function FollowForm(): ReactElement {
  const connection = useCurrentConnection();
  const place = useJobs((state) => state.place);
  const endpoints = connection?.endpoints ?? [];
  const initialText = useFollowDialog((state) => state.text);
  const name = `${connection?.id ?? ''} ${initialText}`;
  // An id looked up at the wrong endpoint seems to be a job that is gone. So if there are several endpoints, none is
  // preselected, not even the one on screen for an id that comes from there.
  const likely = endpoints.length === 1 ? endpoints[0]?.id : initialText === '' ? place.endpointId : null;
  const { fields, change, isBack } = unsaved.useForm(name, { text: initialText, endpointId: likely ?? '' });
  const { text, endpointId } = fields;
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const ids = useMemo(() => jobIdsIn(text), [text]);
  const enter = (entered: Partial<FollowFields>): void => {
    change({ ...fields, ...entered });
    setProblem(null);
  };
  const close = useFollowDialog((state) => state.close);
  const end = (): void => {
    unsaved.end(name);
    close();
  };

  const refusal = refusalOf(ids, endpointId, isSending);

  const follow = async (): Promise<void> => {
    if (connection === null || isSending) return;
    // The button has the reason as a tooltip. The keyboard needs another place for it.
    if (refusal !== undefined) return setProblem(refusal);
    setSending(true);
    const followed = await call('job:followExternal', { connectionId: connection.id, endpointId, jobIds: ids });
    setSending(false);
    if (!followed.ok) return setProblem(followed.failure.message);
    end();
    const [only, ...others] = followed.value;
    if (only !== undefined && others.length === 0) showJob(only.key);
    toast(followText.tracking(followed.value.length));
  };

  return (
    <Dialog
      title={followText.title}
      isOpen
      onClose={close}
      width={560}
      actions={
        <>
          <Button onClick={end}>{commonText.cancel}</Button>
          <Button variant="primary" keys={['Ctrl', '↵']} disabledReason={refusal} onClick={() => void follow()}>
            {followText.track(ids.length)}
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
        <p className={styles.words}>{followText.hint}</p>
        <JobIdsField text={text} ids={ids} problem={problem} onChange={(next) => enter({ text: next })} />
        {isBack && <UnsavedNotice className={styles.hint} />}
        <div className={styles.endpoint}>
          <span className={styles.label}>{commonText.endpoint}</span>
          <Select
            label={commonText.endpoint}
            value={endpointId}
            options={endpoints.map((endpoint) => ({
              value: endpoint.id,
              label: endpointName(endpoint),
              icon: <EndpointIcon endpoint={endpoint} />,
            }))}
            onChange={(id) => enter({ endpointId: id })}
          />
        </div>
      </div>
    </Dialog>
  );
}

interface JobIdsFieldProps {
  text: string;
  /** The ids in it. */
  ids: readonly string[];
  /** Why they are not tracked, or null. */
  problem: string | null;
  onChange: (text: string) => void;
}

/** The field for the ids, and below it what was found in it. */
function JobIdsField({ text, ids, problem, onChange }: JobIdsFieldProps): ReactElement {
  return (
    <>
      <label className={styles.label} htmlFor="follow-ids">
        {followText.jobIds}
      </label>
      <textarea
        id="follow-ids"
        className={styles.ids}
        autoFocus
        spellCheck={false}
        rows={5}
        value={text}
        aria-describedby="follow-found"
        placeholder={followText.placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
      <UnknownIds
        known={ids}
        onAdd={(more) => onChange([text.trimEnd(), ...more].filter((line) => line !== '').join('\n'))}
      />
      <p
        id="follow-found"
        className={problem === null ? styles.hint : styles.problem}
        role={problem === null ? 'status' : 'alert'}
      >
        {problem ??
          (text.trim() === ''
            ? followText.pasteIds
            : ids.length === 0
              ? followText.noneFound
              : followText.found(ids.length))}
      </p>
    </>
  );
}

/** Why the jobs cannot be tracked yet. Undefined: they can be. */
function refusalOf(ids: readonly string[], endpointId: string, isSending: boolean): string | undefined {
  if (ids.length === 0) return followRefusalText.noId;
  if (endpointId === '') return followRefusalText.noEndpoint;
  if (ids.length > maxAtOnce) return followRefusalText.tooMany(maxAtOnce);
  return isSending ? followRefusalText.adding : undefined;
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
    <div className={styles.unknown} role="group" aria-label={unknownIdsText.title}>
      <span className={styles.hint}>{unknownIdsText.arrived(fresh.length)}</span>
      {fresh.slice(0, unknownShown).map((jobId) => (
        <button
          key={jobId}
          type="button"
          className={styles.stray}
          aria-label={unknownIdsText.add(jobId)}
          title={jobId}
          onClick={() => onAdd([jobId])}
        >
          <Plus size={12} aria-hidden />
          {shortId(jobId)}
        </button>
      ))}
      {fresh.length > 1 && (
        <Button size="sm" variant="ghost" onClick={() => onAdd(fresh)}>
          {unknownIdsText.addAll(fresh.length)}
        </Button>
      )}
    </div>
  );
}

/** Enough of an id to recognise it. The tooltip has the whole id. */
function shortId(jobId: string): string {
  return jobId.length <= 14 ? jobId : `${jobId.replace(/^sync-/, '').slice(0, 8)}…`;
}

const maxAtOnce = 1_000;
