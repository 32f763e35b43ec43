import { keysOfAccelerator } from '../design/keyboard/platform.ts';
import { BellOff, ChevronsUpDown, Pause, Play, Plus } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, type ReactNode } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { JobCounts } from '../../src-preload/history.ts';
import { statusKind, statusWord, type Job } from '../../src-preload/job.ts';
import { activeText } from '../../src-preload/messages/active-jobs.ts';
import { reasonText } from '../../src-preload/messages/job-reason.ts';
import { isUndisturbed } from '../../src-preload/notification.ts';
import { callOrReport } from '../call-or-report.ts';
import { onlineStatus } from '../data/budget.ts';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { useConnectionState, useLastSyncMs } from '../data/connection-state.ts';
import type { JobListView } from '../data/job-list.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useReadAfterMidnight } from '../data/new-day.ts';
import { showRows } from '../data/on-view.ts';
import { findEndpoint, refreshCounts, useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { useNow } from '../data/use-now.ts';
import { validReading } from '../data/watch-health.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { executionFigure, figureAsOf, waitFigure } from '../jobs/job-figures.ts';
import { Age, AsOf, FigureText } from '../jobs/figure-text.tsx';
import { RowBar } from '../jobs/row-bar.tsx';
import { oldestWait } from '../jobs/section-summary.ts';
import { commonText } from '../messages/common.ts';
import { trayFigureText, trayText } from '../messages/windows/tray.ts';
import { TrayImages } from './tray-images.tsx';
import { trayLists } from './tray-lists.ts';
import styles from './tray-window.module.css';

/** How many of the newest ended jobs are searched for images. The first that has some shows them. */
const searchedForImages = 3;

/** The tray's popover: active jobs, recently ended ones, and a few actions. */
export function TrayWindow() {
  const list = useTrayJobs();
  useReadAfterMidnight();
  const { active, ended, oldestQueued } = useMemo(() => trayLists(list), [list]);
  const counts = useJobCounts();
  const isFirst = useJobs((state) => state.status === 'first');
  const isFailed = useJobs((state) => state.status === 'failed');
  useEffect(() => {
    showRows([...active, ...(oldestQueued === null ? [] : [oldestQueued])].map(({ key }) => key));
  }, [active, oldestQueued]);
  useLayoutEffect(() => {
    document.title = trayText.windowTitle;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') callOrReport('window:close', undefined);
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, []);
  return (
    <div className={styles.popover}>
      <Head />
      <main className={styles.lists}>
        {/* All at once: figures without their jobs, or the first changed jobs without figures, would be wrong. */}
        {!isFirst && (
          <>
            <Figures counts={counts} />
            {active.length > 0 && (
              <Jobs name={trayText.active} note={oldestQueued !== null && <OldestWait job={oldestQueued} />}>
                {active.map((job) => (
                  <ActiveRow key={job.key} job={job} />
                ))}
              </Jobs>
            )}
            {ended.length > 0 && (
              <Jobs name={trayText.justFinished} note={shownOfToday(ended.length, counts)}>
                {ended.map((job, index) => (
                  <EndedRow key={job.key} job={job} hasImages={index < searchedForImages} />
                ))}
              </Jobs>
            )}
            <OtherConnections />
            {active.length === 0 &&
              ended.length === 0 &&
              (isFailed ? <CouldNotRead /> : <EmptyState title={trayText.emptyTitle} text={trayText.emptyHint} />)}
          </>
        )}
      </main>
      <Foot />
    </div>
  );
}

/** Why there are no jobs to show. If the counts are missing too, both are read again. */
function CouldNotRead() {
  const problem = useJobs((state) => state.problem);
  return (
    <EmptyState
      title={trayText.couldNotRead}
      text={problem?.message}
      actions={
        <Button
          onClick={() => {
            void useJobs.getState().reload();
            if (useSession.getState().counts === null) void refreshCounts();
          }}
        >
          {commonText.tryAgain}
        </Button>
      }
    />
  );
}

/** `3 of 38 today`. Null if what is shown is all of today, or older. */
function shownOfToday(shown: number, counts: JobCounts | null): string | null {
  const today = counts?.finishedToday ?? 0;
  return today > shown ? trayText.shownOfToday(shown, today) : null;
}

/** The jobs of the current connection, as the main window's list has them. */
function useTrayJobs(): JobListView {
  const connectionId = useCurrentConnection()?.id ?? null;
  useEffect(() => void useJobs.getState().reload(), [connectionId]);
  return useJobs((state) => state.list);
}

function Head() {
  const connection = useCurrentConnection();
  const tracker = useSession((state) => state.tracker);
  const connectionState = useConnectionState(connection);
  const { word, dot } = onlineStatus(connectionState, tracker?.isPaused ?? false);
  const synced = useLastSyncMs();
  return (
    <header className={styles.head}>
      <ConnectionChoice />
      <span className={styles.state}>
        {dot !== 'none' && <span className={classes(styles.dot, dot === 'off' && styles.off)} aria-hidden="true" />}
        {synced === null ? word : trayText.synced(word, synced)}
      </span>
    </header>
  );
}

/** The connection's name. If there are several, a menu to choose another. */
function ConnectionChoice() {
  const connection = useCurrentConnection();
  const connections = useSession((state) => state.connections);
  const name = connection?.name ?? trayText.noConnection;
  if (connections.length < 2) return <h1 className="trunc">{name}</h1>;
  const items = connections.map((one): MenuEntry => ({
    kind: 'item',
    label: one.name,
    isChosen: one.id === connection?.id,
    onSelect: () => void chooseSettings({ currentConnectionId: one.id }),
  }));
  return (
    <h1 className={styles.connection}>
      <Menu
        items={items}
        trigger={
          <button type="button">
            <span className="visually-hidden">{trayText.connection} </span>
            <span className="trunc">{name}</span>
            <ChevronsUpDown size={12} aria-hidden="true" />
          </button>
        }
      />
    </h1>
  );
}

/** How many jobs there are, or dashes before they are counted. */
function Figures({ counts }: { counts: JobCounts | null }) {
  const figures = [
    [trayFigureText.running, counts?.running, styles.run],
    [trayFigureText.queued, counts?.queued, styles.queue],
    ...(counts === null || counts.unknown === 0 ? [] : [[trayFigureText.unknown, counts.unknown, ''] as const]),
    [trayFigureText.finishedToday, counts?.finishedToday, ''],
    [trayFigureText.failedUnseen, counts?.failedUnseen, styles.fail],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, count, hue]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={(count ?? 0) > 0 ? hue : ''}>{count === undefined ? '–' : formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the other connections have that the user may be waiting for. Choosing one shows its jobs. */
function OtherConnections() {
  const connection = useCurrentConnection();
  const connections = useSession((state) => state.connections);
  const counts = useSession((state) => state.counts);
  const others = connections.flatMap(({ id, name }) => {
    const there = counts === null || id === connection?.id ? undefined : counts.byConnection[id];
    const text = there === undefined ? '' : trayText.there(activeText(there), there.failedUnseen);
    return text === '' ? [] : [{ id, name, text, hasFailed: (there?.failedUnseen ?? 0) > 0 }];
  });
  if (others.length === 0) return null;
  return (
    <section aria-label={trayText.otherConnections}>
      <h2 className={styles.group}>{trayText.otherConnections}</h2>
      <ul>
        {others.map(({ id, name, text, hasFailed }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.other}
              onClick={() => void chooseSettings({ currentConnectionId: id })}
            >
              <span className="trunc">{name}</span>
              <span className={classes(styles.figure, hasFailed && styles.fail)}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Jobs({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h2 className={styles.group}>
        {name} <span>{note}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

/** Counts up as long as the state of the job is certain. */
function OldestWait({ job }: { job: Job }) {
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  const nowMs = useNow(1_000);
  return <>{oldestWait(job, asOfMs ?? nowMs)}</>;
}

/** The same clock as in the list's rows: the wait in the queue or the run time, as long as they are certain. */
function ActiveRow({ job }: { job: Job }) {
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  const runTimes = useSession((state) => state.runTimes[endpointKey(job)]);
  const health = useSession((state) => state.health[endpointKey(job)]);
  const idleWorkers = validReading(health, useNow(5_000))?.workers.idle ?? null;
  const kind = statusKind(job);
  const figure = kind === 'queue' ? waitFigure(job) : executionFigure(job);
  const note =
    kind === 'queue' && idleWorkers === 0
      ? trayText.noIdleWorker
      : job.chunkCount > 0
        ? trayText.chunks(job.chunkCount)
        : null;
  return (
    <Row
      job={job}
      isUncertain={asOfMs !== null}
      figure={<FigureText figure={figureAsOf(figure, asOfMs)} isCoarse={kind === 'queue'} />}
      note={
        <>
          {note !== null && `, ${note}`}
          {asOfMs !== null && (
            <>
              , <AsOf ms={asOfMs} />
            </>
          )}
        </>
      }
      bar={<RowBar job={job} runTimes={runTimes} kind={kind} asOfMs={asOfMs} />}
    />
  );
}

function EndedRow({ job, hasImages }: { job: Job; hasImages: boolean }) {
  const isFailure = statusKind(job) === 'fail' || statusKind(job) === 'timeout';
  return (
    <Row
      job={job}
      figure={<Age sinceMs={job.finishedSeenAtMs ?? job.createdAtMs} />}
      note={isFailure && job.reason !== null && <span className={styles.fail}>, {reasonText(job.reason)}</span>}
    >
      {hasImages && <TrayImages job={job} />}
    </Row>
  );
}

interface RowProps {
  job: Job;
  figure: ReactNode;
  note: ReactNode;
  bar?: ReactNode;
  isUncertain?: boolean;
  children?: ReactNode;
}

function Row({ job, figure, note, bar, isUncertain = false, children }: RowProps) {
  const connections = useSession((state) => state.connections);
  const endpoint = findEndpoint(connections, job.connectionId, job.endpointId);
  return (
    <li>
      <button
        type="button"
        data-tray-job={job.key}
        className={classes(styles.job, isUncertain && styles.uncertain)}
        onClick={() => callOrReport('window:openMain', { destination: { kind: 'job', key: job.key } })}
      >
        <StatusGlyph kind={statusKind(job)} size={16} />
        <span className={styles.words}>
          <span className="trunc">{job.title}</span>
          <span className={styles.meta}>
            <EndpointIcon endpoint={endpoint} size={14} />
            <span className="visually-hidden">{statusWord(job)}</span>
            <span className="trunc">
              {endpointName(endpoint)}
              {note}
            </span>
          </span>
          {children}
        </span>
        <span className={styles.side}>
          <span className={styles.figure}>{figure}</span>
          {bar}
        </span>
      </button>
    </li>
  );
}

function Foot() {
  const isPaused = useSession((state) => state.tracker?.isPaused ?? false);
  const doNotDisturb = useSession((state) => state.settings.doNotDisturb);
  const shortcuts = useSession((state) => state.settings.globalShortcuts);
  const isQuiet = isUndisturbed(doNotDisturb, useNow(30_000));
  return (
    <footer className={styles.foot}>
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus />}
        onClick={() => callOrReport('window:openMain', { destination: { kind: 'new-job' } })}
      >
        {trayText.newJob}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        icon={isPaused ? <Play /> : <Pause />}
        onClick={() => callOrReport(isPaused ? 'tracker:resume' : 'tracker:pause', undefined)}
      >
        {isPaused ? trayText.resume : trayText.pause}
      </Button>
      <IconButton
        label={isQuiet ? trayText.doNotDisturbIsOn : trayText.doNotDisturb}
        size="sm"
        icon={<BellOff />}
        isOn={isQuiet}
        onClick={() => void chooseSettings({ doNotDisturb: { isOn: !isQuiet, untilMs: null } })}
      />
      <span className="grow" />
      <Button
        size="sm"
        variant="ghost"
        keys={shortcuts.isOn ? keysOfAccelerator(shortcuts.open) : undefined}
        onClick={() => callOrReport('window:openMain', { destination: { kind: 'home' } })}
      >
        {trayText.open}
      </Button>
    </footer>
  );
}
