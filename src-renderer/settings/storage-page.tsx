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
import { compactText, storageText } from '../messages/settings/storage.tsx';
import { BackupSection } from './backup-section.tsx';
import { BinSection } from './bin-section.tsx';
import { RetentionSection } from './retention-section.tsx';
import styles from './storage-page.module.css';

/** How much disk space the history takes, the retention rule, and the way to free space. */
export function StoragePage() {
  const { data: use, error, dataUpdatedAt, refetch } = useCall('storage:use', undefined);
  return (
    <>
      <h3 className={styles.title}>{storageText.title}</h3>
      <div className={styles.lead}>
        <p>{storageText.lead}</p>
        <Button size="sm" onClick={() => callOrReport('app:showInFolder', { file: 'history' })}>
          {storageText.showInFolder}
        </Button>
      </div>
      {error !== null && (
        <Callout tone="error" title={storageText.couldNotMeasure}>
          {error.message} {use !== undefined && storageText.asOf(dataUpdatedAt)}
        </Callout>
      )}
      {(use !== undefined || error === null) && <UseTable use={use ?? null} />}
      <RetentionSection />
      <BinSection />
      <BackupSection />
      {use !== undefined && !use.isGivenBack && <Compacting use={use} onDone={() => void refetch()} />}
    </>
  );
}

const nothingMeasured = { totalBytes: 0, bodyBytes: 0, streamBytes: 0, indexBytes: 0, freeBytes: 0 };

/** Null while it is measured: what is below does not move when the figures come. */
function UseTable({ use }: { use: StorageUse | null }) {
  const { totalBytes, bodyBytes, streamBytes, indexBytes, freeBytes } = use ?? nothingMeasured;
  const restBytes = Math.max(0, totalBytes - bodyBytes - streamBytes - indexBytes - freeBytes);
  const lines: readonly (readonly [string, number])[] = [
    [storageText.bodies, bodyBytes],
    [storageText.streams, streamBytes],
    [storageText.index, indexBytes],
    [storageText.rest, restBytes],
    [storageText.free, freeBytes],
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
            <span className={styles.bytes}>{use === null ? '\u00a0' : formatBytes(bytes)}</span>
          </dd>
        </div>
      ))}
      <div className={styles.line}>
        <dt className={styles.total}>{storageText.total}</dt>
        <dd className={styles.total}>{use === null ? storageText.measuring : formatBytes(totalBytes)}</dd>
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
    toast(compactText.compacted(result.value));
    onDone();
  };
  return (
    <section className={styles.section} aria-label={compactText.label}>
      <h4 className={styles.heading}>{compactText.title}</h4>
      <p className={styles.quiet}>{compactText.about(use, active === 0)}</p>
      <Button disabledReason={isCompacting ? compactText.compacting : undefined} onClick={() => void compact()}>
        {isCompacting ? compactText.compacting : compactText.compact}
      </Button>
    </section>
  );
}
