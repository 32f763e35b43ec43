import {
  Activity,
  CircleStop,
  HardDrive,
  PencilLine,
  Plug,
  RefreshCw,
  Repeat2,
  ScanSearch,
  ScrollText,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ConnectionCheck } from '../../src-preload/connection.ts';
import type { Failure } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { formatTook } from '../messages/job/formats.ts';
import { outcomeActionNames, outcomeCardText, serviceCheckText } from '../messages/job/outcome.ts';
import { openComposer, useFollowDialog } from '../navigation/open-requests.ts';
import { Button } from '../design/button.tsx';
import { FactList } from '../design/fact-list.tsx';
import { classes } from '../design/class-names.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow } from '../data/use-now.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { useIsBusy } from './action-store.ts';
import { cancelJob, checkNow, confirmSubmission, resubmitUnchanged } from './actions.ts';
import { lastKnownFacts, type JobOutcome, type OutcomeAction } from './outcome.ts';
import styles from './outcome-card.module.css';

type CheckState =
  | { state: 'none' }
  | { state: 'asking' }
  | { state: 'failed'; failure: Failure }
  | { state: 'answered'; checks: ConnectionCheck[] };

interface OutcomeCardProps {
  job: Job;
  outcome: JobOutcome;
  onOpenOutput: () => void;
}

/** A job that is waiting, refused, of unknown outcome, gone or orphaned: what happened, what is known, what to do. */
export function OutcomeCard({ job, outcome, onOpenOutput }: OutcomeCardProps) {
  const [check, setCheck] = useState<CheckState>({ state: 'none' });
  const nowMs = useNow(15_000);
  const isChecking = useIsBusy(job.key, 'check');
  const facts = lastKnownFacts(job, nowMs);
  const checkConnection = async (): Promise<void> => {
    setCheck({ state: 'asking' });
    const result = await call('connection:check', { connectionId: job.connectionId });
    setCheck(result.ok ? { state: 'answered', checks: result.value } : { state: 'failed', failure: result.failure });
  };
  const buttons: Readonly<Record<OutcomeAction, { icon: ReactNode; keys?: readonly string[]; run: () => void }>> = {
    confirm: { icon: <ScanSearch />, run: () => void confirmSubmission(job.key) },
    'submit-again': {
      icon: <Repeat2 />,
      keys: ['Shift', 'E'],
      run: () => void resubmitUnchanged(job.key),
    },
    'resubmit-edits': {
      icon: <PencilLine />,
      keys: ['E'],
      run: () => openComposer({ jobKey: job.key }),
    },
    'check-service': { icon: <Activity />, run: () => void checkConnection() },
    cancel: { icon: <CircleStop />, keys: ['.'], run: () => void cancelJob(job.key) },
    'follow-at-other-endpoint': {
      icon: <ScanSearch />,
      run: () => useFollowDialog.getState().open(job.jobId ?? ''),
    },
    'add-connection': {
      icon: <Plug />,
      run: () => useSettingsDialog.getState().openNew({ baseUrl: job.baseUrl, endpointId: job.endpointId }),
    },
    'check-now': { icon: <RefreshCw />, run: () => void checkNow(job) },
    'try-once-more': { icon: <RefreshCw />, run: () => void checkNow(job) },
    'open-output': { icon: <ScrollText />, run: onOpenOutput },
  };
  return (
    <section className={styles.card} aria-label={outcome.title}>
      <h2 className={styles.title}>{outcome.title}</h2>
      <p className={styles.text}>{outcome.text}</p>
      {facts.length > 0 && (
        <div className={styles.facts}>
          <FactList facts={facts} />
        </div>
      )}
      {outcome.detail !== null && (
        <p className={classes(styles.said, outcome.kind === 'refused' && styles.verbatim)}>{outcome.detail}</p>
      )}
      {outcome.spent !== null && (
        <>
          <div className={styles.lane} aria-hidden="true">
            <span className={styles.queued} style={{ flexGrow: Math.max(1, outcome.spent.queuedMs) }} />
            {outcome.spent.ranMs > 0 && <span className={styles.ran} style={{ flexGrow: outcome.spent.ranMs }} />}
            <b className={styles.end} />
          </div>
          <p className={styles.spans}>
            <span>{outcomeCardText.queued(outcome.spent.queuedMs)}</span>
            {outcome.spent.ranMs > 0 && <span>{outcomeCardText.ran(outcome.spent.ranMs)}</span>}
            <span>{outcomeCardText.ttl(outcome.spent.ttlMs)}</span>
          </p>
        </>
      )}
      <p className={styles.saved}>
        <HardDrive size={14} aria-hidden="true" />
        {outcome.saved}
      </p>
      <div className={styles.actions}>
        {outcome.actions.map((action, index) => {
          const { icon, keys, run } = buttons[action];
          const variant = action === 'cancel' ? 'danger' : index === 0 ? 'primary' : 'default';
          const isInProgress =
            action === 'check-service'
              ? check.state === 'asking'
              : isChecking && (action === 'check-now' || action === 'try-once-more');
          return (
            <Button
              key={action}
              size="lg"
              variant={variant}
              icon={icon}
              keys={keys}
              disabled={isInProgress}
              disabledReason={reasonAgainst(action, job, nowMs)}
              onClick={run}
            >
              {outcomeActionNames[action]}
            </Button>
          );
        })}
      </div>
      {check.state !== 'none' && <CheckAnswer check={check} />}
    </section>
  );
}

/** Why one of the card's actions is not available, or undefined. */
function reasonAgainst(action: OutcomeAction, job: Job, nowMs: number): string | undefined {
  const allowed = allowedNow(job, nowMs);
  switch (action) {
    case 'cancel':
      return allowed.cancel.reason;
    case 'submit-again':
      return allowed.resubmit.reason;
    case 'resubmit-edits':
      return allowed.edit.reason;
    case 'confirm':
    case 'check-service':
    case 'open-output':
    case 'follow-at-other-endpoint':
    case 'add-connection':
    case 'check-now':
    case 'try-once-more':
      return undefined;
  }
}

function CheckAnswer({ check }: { check: Exclude<CheckState, { state: 'none' }> }) {
  if (check.state === 'asking')
    return (
      <p className={styles.answer} role="status">
        {serviceCheckText.checking}
      </p>
    );
  if (check.state === 'failed')
    return (
      <p className={styles.answer} role="alert">
        {check.failure.message}
      </p>
    );
  const broken = check.checks.filter((each) => each.problem !== null);
  // A reason that all of them share is shown once.
  const [shared, ...others] = new Set(broken.map((each) => each.problem));
  const common = broken.length > 1 && others.length === 0 ? shared : undefined;
  return (
    <div className={styles.answer} role="status">
      <p>
        {broken.length === 0
          ? serviceCheckText.healthy(check.checks.length)
          : serviceCheckText.broken(broken.length, check.checks.length)}
        {common !== undefined && ` ${common}`}
      </p>
      {check.checks.map((each) => (
        <p key={each.endpointId} className={styles.request}>
          {each.method} {each.path} <b>{each.httpStatus ?? serviceCheckText.noReply}</b> {formatTook(each.tookMs)}
          {each.problem !== null && each.problem !== common && <span className="t3"> {each.problem}</span>}
        </p>
      ))}
    </div>
  );
}
