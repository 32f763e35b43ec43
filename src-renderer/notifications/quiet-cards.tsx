import { hourMs } from '../../src-preload/durations.ts';
import { isUndisturbed, type DoNotDisturb } from '../../src-preload/notification.ts';
import { minuteText, readMinute } from '../../src-preload/time-of-day.ts';
import { useCall } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';
import { changeSettings, chooseSettings } from '../data/change-settings.ts';
import { useNow } from '../data/use-now.ts';
import { TypedField, type TypedValue } from '../data/typed-field.tsx';
import { classes } from '../design/class-names.ts';
import { Checkbox, LineSwitch } from '../design/form/choice.tsx';
import { Segmented } from '../design/segmented.tsx';
import { digestText, quietHoursText, undisturbedText, typedProblems } from '../messages/notifications/settings.ts';
import { quietShares } from './quiet-shares.ts';
import styles from './notification-settings.module.css';

/** A time of day that differs from the other end of its span, both in minutes since midnight. */
function readTime(text: string, other: number): TypedValue<number> {
  const value = readMinute(text);
  if (value === null) return { problem: typedProblems.time };
  return value === other ? { problem: typedProblems.sameTime } : { value };
}

/** A whole number from 1 to `max`. */
export function readWhole(text: string, max: number): TypedValue<number> {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : 0;
  return value >= 1 && value <= max ? { value } : { problem: typedProblems.whole(max) };
}

/** Quiet hours, do not disturb and the digest. */
export function QuietCards() {
  return (
    <div className={styles.cards}>
      <section className={styles.card} aria-label={quietHoursText.title}>
        <QuietHours />
      </section>
      <section className={styles.card} aria-label={undisturbedText.card}>
        <div className={styles.part}>
          <Undisturbed />
        </div>
        <div className={styles.part}>
          <Digest />
        </div>
      </section>
    </div>
  );
}

function QuietHours() {
  const quietHours = useSession((state) => state.settings.quietHours);
  const isLoudLetThrough = useSession((state) => state.settings.areLoudAlertsLetThrough);
  return (
    <>
      <div className={styles.top}>
        <h4>{quietHoursText.title}</h4>
        <LineSwitch
          name={quietHoursText.title}
          isOn={quietHours.isOn}
          onChange={(isOn) => void chooseSettings({ quietHours: { ...quietHours, isOn } })}
        />
      </div>
      <p className={styles.hint}>{quietHoursText.hint}</p>
      <Day />
      <div className={styles.fields}>
        <span>{quietHoursText.from}</span>
        <TypedField
          className={styles.time}
          label={quietHoursText.fromField}
          value={minuteText(quietHours.fromMinute)}
          read={(text) => readTime(text, quietHours.toMinute)}
          onChange={(fromMinute) => changeSettings({ quietHours: { ...quietHours, fromMinute } })}
        />
        <span>{quietHoursText.to}</span>
        <TypedField
          className={styles.time}
          label={quietHoursText.toField}
          value={minuteText(quietHours.toMinute)}
          read={(text) => readTime(text, quietHours.fromMinute)}
          onChange={(toMinute) => changeSettings({ quietHours: { ...quietHours, toMinute } })}
        />
        <span className={styles.far}>{quietHoursText.everyDay}</span>
      </div>
      <Checkbox
        label={quietHoursText.letThrough}
        isOn={isLoudLetThrough}
        onChange={(areLoudAlertsLetThrough) => void chooseSettings({ areLoudAlertsLetThrough })}
      />
    </>
  );
}

/** The hours of a day with the quiet ones filled, and the current time. */
function Day() {
  const quietHours = useSession((state) => state.settings.quietHours);
  const now = new Date(useNow(60_000));
  const minute = now.getHours() * 60 + now.getMinutes();
  return (
    <div aria-hidden="true">
      <div className={classes(styles.day, !quietHours.isOn && styles.off)}>
        {quietShares(quietHours).map(({ hour, from, to }) => (
          <span key={hour} className={styles.hour}>
            {to > from && (
              <span className={styles.quiet} style={{ marginLeft: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
            )}
          </span>
        ))}
        <span className={styles.now} style={{ left: `${(minute / 1_440) * 100}%` }} />
      </div>
      <div className={styles.scale}>
        {quietHoursText.scale.map((time) => (
          <span key={time}>{time}</span>
        ))}
      </div>
    </div>
  );
}

type Span = 'hour' | 'evening' | 'on';

function Undisturbed() {
  const doNotDisturb = useSession((state) => state.settings.doNotDisturb);
  const nowMs = useNow(30_000);
  const eveningMs = new Date(nowMs).setHours(18, 0, 0, 0);
  const isOn = isUndisturbed(doNotDisturb, nowMs);
  const { untilMs } = doNotDisturb;
  const choices: Readonly<Record<Span, DoNotDisturb>> = {
    hour: { isOn: true, untilMs: nowMs + hourMs },
    evening: { isOn: true, untilMs: eveningMs },
    on: { isOn: true, untilMs: null },
  };
  return (
    <>
      <div className={styles.top}>
        <h4>{undisturbedText.title}</h4>
        <LineSwitch
          name={undisturbedText.title}
          isOn={isOn}
          onChange={(isNowOn) => void chooseSettings({ doNotDisturb: { isOn: isNowOn, untilMs: null } })}
        />
      </div>
      <p className={styles.hint}>{isOn && untilMs !== null ? undisturbedText.until(untilMs) : undisturbedText.hint}</p>
      <div className={styles.choice}>
        <Segmented<Span | ''>
          label={undisturbedText.howLong}
          size="sm"
          value={!isOn ? '' : untilMs === null ? 'on' : untilMs === eveningMs ? 'evening' : 'hour'}
          options={[
            { value: 'hour', label: undisturbedText.hour },
            ...(nowMs < eveningMs ? [{ value: 'evening' as const, label: undisturbedText.evening }] : []),
            { value: 'on', label: undisturbedText.on },
          ]}
          onChange={(span) => {
            if (span !== '') void chooseSettings({ doNotDisturb: choices[span] });
          }}
        />
      </div>
    </>
  );
}

function Digest() {
  const digest = useSession((state) => state.settings.digest);
  const gathered = useCall('notification:gathered', undefined).data;
  return (
    <>
      <h4>{digestText.title}</h4>
      <div className={styles.fields}>
        <span>{digestText.every}</span>
        <TypedField
          className={styles.minutes}
          label={digestText.minutes}
          value={String(digest.everyMinutes)}
          unit={digestText.unit}
          read={(text) => readWhole(text, 1_440)}
          onChange={(everyMinutes) => changeSettings({ digest: { ...digest, everyMinutes } })}
        />
        {gathered !== undefined && gathered.dueAtMs !== null && (
          <span className={styles.far}>{digestText.next(gathered.dueAtMs, gathered.count)}</span>
        )}
      </div>
      <Checkbox
        label={digestText.alertsToo}
        isOn={digest.isOn}
        onChange={(isOn) => void chooseSettings({ digest: { ...digest, isOn } })}
      />
    </>
  );
}
