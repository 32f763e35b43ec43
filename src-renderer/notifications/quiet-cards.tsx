import { hourMs } from '../../src-preload/durations.ts';
import { isUndisturbed, type DoNotDisturb } from '../../src-preload/notification.ts';
import { minuteText } from '../../src-preload/time-of-day.ts';
import { useCall } from '../data/calls.ts';
import { changeSettings, chooseSettings, useNow, useSession } from '../data/session-store.ts';
import { classes } from '../design/class-names.ts';
import { Checkbox, LineSwitch } from '../design/choice.tsx';
import { formatCount, formatMinute } from '../../src-preload/format.ts';
import { Segmented } from '../design/segmented.tsx';
import { quietShares } from './quiet-shares.ts';
import { readTime, readWhole, TypedField } from './typed-field.tsx';
import styles from './notification-settings.module.css';

/** Quiet hours, do not disturb and the digest. */
export function QuietCards() {
  return (
    <div className={styles.cards}>
      <section className={styles.card} aria-label="Quiet hours">
        <QuietHours />
      </section>
      <section className={styles.card} aria-label="Do not disturb and digest">
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
        <h4>Quiet hours</h4>
        <LineSwitch
          name="Quiet hours"
          isOn={quietHours.isOn}
          onChange={(isOn) => void chooseSettings({ quietHours: { ...quietHours, isOn } })}
        />
      </div>
      <p className={styles.hint}>Held until they end, then sent as one</p>
      <Day />
      <div className={styles.fields}>
        <span>From</span>
        <TypedField
          className={styles.time}
          label="Quiet from"
          value={minuteText(quietHours.fromMinute)}
          read={(text) => readTime(text, quietHours.toMinute)}
          onChange={(fromMinute) => changeSettings({ quietHours: { ...quietHours, fromMinute } })}
        />
        <span>to</span>
        <TypedField
          className={styles.time}
          label="Quiet until"
          value={minuteText(quietHours.toMinute)}
          read={(text) => readTime(text, quietHours.fromMinute)}
          onChange={(toMinute) => changeSettings({ quietHours: { ...quietHours, toMinute } })}
        />
        <span className={styles.far}>every day</span>
      </div>
      <Checkbox
        label="Let alerts with sound through"
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
        <span>0:00</span>
        <span>6:00</span>
        <span>12:00</span>
        <span>18:00</span>
        <span>24:00</span>
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
        <h4>Do not disturb</h4>
        <LineSwitch
          name="Do not disturb"
          isOn={isOn}
          onChange={(isNowOn) => void chooseSettings({ doNotDisturb: { isOn: isNowOn, untilMs: null } })}
        />
      </div>
      <p className={styles.hint}>
        {isOn && untilMs !== null
          ? `Listed only until ${formatMinute(untilMs)}`
          : 'Listed under the bell, not shown by the desktop'}
      </p>
      <div className={styles.choice}>
        <Segmented<Span | ''>
          label="How long"
          size="sm"
          value={!isOn ? '' : untilMs === null ? 'on' : untilMs === eveningMs ? 'evening' : 'hour'}
          options={[
            { value: 'hour', label: '1 h' },
            ...(nowMs < eveningMs ? [{ value: 'evening' as const, label: 'Until 18:00' }] : []),
            { value: 'on', label: 'Until I turn it off' },
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
      <h4>Digest</h4>
      <div className={styles.fields}>
        <span>Every</span>
        <TypedField
          className={styles.minutes}
          label="Minutes per digest"
          value={String(digest.everyMinutes)}
          unit="min"
          read={(text) => readWhole(text, 1_440)}
          onChange={(everyMinutes) => changeSettings({ digest: { ...digest, everyMinutes } })}
        />
        {gathered !== undefined && gathered.dueAtMs !== null && (
          <span className={styles.far}>
            next {formatMinute(gathered.dueAtMs)}, {formatCount(gathered.count)} so far
          </span>
        )}
      </div>
      <Checkbox
        label="Gather alerts too"
        isOn={digest.isOn}
        onChange={(isOn) => void chooseSettings({ digest: { ...digest, isOn } })}
      />
    </>
  );
}
