import { useMemo, useState, type ReactElement } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { formatCredits } from '../../costs/cost-messages.ts';
import { formatBytes, formatCount, formatCountOf, spanText } from '../../../src-preload/format.ts';
import { TextField } from '../../design/text-field.tsx';
import { useSession } from '../../data/session-store.ts';
import { BatchLimitFields } from '../batch-limit-fields.tsx';
import type { ComposerDraft } from '../composer-draft.ts';
import { useGridEstimate } from '../variables/grid-section.tsx';
import { basisText } from '../variables/variable-messages.ts';
import { useBulk } from './bulk-store.ts';
import { defaultName, sendingText } from './bulk-messages.ts';
import type { RowsPlan } from './row-plan.ts';
import options from '../options.module.css';
import styles from './many-inputs.module.css';

interface BatchSectionProps {
  draft: ComposerDraft;
  plan: RowsPlan;
  canSend: boolean;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** The batch's name, its duration, its cost, and the limits at which it holds its rows back. */
export function BatchSection({ draft, plan, canSend, onChange }: BatchSectionProps): ReactElement {
  const { name, fileName, parsed, change } = useBulk(
    useShallow((state) => ({
      name: state.name,
      fileName: state.fileName,
      parsed: state.parsed,
      change: state.change,
    })),
  );
  const rateShare = useSession((state) => state.settings.rateShare);
  const [openedAtMs] = useState(() => Date.now());
  const chars = useMemo(() => parsed.good.reduce((sum, { inputText }) => sum + inputText.length, 0), [parsed]);
  const rows = parsed.good.length;
  const { jobs } = plan;
  const estimate = useGridEstimate(draft, jobs);
  return (
    <section className={options.section}>
      <div className={options.sectionHead}>
        <h3>Batch</h3>
      </div>
      <TextField
        aria-label="Batch name"
        size="sm"
        value={name}
        placeholder={defaultName(fileName, openedAtMs)}
        maxLength={120}
        onChange={(next) => change({ name: next })}
      />
      <dl className={styles.facts}>
        <dt>Rows</dt>
        <dd>{formatCount(rows)}</dd>
        {jobs !== rows && (
          <>
            <dt>Jobs</dt>
            <dd>{formatCount(jobs)}</dd>
          </>
        )}
        <dt>Size</dt>
        <dd>{formatBytes(chars)}</dd>
        <dt>Sent in</dt>
        <dd>{jobs === 0 ? 'nothing to send' : sendingText(jobs, draft.operation, rateShare, canSend)}</dd>
        {jobs > 0 && estimate.ms !== null && (
          <>
            <dt>Done in</dt>
            <dd>
              about {spanText(estimate.ms)} with {formatCountOf(estimate.workers, 'worker')}
            </dd>
          </>
        )}
        {jobs > 0 && estimate.credits !== null && (
          <>
            <dt>Cost</dt>
            <dd>about {formatCredits(estimate.credits)} credits</dd>
          </>
        )}
      </dl>
      {jobs > 0 && <p className={options.hint}>{basisText(estimate)}</p>}
      <BatchLimitFields draft={draft} onChange={onChange} />
      <p className={options.hint}>
        {jobs === rows
          ? 'Each row becomes a job, sent in order.'
          : 'Each row becomes a job for each value of its variables, sent in order.'}{' '}
        Safe to pause, quit or restart.
      </p>
    </section>
  );
}
