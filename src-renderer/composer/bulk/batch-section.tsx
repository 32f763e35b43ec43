import { useMemo, useState, type ReactElement } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { formatBytes } from '../../../src-preload/format.ts';
import { TextField } from '../../design/form/text-field.tsx';
import { useSession } from '../../data/session-store.ts';
import { batchSectionText, sendingText, defaultBatchName } from '../../messages/composer/batch.ts';
import { basisText } from '../../messages/composer/variables.ts';
import { BatchLimitFields } from '../batch-limit-fields.tsx';
import type { ComposerDraft } from '../composer-draft.ts';
import { useGridEstimate } from '../variables/grid-section.tsx';
import { useBulk } from './bulk-store.ts';
import type { RowsPlan } from './row-plan.ts';
import options from '../options.module.css';
import styles from './many-inputs.module.css';
import { engineNow } from '../../data/engine-time.ts';

interface BatchSectionProps {
  draft: ComposerDraft;
  plan: RowsPlan;
  /** Null: it is sent now. */
  sentWhen: string | null;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/**
 * The batch's name, its duration, its cost, and the limits at which it holds its rows back. What is not known yet has a
 * line too, so that what is below stays in place while rows are typed.
 */
export function BatchSection({ draft, plan, sentWhen, onChange }: BatchSectionProps): ReactElement {
  const { name, fileName, parsed, change } = useBulk(
    useShallow((state) => ({
      name: state.name,
      fileName: state.fileName,
      parsed: state.parsed,
      change: state.change,
    })),
  );
  const rateShare = useSession((state) => state.settings.rateShare);
  const [openedAtMs] = useState(() => engineNow());
  const chars = useMemo(() => parsed.good.reduce((sum, { inputText }) => sum + inputText.length, 0), [parsed]);
  const rows = parsed.good.length;
  const { jobs } = plan;
  const estimate = useGridEstimate(draft, jobs);
  return (
    <section className={options.section}>
      <div className={options.sectionHead}>
        <h3>{batchSectionText.title}</h3>
      </div>
      <TextField
        aria-label={batchSectionText.name}
        size="sm"
        value={name}
        placeholder={defaultBatchName(fileName, openedAtMs)}
        maxLength={120}
        onChange={(next) => change({ name: next })}
      />
      <dl className={styles.facts}>
        <dt>{batchSectionText.rows}</dt>
        <dd>{batchSectionText.rowsFor(rows, jobs)}</dd>
        <dt>{batchSectionText.size}</dt>
        <dd>{formatBytes(chars)}</dd>
        <dt>{batchSectionText.sending}</dt>
        <dd>{jobs === 0 ? batchSectionText.nothingToSend : sendingText(jobs, draft.operation, rateShare, sentWhen)}</dd>
        <dt>{batchSectionText.doneIn}</dt>
        <dd>{batchSectionText.doneInWith(jobs === 0 ? null : estimate.ms, estimate.workers)}</dd>
        <dt>{batchSectionText.cost}</dt>
        <dd>{batchSectionText.credits(jobs === 0 ? null : estimate.credits)}</dd>
      </dl>
      <p className={options.hint}>{basisText(estimate)}</p>
      <BatchLimitFields draft={draft} onChange={onChange} />
      <p className={options.hint}>{jobs === rows ? batchSectionText.jobPerRow : batchSectionText.jobsPerRow}</p>
    </section>
  );
}
