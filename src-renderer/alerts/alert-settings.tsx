import { useState } from 'react';
import { LineSwitch } from '../design/choice.tsx';
import { TextField } from '../design/text-field.tsx';
import { changeSettings, chooseSettings, useSession } from '../data/session-store.ts';
import { minuteText, readMinute } from './rule-messages.ts';
import styles from './alert-settings.module.css';

/** Quiet hours and gathered notifications: lines of the settings. */
export function AlertSettings() {
  const quietHours = useSession((state) => state.settings.quietHours);
  const digest = useSession((state) => state.settings.digest);
  return (
    <>
      <div className={styles.line}>
        <dt>
          <span className={styles.name}>Quiet hours</span>
          <span className={styles.hint}>
            Notifications are held during these hours and sent together afterwards (local time)
          </span>
        </dt>
        <dd className={styles.set}>
          <LineSwitch
            name="Quiet hours"
            isOn={quietHours.isOn}
            onChange={(isOn) => void chooseSettings({ quietHours: { ...quietHours, isOn } })}
          />
          {quietHours.isOn && (
            <div className={styles.fields}>
              <Typed
                label="Quiet from"
                value={minuteText(quietHours.fromMinute)}
                read={(text) => readTime(text, quietHours.toMinute)}
                onChange={(fromMinute) => changeSettings({ quietHours: { ...quietHours, fromMinute } })}
              />
              <span>to</span>
              <Typed
                label="Quiet until"
                value={minuteText(quietHours.toMinute)}
                read={(text) => readTime(text, quietHours.fromMinute)}
                onChange={(toMinute) => changeSettings({ quietHours: { ...quietHours, toMinute } })}
              />
            </div>
          )}
        </dd>
      </div>
      <div className={styles.line}>
        <dt>
          <span className={styles.name}>Digest of alerts</span>
          <span className={styles.hint}>Combine alerts into one notification</span>
        </dt>
        <dd className={styles.set}>
          <LineSwitch
            name="Digest of alerts"
            isOn={digest.isOn}
            onChange={(isOn) => void chooseSettings({ digest: { ...digest, isOn } })}
          />
          {digest.isOn && (
            <div className={styles.fields}>
              <span>after</span>
              <Typed
                label="Minutes per digest"
                value={String(digest.everyMinutes)}
                unit="min"
                read={readMinutes}
                onChange={(everyMinutes) => changeSettings({ digest: { ...digest, everyMinutes } })}
              />
            </div>
          )}
        </dd>
      </div>
    </>
  );
}

type ReadText = { value: number } | { problem: string };

function readTime(text: string, other: number): ReadText {
  const value = readMinute(text);
  if (value === null) return { problem: 'A time, such as 22:00' };
  return value === other ? { problem: 'Start and end must differ' } : { value };
}

function readMinutes(text: string): ReadText {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= 1 && value <= 1_440 ? { value } : { problem: 'From 1 to 1,440' };
}

interface TypedProps {
  label: string;
  value: string;
  unit?: string;
  read: (text: string) => ReadText;
  onChange: (value: number) => Promise<{ message: string } | null>;
}

/** A field that takes effect when it loses the focus or Enter is pressed. An invalid value stays, with the reason. */
function Typed({ label, value, unit, read, onChange }: TypedProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (): Promise<void> => {
    if (typed === null) return;
    const found = read(typed);
    if ('problem' in found) {
      setProblem(found.problem);
      return;
    }
    const failure = await onChange(found.value);
    setProblem(failure?.message ?? null);
    if (failure === null) setTyped(null);
  };
  return (
    <TextField
      className={styles.time}
      size="sm"
      aria-label={label}
      value={typed ?? value}
      problem={problem}
      trailing={unit === undefined ? undefined : <span className="t3 small">{unit}</span>}
      onChange={(text) => {
        setTyped(text);
        setProblem(null);
      }}
      onBlur={() => void take()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void take();
      }}
    />
  );
}
