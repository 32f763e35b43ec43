import type { Destination } from '../../src-preload/destination.ts';
import type { AppNotification, Ongoing } from '../../src-preload/notification.ts';
import { call } from '../bridge.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { toast } from '../design/toast.tsx';
import { muteCause } from '../failures/failures.ts';
import { checkNow, copyOutput, retryJob, stopWaiting } from '../job/actions.ts';
import { muteResultText } from '../messages/failures/mute-results.ts';
import { notificationActions, ongoingActions, type CentreAction } from './action-list.ts';
import styles from './notification-centre.module.css';

/** The actions for a notification, apart from opening it. */
export function NotificationActions({
  of,
  onOpen,
}: {
  of: AppNotification;
  onOpen: (destination: Destination) => void;
}) {
  return <Actions actions={notificationActions(of)} onOpen={onOpen} />;
}

/** The actions for something that is still ongoing. */
export function OngoingActions({ of, onOpen }: { of: Ongoing; onOpen: (destination: Destination) => void }) {
  return <Actions actions={ongoingActions(of)} onOpen={onOpen} />;
}

function Actions({ actions, onOpen }: { actions: CentreAction[]; onOpen: (destination: Destination) => void }) {
  if (actions.length === 0) return null;
  return (
    <div className={styles.actions}>
      {actions.map((action, index) => (
        <Button
          key={action.label}
          size="sm"
          variant={index === 0 ? 'default' : 'ghost'}
          onClick={() => act(action, onOpen)}
        >
          {action.label}
        </Button>
      ))}
    </div>
  );
}

function act(action: CentreAction, onOpen: (destination: Destination) => void): void {
  switch (action.kind) {
    case 'open':
      return onOpen(action.destination);
    case 'mute':
      return void muteCauseOf(action.key);
    case 'copy':
      return void copyOutput(action.key);
    // Failures of these three are shown on the job.
    case 'retry':
      onOpen({ kind: 'job', key: action.key });
      return void retryJob(action.key);
    case 'check':
      onOpen({ kind: 'job', key: action.key });
      return void checkNow(action);
    case 'stop-waiting':
      onOpen({ kind: 'job', key: action.key });
      return void stopWaiting(action.key);
    case 'try-now':
      return callOrReport('tracker:tryNow', undefined);
  }
}

/** Mutes the cause of this failure: later failures by it are listed without a notification. */
async function muteCauseOf(key: string): Promise<void> {
  const cause = await call('failure:ofJob', { key });
  if (cause.ok) await muteCause({ ...cause.value, mute: null }, { untilMs: null, isUntilRise: false, reason: '' });
  else toast(muteResultText.couldNotMute(cause.failure.message));
}
