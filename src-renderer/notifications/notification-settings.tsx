import { Send } from 'lucide-react';
import { call } from '../bridge.ts';
import { useSession } from '../data/session-store.ts';
import { changeSettings, chooseSettings } from '../data/change-settings.ts';
import { TypedField } from '../data/typed-field.tsx';
import { Button } from '../design/button.tsx';
import { LineSwitch } from '../design/form/choice.tsx';
import { toast } from '../design/toast.tsx';
import { notificationSettingsText } from '../messages/notifications/settings.ts';
import { QuietCards, readWhole } from './quiet-cards.tsx';
import { RulesTable } from './rules-table.tsx';
import styles from './notification-settings.module.css';

async function sendTest(): Promise<void> {
  const sent = await call('notification:test', undefined);
  if (!sent.ok) toast(sent.failure.message);
  else if (!sent.value.isShown) toast(notificationSettingsText.testNotShown);
}

/** Which notifications the desktop shows, and when it does not. */
export function NotificationSettings() {
  return (
    <>
      <div className={styles.title}>
        <h3>{notificationSettingsText.title}</h3>
        <Button icon={<Send />} onClick={() => void sendTest()}>
          {notificationSettingsText.sendTest}
        </Button>
      </div>
      <p className={styles.lead}>{notificationSettingsText.lead}</p>
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
        name={notificationSettingsText.badge}
        hint={notificationSettingsText.badgeHint}
        isOn={hasBadge}
        onChange={(hasFailureBadge) => void chooseSettings({ hasFailureBadge })}
      />
      <Switched
        name={notificationSettingsText.details}
        hint={notificationSettingsText.detailsHint}
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
        {notificationSettingsText.keptFor}
        <span className={styles.hint}>{notificationSettingsText.keptForHint}</span>
      </div>
      <TypedField
        className={styles.days}
        label={notificationSettingsText.keptDays}
        value={String(days)}
        unit={notificationSettingsText.dayUnit(days)}
        read={(text) => readWhole(text, 365)}
        onChange={(notificationsKeptDays) => changeSettings({ notificationsKeptDays })}
      />
    </div>
  );
}
