import { History, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { dayMs } from '../../src-preload/durations.ts';
import { endpointName } from '../../src-preload/connection.ts';
import {
  namesEndpoint,
  ownPurgesPerWindow,
  purgeHoldMs,
  purgesPerWindow,
  type Purge,
  type PurgeLog,
  type PurgePreview,
} from '../../src-preload/purge.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { pauseMs, useLasting } from '../design/use-pause.ts';
import { TextField } from '../design/form/text-field.tsx';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { lastPurge, purgeOrderText, purgePreviewText, purgeText } from '../messages/purge.tsx';
import { HoldButton } from './hold-button.tsx';
import { JobNames } from './job-names.tsx';
import { PurgeRefusal, PurgeResult } from './purge-result.tsx';
import { usePurge, usePurgeTarget, type PurgeView } from './use-purge.ts';
import { lockSeconds, oldAgeMs, purgeCount, queueShares } from './queue-shares.ts';
import styles from './purge-card.module.css';

export interface PurgeCardProps {
  connectionId: string;
  endpointId: string;
  /** If left out, a job opens in a window of its own. */
  onShowJob?: (key: string) => void;
}

/**
 * Purges an endpoint's queue: what would be removed, a typed name and a held button before the one request, and the
 * result.
 */
export function PurgeCard({ connectionId, endpointId, onShowJob = showInWindow }: PurgeCardProps) {
  const view = usePurge(connectionId, endpointId);
  const card = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const result = useRef<HTMLDivElement>(null);
  const isTarget = usePurgeTarget((target) => target.endpointId === endpointId);
  const { preview, log } = view;
  const isRead = (preview !== null && log !== null) || view.problem !== null;
  useEffect(() => {
    // What is not read yet cannot get the focus.
    if (!isTarget || !isRead) return;
    usePurgeTarget.setState({ endpointId: null });
    card.current?.scrollIntoView({ block: 'nearest' });
    (field.current ?? result.current)?.focus({ preventScroll: true });
  }, [isTarget, isRead]);
  useEffect(() => {
    if (view.sent === null && view.refusal === null) return;
    card.current?.scrollIntoView({ block: 'nearest' });
    // The button that was pressed is gone: the keyboard continues from what replaced it.
    if (document.activeElement === document.body) (field.current ?? result.current)?.focus({ preventScroll: true });
  }, [view.sent, view.refusal]);

  const allowance = log?.allowance ?? preview?.allowance ?? blank.allowance;
  const nowMs = useNow(allowance.lockedUntilMs === null ? 1_000 : 250);
  const seconds = lockSeconds(allowance, nowMs);
  const [last] = log?.purges ?? [];
  const shown = view.sent ?? (last !== undefined && isLeftOpen(last, nowMs) ? last : null);
  // One thing at a time: what was removed, or what would be removed next. A purge that was refused changed nothing.
  const isDone = shown !== null && shown.outcome.kind !== 'refused';
  const isJustDismissed = useRef(false);
  useEffect(() => {
    if (isDone || !isJustDismissed.current) return;
    isJustDismissed.current = false;
    field.current?.focus({ preventScroll: true });
  }, [isDone]);
  const dismiss = (): void => {
    isJustDismissed.current = true;
    if (shown !== null) view.dismiss(shown);
  };
  return (
    <section ref={card} className={styles.card} aria-label={purgeText.title}>
      <div className={styles.head}>
        <h3>{purgeText.title}</h3>
        <span className={styles.cap}>
          {seconds > 0
            ? purgeText.lockedFor(seconds)
            : purgeText.allowance(
                allowance.lockedUntilMs === null ? Math.min(allowance.used, ownPurgesPerWindow) : 0,
                allowance.of,
              )}
        </span>
      </div>
      {view.problem !== null && (
        <p className={classes(styles.text, styles.warn)} role="alert">
          {view.problem.message}
        </p>
      )}
      {/* Until both are read it has the size that most queues need, so that nothing moves. */}
      {!isDone && (
        <div className={classes(styles.next, !isRead && styles.unread)} inert={!isRead}>
          {(preview !== null || view.problem === null) && (
            <Preview
              preview={preview ?? blank}
              hasPurged={last !== undefined}
              nowMs={nowMs}
              onRefresh={view.refresh}
              onShowJob={onShowJob}
            />
          )}
          <Order
            connectionId={connectionId}
            endpointId={endpointId}
            view={view}
            nowMs={nowMs}
            lockedSeconds={seconds}
            field={field}
          />
        </div>
      )}
      {view.refusal !== null && <PurgeRefusal failure={view.refusal} />}
      {shown !== null && <PurgeResult ref={result} purge={shown} onShowJob={onShowJob} onDismiss={dismiss} />}
      <div className={styles.spacer} />
      {(log !== null || view.problem === null) && <LastPurge log={log} nowMs={nowMs} />}
    </section>
  );
}

/** When the endpoint was last purged from here, and with what result. A blank line until that is read. */
function LastPurge({ log, nowMs }: { log: PurgeLog | null; nowMs: number }) {
  const [last] = log?.purges ?? [];
  return (
    <div className={classes(styles.cap, styles.last, log === null && styles.unread)}>
      <History size={14} aria-hidden="true" />
      {last === undefined ? (
        <span>{log === null ? '\u00a0' : purgeText.noPurgesYet}</span>
      ) : (
        <>
          <span>{lastPurge(last, nowMs).when}</span>
          <span>{lastPurge(last, nowMs).result}</span>
        </>
      )}
    </div>
  );
}

/** What takes the place of a preview until that is read. */
const blank: PurgePreview = {
  connectionId: '',
  endpointId: '',
  health: null,
  problem: null,
  jobs: [],
  tracked: 0,
  unsent: 0,
  sending: 0,
  allowance: { used: 0, of: purgesPerWindow, lockedUntilMs: null },
};

/** A purge that left something to do is shown for a day, over restarts, until it is dismissed. */
function isLeftOpen({ startedAtMs, outcome, purged, submittedAgain, isDismissed }: Purge, nowMs: number): boolean {
  if (isDismissed || nowMs - startedAtMs >= dayMs) return false;
  return outcome.kind === 'unknown' || purged > submittedAgain;
}

function showInWindow(key: string): void {
  callOrReport('window:openJob', { key });
}

interface PreviewProps {
  preview: PurgePreview;
  hasPurged: boolean;
  nowMs: number;
  onRefresh: () => void;
  onShowJob: (key: string) => void;
}

function Preview({ preview, hasPurged, nowMs, onRefresh, onShowJob }: PreviewProps) {
  const shares = queueShares(preview);
  const count = purgeCount(shares);
  const age = healthAge(preview, nowMs, hasPurged);
  return (
    <>
      {/* Always two sentences and a bar, whatever is read next. */}
      <div className={styles.text}>
        <p>
          {count === null
            ? purgePreviewText.unknownCount
            : shares.inQueue === 0 && shares.tracked === 0
              ? purgePreviewText.emptyQueue
              : purgePreviewText.removes(
                  <b className={styles.strong}>{purgePreviewText.waitingJobs(count.jobs, count.isLeast)}</b>,
                )}
        </p>
        <p>{purgePreviewText.running(shares.running)}</p>
      </div>
      <div className={styles.split} aria-hidden="true">
        {shares.tracked > 0 && <span className={styles.ours} style={{ flex: shares.tracked }} />}
        {shares.external !== null && shares.external > 0 && (
          <span className={styles.others} style={{ flex: shares.external }} />
        )}
        {(shares.inQueue ?? 0) + shares.tracked === 0 && <span className={styles.nobody} />}
      </div>
      <div className={styles.shares}>
        <span>{purgePreviewText.tracked(shares.tracked)}</span>
        <span>
          {shares.external === null ? purgePreviewText.othersUnknown : purgePreviewText.external(shares.external)}
        </span>
      </div>
      <JobNames jobs={preview.jobs} total={preview.tracked} label={purgePreviewText.ourJobs} onShowJob={onShowJob} />
      {shares.inQueue !== null && shares.tracked > shares.inQueue && (
        <p className={classes(styles.note, styles.warn)}>
          {purgePreviewText.disagreement(shares.inQueue, shares.tracked)}
        </p>
      )}
      {preview.unsent > 0 && <p className={styles.note}>{purgePreviewText.unsent(preview.unsent)}</p>}
      {preview.sending > 0 && <p className={styles.note}>{purgePreviewText.sending(preview.sending)}</p>}
      <div className={classes(styles.note, styles.head)}>
        <span className="grow">
          {preview.problem === null ? age : purgePreviewText.couldNotReadAgain(age, preview.problem.message)}
        </span>
        <IconButton
          label={purgePreviewText.readAgain}
          size="sm"
          hasSmallGlyph
          icon={<RefreshCw />}
          onClick={onRefresh}
        />
      </div>
    </>
  );
}

/** A health that was read before a purge from here (`hasPurged`) no longer describes the queue. */
function healthAge({ health }: PurgePreview, nowMs: number, hasPurged: boolean): string {
  if (health === null) return hasPurged ? purgePreviewText.notReadSincePurge : purgePreviewText.notRead;
  return purgePreviewText.read(nowMs - health.atMs);
}

interface OrderProps {
  connectionId: string;
  endpointId: string;
  view: PurgeView;
  nowMs: number;
  lockedSeconds: number;
  field: RefObject<HTMLInputElement | null>;
}

/** How long a purge waits for a new reading, in milliseconds. Then it can be ordered by the last one. */
const longestReadMs = 5_000;

/** The typed name, and the button that it unlocks (docs/decisions/119). */
function Order({ connectionId, endpointId, view, nowMs, lockedSeconds, field }: OrderProps) {
  const connections = useSession((state) => state.connections);
  const endpoint = findEndpoint(connections, connectionId, endpointId);
  const name = endpointName(endpoint);
  const [typed, setTyped] = useState('');
  const [isTooShort, setTooShort] = useState(false);
  /** For users who cannot hold a button: one press arms it, a second one purges. */
  const [isPressing, setPressing] = useState(false);
  const isNamed = namesEndpoint(typed, endpoint);
  const shares = view.preview === null ? null : queueShares(view.preview);
  const count = shares === null || (shares.inQueue === 0 && shares.tracked === 0) ? null : purgeCount(shares);
  const ageMs = view.preview === null ? null : oldAgeMs(view.preview, nowMs);
  const jobs = count === null ? null : purgeOrderText.jobs(count.jobs, count.isLeast, ageMs);
  const isReadLong = useLasting(view.isReading, longestReadMs);
  const isReadFirst = view.isReading && !isReadLong;
  const isWaiting = useLasting(isReadFirst && isNamed, pauseMs);
  const why = view.isSending
    ? purgeOrderText.purging
    : lockedSeconds > 0
      ? purgeOrderText.lockedFor(lockedSeconds)
      : isNamed
        ? isReadFirst
          ? purgeOrderText.readFirst
          : undefined
        : purgeOrderText.typeFirst(name);
  const purge = async (): Promise<void> => {
    setTooShort(false);
    setPressing(false);
    if (await view.send(typed)) setTyped('');
  };
  const label = view.isSending
    ? purgeOrderText.sending
    : lockedSeconds > 0
      ? purgeOrderText.lockedFor(lockedSeconds)
      : jobs === null
        ? purgeOrderText.hold
        : purgeOrderText.holdFor(jobs);
  return (
    <>
      <TextField
        className={styles.field}
        size="sm"
        isMono
        label={purgeOrderText.nameLabel}
        placeholder={name}
        value={typed}
        inputRef={field}
        onChange={(text) => {
          setTyped(text);
          setPressing(false);
          // The number on the button is that of now.
          if (!isNamed && namesEndpoint(text, endpoint)) view.refresh();
        }}
        problem={
          typed.trim() !== '' && !isNamed && !name.startsWith(typed.trim()) && !endpointId.startsWith(typed.trim())
            ? purgeOrderText.wrongName(name)
            : null
        }
      />
      <div className={styles.act}>
        {isPressing && isNamed && why === undefined ? (
          <div className={styles.two}>
            <Button variant="danger" icon={<Trash2 />} onClick={() => void purge()}>
              {jobs === null ? purgeOrderText.confirm : purgeOrderText.confirmOf(jobs)}
            </Button>
            <Button onClick={() => setPressing(false)}>{commonText.cancel}</Button>
          </div>
        ) : (
          <HoldButton
            holdMs={purgeHoldMs}
            icon={<Trash2 />}
            disabledReason={why}
            onHeld={() => void purge()}
            onLetGo={() => setTooShort(true)}
          >
            {label}
          </HoldButton>
        )}
        {isNamed && why === undefined && !isPressing && (
          <div>
            <button type="button" className={styles.link} onClick={() => setPressing(true)}>
              {purgeOrderText.twoPresses}
            </button>
          </div>
        )}
      </div>
      <p className={styles.note} role="status">
        {isWaiting
          ? purgeOrderText.readingHint
          : isTooShort && isNamed
            ? purgeOrderText.releasedTooEarly
            : lockedSeconds > 0
              ? purgeOrderText.lockedHint
              : purgeOrderText.lockHint}
      </p>
    </>
  );
}
