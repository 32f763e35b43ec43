import { Send } from 'lucide-react';
import { call } from '../bridge.ts';
import { changeSettings, chooseSettings, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { LineSwitch } from '../design/choice.tsx';
import { toast } from '../design/toast.tsx';
import { QuietCards } from './quiet-cards.tsx';
import { RulesTable } from './rules-table.tsx';
import { readWhole, TypedField } from './typed-field.tsx';
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
      <QuietCards />
      <Lines />
      <Kept />
    </>
  );
}

function Lines() {
  const hasBadge = useSession((state) => state.settings.hasFailureBadge);
  const hasDetails = useSession((state) => state.settings.hasNotificationDetails);
  return (
    <div className={styles.lines}>
      <Switched
        name="Badge on the tray and dock for failures not seen"
        hint="Cleared when you have seen the job in the list"
        isOn={hasBadge}
        onChange={(hasFailureBadge) => void chooseSettings({ hasFailureBadge })}
      />
      <Switched
        name="Show titles and errors in system notifications"
        hint="Off: “A job failed on llm-70b”, for shared screens"
        isOn={hasDetails}
        onChange={(hasNotificationDetails) => void chooseSettings({ hasNotificationDetails })}
      />
    </div>
  );
}

interface SwitchedProps {
  name: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Switched({ name, hint, isOn, onChange }: SwitchedProps) {
  return (
    <div className={styles.switched}>
      <LineSwitch name={name} isOn={isOn} onChange={onChange} />
      <div>
        <span className={styles.name}>{name}</span>
        <span className={styles.hint}>{hint}</span>
      </div>
    </div>
  );
}

function Kept() {
  const days = useSession((state) => state.settings.notificationsKeptDays);
  return (
    <div className={styles.kept}>
      <div>
        Notifications are kept for
        <span className={styles.hint}>Those you have not seen stay for a year</span>
      </div>
      <TypedField
        className={styles.days}
        label="Days that notifications are kept"
        value={String(days)}
        unit={days === 1 ? 'day' : 'days'}
        read={(text) => readWhole(text, 365)}
        onChange={(notificationsKeptDays) => changeSettings({ notificationsKeptDays })}
      />
    </div>
  );
}
