import { BellOff, BellRing, ListFilter, Repeat2, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { FailureCause, FailureDetail } from '../../src-preload/failure-cause.ts';
import { maxSelected } from '../../src-preload/history.ts';
import { jobsOfCause } from '../data/whole-list.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { isOnButton } from '../design/keyboard/key-target.ts';
import { toast } from '../design/toast.tsx';
import { usePlainKeys } from '../design/keyboard/use-keys.ts';
import { eligible, resubmitMany, retryMany } from '../jobs/row-actions.ts';
import { goToCause, goToJob } from '../navigation/go.ts';
import { useOfferedActions } from '../navigation/pane-actions.ts';
import { causeActionsText } from '../messages/failures/cause.tsx';
import { muteCause } from './failures.ts';
import { MuteDialog } from './mute-dialog.tsx';
import styles from './cause-actions.module.css';
import { engineNow } from '../data/engine-time.ts';

/** The letters that act on a cause. */
export type CauseKey = 'r' | 'm' | 'enter';

interface CauseActionsProps {
  cause: FailureCause;
  detail: FailureDetail | undefined;
  /** Its jobs are still being read. */
  isReading: boolean;
  /** False while another cause is chosen whose jobs are still being read: a key is meant for that one. */
  isChosen: boolean;
  /** Pressed for this cause before it could act, or null. */
  earlyKey: CauseKey | null;
  /** A key that has to wait until the chosen cause is read; null once it acted. */
  onEarlyKey: (key: CauseKey | null) => void;
}

/** Retry and resubmit first load all jobs of the cause. Jobs that the action does not apply to are left out. */
export function CauseActions(props: CauseActionsProps) {
  const { cause, detail, isReading } = props;
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
    if (isReading) return causeActionsText.reading;
    return eligible(shown, action, nowMs).length === 0 ? why : undefined;
  };
  const noRetry = refusalOf('retry', causeActionsText.resultsExpired);
  // What can be done comes first to the eye: once their results have expired, that is to resubmit.
  const isRetryFirst = detail === undefined || eligible(shown, 'retry', nowMs).length > 0;
  const [isMuting, setMuting] = useState(false);
  const mute = (): void => (cause.mute === null ? setMuting(true) : void muteCause(cause, null));
  const muteLabel = cause.mute === null ? causeActionsText.mute : causeActionsText.unmute;
  const muteIcon = cause.mute === null ? <BellOff /> : <BellRing />;
  useCauseKeys(props, {
    r: () => (noRetry === undefined ? void act('retry') : toast(noRetry)),
    m: mute,
    enter: () => shown[0] !== undefined && goToJob(shown[0].key),
  });
  const newest = (detail?.total ?? 0) > maxSelected ? maxSelected : null;
  const noResubmit = refusalOf('resubmit', causeActionsText.inputsUnknown);
  useOfferedActions(causeActionsText.label, () => [
    {
      id: 'cause.retry',
      label: causeActionsText.retry(newest),
      icon: <RotateCcw />,
      keys: ['R'],
      refusal: noRetry,
      run: () => void act('retry'),
    },
    {
      id: 'cause.resubmit',
      label: causeActionsText.resubmit(newest),
      icon: <Repeat2 />,
      refusal: noResubmit,
      run: () => void act('resubmit'),
    },
    { id: 'cause.mute', label: muteLabel, icon: muteIcon, keys: ['M'], run: mute },
    { id: 'cause.list', label: causeActionsText.openInList, icon: <ListFilter />, run: () => goToCause(cause.id) },
  ]);
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
        disabledReason={noResubmit}
        onClick={() => void act('resubmit')}
      >
        {causeActionsText.resubmit(newest)}
      </Button>
      <Button icon={muteIcon} keys={['M']} onClick={mute}>
        {muteLabel}
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

/**
 * Single letters act on the chosen cause. Enter in the list opens its newest job. What is pressed while the cause is
 * still being read acts once it is.
 */
function useCauseKeys(
  { isChosen, isReading, earlyKey, onEarlyKey }: CauseActionsProps,
  keys: Readonly<Record<CauseKey, () => void>>,
): void {
  const canAct = (key: CauseKey): boolean => isChosen && (key === 'm' || !isReading);
  const actEarly = useEffectEvent((key: CauseKey): void => {
    onEarlyKey(null);
    keys[key]();
  });
  const isDue = earlyKey !== null && canAct(earlyKey);
  useEffect(() => {
    if (isDue) actEarly(earlyKey);
  }, [isDue, earlyKey]);
  usePlainKeys((event) => {
    const key = event.key.toLowerCase();
    if (key !== 'r' && key !== 'm' && key !== 'enter') return false;
    if (key === 'enter' && isOnButton(event)) return false;
    if (canAct(key)) keys[key]();
    else onEarlyKey(key);
    return true;
  });
}
