import { endpointName } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { ViewCost } from '../costs/view-cost.tsx';
import { classes } from '../design/class-names.ts';
import { formatBytes, formatClock, formatCount } from '../../src-preload/format.ts';
import { Meter } from '../design/meter.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { useFollowDialog } from '../navigation/open-requests.ts';
import { usePendingDeletions } from '../data/pending-deletions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useCurrentConnectionState, useLastSyncMs } from '../data/connection-state.ts';
import { findEndpoint, useClosures, useCurrentConnection, useSession, useUnknownJobs } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { describeBudgets, type BudgetText, onlineStatus } from '../data/budget.ts';
import { countText } from '../messages/common.ts';
import { nextTryText } from '../messages/data/closures.ts';
import { requestBudgetText, statusBarText } from '../messages/windows/states.tsx';
import { goToOrphans, goToUnknown, goToWaiting } from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';
import styles from './status-bar.module.css';

/** The state of Jobdeck in one line. The number of tracked jobs is shown only while the sidebar does not show it. */
export function StatusBar({ isSidebarFolded }: { isSidebarFolded: boolean }) {
  const connectionState = useCurrentConnectionState();
  const tracker = useSession((state) => state.tracker);
  const lastSyncMs = useLastSyncMs();
  const counts = useSession((state) => state.counts);
  const pendingDeletions = usePendingDeletions((pending) => pending.size);
  const online = onlineStatus(connectionState, tracker?.isPaused ?? false);
  return (
    <footer className={styles.bar}>
      <span className={styles.item} role="status">
        <span className={classes(styles.dot, styles[online.dot])} />
        <span className={online.isTrouble ? styles.trouble : styles.value}>{online.word}</span>
      </span>
      {lastSyncMs !== null && (
        <span className={classes(tracker !== null && tracker.outcomeUnknown > 0 && styles.wide)}>
          {statusBarText.lastSync} <span className={styles.value}>{formatClock(lastSyncMs)}</span>
        </span>
      )}
      {connectionState?.kind === 'ready' && <ClosedOperations />}
      <span className={styles.space} />
      {tracker !== null && tracker.outcomeUnknown > 0 && (
        <button type="button" className={styles.link} onClick={goToUnknown}>
          {statusBarText.outcomeUnknown} <span className={styles.value}>{formatCount(tracker.outcomeUnknown)}</span>
        </button>
      )}
      <UnknownJobs />
      <Orphans />
      {tracker !== null && tracker.waitingToSend > 0 && (
        <button type="button" className={styles.link} onClick={goToWaiting}>
          {statusBarText.waitingToSend} <span className={styles.value}>{formatCount(tracker.waitingToSend)}</span>
        </button>
      )}
      {tracker !== null && tracker.tracked > 0 && isSidebarFolded && (
        <span>
          {statusBarText.tracking}{' '}
          <span className={styles.value}>
            {tracker.isPaused || online.isTrouble
              ? statusBarText.paused(countText.jobs(tracker.tracked))
              : countText.jobs(tracker.tracked)}
          </span>
        </span>
      )}
      {!online.isTrouble && <RequestBudget />}
      <ListCost />
      {counts !== null && (
        <span className={styles.wide}>
          {statusBarText.savedLocally}{' '}
          <span className={styles.value}>
            {countText.jobs(Math.max(0, counts.all.all - pendingDeletions))}, {formatBytes(counts.savedBytes)}
          </span>
        </span>
      )}
    </footer>
  );
}

/** Operations that the service refuses to this key while others work. The tooltip lists them; a press tries them. */
function ClosedOperations() {
  const connection = useCurrentConnection();
  const closures = useClosures(connection?.id);
  const nowMs = useNow(1_000);
  if (closures.length === 0) return null;
  const known = connection === null ? [] : [connection];
  const lines = closures.map((closure) => ({
    ...closure,
    name: `${closure.operation}, ${endpointName(findEndpoint(known, closure.connectionId, closure.endpointId))}`,
  }));
  const explanation = (
    <span className={styles.explained}>
      <span>{statusBarText.refusedHint}</span>
      {lines.map((line) => (
        <span key={line.name} className={styles.explainedLine}>
          <span>{line.name}</span>
          <span className="num">
            {statusBarText.refusedSince(line.httpStatus, line.sinceMs, nextTryText(line.nextTryMs, nowMs))}
          </span>
        </span>
      ))}
    </span>
  );
  return (
    <Tooltip text={explanation} side="top">
      <button
        type="button"
        className={classes(styles.link, styles.trouble)}
        onClick={() => callOrReport('tracker:tryNow', undefined)}
      >
        {statusBarText.refused(closures.length)}
      </button>
    </Tooltip>
  );
}

/** Jobs of removed connections, which are in no connection's list. */
function Orphans() {
  const count = useSession((state) => state.tracker?.orphans ?? 0);
  if (count === 0) return null;
  return (
    <Tooltip text={statusBarText.orphanedHint} side="top">
      <button type="button" className={styles.link} onClick={goToOrphans}>
        {statusBarText.orphaned} <span className={styles.value}>{countText.jobs(count)}</span>
      </button>
    </Tooltip>
  );
}

/** Jobs that were submitted elsewhere and whose webhooks called here. They can be tracked. */
function UnknownJobs() {
  const count = useUnknownJobs().length;
  if (count === 0) return null;
  return (
    <Tooltip text={statusBarText.untrackedHint} side="top">
      <button type="button" className={styles.link} onClick={() => useFollowDialog.getState().open()}>
        {statusBarText.untracked} <span className={styles.value}>{countText.jobs(count)}</span>
      </button>
    </Tooltip>
  );
}

/** The cost of the list, while the list is shown. */
function ListCost() {
  const isList = useShell((state) => state.pane.kind === 'jobs');
  const filter = useJobs((state) => state.filter);
  return isList ? (
    <ViewCost filter={filter} className={classes(styles.item, styles.wide)} valueClass={styles.value} />
  ) : null;
}

/** Operations in a tooltip, one per line. */
function BudgetLines({ lines }: { lines: BudgetText['lines'] }) {
  return lines.map((line) => (
    <span key={line.name} className={styles.explainedLine}>
      <span>{line.name}</span>
      <span className="num">{line.figures}</span>
    </span>
  ));
}

/** The budget that is closest to used up. The tooltip lists all of them and explains the limits. */
function RequestBudget() {
  const budgets = useSession((state) => state.tracker?.budgets);
  const connection = useCurrentConnection();
  const share = useSession((state) => state.settings.rateShare);
  const closures = useClosures(connection?.id);
  const isHeld = closures.length > 0 || budgets?.some((budget) => budget.heldUntilMs !== null) === true;
  const nowMs = useNow(isHeld ? 1_000 : 5_000);
  const readAtMs = useSession((state) => state.trackerReadAtMs);
  const budget = describeBudgets(budgets ?? [], connection, { share, nowMs, readAtMs, closures });
  if (budget === null) return null;
  const isSlowed = budget.held !== null || budget.slowed !== null;
  const explanation = (
    <span className={styles.explained}>
      <span>{budget.why}</span>
      <BudgetLines lines={budget.lines} />
      <BudgetLines lines={budget.refused} />
      {budget.slowed !== null && <span>{budget.slowed}</span>}
      {budget.used !== null && <span>{budget.used}</span>}
      {budget.held !== null && <span>{budget.held}</span>}
    </span>
  );
  return (
    <Tooltip text={explanation} side="top">
      <button type="button" className={styles.item}>
        <span className="visually-hidden">
          {requestBudgetText.spoken(budget.operation, budget.spent, budget.allowed, isSlowed)}
        </span>
        <span aria-hidden="true">{requestBudgetText.label(budget.operation)}</span>
        <Meter label={requestBudgetText.meter} value={budget.spent} max={budget.allowed} />
        <span aria-hidden="true">
          {requestBudgetText.spent(
            <span
              className={classes(styles.spent, isSlowed ? styles.trouble : styles.value)}
              style={{ minWidth: `${formatCount(budget.allowed).length}ch` }}
            >
              {formatCount(budget.spent)}
            </span>,
            budget.allowed,
          )}
        </span>
      </button>
    </Tooltip>
  );
}
