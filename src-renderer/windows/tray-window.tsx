import { BellOff, Pause, Play, Plus } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { emptyFilter } from '../../src-preload/history.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { statusLook, statusWord, type Job } from '../../src-preload/job.ts';
import { isUndisturbed } from '../../src-preload/notification.ts';
import { callOrSay } from '../call-or-say.ts';
import { onlineWord } from '../data/budget.ts';
import { useCall } from '../data/calls.ts';
import { useCondition } from '../data/condition.ts';
import {
  chooseSettings,
  findEndpoint,
  useCurrentConnection,
  useJobCounts,
  useNow,
  useSession,
} from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatAge, formatClock, formatCountdown, formatCount } from '../design/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import styles from './tray-window.module.css';

const activeShown = 4;
const endedShown = 3;

/** The tray's popover: what runs, what just ended, and the few things one does from there. */
export function TrayWindow() {
  const connection = useCurrentConnection();
  const connectionId = connection?.id ?? null;
  const active = useCall('job:list', {
    filter: { ...emptyFilter, connectionId, view: 'active' },
    sort: null,
    beforeKey: null,
    limit: 50,
  });
  const all = useCall('job:list', { filter: { ...emptyFilter, connectionId }, sort: null, beforeKey: null, limit: 60 });
  const nowMs = useNow(1_000);
  useEffect(() => {
    document.title = 'Jobdeck';
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') callOrSay('window:close', undefined);
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, []);
  const live = (active.data?.jobs ?? []).toSorted((one, other) => one.createdAtMs - other.createdAtMs);
  const keys = new Set(live.map(({ key }) => key));
  const ended = (all.data?.jobs ?? []).filter(
    ({ key, finishedSeenAtMs }) => finishedSeenAtMs !== null && !keys.has(key),
  );
  return (
    <div className={styles.popover}>
      <Head />
      <main className={styles.lists}>
        <Figures />
        {live.length > 0 && (
          <Jobs name="Active" note={live.length > activeShown ? `${formatCount(live.length)} in all` : null}>
            {live.slice(0, activeShown).map((job) => (
              <Row key={job.key} job={job} figure={formatCountdown(nowMs - (job.startedSeenAtMs ?? job.createdAtMs))} />
            ))}
          </Jobs>
        )}
        {ended.length > 0 && (
          <Jobs name="Just finished" note={null}>
            {ended.slice(0, live.length > 2 ? endedShown - 1 : endedShown).map((job) => (
              <Row key={job.key} job={job} figure={formatAge(nowMs - (job.finishedSeenAtMs ?? nowMs))} />
            ))}
          </Jobs>
        )}
        {live.length === 0 && ended.length === 0 && <p className={styles.empty}>No jobs yet</p>}
      </main>
      <Foot />
    </div>
  );
}

function Head() {
  const connection = useCurrentConnection();
  const tracker = useSession((state) => state.tracker);
  const condition = useCondition(connection);
  const { word, dot } = onlineWord(condition, tracker?.isPaused ?? false);
  const synced = tracker?.lastSyncAtMs ?? null;
  return (
    <header className={styles.head}>
      <h1 className="trunc">{connection?.name ?? 'No connection'}</h1>
      <span className={styles.state}>
        {dot !== 'none' && <span className={classes(styles.dot, dot === 'off' && styles.off)} aria-hidden="true" />}
        {synced === null ? word : `${word}, synced ${formatClock(synced)}`}
      </span>
    </header>
  );
}

function Figures() {
  const counts = useJobCounts();
  const figures = [
    ['running', counts?.running ?? 0, styles.run],
    ['queued', counts?.queued ?? 0, styles.queue],
    ['done today', counts?.finishedToday ?? 0, ''],
    ['failed, new', counts?.failedUnseen ?? 0, styles.fail],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, count, hue]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={count > 0 ? hue : ''}>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Jobs({ name, note, children }: { name: string; note: string | null; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h2 className={styles.group}>
        {name} {note !== null && <span>{note}</span>}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

function Row({ job, figure }: { job: Job; figure: string }) {
  const connections = useSession((state) => state.connections);
  const endpoint = findEndpoint(connections, job.connectionId, job.endpointId);
  const look = statusLook(job);
  return (
    <li>
      <button
        type="button"
        className={styles.job}
        onClick={() => callOrSay('window:openMain', { destination: { kind: 'job', key: job.key } })}
      >
        <StatusGlyph look={look} size={16} />
        <span className={styles.words}>
          <span className="trunc">{job.title}</span>
          <span className={styles.meta}>
            <EndpointIcon endpoint={endpoint} size={14} />
            <span className="trunc">{`${endpointName(endpoint)}, ${statusWord(job).toLowerCase()}`}</span>
          </span>
        </span>
        <span className={styles.figure}>{figure}</span>
      </button>
    </li>
  );
}

function Foot() {
  const isPaused = useSession((state) => state.tracker?.isPaused ?? false);
  const doNotDisturb = useSession((state) => state.settings.doNotDisturb);
  const isQuiet = isUndisturbed(doNotDisturb, useNow(30_000));
  return (
    <footer className={styles.foot}>
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus />}
        onClick={() => callOrSay('window:openMain', { destination: { kind: 'new-job' } })}
      >
        New job
      </Button>
      <Button
        size="sm"
        variant="ghost"
        icon={isPaused ? <Play /> : <Pause />}
        onClick={() => callOrSay(isPaused ? 'tracker:resume' : 'tracker:pause', undefined)}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <IconButton
        label={isQuiet ? 'Do not disturb is on' : 'Do not disturb'}
        size="sm"
        icon={<BellOff />}
        isOn={isQuiet}
        onClick={() => void chooseSettings({ doNotDisturb: { isOn: !isQuiet, untilMs: null } })}
      />
      <span className="grow" />
      <Button
        size="sm"
        variant="ghost"
        keys={['Ctrl', 'J']}
        onClick={() => callOrSay('window:openMain', { destination: { kind: 'home' } })}
      >
        Open Jobdeck
      </Button>
    </footer>
  );
}
