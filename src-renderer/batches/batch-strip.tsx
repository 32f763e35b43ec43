import { ArrowLeft, CheckCheck, CircleStop, Download, Images, List, Pause, Play, Repeat2, Table2 } from 'lucide-react';
import { failedRows, isBatchLive, isStopped, type Batch } from '../../src-preload/batch.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { Job } from '../../src-preload/job.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { ContextMenu, Menu } from '../design/menu/menu.tsx';
import { batchMenu } from './batch-menu.tsx';
import { discardRows, useIsDiscarding } from './discard-rows.ts';
import { exportItems } from '../data/export-items.tsx';
import { hasNews, useJobs } from '../data/jobs-store.ts';
import { useConnectionState, whenSentAgain } from '../data/connection-state.ts';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { markBatchSeen, setBatchPaused, showBatch, submitFailedAgain } from './batch-actions.ts';
import { chooseBatchView, useBatchView, type BatchView } from './batch-view.ts';
import { useBatch, useSamples } from './batches.ts';
import { OutcomeBar, endedRows, outcomesOf, rowsPerSecond, timeLeftMs, type Sample } from './outcome-bar.tsx';
import { batchActionText, batchProgressText, batchText, batchViewText } from '../messages/batches.ts';
import styles from './batch-strip.module.css';

/** A batch's progress and actions, above its rows. */
export function BatchStrip({ batchId }: { batchId: string }) {
  const batch = useBatch(batchId);
  return batch === null ? null : <Strip key={batch.id} batch={batch} />;
}

function Strip({ batch }: { batch: Batch }) {
  const isLive = isBatchLive(batch);
  const isUnsent = !useIsDiscarding(batch.id) && batch.counts.waiting > 0;
  const failed = failedRows(batch);
  const isUnseen = useJobs(({ list }) => list.rest().some((key) => isNews(list.get(key))));
  return (
    <ContextMenu items={batchMenu(batch)}>
      <section className={styles.strip} aria-label={batchText.batch}>
        <div className={styles.top}>
          <IconButton
            label={batchActionText.back}
            size="sm"
            className={styles.back}
            icon={<ArrowLeft />}
            onClick={() => useJobs.getState().setPlace({ view: 'all', endpointId: null })}
          />
          <h2 className={classes(styles.name, 'trunc')} dir="auto" title={batch.name}>
            {batch.name}
          </h2>
          {isLive ? (
            <Progress batch={batch} />
          ) : (
            <span className={classes(styles.quiet, styles.progress)}>{batchText.done(batch.total)}</span>
          )}
          {isUnsent && <PauseButton batch={batch} />}
          {isUnsent && (
            <IconButton
              label={batchActionText.discard}
              size="sm"
              icon={<CircleStop />}
              onClick={() => void discardRows(batch)}
            />
          )}
          {isUnseen && (
            <IconButton
              label={batchActionText.markSeen}
              size="sm"
              icon={<CheckCheck />}
              onClick={() => void markBatchSeen(batch)}
            />
          )}
          <Menu
            align="end"
            trigger={<IconButton label={batchActionText.export} size="sm" icon={<Download />} />}
            items={exportItems({ kind: 'batch', id: batch.id })}
          />
        </div>
        <OutcomeBar batch={batch} />
        <div className={styles.bottom}>
          <Legend batch={batch} />
          <div className={styles.ways}>
            {failed > 0 && (
              <Button
                variant="ghost"
                size="sm"
                icon={<Repeat2 size={14} />}
                onClick={() => void submitFailedAgain(batch)}
              >
                {batchActionText.resubmitFailed}
              </Button>
            )}
            <ViewSwitch endpointId={batch.endpointId} />
          </div>
        </div>
      </section>
    </ContextMenu>
  );
}

const viewIcons = { list: <List />, table: <Table2 />, images: <Images /> };
const views: readonly BatchView[] = ['list', 'table', 'images'];

/** How the rows are shown, remembered for the endpoint. */
function ViewSwitch({ endpointId }: { endpointId: string }) {
  return (
    <span className={styles.views}>
      <Segmented
        size="sm"
        label={batchViewText.label}
        value={useBatchView(endpointId)}
        options={views.map((value) => ({
          value,
          label: <span className={styles.word}>{batchViewText[value]}</span>,
          icon: viewIcons[value],
        }))}
        onChange={(view) => chooseBatchView(endpointId, view)}
      />
    </span>
  );
}

/** In a narrow strip without its word. */
function PauseButton({ batch }: { batch: Batch }) {
  const [label, Icon] = batch.isPaused
    ? ([batchActionText.resume, Play] as const)
    : ([batchActionText.pause, Pause] as const);
  return (
    <Button
      size="sm"
      hint={label}
      icon={<Icon size={14} />}
      onClick={() => void setBatchPaused(batch, !batch.isPaused)}
    >
      <span className={styles.word}>{label}</span>
    </Button>
  );
}

/** Whether the user has not seen how the job ended. */
function isNews(job: Job | undefined): boolean {
  return job !== undefined && hasNews(job);
}

const noSamples: readonly Sample[] = [];

/** Rows that ended, rows per second, and the remaining time. */
function Progress({ batch }: { batch: Batch }) {
  const nowMs = useNow(1_000);
  const ended = endedRows(batch);
  const samples = useSamples((samples) => samples[batch.id]) ?? noSamples;
  const budget = useSession(
    (state) =>
      state.tracker?.budgets.find(
        (one) =>
          one.connectionId === batch.connectionId &&
          one.endpointId === batch.endpointId &&
          one.operation === batch.operation,
      ) ?? null,
  );
  const rateShare = useSession((state) => state.settings.rateShare);
  const runTimes = useSession((state) => state.runTimes[endpointKey(batch)] ?? null);
  const isDiscarding = useIsDiscarding(batch.id);
  const connectionState = useConnectionState(
    useSession((state) => state.connections.find(({ id }) => id === batch.connectionId)),
  );
  const isPollingPaused = useSession((state) => state.tracker?.isPaused === true);
  const heldBack = whenSentAgain(connectionState, isPollingPaused);
  const isCutOff = heldBack !== null;
  const rate = isCutOff ? null : rowsPerSecond(samples, nowMs);
  const leftMs = timeLeftMs(batch, { samples, nowMs, budget, rateShare, runTimes });
  const parts = [
    batchText.endedOf(ended, batch.total),
    ...(batch.isPaused && batch.counts.waiting > 0 ? [isDiscarding ? discardingText(batch) : pausedText(batch)] : []),
    ...(batch.limits.maxLive === null || batch.isPaused ? [] : [batchProgressText.maxAtOnce(batch.limits.maxLive)]),
    ...(rate === null || batch.isPaused ? [] : [batchProgressText.rate(rate)]),
    ...(isCutOff && !batch.isPaused && batch.counts.waiting > 0 ? [batchProgressText.sentLater(heldBack)] : []),
    ...(isCutOff || leftMs === null || leftMs === 0 ? [] : [batchProgressText.left(leftMs)]),
    ...(budget?.heldUntilMs != null && budget.heldUntilMs > nowMs ? [batchProgressText.rateLimited] : []),
  ];
  return (
    <span className={classes(styles.quiet, styles.progress, 'trunc')} role="status">
      {parts.join(', ')}
    </span>
  );
}

function discardingText({ counts }: Batch): string {
  return batchProgressText.discarding(counts.waiting);
}

function pausedText(batch: Batch): string {
  return isStopped(batch) ? batchProgressText.stopped(batch.limits.stopAfterFailures ?? 0) : batchProgressText.paused;
}

function Legend({ batch }: { batch: Batch }) {
  const chosen = useJobs((state) =>
    state.query.tokens
      .filter(({ field }) => field === 'status')
      .map(({ value }) => value)
      .join(' '),
  );
  return (
    <div className={styles.legend} role="group" aria-label={batchText.rowsByOutcome}>
      {outcomesOf(batch).map(({ kind, word, count, statuses }) => {
        const isOn = chosen === statuses.join(' ');
        return (
          <button
            key={word}
            type="button"
            className={classes(styles.outcome, isOn && styles.on)}
            aria-pressed={isOn}
            onClick={() => showBatch(batch.id, isOn ? [] : statuses)}
          >
            <StatusGlyph kind={kind} size={12} />
            <span className={styles.count}>{formatCount(count)}</span> {word}
          </button>
        );
      })}
    </div>
  );
}
