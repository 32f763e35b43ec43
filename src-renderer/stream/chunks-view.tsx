import { useVirtualizer } from '@tanstack/react-virtual';
import { useState } from 'react';
import { classes } from '../design/class-names.ts';
import { formatClock } from '../design/format.ts';
import { useChunkPages } from './chunk-pages.ts';
import type { StreamLog } from './stream-log.ts';
import { parseJson } from './stream-text.ts';
import { useFollow } from './use-follow.ts';
import styles from './chunks-view.module.css';

const rowPx = 26;
/** A closed row shows no more of its JSON than fits any window. */
const previewChars = 400;
/** An open row shows this much; the rest is in Raw and in the copy. */
const openChars = 20_000;

/** Every chunk as it came: number, time of arrival, JSON. Press one to read it whole. */
export function ChunksView({ log, version, jobKey, attempt, isFollowing, onFollowChange }: { log: StreamLog; version: unknown; jobKey: string; attempt: number; isFollowing: boolean; onFollowChange: (isFollowing: boolean) => void }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { scroller, onScroll } = useFollow(version, isFollowing, onFollowChange);
  const virtualizer = useVirtualizer({ count: log.chunkCount, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 10 });
  const items = virtualizer.getVirtualItems();
  const pages = useChunkPages(log, jobKey, attempt, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const toggle = (seq: number): void => setOpen((before) => (before.has(seq) ? new Set([...before].filter((each) => each !== seq)) : new Set([...before, seq])));
  return (
    <div className={styles.table}>
      <div className={styles.head} aria-hidden="true">
        <span className={styles.seq}>#</span>
        <span>Received</span>
        <span>Output</span>
      </div>
      {pages.problem !== null && <p className={styles.problem} role="alert">{pages.problem}</p>}
      <div ref={scroller} className={styles.scroller} onScroll={onScroll} tabIndex={0} role="list" aria-label="Chunks">
        <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const chunk = pages.at(item.index);
            if (chunk === undefined) {
              return (
                <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} className={styles.row} style={{ transform: `translateY(${item.start}px)` }}>
                  <span className={styles.line}><span className={styles.seq}>{item.index}</span></span>
                </div>
              );
            }
            const isOpen = open.has(chunk.seq);
            return (
              <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} role="listitem" className={styles.row} style={{ transform: `translateY(${item.start}px)` }}>
                <button type="button" className={classes(styles.line, isOpen && styles.open)} aria-expanded={isOpen} onClick={() => toggle(chunk.seq)}>
                  <span className={styles.seq}>{chunk.seq}</span>
                  <span className={styles.time}>{formatClock(chunk.receivedAtMs)}<span className="t3">.{String(chunk.receivedAtMs % 1000).padStart(3, '0')}</span></span>
                  <span className="trunc">{chunk.outputJson.slice(0, previewChars)}</span>
                </button>
                {isOpen && (
                  <div className={styles.whole}>
                    <pre>{pretty(chunk.outputJson)}</pre>
                    {chunk.metricsJson !== null && (
                      <>
                        <p className="micro t3">metrics</p>
                        <pre>{pretty(chunk.metricsJson)}</pre>
                      </>
                    )}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function pretty(json: string): string {
  if (json.length > openChars) return `${json.slice(0, openChars)}\n…`;
  const value = parseJson(json);
  return value === undefined ? json : JSON.stringify(value, null, 2);
}
