import { useState } from 'react';
import type { RetentionRule } from '../../src-preload/settings.ts';
import { deletesNoMore, deletesSomething, type Forgettable } from '../../src-preload/storage.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { makeStale, useCall } from '../data/calls.ts';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/choice.tsx';
import { formatBytes, formatCount, formatCountOf } from '../../src-preload/format.ts';
import { Select } from '../design/select.tsx';
import { ClockCallout } from './clock-callout.tsx';
import styles from './storage-page.module.css';

const offeredDays = [7, 30, 90, 180, 365] as const;
const offeredBytes = [1, 2, 5, 10, 20, 50, 100].map((gigabytes) => gigabytes * 1_000_000_000);
const forEver = 'keep';

/** The retention rule. A choice shows what it would delete, and takes effect only when it is confirmed. */
export function RetentionSection() {
  const current = useSession((state) => state.settings.retention);
  const [asked, setAsked] = useState<RetentionRule | null>(null);
  const shown = asked ?? current;
  const choose = (change: Partial<RetentionRule>): void => {
    const rule = { ...shown, ...change };
    if (!deletesNoMore(rule, current)) return setAsked(rule);
    setAsked(null);
    void chooseSettings({ retention: rule });
  };
  return (
    <section className={styles.section} aria-label="Retention">
      <h4 className={styles.heading}>Retention</h4>
      <div className={styles.choice}>
        <span>Outputs and streams of jobs that have ended</span>
        <Select
          label="Keep outputs"
          value={String(shown.afterDays ?? forEver)}
          options={[
            { value: forEver, label: 'Keep forever' },
            ...withChosen(offeredDays, current.afterDays).map((days) => ({
              value: String(days),
              label: `Delete after ${formatCount(days)} days`,
            })),
          ]}
          onChange={(value) => choose({ afterDays: value === forEver ? null : Number(value) })}
        />
      </div>
      <div className={styles.choice}>
        <span>Size of the history</span>
        <Select
          label="Size of the history"
          value={String(shown.mostBytes ?? forEver)}
          options={[
            { value: forEver, label: 'No limit' },
            ...withChosen(offeredBytes, current.mostBytes).map((bytes) => ({
              value: String(bytes),
              label: `At most ${gigabytesText(bytes)}`,
            })),
          ]}
          onChange={(value) => choose({ mostBytes: value === forEver ? null : Number(value) })}
        />
      </div>
      <div className={styles.choice}>
        <Checkbox
          label="Delete their inputs as well"
          hint="Without its input a job cannot be resubmitted."
          isOn={shown.areInputsDeleted}
          disabled={!deletesSomething(shown)}
          onChange={(areInputsDeleted) => choose({ areInputsDeleted })}
        />
      </div>
      <p className={styles.quiet}>
        Jobs with a star, mark, label or note keep everything. Of every job the title, the times, the requests and any
        error stay. A size limit deletes the oldest outputs first, and none of the last hour.
      </p>
      <ClockCallout rule={shown} onReview={asked === null ? () => setAsked(current) : null} />
      {asked !== null && <Confirmation rule={asked} onDone={() => setAsked(null)} />}
    </section>
  );
}

function withChosen(offered: readonly number[], chosen: number | null): number[] {
  return [...new Set([...offered, ...(chosen === null ? [] : [chosen])])].toSorted((a, b) => a - b);
}

function gigabytesText(bytes: number): string {
  return `${formatCount(bytes / 1_000_000_000)} GB`;
}

function Confirmation({ rule, onDone }: { rule: RetentionRule; onDone: () => void }) {
  const { data: would, error } = useCall('storage:wouldForget', rule);
  const apply = async (): Promise<void> => {
    await chooseSettings({ retention: rule });
    // The user has read how many jobs that concerns as of the date of this computer.
    if (would !== undefined && would.jobs > 0) {
      orReport(await call('storage:confirmClock', undefined));
      makeStale('storage:clockDoubt', undefined);
    }
    onDone();
  };
  return (
    <div className={styles.confirm} role="group" aria-label="What this rule deletes">
      <p role="status">
        {error !== null
          ? error.message
          : would === undefined
            ? 'Counting what it would delete…'
            : previewText(rule, would)}
      </p>
      <div className={styles.actions}>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <Button
          variant={would?.jobs === 0 ? 'primary' : 'danger'}
          disabledReason={would === undefined ? 'Still counting' : undefined}
          onClick={() => void apply()}
        >
          {would === undefined || would.jobs === 0 ? 'Use this rule' : `Delete ${deletedText(rule, would.jobs)}`}
        </Button>
      </div>
    </div>
  );
}

function deletedText({ areInputsDeleted }: RetentionRule, jobs: number): string {
  return areInputsDeleted ? 'inputs and outputs' : formatCountOf(jobs, 'output');
}

/** What a rule would delete now, how much space that frees, and what it cannot achieve. */
function previewText(rule: RetentionRule, { jobs, freedBytes, usedBytes }: Forgettable): string {
  const leftBytes = usedBytes - freedBytes;
  const isTooLarge = rule.mostBytes !== null && leftBytes > rule.mostBytes;
  const rest = isTooLarge
    ? ` The history then still uses ${formatBytes(leftBytes)}: the rest is not deleted automatically.`
    : '';
  if (jobs === 0)
    return isTooLarge
      ? `The history uses ${formatBytes(usedBytes)}, and there is nothing in it that this rule may delete now.`
      : 'Nothing is deleted now. From now on this rule is applied every hour.';
  const what = rule.areInputsDeleted ? 'inputs and outputs' : 'outputs';
  return (
    `This deletes the ${what} of ${formatCountOf(jobs, 'job')} now and frees about ${formatBytes(freedBytes)}. ` +
    `It cannot be undone.${rest}`
  );
}
