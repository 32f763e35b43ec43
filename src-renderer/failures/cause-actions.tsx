import { BellOff, BellRing, ListFilter, Repeat2, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { FailureCause, FailureDetail } from '../../src-preload/failure-cause.ts';
import { maxSelected } from '../../src-preload/history.ts';
import { jobsOfCause } from '../data/whole-list.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { isOnButton } from '../design/key-target.ts';
import { toast } from '../design/toast.tsx';
import { usePlainKeys } from '../design/use-plain-keys.ts';
import { eligible, resubmitMany, retryMany } from '../jobs/row-actions.ts';
import { goToCause, goToJob } from '../navigation/go.ts';
import { causeActionsText } from '../messages/failures/cause.tsx';
import { muteCause } from './failures.ts';
import { MuteDialog } from './mute-dialog.tsx';
import styles from './failures.module.css';
import { engineNow } from '../data/engine-time.ts';

interface CauseActionsProps {
  cause: FailureCause;
  detail: FailureDetail | undefined;
  /** False while another cause is chosen whose jobs are still being read: a key is meant for that one. */
  hasKeys: boolean;
}

/** Retry and resubmit first load all jobs of the cause. Jobs that the action does not apply to are left out. */
export function CauseActions({ cause, detail, hasKeys }: CauseActionsProps) {
  const [isBusy, setBusy] = useState(false);
  const nowMs = useNow(15_000);
  const shown = detail?.jobs ?? [];
  const act = async (action: 'retry' | 'resubmit'): Promise<void> => {
    setBusy(true);
    const all = await jobsOfCause(cause.id);
    if (all.ok) await (action === 'retry' ? retryMany : resubmitMany)(eligible(all.value, action, engineNow()));
    else toast(causeActionsText.couldNotReadJobs(all.failure.message));
    setBusy(false);
  };
  const refusalOf = (action: 'retry' | 'resubmit', why: string): string | undefined => {
    if (isBusy) return causeActionsText.inProgress;
    return eligible(shown, action, nowMs).length === 0 ? why : undefined;
  };
  const noRetry = refusalOf('retry', causeActionsText.resultsExpired);
  // What can be done comes first to the eye: once their results have expired, that is to resubmit.
  const isRetryFirst = detail === undefined || eligible(shown, 'retry', nowMs).length > 0;
  const [isMuting, setMuting] = useState(false);
  const mute = (): void => (cause.mute === null ? setMuting(true) : void muteCause(cause, null));
  useCauseKeys(hasKeys, {
    r: () => noRetry === undefined && void act('retry'),
    m: mute,
    enter: () => shown[0] !== undefined && goToJob(shown[0].key),
  });
  const newest = (detail?.total ?? 0) > maxSelected ? maxSelected : null;
  return (
    <div className={styles.actions} role="toolbar" aria-label={causeActionsText.label}>
      <Button
        variant={isRetryFirst ? 'primary' : 'default'}
        icon={<RotateCcw />}
        keys={['R']}
        disabledReason={noRetry}
        onClick={() => void act('retry')}
      >
        {causeActionsText.retry(newest)}
      </Button>
      <Button
        variant={isRetryFirst ? 'default' : 'primary'}
        icon={<Repeat2 />}
        disabledReason={refusalOf('resubmit', causeActionsText.inputsUnknown)}
        onClick={() => void act('resubmit')}
      >
        {causeActionsText.resubmit(newest)}
      </Button>
      <Button icon={cause.mute === null ? <BellOff /> : <BellRing />} keys={['M']} onClick={mute}>
        {cause.mute === null ? causeActionsText.mute : causeActionsText.unmute}
      </Button>
      <Button icon={<ListFilter />} onClick={() => goToCause(cause.id)}>
        {causeActionsText.openInList}
      </Button>
      <MuteDialog
        cause={cause}
        isOpen={isMuting}
        onClose={() => setMuting(false)}
        onMute={(choice) => muteCause(cause, choice)}
      />
      {detail !== undefined && <span className={styles.again}>{causeActionsText.doneBefore(detail)}</span>}
    </div>
  );
}

/** Single letters act on the chosen cause. Enter in the list opens its newest job. */
function useCauseKeys(hasKeys: boolean, keys: Readonly<Record<'r' | 'm' | 'enter', () => void>>): void {
  usePlainKeys((event) => {
    const key = event.key.toLowerCase();
    if (!hasKeys || (key !== 'r' && key !== 'm' && key !== 'enter')) return false;
    if (key === 'enter' && isOnButton(event)) return false;
    keys[key]();
    return true;
  });
}
