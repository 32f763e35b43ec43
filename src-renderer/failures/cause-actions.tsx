import { BellOff, BellRing, ListFilter, Repeat2, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { mostCountedAgain, type FailureCause, type FailureDetail } from '../../src-preload/failure-cause.ts';
import { mostSelected } from '../../src-preload/history.ts';
import { jobsOfCause } from '../data/whole-list.ts';
import { useNow } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { isCovered, isTyping } from '../design/key-target.ts';
import { toast } from '../design/toast.tsx';
import { eligible, resubmitMany, retryMany } from '../jobs/row-actions.ts';
import { goToCause, goToJob } from '../navigation/go.ts';
import { muteCause } from './failures.ts';
import { MuteDialog } from './mute-dialog.tsx';
import styles from './failures.module.css';

/** Retry and resubmit first load all jobs of the cause. Jobs that the action does not apply to are left out. */
export function CauseActions({ cause, detail }: { cause: FailureCause; detail: FailureDetail | undefined }) {
  const [isBusy, setBusy] = useState(false);
  const nowMs = useNow(15_000);
  const shown = detail?.jobs ?? [];
  const act = async (action: 'retry' | 'resubmit'): Promise<void> => {
    setBusy(true);
    const all = await jobsOfCause(cause.id);
    if (all.ok) await (action === 'retry' ? retryMany : resubmitMany)(eligible(all.value, action, Date.now()));
    else toast(`Could not read the jobs of this cause. ${all.failure.message}`);
    setBusy(false);
  };
  const refusalOf = (action: 'retry' | 'resubmit', why: string): string | undefined => {
    if (isBusy) return 'In progress';
    return eligible(shown, action, nowMs).length === 0 ? why : undefined;
  };
  const noRetry = refusalOf('retry', 'Their results have expired on the service; resubmit them');
  const [isMuting, setMuting] = useState(false);
  const mute = (): void => (cause.mute === null ? setMuting(true) : void muteCause(cause, null));
  useCauseKeys({
    r: () => noRetry === undefined && void act('retry'),
    m: mute,
    enter: () => shown[0] !== undefined && goToJob(shown[0].key),
  });
  const hasMore = (detail?.total ?? 0) > mostSelected;
  const which = hasMore ? `newest ${formatCount(mostSelected)}` : 'all';
  return (
    <div className={styles.actions} role="toolbar" aria-label="Cause actions">
      <Button
        variant="primary"
        icon={<RotateCcw />}
        keys={['R']}
        disabledReason={noRetry}
        onClick={() => void act('retry')}
      >
        Retry {which}
      </Button>
      <Button
        icon={<Repeat2 />}
        disabledReason={refusalOf('resubmit', 'Their inputs are not known here')}
        onClick={() => void act('resubmit')}
      >
        Resubmit {which}
      </Button>
      <Button icon={cause.mute === null ? <BellOff /> : <BellRing />} keys={['M']} onClick={mute}>
        {cause.mute === null ? 'Mute' : 'Unmute'}
      </Button>
      <Button icon={<ListFilter />} onClick={() => goToCause(cause.id)}>
        Open in list
      </Button>
      <MuteDialog
        cause={cause}
        isOpen={isMuting}
        onClose={() => setMuting(false)}
        onMute={(choice) => void muteCause(cause, choice)}
      />
      {detail !== undefined && <span className={styles.again}>{againText(detail)}</span>}
    </div>
  );
}

/** `18 retried, 8 sent again`, counting the jobs that still belong to the cause. */
function againText({ retried, sentAgain, total }: FailureDetail): string {
  const parts = [
    retried > 0 && `${formatCount(retried)} retried`,
    sentAgain > 0 && `${formatCount(sentAgain)} sent again`,
  ];
  const counted = parts.filter((part) => part !== false).join(', ');
  if (counted === '' || total <= mostCountedAgain) return counted;
  return `${counted} of the newest ${formatCount(mostCountedAgain)}`;
}

/** Single letters act on the chosen cause. Enter in the list opens its newest job. */
function useCauseKeys(keys: Readonly<Record<'r' | 'm' | 'enter', () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isCovered() || isTyping(event))
      return;
    const key = event.key.toLowerCase();
    if (key !== 'r' && key !== 'm' && key !== 'enter') return;
    // Enter belongs to the focused button or link.
    if (key === 'enter' && event.target instanceof Element && event.target.closest('button, a') !== null) return;
    event.preventDefault();
    keys[key]();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
