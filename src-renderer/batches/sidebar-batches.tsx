import { ListChecks, Pause } from 'lucide-react';
import { isBatchLive, type Batch } from '../../src-preload/batch.ts';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { ContextMenu } from '../design/menu/menu.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { useNow } from '../data/use-now.ts';
import { batchText } from '../messages/batches.ts';
import { batchMenu } from './batch-menu.tsx';
import { namedBatches, useBatches } from './batches.ts';
import { OutcomeBar, endedRows, outcomeText } from './outcome-bar.tsx';
import styles from './sidebar-batches.module.css';

interface SidebarBatchesProps {
  isFolded: boolean;
  isOtherPane: boolean;
  onGo: (id: string) => void;
  headingClass: string | undefined;
}

/** The batches that are not over, and the newest of the last day. Draws nothing if there are none. */
export function SidebarBatches({ isFolded, isOtherPane, onGo, headingClass }: SidebarBatchesProps) {
  const batches = useBatches();
  const current = useJobs((state) => state.place.batchId);
  const nowMs = useNow(60_000);
  const named = namedBatches(batches, nowMs);
  return (
    <>
      {named.length > 0 && <div className={headingClass}>{!isFolded && batchText.batches}</div>}
      {named.map((batch) => (
        <Line
          key={batch.id}
          batch={batch}
          isFolded={isFolded}
          isOn={!isOtherPane && current === batch.id}
          onGo={() => onGo(batch.id)}
        />
      ))}
    </>
  );
}

function Line({ batch, isFolded, isOn, onGo }: { batch: Batch; isFolded: boolean; isOn: boolean; onGo: () => void }) {
  const isLive = isBatchLive(batch);
  const isHeld = batch.isPaused && batch.counts.waiting > 0;
  const icon = isHeld ? <Pause /> : <ListChecks />;
  if (isFolded) {
    return (
      <ContextMenu items={batchMenu(batch)}>
        <div>
          <Tooltip side="right" text={batchText.hint(batch.name, outcomeText(batch), isHeld)}>
            <button
              type="button"
              className={classes(styles.line, styles.folded, isOn && styles.on)}
              aria-label={batch.name}
              aria-current={isOn ? 'page' : undefined}
              onClick={onGo}
            >
              {icon}
            </button>
          </Tooltip>
        </div>
      </ContextMenu>
    );
  }
  return (
    <ContextMenu items={batchMenu(batch)}>
      <button
        type="button"
        className={classes(styles.line, isOn && styles.on)}
        aria-description={outcomeText(batch)}
        aria-current={isOn ? 'page' : undefined}
        onClick={onGo}
      >
        {icon}
        <span className={classes(styles.name, 'trunc')} dir="auto" title={batch.name}>
          {batch.name}
        </span>
        <span className={styles.count} aria-hidden="true">
          {isLive ? batchText.endedOf(endedRows(batch), batch.total) : formatCount(batch.total)}
        </span>
        <span className={styles.bar} aria-hidden="true">
          <OutcomeBar batch={batch} isSmall />
        </span>
      </button>
    </ContextMenu>
  );
}
