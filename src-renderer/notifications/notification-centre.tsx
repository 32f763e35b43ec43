import { BellOff, CheckCheck, Settings, ShieldAlert, TriangleAlert } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { hourMs } from '../../src-preload/durations.ts';
import { isFailedKind, destinationOf, isUndisturbed, type AppNotification } from '../../src-preload/notification.ts';
import type { Destination } from '../../src-preload/destination.ts';
import { deliveryNote } from '../../src-preload/messages/notification.ts';
import { statusKind } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { callOrReport } from '../call-or-report.ts';
import { useCall } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { formatAge, formatCount, formatDay, formatMinute } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { toast, undoAction } from '../design/toast.tsx';
import { centreText, sectionText, togetherText, whenFiredText } from '../messages/notifications/centre.ts';
import { OngoingActions, NotificationActions } from './centre-actions.tsx';
import { CentreFilterBar } from './centre-filter.tsx';
import {
  byDay,
  filterCentre,
  notificationRows,
  statusCountsOf,
  withoutRepeats,
  type CentreFilter,
  type NotificationRow,
  type OngoingRow,
} from './notification-rows.ts';
import { useFocusWhileOpen } from './use-focus-while-open.ts';
import styles from './notification-centre.module.css';

export interface NotificationCentreProps {
  onOpen: (destination: Destination) => void;
  onSettings: () => void;
  onClose: () => void;
}

const noFilter: CentreFilter = { kind: 'all', isUnseenOnly: false };
const pageLength = 100;
const maxLength = 500;

/** All notifications: those still current first, the others by time. */
export function NotificationCentre({ onOpen, onSettings, onClose }: NotificationCentreProps) {
  const [length, setLength] = useState(pageLength);
  const { data: page, error: listError } = useCall('notification:list', { beforeId: null, limit: length });
  const { data: going, error: goingError } = useCall('notification:ongoing', undefined);
  const error = listError ?? goingError;
  const nowMs = useNow(30_000);
  const own = useRef<HTMLElement>(null);
  useFocusWhileOpen(own, onClose);
  const [filter, setFilter] = useState(noFilter);
  const everything = withoutRepeats(page?.notifications ?? [], going ?? []);
  const listed = filterCentre(everything, filter);
  const { ongoing } = listed;
  const rows = notificationRows(listed.others);
  const open = (ids: number[], destination: Destination): void => {
    callOrReport('notification:markSeen', { ids });
    onOpen(destination);
  };
  const isRead = page !== undefined && going !== undefined;
  const isEmpty = isRead && everything.others.length === 0 && everything.ongoing.length === 0;
  const isNonePassing = isRead && !isEmpty && rows.length === 0 && ongoing.length === 0;
  return (
    <aside
      ref={own}
      className={styles.centre}
      aria-label={centreText.title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Head newestId={page === undefined ? null : (page.notifications[0]?.id ?? 0)} onSettings={onSettings} />
      {!isEmpty && <CentreFilterBar filter={filter} isRead={isRead} listed={listed} onChange={setFilter} />}
      <div className={styles.body} tabIndex={0} role="group" aria-label={centreText.list}>
        {error !== null && <p className={styles.failed}>{centreText.couldNotRead(error.message)}</p>}
        {isEmpty && (
          <EmptyState
            art={null}
            title={centreText.emptyTitle}
            text={centreText.emptyHint}
            actions={<Button onClick={onSettings}>{centreText.choose}</Button>}
          />
        )}
        {isNonePassing && (
          <EmptyState
            art={null}
            title={centreText.noneOfKind}
            actions={<Button onClick={() => setFilter(noFilter)}>{centreText.showAll}</Button>}
          />
        )}
        {ongoing.length > 0 && (
          <Section name={sectionText.ongoing} count={ongoing.length}>
            {ongoing.map((row) => (
              <OngoingItem key={row.one.id} row={row} nowMs={nowMs} onOpen={open} />
            ))}
          </Section>
        )}
        {byDay(rows, nowMs).map(({ name, rows: ofDay }) => (
          <Section key={name} name={name} count={ofDay.length}>
            {ofDay.map((row) => (
              <Row key={row.first.id} row={row} nowMs={nowMs} onOpen={open} />
            ))}
          </Section>
        ))}
        {page?.hasMore === true && (
          <div className={styles.more}>
            <Button
              size="sm"
              onClick={() => setLength(Math.min(maxLength, length + pageLength))}
              disabledReason={length >= maxLength ? centreText.limit(maxLength) : undefined}
            >
              {centreText.showOlder}
            </Button>
          </div>
        )}
      </div>
    </aside>
  );
}

interface HeadProps {
  /** 0 if there is no notification, null while that is not known. */
  newestId: number | null;
  onSettings: () => void;
}

function Head({ newestId, onSettings }: HeadProps) {
  const doNotDisturb = useSession((state) => state.settings.doNotDisturb);
  const isOn = isUndisturbed(doNotDisturb, useNow(30_000));
  // All that are unseen, even those that are not listed yet or do not pass the filter.
  const unseen = useCall('notification:unseen', undefined, { isKeptByEvents: true }).data?.unseen ?? 0;
  // A group that was clicked is seen, and its jobs may not be.
  const failedUnseen = useSession((state) => state.counts?.all.failedUnseen ?? 0);
  return (
    <header className={styles.head}>
      <h2>{centreText.title}</h2>
      <span className="grow" />
      <Button
        size="sm"
        variant="ghost"
        icon={<BellOff />}
        aria-pressed={isOn}
        onClick={() => void chooseSettings({ doNotDisturb: { isOn: !isOn, untilMs: null } })}
      >
        {centreText.doNotDisturb}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        icon={<CheckCheck />}
        disabledReason={unseen === 0 && failedUnseen === 0 ? centreText.allSeen : undefined}
        onClick={() => {
          if (newestId !== null) void markAllSeen(newestId);
        }}
      >
        {centreText.markAllSeen}
      </Button>
      <IconButton label={centreText.settings} icon={<Settings />} onClick={onSettings} />
    </header>
  );
}

async function markAllSeen(upToId: number): Promise<void> {
  const result = await call('notification:markSeen', { upToId });
  if (!result.ok) {
    toast(result.failure.message, { glyph: 'fail' });
    return;
  }
  const { atMs, jobKeys } = result.value;
  toast(centreText.allMarkedSeen(jobKeys.length), {
    slot: 'notifications-seen',
    action: undoAction(() => callOrReport('notification:markUnseen', { upToId, atMs, jobKeys })),
  });
}

function Section({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h3 className={styles.group}>
        {name} <span>{formatCount(count)}</span>
      </h3>
      <ul className={styles.list}>{children}</ul>
    </section>
  );
}

interface OngoingItemProps {
  row: OngoingRow;
  nowMs: number;
  onOpen: (ids: number[], destination: Destination) => void;
}

function OngoingItem({ row: { one, ids, isSeen }, nowMs, onOpen }: OngoingItemProps) {
  const { kind, title, text, sinceMs, jobs } = one;
  return (
    <li className={classes(styles.item, !isSeen && styles.isNew)}>
      <span className={styles.glyph}>
        {kind === 'refusal' ? (
          <ShieldAlert className={styles.warn} />
        ) : kind === 'alert' ? (
          <TriangleAlert className={styles.warn} />
        ) : (
          <StatusGlyph kind={kind === 'stream' ? 'done' : kind === 'unknown' ? 'unknown' : 'gone'} size={16} />
        )}
      </span>
      <div className={styles.words}>
        <h4>
          {!isSeen && <span className="visually-hidden">{centreText.notSeen}</span>}
          {title}
        </h4>
        <p>
          {kind === 'alert' && <OfConnections ids={[one.connectionId]} />}
          {text}
        </p>
        {jobs.length > 0 && (
          <div className={styles.jobs}>
            {jobs.map((job) => (
              <button
                key={job.key}
                type="button"
                className={styles.job}
                onClick={() => onOpen(ids, { kind: 'job', key: job.key })}
              >
                <StatusGlyph kind={statusKind(job)} size={14} />
                <span className="trunc">{job.title}</span>
                <ConnectionName id={job.connectionId} />
                <span className={styles.age}>{formatAge(nowMs - job.createdAtMs)}</span>
              </button>
            ))}
          </div>
        )}
        <OngoingActions of={one} onOpen={(destination) => onOpen(ids, destination)} />
      </div>
      <time className={styles.age}>{shortTime(sinceMs, nowMs)}</time>
    </li>
  );
}

interface RowProps {
  row: NotificationRow;
  nowMs: number;
  onOpen: (ids: number[], destination: Destination) => void;
}

function Row({ row, nowMs, onOpen }: RowProps) {
  const { first, all, isSeen } = row;
  const ids = all.map(({ id }) => id);
  const note = deliveryNote(first.delivery);
  const isOne = all.length === 1;
  const title = isOne ? first.title : titleOf(row);
  const counts = statusCountsOf(row);
  const hasSeveral = new Set(all.map(({ connectionId }) => connectionId)).size > 1;
  return (
    <li className={classes(styles.item, !isSeen && styles.isNew)}>
      <span className={styles.glyph}>
        <Glyph
          of={isOne ? first : (all.find(({ statusKind }) => statusKind !== null && isFailedKind(statusKind)) ?? first)}
        />
      </span>
      <div className={styles.words}>
        <h4>
          {!isSeen && <span className="visually-hidden">{centreText.notSeen}</span>}
          <button
            type="button"
            className={styles.open}
            onClick={() => onOpen(ids, isOne ? destinationOf(first) : { kind: 'home' })}
          >
            {title}
          </button>
        </h4>
        <p>
          <OfConnections ids={all.filter(({ kind }) => kind !== 'refusal').map(({ connectionId }) => connectionId)} />
          {isOne ? bodyOf(first) : togetherText.counts(counts)}
          {note !== null && <span className={styles.note}> · {note}</span>}
        </p>
        {!isOne && counts.length > 0 && (
          <span className={styles.bar} aria-hidden="true">
            {counts.map(({ kind, count }) => (
              <span key={kind} className={classes(styles.part, styles[kind])} style={{ flexGrow: count }} />
            ))}
          </span>
        )}
        {!isOne && (
          <details className={styles.rest}>
            <summary>{togetherText.showAll(all.length)}</summary>
            <ul>
              {all.map((one) => (
                <li key={one.id}>
                  {hasSeveral && <OfConnections ids={[one.connectionId]} />}
                  <button type="button" className={styles.open} onClick={() => onOpen([one.id], destinationOf(one))}>
                    {one.title}
                  </button>
                </li>
              ))}
            </ul>
          </details>
        )}
        {isOne && <NotificationActions of={first} onOpen={(destination) => onOpen(ids, destination)} />}
      </div>
      <time className={styles.age}>{shortTime(first.atMs, nowMs)}</time>
    </li>
  );
}

/** The figures of an alert are those of the moment in which it fired. */
function bodyOf({ kind, body }: AppNotification): string {
  return kind === 'alert' ? whenFiredText(body) : body;
}

/** The names of these connections, if there are several from which the user could expect it. */
function OfConnections({ ids }: { ids: readonly string[] }) {
  const names = useConnectionNames(ids);
  return names.length === 0 ? null : <span className={styles.note}>{names.join(', ')} · </span>;
}

function ConnectionName({ id }: { id: string }) {
  const [name = ''] = useConnectionNames([id]);
  return <span className={styles.age}>{name}</span>;
}

/** Empty with a single connection. */
function useConnectionNames(ids: readonly string[]): string[] {
  const connections = useSession((state) => state.connections);
  if (connections.length < 2) return [];
  return connections.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
}

/** The title that the desktop showed for the group. */
function titleOf({ first, all }: NotificationRow): string {
  const areJobs = all.every(({ kind }) => kind === 'job');
  const what = areJobs ? togetherText.jobs(all.length) : togetherText.notifications(all.length);
  return first.delivery === 'in-digest' ? togetherText.digest(what) : what;
}

function Glyph({ of: { statusKind, kind } }: { of: AppNotification }) {
  if (statusKind !== null) return <StatusGlyph kind={statusKind} size={16} />;
  return kind === 'refusal' ? <ShieldAlert className={styles.warn} /> : <TriangleAlert className={styles.warn} />;
}

/** `11 m` within the last hour, `14:26` for today, otherwise the day. */
function shortTime(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs;
  if (agoMs < hourMs) return formatAge(Math.max(0, agoMs));
  return formatDay(atMs, nowMs) === 'today' ? formatMinute(atMs) : `${formatDay(atMs, nowMs)}, ${formatMinute(atMs)}`;
}
