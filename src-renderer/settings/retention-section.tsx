import { useState } from 'react';
import type { RetentionRule } from '../../src-preload/settings.ts';
import { deletesNoMore, deletesSomething } from '../../src-preload/storage.ts';
import { useCall, makeStale } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings, changeSettings } from '../data/change-settings.ts';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/form/choice.tsx';
import { Select } from '../design/form/select.tsx';
import { commonText } from '../messages/common.ts';
import {
  retentionText,
  rulePreview,
  rulePreviewText,
  clockDoubtText,
  clockDoubtWords,
} from '../messages/settings/storage.tsx';
import { Callout } from '../design/callout.tsx';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { toast } from '../design/toast.tsx';
import styles from './storage-page.module.css';

/**
 * Uses a retention rule that the user has confirmed; `jobs`: for how many. If main refuses it nothing else is done, and
 * a toast says why: the clock was confirmed for this rule only.
 */
export async function applyRule(rule: RetentionRule, jobs: number): Promise<void> {
  const failure = await changeSettings({ retention: rule });
  if (failure !== null) return toast(failure.message);
  // The user has read how many jobs that concerns as of the date of this computer.
  if (jobs === 0) return;
  orReport(await call('storage:confirmClock', undefined));
  makeStale('storage:clockDoubt', undefined);
}

/** The answer of a service can end the doubt at any time while the page is open. */
const readEveryMs = 5_000;

/** Says that nothing is deleted because of the clock, if so. `onReview` shows what would be deleted now. */
function ClockCallout({ rule, onReview }: { rule: RetentionRule; onReview: (() => void) | null }) {
  const { data: doubt } = useCall('storage:clockDoubt', undefined, { everyMs: readEveryMs });
  if (doubt === undefined || doubt === null || !deletesSomething(rule)) return null;
  const { title, text } = clockDoubtWords(doubt);
  return (
    <Callout
      tone="warning"
      title={title}
      actions={onReview === null ? undefined : <Button onClick={onReview}>{clockDoubtText.deleteNow}</Button>}
    >
      {text}
    </Callout>
  );
}

const offeredDays = [7, 30, 90, 180, 365] as const;
const offeredBytes = [1, 2, 5, 10, 20, 50, 100].map((gigabytes) => gigabytes * 1_000_000_000);
const forEver = 'keep';

/** The retention rule. A choice shows what it would delete, and takes effect only when it is confirmed. */
export function RetentionSection() {
  const current = useSession((state) => state.settings.retention);
  const [proposed, setProposed] = useState<RetentionRule | null>(null);
  const shown = proposed ?? current;
  const choose = (change: Partial<RetentionRule>): void => {
    const rule = { ...shown, ...change };
    if (!deletesNoMore(rule, current)) return setProposed(rule);
    setProposed(null);
    void chooseSettings({ retention: rule });
  };
  return (
    <section className={styles.section} aria-label={retentionText.title}>
      <h4 className={styles.heading}>{retentionText.title}</h4>
      <div className={styles.choice}>
        <span>{retentionText.outputs}</span>
        <Select
          label={retentionText.keepOutputs}
          value={String(shown.afterDays ?? forEver)}
          options={[
            { value: forEver, label: retentionText.keepForever },
            ...withChosen(offeredDays, current.afterDays).map((days) => ({
              value: String(days),
              label: retentionText.deleteAfter(days),
            })),
          ]}
          onChange={(value) => choose({ afterDays: value === forEver ? null : Number(value) })}
        />
      </div>
      <div className={styles.choice}>
        <span>{retentionText.size}</span>
        <Select
          label={retentionText.size}
          value={String(shown.maxBytes ?? forEver)}
          options={[
            { value: forEver, label: retentionText.noLimit },
            ...withChosen(offeredBytes, current.maxBytes).map((bytes) => ({
              value: String(bytes),
              label: retentionText.atMost(bytes),
            })),
          ]}
          onChange={(value) => choose({ maxBytes: value === forEver ? null : Number(value) })}
        />
      </div>
      <div className={styles.choice}>
        <Checkbox
          label={retentionText.inputs}
          hint={retentionText.inputsHint}
          isOn={shown.areInputsDeleted}
          disabled={!deletesSomething(shown)}
          onChange={(areInputsDeleted) => choose({ areInputsDeleted })}
        />
      </div>
      <p className={styles.quiet}>{retentionText.whatStays}</p>
      <ClockCallout rule={shown} onReview={proposed === null ? () => setProposed(current) : null} />
      {proposed !== null && <Confirmation rule={proposed} onDone={() => setProposed(null)} />}
    </section>
  );
}

function withChosen(offered: readonly number[], chosen: number | null): number[] {
  return [...new Set([...offered, ...(chosen === null ? [] : [chosen])])].toSorted((a, b) => a - b);
}

function Confirmation({ rule, onDone }: { rule: RetentionRule; onDone: () => void }) {
  const { data: would, error } = useCall('storage:wouldForget', rule, { unusedMs: 0 });
  const apply = async (): Promise<void> => {
    await applyRule(rule, would?.jobs ?? 0);
    onDone();
  };
  return (
    <div className={styles.confirm} role="group" aria-label={rulePreviewText.title}>
      <p role="status">
        {error !== null ? error.message : would === undefined ? rulePreviewText.counting : rulePreview(rule, would)}
      </p>
      <div className={styles.actions}>
        <Button onClick={onDone}>{commonText.cancel}</Button>
        <Button
          variant={would?.jobs === 0 ? 'primary' : 'danger'}
          disabledReason={would === undefined ? rulePreviewText.stillCounting : undefined}
          onClick={() => void apply()}
        >
          {would === undefined || would.jobs === 0 ? rulePreviewText.use : rulePreviewText.delete(rule, would.jobs)}
        </Button>
      </div>
    </div>
  );
}
