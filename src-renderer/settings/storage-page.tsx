import { useState } from 'react';
import type { StorageUse } from '../../src-preload/storage.ts';
import { call } from '../bridge.ts';
import { callOrReport } from '../call-or-report.ts';
import { useCall } from '../data/calls.ts';
import { useJobCounts } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { formatBytes } from '../../src-preload/format.ts';
import { toast } from '../design/toast.tsx';
import { BackupSection } from './backup-section.tsx';
import { RetentionSection } from './retention-section.tsx';
import styles from './storage-page.module.css';

/** How much disk space the history takes, the retention rule, and the way to free space. */
export function StoragePage() {
  const { data: use, error, refetch } = useCall('storage:use', undefined);
  return (
    <>
      <h3 className={styles.title}>Storage</h3>
      <div className={styles.lead}>
        <p>Everything you see in Jobdeck is saved in one file on this computer.</p>
        <Button size="sm" onClick={() => callOrReport('app:showInFolder', { file: 'history' })}>
          Show in folder
        </Button>
      </div>
      {error !== null && (
        <Callout tone="error" title="Could not measure the history">
          {error.message}
        </Callout>
      )}
      {use === undefined ? error === null && <p className={styles.quiet}>Measuring…</p> : <UseTable use={use} />}
      <RetentionSection />
      <BackupSection />
      {use !== undefined && !use.isGivenBack && <Compacting use={use} onDone={() => void refetch()} />}
    </>
  );
}

function UseTable({ use }: { use: StorageUse }) {
  const { totalBytes, bodyBytes, streamBytes, indexBytes, freeBytes } = use;
  const restBytes = Math.max(0, totalBytes - bodyBytes - streamBytes - indexBytes - freeBytes);
  const lines: readonly (readonly [string, number])[] = [
    ['Inputs, outputs and replies', bodyBytes],
    ['Streams', streamBytes],
    ['Search index', indexBytes],
    ['Lists, times, requests and health', restBytes],
    ['Free space in the file', freeBytes],
  ];
  return (
    <dl className={styles.use}>
      {lines.map(([name, bytes]) => (
        <div key={name} className={styles.line}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${totalBytes === 0 ? 0 : (100 * bytes) / totalBytes}%` }} />
            </span>
            <span className={styles.bytes}>{formatBytes(bytes)}</span>
          </dd>
        </div>
      ))}
      <div className={styles.line}>
        <dt className={styles.total}>Total</dt>
        <dd className={styles.total}>{formatBytes(totalBytes)}</dd>
      </div>
    </dl>
  );
}

/** For a file of a former version: it has to be rewritten before its free space is returned to the disk. */
function Compacting({ use, onDone }: { use: StorageUse; onDone: () => void }) {
  const [isCompacting, setCompacting] = useState(false);
  const active = useJobCounts()?.active ?? 0;
  const compact = async (): Promise<void> => {
    setCompacting(true);
    const result = await call('storage:compact', undefined);
    setCompacting(false);
    if (!result.ok) return toast(result.failure.message);
    toast(`Compacted: ${formatBytes(result.value.beforeBytes)} before, ${formatBytes(result.value.afterBytes)} now`);
    onDone();
  };
  return (
    <section className={styles.section} aria-label="Compact">
      <h4 className={styles.heading}>Compact the file</h4>
      <p className={styles.quiet}>
        {`An older version created this file, so its free space (${formatBytes(use.freeBytes)}) is not returned to ` +
          'the disk. Compacting rewrites the file once; after that, free space is returned automatically. It needs ' +
          `up to ${formatBytes(use.totalBytes - use.freeBytes)} of free disk space meanwhile, and nothing is saved ` +
          `until it has finished${active === 0 ? '.' : ', so it is best done while no jobs are active.'}`}
      </p>
      <Button disabledReason={isCompacting ? 'Compacting…' : undefined} onClick={() => void compact()}>
        {isCompacting ? 'Compacting…' : 'Compact'}
      </Button>
    </section>
  );
}
