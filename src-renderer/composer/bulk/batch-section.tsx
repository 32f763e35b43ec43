import { useMemo, useState, type ReactElement } from 'react';
import { formatBytes, formatCount } from '../../design/format.ts';
import { TextField } from '../../design/text-field.tsx';
import { useSession } from '../../data/session-store.ts';
import { BatchLimitFields } from '../batch-limit-fields.tsx';
import type { ComposerDraft } from '../composer-draft.ts';
import { useBulk } from './bulk-store.ts';
import { defaultName, sendingText } from './bulk-messages.ts';
import options from '../options.module.css';
import styles from './many-inputs.module.css';

/** What the batch is called, how long it takes to leave, and when it holds its rows back. */
export function BatchSection({
  draft,
  canSend,
  onChange,
}: {
  draft: ComposerDraft;
  canSend: boolean;
  onChange: (patch: Partial<ComposerDraft>) => void;
}): ReactElement {
  const { name, fileName, parsed, change } = useBulk();
  const rateShare = useSession((state) => state.settings.rateShare);
  const [openedAtMs] = useState(() => Date.now());
  const chars = useMemo(() => parsed.good.reduce((sum, { inputText }) => sum + inputText.length, 0), [parsed]);
  const rows = parsed.good.length;
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
        <dt>Size</dt>
        <dd>{formatBytes(chars)}</dd>
        <dt>Sent in</dt>
        <dd>{rows === 0 ? 'nothing to send' : sendingText(rows, draft.operation, rateShare, canSend)}</dd>
      </dl>
      <BatchLimitFields draft={draft} onChange={onChange} />
      <p className={options.hint}>Each row becomes a job, sent in order. Safe to pause, quit or restart.</p>
    </section>
  );
}
