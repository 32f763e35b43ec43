import { Send } from 'lucide-react';
import { isUndisturbed, type DoNotDisturb } from '../../src-preload/notification.ts';
import { hourMs } from '../../src-preload/durations.ts';
import { AlertSettings } from '../alerts/alert-settings.tsx';
import { call } from '../bridge.ts';
import { chooseSettings, useNow, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { formatMinute } from '../design/format.ts';
import { Segmented } from '../design/segmented.tsx';
import { toast } from '../design/toast.tsx';
import { RulesTable } from './rules-table.tsx';
import styles from './notification-settings.module.css';

async function sendTest(): Promise<void> {
  const sent = await call('notification:test', undefined);
  if (!sent.ok) toast(sent.failure.message);
  else if (!sent.value.isShown) toast('Your system shows no notifications. They are listed under the bell.');
}

/** Which notifications the desktop shows, and when it does not. */
export function NotificationSettings() {
  return (
    <>
      <div className={styles.title}>
        <h3>Notifications</h3>
        <Button icon={<Send />} onClick={() => void sendTest()}>
          Send a test
        </Button>
      </div>
      <p className={styles.lead}>
        Each outcome notifies once. More than three within 5 s become one, and batches notify once, when they end.
      </p>
      <RulesTable />
      <dl className={styles.lines}>
        <DoNotDisturbLine />
        <DetailsLine />
        <AlertSettings />
      </dl>
    </>
  );
}

function DetailsLine() {
  const hasDetails = useSession((state) => state.settings.hasNotificationDetails);
  const name = 'Titles and errors in notifications';
  return (
    <div className={styles.line}>
      <dt>
        <span className={styles.name}>{name}</span>
        <span className={styles.hint}>
          {hasDetails ? 'Shown. Hide them where others see your screen' : 'Hidden: “A job failed on llm-70b”'}
        </span>
      </dt>
      <dd>
        <Segmented
          label={name}
          value={hasDetails ? 'show' : 'hide'}
          options={[
            { value: 'show', label: 'Show' },
            { value: 'hide', label: 'Hide' },
          ]}
          onChange={(shown) => void chooseSettings({ hasNotificationDetails: shown === 'show' })}
        />
      </dd>
    </div>
  );
}

type Span = 'off' | 'hour' | 'evening' | 'on';

function DoNotDisturbLine() {
  const doNotDisturb = useSession((state) => state.settings.doNotDisturb);
  const nowMs = useNow(30_000);
  const eveningMs = new Date(nowMs).setHours(18, 0, 0, 0);
  const isOn = isUndisturbed(doNotDisturb, nowMs);
  const { untilMs } = doNotDisturb;
  const value: Span = !isOn ? 'off' : untilMs === null ? 'on' : untilMs === eveningMs ? 'evening' : 'hour';
  const choices: Readonly<Record<Span, DoNotDisturb>> = {
    off: { isOn: false, untilMs: null },
    hour: { isOn: true, untilMs: nowMs + hourMs },
    evening: { isOn: true, untilMs: eveningMs },
    on: { isOn: true, untilMs: null },
  };
  return (
    <div className={styles.line}>
      <dt>
        <span className={styles.name}>Do not disturb</span>
        <span className={styles.hint}>
          {isOn && untilMs !== null
            ? `No desktop notifications until ${formatMinute(untilMs)}. Everything is still listed here`
            : 'No desktop notifications. Everything is still listed here'}
        </span>
      </dt>
      <dd>
        <Segmented
          label="Do not disturb"
          value={value}
          options={[
            { value: 'off', label: 'Off' },
            { value: 'hour', label: '1 h' },
            ...(nowMs < eveningMs ? [{ value: 'evening' as const, label: 'Until 18:00' }] : []),
            { value: 'on', label: 'Until I turn it off' },
          ]}
          onChange={(span) => void chooseSettings({ doNotDisturb: choices[span] })}
        />
      </dd>
    </div>
  );
}
