import { useEffect, useState } from 'react';
import type { AlertRecord } from '../../src-preload/alert.ts';
import { alertNames } from '../../src-preload/messages/alert.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { call, on } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useAfterPause } from '../design/use-pause.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { alertHistoryText, deliveryText, firedThenText, recordSpan } from '../messages/alerts.ts';
import { commonText } from '../messages/common.ts';
import styles from './alert-history-dialog.module.css';

/** One page of the list. */
const pageSize = 50;

type Shown =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; records: readonly AlertRecord[]; hasMore: boolean };

/** The records read so far, together with the next page. */
async function readPage(
  connectionId: string,
  endpointId: string | null,
  before: readonly AlertRecord[],
): Promise<Shown> {
  const page = await call('alert:history', {
    connectionId,
    endpointId,
    beforeId: before.at(-1)?.id ?? null,
    limit: pageSize,
  });
  return page.ok
    ? { kind: 'ready', records: [...before, ...page.value], hasMore: page.value.length === pageSize }
    : { kind: 'failed', message: page.failure.message };
}

interface AlertHistoryDialogProps {
  connectionId: string;
  endpointId: string | null;
  onClose: () => void;
}

/** Every time a rule fired: when, for how long, with which figures, and whether a notification was shown. */
export function AlertHistoryDialog({ connectionId, endpointId, onClose }: AlertHistoryDialogProps) {
  const [shown, setShown] = useState<Shown>({ kind: 'loading' });
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(15_000);
  const isPauseOver = useAfterPause();
  const load = (before: readonly AlertRecord[]): void => void readPage(connectionId, endpointId, before).then(setShown);
  useEffect(() => {
    const showFirst = (): void => void readPage(connectionId, endpointId, []).then(setShown);
    showFirst();
    // An alert that fires or ends while the list is open changes only the first page.
    return on('alert:changed', (overview) => {
      if (overview.connectionId === connectionId) showFirst();
    });
  }, [connectionId, endpointId]);

  // It opens together with its alerts, so its size is right from the first frame on.
  if (shown.kind === 'loading' && !isPauseOver) return null;
  const nameOf = (id: string): string => endpointName(findEndpoint(connections, connectionId, id));
  return (
    <Dialog
      title={endpointId === null ? alertHistoryText.title : alertHistoryText.titleOf(nameOf(endpointId))}
      isOpen
      onClose={onClose}
      width={560}
      actions={<Button onClick={onClose}>{commonText.close}</Button>}
    >
      {shown.kind === 'loading' && <SkeletonRows count={5} height={60} isDrawn />}
      {shown.kind === 'failed' && (
        <div className={styles.problem} role="alert">
          <p>{alertHistoryText.couldNotRead(shown.message)}</p>
          <Button size="sm" onClick={() => load([])}>
            {commonText.tryAgain}
          </Button>
        </div>
      )}
      {shown.kind === 'ready' && shown.records.length === 0 && <p className={styles.empty}>{alertHistoryText.empty}</p>}
      {shown.kind === 'ready' && shown.records.length > 0 && (
        <ul className={styles.list} aria-label={alertHistoryText.title}>
          {shown.records.map((record) => (
            <li key={record.id} className={styles.row}>
              <div className={styles.first}>
                <span>{alertNames[record.kind]}</span>
                {endpointId === null && <span className={styles.endpoint}>{nameOf(record.endpointId)}</span>}
                {record.endedAtMs === null && <span className={styles.firing}>{alertHistoryText.firing}</span>}
                <span className={styles.delivery}>{deliveryText(record, nowMs)}</span>
              </div>
              <p className={styles.text}>{firedThenText(record)}</p>
              <p className={styles.span}>{recordSpan(record, nowMs)}</p>
            </li>
          ))}
        </ul>
      )}
      {shown.kind === 'ready' && shown.hasMore && (
        <div className={styles.more}>
          <Button size="sm" variant="ghost" onClick={() => load(shown.records)}>
            {alertHistoryText.showOlder}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
