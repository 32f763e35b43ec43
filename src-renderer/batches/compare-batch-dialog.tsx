import { useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import type { Batch } from '../../src-preload/batch.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { Dialog } from '../design/dialog.tsx';
import { formatClock, formatDay } from '../../src-preload/format.ts';
import { TextField } from '../design/form/text-field.tsx';
import { batchText, compareBatchText } from '../messages/batches.ts';
import { comparePair } from '../navigation/go.ts';
import { useBatch, useBatches } from './batches.ts';
import { useCompareBatch } from './batch-dialog-requests.ts';
import styles from './compare-batch-dialog.module.css';

/** Chooses the batch whose rows are compared with those of another, one by one. Mounted once. */
export function CompareBatchDialog() {
  const { batchId, close } = useCompareBatch();
  const batch = useBatch(batchId);
  return (
    <Dialog title={compareBatchText.title(batch?.name ?? null)} isOpen={batch !== null} onClose={close} width={560}>
      {batch !== null && <Choice batch={batch} onClose={close} />}
    </Dialog>
  );
}

function Choice({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const nameOf = (each: Batch): string => endpointName(findEndpoint(connections, each.connectionId, each.endpointId));
  const words = typed.toLowerCase().split(/\s+/);
  const all = useBatches().filter(({ id }) => id !== batch.id);
  const found = all.filter((each) => {
    const text = `${each.name} ${nameOf(each)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const choose = ({ id }: Batch): void => {
    onClose();
    // The older one is the baseline.
    const [batchId, withId] = [batch.id, id].toSorted();
    if (batchId !== undefined && withId !== undefined) void comparePair({ batchId, withId }, null);
  };
  return (
    <>
      <p className={styles.about}>{compareBatchText.hint}</p>
      <TextField
        autoFocus
        aria-label={compareBatchText.find}
        placeholder={compareBatchText.placeholder}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== 'Enter' || first === undefined) return;
          event.preventDefault();
          choose(first);
        }}
      />
      <div className={styles.found} role="group" aria-label={batchText.batches}>
        {found.map((each) => (
          <button key={each.id} type="button" className={styles.batch} onClick={() => choose(each)}>
            <span className="trunc">{each.name}</span>
            <span className="t3 trunc">{nameOf(each)}</span>
            <span className="num t3">{compareBatchText.rows(each.total)}</span>
            <span className="num t3">
              {formatDay(each.createdAtMs, nowMs)}, {formatClock(each.createdAtMs).slice(0, 5)}
            </span>
          </button>
        ))}
        {found.length === 0 && (
          <p className={styles.about}>{all.length === 0 ? compareBatchText.none : compareBatchText.noMatch}</p>
        )}
      </div>
    </>
  );
}
