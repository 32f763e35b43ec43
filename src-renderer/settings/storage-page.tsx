import { useState, type ReactNode } from 'react';
import type { StorageUse } from '../../src-preload/storage.ts';
import { call } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { chooseSettings, useJobCounts, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { formatBytes, formatCount, formatCountOf } from '../design/format.ts';
import { Select } from '../design/select.tsx';
import { toast } from '../design/toast.tsx';
import { BackupSection } from './backup-section.tsx';
import styles from './storage-page.module.css';

/** How much disk space the history takes, the retention rule, and the way to free space. */
export function StoragePage() {
  const { data: use, error, refetch } = useCall('storage:use', undefined);
  return (
    <>
      <h3 className={styles.title}>Storage</h3>
      <p className={styles.lead}>Everything you see in Jobdeck is saved in one file on this computer.</p>
      {error !== null && (
        <Callout tone="error" title="Could not measure the history">
          {error.message}
        </Callout>
      )}
      {use === undefined ? error === null && <p className={styles.quiet}>Measuring…</p> : <UseTable use={use} />}
      <Rule />
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

const offered = [7, 30, 90, 180, 365] as const;
const forEver = 'keep';

/** A choice first shows what it would delete, and takes effect when that is confirmed. */
function Rule() {
  const days = useSession((state) => state.settings.forgetOutputsAfterDays);
  const [asked, setAsked] = useState<number | null>(null);
  const values = [...new Set([...offered, ...(days === null ? [] : [days])])].toSorted((a, b) => a - b);
  return (
    <section className={styles.section} aria-label="Retention">
      <h4 className={styles.heading}>Retention</h4>
      <div className={styles.choice}>
        <span>Outputs and streams of jobs that have ended</span>
        <Select
          label="Keep outputs"
          value={String(asked ?? days ?? forEver)}
          options={[
            { value: forEver, label: 'Keep forever' },
            ...values.map((value) => ({ value: String(value), label: `Delete after ${formatCount(value)} days` })),
          ]}
          onChange={(value) => {
            if (value !== forEver) return setAsked(Number(value) === days ? null : Number(value));
            setAsked(null);
            void chooseSettings({ forgetOutputsAfterDays: null });
          }}
        />
      </div>
      <p className={styles.quiet}>
        Jobs with a star, mark, label or note keep theirs. Of every job the input, the times, the requests and any error
        stay, so you can resubmit it.
      </p>
      {asked !== null && <Confirmation days={asked} onDone={() => setAsked(null)} />}
    </section>
  );
}

function Confirmation({ days, onDone }: { days: number; onDone: () => void }) {
  const { data: would, error } = useCall('storage:wouldForget', { afterDays: days });
  const apply = async (): Promise<void> => {
    await chooseSettings({ forgetOutputsAfterDays: days });
    onDone();
  };
  let said: ReactNode = 'Counting what it would delete…';
  if (error !== null) said = error.message;
  else if (would !== undefined)
    said =
      would.jobs === 0
        ? 'Nothing is that old yet. From now on outputs are deleted as they reach that age.'
        : `This deletes the outputs of ${formatCountOf(would.jobs, 'job')} now, ${formatBytes(would.outputBytes)} ` +
          'before compression. It cannot be undone.';
  return (
    <div className={styles.confirm} role="group" aria-label={`Delete after ${days} days`}>
      <p role="status">{said}</p>
      <div className={styles.actions}>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button
          variant={would?.jobs === 0 ? 'primary' : 'danger'}
          disabledReason={would === undefined ? 'Still counting' : undefined}
          onClick={() => void apply()}
        >
          {would === undefined || would.jobs === 0 ? 'Use this rule' : `Delete ${formatCountOf(would.jobs, 'output')}`}
        </Button>
      </div>
    </div>
  );
}

/** For a file of a former version: it has to be rewritten before its free space is returned to the disk. */
function Compacting({ use, onDone }: { use: StorageUse; onDone: () => void }) {
  const [isUnderWay, setUnderWay] = useState(false);
  const active = useJobCounts()?.active ?? 0;
  const compact = async (): Promise<void> => {
    setUnderWay(true);
    const result = await call('storage:compact', undefined);
    setUnderWay(false);
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
      <Button disabledReason={isUnderWay ? 'Compacting…' : undefined} onClick={() => void compact()}>
        {isUnderWay ? 'Compacting…' : 'Compact'}
      </Button>
    </section>
  );
}
