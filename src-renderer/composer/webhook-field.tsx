import { Webhook } from 'lucide-react';
import type { ReactElement } from 'react';
import { TextField } from '../design/text-field.tsx';
import type { ComposerDraft, DraftCheck } from './composer-draft.ts';
import styles from './options.module.css';

/** Where the service tells of the end (spec: Events). */
export function WebhookField({ draft, check, onChange }: { draft: ComposerDraft; check: DraftCheck; onChange: (patch: Partial<ComposerDraft>) => void }): ReactElement {
  const problem = check.problems.find((each) => each.field === 'webhook')?.message;
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}><h3>Webhook</h3></div>
      <TextField
        aria-label="Webhook address" size="sm" isMono value={draft.webhook} placeholder="https://" icon={<Webhook size={14} strokeWidth={1.75} />}
        hint="Answer with 200. Otherwise 2 more calls, 10 s apart."
        {...(problem === undefined ? {} : { problem })}
        onChange={(webhook) => onChange({ webhook })}
      />
    </section>
  );
}
