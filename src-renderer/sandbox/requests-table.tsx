import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Zap } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { SandboxRequest } from '../../src-preload/sandbox.ts';
import { classes } from '../design/class-names.ts';
import { formatBytes, formatClock } from '../../src-preload/format.ts';
import { toast } from '../design/toast.tsx';
import { faultName } from '../messages/sandbox/faults.ts';
import { requestBarText, requestColumnNames, requestsText } from '../messages/sandbox/requests.ts';
import { useFollow } from '../stream/use-follow.ts';
import { findSandboxJob } from './sandbox-store.ts';
import { statusClass } from './request-filter.ts';
import styles from './requests-table.module.css';

const rowPx = 28;
const columns = ['time', 'operation', 'endpoint', 'job', 'status', 'took', 'sent', 'received'] as const;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

function rowId(seq: number): string {
  return `request-${seq}`;
}

interface RequestsTableProps {
  requests: readonly SandboxRequest[];
  onShowJob: (key: string) => void;
}

/** The list, newest last. It scrolls along until the user scrolls or selects a row. */
export function RequestsTable({ requests, onShowJob }: RequestsTableProps) {
  const [isFollowing, setFollowing] = useState(true);
  const [chosenSeq, setChosenSeq] = useState<number | null>(null);
  const { scroller, onScroll } = useFollow(requests, isFollowing, setFollowing);
  const virtualizer = useVirtualizer({
    count: requests.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  useStillRows(scroller, requests, isFollowing);
  const isFaulted = useMemo(() => requests.some(({ fault }) => fault !== null), [requests]);

  const show = useCallback(
    async (jobId: string): Promise<void> => {
      const key = await findSandboxJob(jobId);
      if (key === null) toast(requestsText.unknownJob);
      else onShowJob(key);
    },
    [onShowJob],
  );

  const choose = (index: number): void => {
    const request = requests[index];
    if (request === undefined) return;
    setChosenSeq(request.seq);
    setFollowing(index === requests.length - 1);
    virtualizer.scrollToIndex(index);
  };
  const onKey = (event: KeyboardEvent): void => {
    const at = requests.findIndex((request) => request.seq === chosenSeq);
    const next = rowAfterKey(event.key, at, requests.length);
    if (next !== null) {
      event.preventDefault();
      choose(next);
    } else if (event.key === 'Enter') {
      const jobId = requests[at]?.jobId ?? null;
      if (jobId === null) return;
      event.preventDefault();
      void show(jobId);
    } else if (event.key === 'Escape' && chosenSeq !== null) {
      event.preventDefault();
      setChosenSeq(null);
    }
  };

  return (
    <div
      className={classes(styles.table, !isFaulted && styles.faultless)}
      role="grid"
      aria-label={requestBarText.requests}
      aria-rowcount={requests.length + 1}
      aria-activedescendant={chosenSeq === null ? undefined : rowId(chosenSeq)}
      tabIndex={0}
      onKeyDown={onKey}
    >
      <HeadRow hasFault={isFaulted} />
      <div ref={scroller} className={styles.scroller} role="rowgroup" tabIndex={0} onScroll={onScroll}>
        <div className={styles.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const request = requests[item.index];
            if (request === undefined) return null;
            return (
              <div
                // By index, not by request: at the end of a fast list every row shows another request ten times a
                // second.
                key={item.index}
                id={rowId(request.seq)}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={request.seq === chosenSeq}
                className={classes(styles.row, request.seq === chosenSeq && styles.chosen)}
                style={{ transform: `translateY(${item.start}px)` }}
                onClick={() => choose(item.index)}
              >
                <Cells request={request} hasFault={isFaulted} onShow={show} />
              </div>
            );
          })}
        </div>
      </div>
      {!isFollowing && virtualizer.getTotalSize() > (scroller.current?.clientHeight ?? 0) && (
        <button
          type="button"
          className={styles.newest}
          onClick={() => {
            setChosenSeq(null);
            setFollowing(true);
          }}
        >
          <ArrowDown size={12} />
          {requestsText.newest}
        </button>
      )}
    </div>
  );
}

/** The row to which a key moves, from the row `at` (-1: none) of `count`. Null: the key does not move. Pure. */
function rowAfterKey(key: string, at: number, count: number): number | null {
  const step = steps[key];
  if (step === undefined) return null;
  const last = count - 1;
  // If no row is selected, the keys start from the newest.
  if (at === -1) return key === 'Home' ? 0 : last;
  return Math.max(0, Math.min(last, at + step));
}

/** The names of the columns. */
function HeadRow({ hasFault }: { hasFault: boolean }) {
  return (
    <div className={styles.head} role="row">
      {[...columns, ...(hasFault ? (['fault'] as const) : [])].map((name) => (
        <span key={name} role="columnheader" className={styles[name]}>
          {requestColumnNames[name]}
        </span>
      ))}
    </div>
  );
}

interface CellsProps {
  request: SandboxRequest;
  /** The table has the column of faults. */
  hasFault: boolean;
  onShow: (jobId: string) => Promise<void>;
}

function Cells({ request, hasFault, onShow }: CellsProps) {
  const { atMs, method, operation, endpointId, jobId, status, durationMs, requestBytes, replyBytes, fault } = request;
  return (
    <>
      <span role="gridcell" className={styles.time}>
        {formatClock(atMs)}
      </span>
      <span role="gridcell" className={classes(styles.operation, 'trunc')}>
        <span className={styles.method}>{method}</span>
        {operation}
      </span>
      <span role="gridcell" className={classes(styles.endpoint, 'trunc')}>
        {endpointId}
      </span>
      <span role="gridcell" className={classes(styles.job, 'trunc')}>
        {jobId !== null && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.link}
            aria-label={requestsText.showJob(jobId.slice(0, 8))}
            onClick={(event) => {
              event.stopPropagation();
              void onShow(jobId);
            }}
          >
            {jobId.slice(0, 8)}
          </button>
        )}
      </span>
      <span role="gridcell" className={classes(styles.status, styles[statusClass(status)])}>
        {status === 0 ? requestsText.noStatus : status}
      </span>
      <span role="gridcell" className={styles.took}>
        {requestsText.took(durationMs)}
      </span>
      <span role="gridcell" className={styles.sent}>
        {requestBytes > 0 && formatBytes(requestBytes)}
      </span>
      <span role="gridcell" className={styles.received}>
        {replyBytes > 0 && formatBytes(replyBytes)}
      </span>
      {hasFault && (
        <span role="gridcell" className={styles.fault} title={fault === null ? undefined : faultName(fault)}>
          {fault !== null && (
            <>
              <Zap aria-hidden="true" />
              <span className={classes(styles.faultname, 'trunc')}>{faultName(fault)}</span>
            </>
          )}
        </span>
      )}
    </>
  );
}

/** Keeps visible rows in place while older ones are dropped above them. */
function useStillRows(
  scrollerRef: { current: HTMLDivElement | null },
  requests: readonly SandboxRequest[],
  isFollowing: boolean,
): void {
  const anchor = useRef<{ seq: number; offsetPx: number } | null>(null);
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    const { current } = anchor;
    if (element === null || isFollowing || current === null) return;
    const index = requests.findIndex((request) => request.seq >= current.seq);
    if (index !== -1) element.scrollTop = index * rowPx + current.offsetPx;
  }, [scrollerRef, requests, isFollowing]);
  useEffect(() => {
    const element = scrollerRef.current;
    if (element === null) return undefined;
    const remember = (): void => {
      const index = Math.floor(element.scrollTop / rowPx);
      const request = requests[index];
      anchor.current = request === undefined ? null : { seq: request.seq, offsetPx: element.scrollTop - index * rowPx };
    };
    remember();
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, [scrollerRef, requests]);
}
