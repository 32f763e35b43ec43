import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Closure } from '../../src-preload/app.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { isLive, type Attempt, type Job, type JobDetail } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Button } from '../design/button.tsx';
import { lazyPart } from '../design/lazy-part.ts';
import { Tabs, type TabItem } from '../design/tabs.tsx';
import { useWhenReady } from '../design/use-pause.ts';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { useConnectionState, type ShownConnectionState } from '../data/connection-state.ts';
import { useClosures, useSession } from '../data/session-store.ts';
import { useEnds, useJobDetail, type DetailState } from './use-job-detail.ts';
import { commonText } from '../messages/common.ts';
import { connectionNoteText, jobPaneText } from '../messages/job/pane.ts';
import { jobPrintedText } from '../messages/printed.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { usePaneTab, type PaneTab } from '../navigation/pane-tab.ts';
import { useStream } from '../stream/use-stream.ts';
import { useTabAhead } from './use-body.ts';
import { ErrorBlock, formerError } from './error-block.tsx';
import { OutcomeCard } from './outcome-card.tsx';
import { outcomeOf } from './outcome.ts';
import { FactBlocks } from './fact-blocks.tsx';
import { InputTab } from './input-tab.tsx';
import { JobActions, type JobMenu } from './job-actions.tsx';
import { JobHeader } from './job-header.tsx';
import { MetricsTab } from './metrics-tab.tsx';
import { otherAddressNote, PaneNotes } from './pane-notes.tsx';
import { OutputTab } from './output/output-tab.tsx';
import { showAttempt } from './pane-state.ts';
import { NotesTab } from './notes-tab.tsx';
import { useHasPrinted, usePaneKeys, usePaneRoom } from './use-job-pane.ts';
import { RequestsTab } from './requests-tab.tsx';
import { SpokenJob } from './spoken-job.tsx';
import { SideColumn } from './side-column.tsx';
import { TimelineStrip } from './timeline/timeline-strip.tsx';
import { attemptFacts } from './timeline/attempt-facts.ts';
import { restoreJobs } from '../data/delete-jobs.ts';
import { useDeletedJobs } from '../data/pending-deletions.ts';
import { useOpenJob } from '../data/on-view.ts';
import styles from './job-pane.module.css';

// Only jobs of handlers of one's own have it.
const PrintedTab = lazyPart(async () => (await import('./printed-tab.tsx')).PrintedTab);

/** One job: in the right pane of the main window, or in a window of its own with its facts in a column. */
export function JobPane({ jobKey, menuOf }: { jobKey: string; menuOf: JobMenu }) {
  return <JobInView jobKey={jobKey} state={useJobDetail(jobKey)} layout="pane" menuOf={menuOf} />;
}

interface JobInViewProps {
  jobKey: string;
  state: DetailState;
  layout: 'pane' | 'window';
  /** The menu beside the job's buttons. */
  menuOf: JobMenu;
}

/** A job as far as it was read, or why it could not be read. */
export function JobInView({ jobKey, state, layout, menuOf }: JobInViewProps) {
  const { detail, problem, isPauseOver, isSlow, reload } = state;
  useOpenJob(jobKey);
  const deleted = useDeletedJobs((jobs) => jobs.get(jobKey));
  if (deleted !== undefined) {
    return (
      <div className={styles.pane} data-layout={layout}>
        <EmptyState
          art={null}
          title={jobPaneText.deletedTitle}
          text={jobPaneText.deletedHint}
          actions={
            <Button size="lg" onClick={() => void restoreJobs([jobKey], [deleted])}>
              {jobPaneText.restore}
            </Button>
          }
        />
      </div>
    );
  }
  if (problem !== null) {
    return (
      <div className={styles.pane} data-layout={layout}>
        <EmptyState
          art={null}
          title={problem.kind === 'absent' ? jobPaneText.notInHistory : jobPaneText.notRead}
          text={problem.message}
          actions={
            <Button variant="primary" size="lg" onClick={reload}>
              {commonText.tryAgain}
            </Button>
          }
        />
      </div>
    );
  }
  if (isSlow || detail === null)
    return (
      <div className={styles.pane} data-layout={layout} aria-busy="true">
        {isSlow && <PaneSkeleton />}
      </div>
    );
  return <JobView key={detail.job.key} detail={detail} layout={layout} menuOf={menuOf} isPauseOver={isPauseOver} />;
}

type JobViewProps = Pick<JobInViewProps, 'layout' | 'menuOf'> &
  Pick<DetailState, 'isPauseOver'> & { detail: JobDetail };

function JobView({ detail, layout, menuOf, isPauseOver }: JobViewProps) {
  const { job, attempts } = detail;
  const [attempt, chooseAttempt] = useShownAttempt(detail);
  const isCurrent = attempt === null || attempt.number === job.attempt;
  // While text streams in, this renders every frame. What does not depend on the stream keeps its identity.
  const ends = useEnds(job);
  const facts = useMemo(() => attemptFacts(ends, attempt), [ends, attempt]);
  // Not remembered by the job: it also depends on when the clock was set, which may be known only later.
  const outcome = isCurrent ? outcomeOf(job) : null;
  const error = useMemo(() => (isCurrent ? detail.error : formerError(attempt)), [detail.error, isCurrent, attempt]);
  const isRunning = isCurrent && isLive(job) && job.pendingStream === undefined;
  const chunkCount = isCurrent ? job.chunkCount : attempt.chunkCount;
  const stream = useStream(
    job.key,
    attempt?.number ?? job.attempt,
    chunkCount > 0 || (isCurrent && job.phase === 'active'),
  );
  const { connectionState, notFollowed, actionsNote, canRead } = useJobConnection(job, isRunning);
  const isStreamRead = isRunning && canRead;
  const asOfMs = useCertainUntil(knownAtMs(job), job.connectionId);
  usePaneKeys(job.key);
  const openOutput = useCallback((): void => usePaneTab.getState().setTab('output'), []);
  const scroll = useRef<HTMLDivElement>(null);
  const room = usePaneRoom(scroll);
  // Beside the tabs that show its facts and its requests in full, it would say them twice.
  const isRepeated = usePaneTab(({ tab }) => tab === 'metrics' || tab === 'requests');
  const hasFacts = layout === 'pane' && room.isWide && !isRepeated;

  const main = (
    <div ref={scroll} className={styles.scroll}>
      <header className={classes(styles.head, layout === 'window' && styles['only-narrow'])}>
        <JobHeader
          job={job}
          lineage={detail.lineage}
          attempts={attempts}
          attempt={attempt}
          onAttempt={chooseAttempt}
          layout={layout}
          menuOf={menuOf}
        />
        {outcome === null && <JobActions job={job} note={actionsNote} />}
      </header>
      <PaneNotes job={job} isCurrent={isCurrent} connectionState={connectionState} notFollowed={notFollowed} />
      {outcome === null ? (
        <div className={classes(layout === 'window' && styles['only-narrow'])}>
          <TimelineStrip facts={facts} asOfMs={asOfMs} />
        </div>
      ) : (
        <OutcomeCard job={job} outcome={outcome} onOpenOutput={openOutput} />
      )}
      {error !== null && (facts.kind === 'fail' || facts.kind === 'timeout') && outcome === null && (
        <ErrorBlock error={error} isTimeout={facts.kind === 'timeout'} of={isCurrent ? detail : null} />
      )}
      <SpokenJob job={job} />
      <div className={hasFacts ? styles.beside : styles.parts}>
        <div className={hasFacts ? styles.left : styles.parts}>
          <JobTabs {...{ detail, attempt, isStreamRead, stream, isPauseOver }} isTall={room.isTall} />
        </div>
        {hasFacts && (
          <section className={styles.facts} role="region" aria-label={jobPaneText.facts} tabIndex={0}>
            <FactBlocks detail={detail} attempt={attempt} stream={stream} />
          </section>
        )}
      </div>
    </div>
  );
  if (layout === 'pane')
    return (
      <div className={styles.pane} data-layout="pane">
        {main}
      </div>
    );
  return (
    <WindowFrame
      column={
        <SideColumn
          detail={detail}
          attempt={attempt}
          onAttempt={chooseAttempt}
          facts={facts}
          asOfMs={asOfMs}
          stream={stream}
          menuOf={menuOf}
        />
      }
    >
      {main}
    </WindowFrame>
  );
}

/** The parts of a window of its own: the job, and the column beside it. */
function WindowFrame({ children, column }: { children: ReactNode; column: ReactNode }) {
  return (
    <PaneSplit
      pane="jobFacts"
      className={styles.window}
      edgeClass={styles.edge}
      left={
        <section className={classes(styles.pane, styles.panel)} data-layout="window" aria-label={jobPaneText.job}>
          {children}
        </section>
      }
      right={column}
    />
  );
}

/** The attempt that is shown, and what chooses another. The newest, until one is chosen. Null if there is none yet. */
function useShownAttempt({ job, attempts }: JobDetail): [Attempt | null, (number: number | null) => void] {
  const [choice, setChoice] = useState<{ newest: number; number: number | null } | null>(null);
  // A retry opens a new attempt. A choice made before then no longer shows the present.
  const chosen = choice?.newest === job.attempt ? choice.number : null;
  const choose = useCallback(
    (number: number | null): void => setChoice({ newest: job.attempt, number }),
    [job.attempt],
  );
  const attempt = attempts.find((each) => each.number === (chosen ?? job.attempt)) ?? null;
  const shown = attempt?.number ?? job.attempt;
  useEffect(() => showAttempt(job.key, shown), [job.key, shown]);
  return [attempt, choose];
}

interface JobConnection {
  connectionState: ShownConnectionState | null;
  /** Why the job is no longer tracked, or null. */
  notFollowed: string | null;
  /** What the state of the connection means for the buttons. */
  actionsNote: string | undefined;
  /** Jobdeck reads from the service at the moment. */
  canRead: boolean;
}

/** What the job's connection means for it now. */
function useJobConnection(job: Job, isRunning: boolean): JobConnection {
  const connection = useConnection(job.connectionId);
  const connectionState = useConnectionState(connection);
  const isPaused = useSession(({ tracker }) => tracker?.isPaused === true);
  const notFollowed = otherAddressNote(job, connection);
  const refused = useClosures(job.connectionId).find(
    (closure) => closure.operation === 'status' && closure.endpointId === job.endpointId,
  );
  return {
    connectionState,
    notFollowed,
    actionsNote: notFollowed === null ? connectionNote(connectionState, isRunning, refused) : undefined,
    canRead: !isPaused && connectionState?.kind === 'ready',
  };
}

/** The job's current connection. Undefined if it was removed. */
function useConnection(connectionId: string): Connection | undefined {
  return useSession(({ connections }) => connections.find((each) => each.id === connectionId));
}

/** What the state of the connection means for the buttons. */
function connectionNote(
  state: ShownConnectionState | null,
  isRunning: boolean,
  refused: Closure | undefined,
): string | undefined {
  switch (state?.kind) {
    case 'offline':
      return isRunning ? connectionNoteText.offlineRunning(state.sinceMs) : connectionNoteText.offline;
    case 'key-refused':
      return connectionNoteText.keyRefused(state.httpStatus);
    case 'no-key':
      return connectionNoteText.noKey;
    case 'sandbox-stopped':
      return connectionNoteText.sandboxStopped;
    case 'ready':
      return refused !== undefined && isRunning
        ? connectionNoteText.readsRefused(refused.httpStatus, refused.sinceMs)
        : undefined;
    case undefined:
      return undefined;
  }
}

interface JobTabsProps {
  detail: JobDetail;
  attempt: Attempt | null;
  /** Its stream is read at the moment. */
  isStreamRead: boolean;
  stream: ReturnType<typeof useStream>;
  /** There is room for the input below the words that explain an empty output. */
  isTall: boolean;
  isPauseOver: boolean;
}

function JobTabs({ detail, attempt, isStreamRead, stream, isTall, isPauseOver }: JobTabsProps) {
  const { job } = detail;
  const hasPrinted = useHasPrinted(job);
  // The tab stays chosen for the next job that has it.
  const chosen = usePaneTab((state) => (state.tab === 'printed' && hasPrinted === false ? 'output' : state.tab));
  const tab = useWhenReady(chosen, useTabAhead(chosen, job, true), isOtherTab);
  const setTab = usePaneTab((state) => state.setTab);
  const tabs: TabItem<PaneTab>[] = [
    {
      value: 'output',
      label: jobPaneText.output,
      isLive: isStreamRead && stream.log.chunkCount > 0 && stream.log.ended === null,
    },
    { value: 'input', label: jobPaneText.input },
    { value: 'metrics', label: jobPaneText.metrics },
    { value: 'requests', label: jobPaneText.requests, count: job.requestCount },
    { value: 'note', label: jobPaneText.note, ...(job.noteLine !== undefined && { count: 1 }) },
    ...(hasPrinted === true || tab === 'printed' ? [{ value: 'printed' as const, label: jobPrintedText.tab }] : []),
  ];
  return (
    <Tabs
      label={jobPaneText.tabs}
      value={tab}
      onChange={setTab}
      tabs={tabs}
      listClassName={styles.tabs}
      panelClassName={styles.body}
    >
      {tab === 'output' && (
        <OutputTab
          job={job}
          attempt={attempt}
          isStreamRead={isStreamRead}
          stream={stream}
          hasRoomForInput={isTall}
          isPauseOver={isPauseOver}
        />
      )}
      {tab === 'input' && <InputTab job={job} />}
      {tab === 'metrics' && <MetricsTab detail={detail} attempt={attempt} stream={stream} />}
      {tab === 'requests' && <RequestsTab job={job} />}
      {tab === 'note' && <NotesTab job={job} note={detail.note} />}
      {tab === 'printed' && (
        <Suspense fallback={null}>
          <PrintedTab job={job} />
        </Suspense>
      )}
    </Tabs>
  );
}

function isOtherTab(shown: PaneTab, next: PaneTab): boolean {
  return shown !== next;
}

/** Placeholder shapes in the pane's geometry. */
function PaneSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={commonText.loading}>
      <i style={{ width: 110, height: 22 }} />
      <i style={{ width: '64%', height: 20 }} />
      <i style={{ width: '42%', height: 12 }} />
      <i style={{ width: '78%', height: 28 }} />
      <i style={{ width: '100%', height: 86 }} />
    </div>
  );
}
