import { Tag } from 'lucide-react';
import type { ReactElement } from 'react';
import { TextField } from '../design/text-field.tsx';
import type { ComposerDraft } from './composer-draft.ts';
import type { DraftCheck } from './draft-check.ts';
import styles from './options.module.css';

interface TagsFieldProps {
  draft: ComposerDraft;
  check: DraftCheck;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/** The tags that the job, or each job of a batch, gets when it is submitted. */
export function TagsField({ draft, check, onChange }: TagsFieldProps): ReactElement {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>Tags</h3>
      </div>
      <TextField
        aria-label="Tags of the job"
        size="sm"
        value={draft.tagsText}
        placeholder="nightly, seed 7744"
        icon={<Tag size={14} strokeWidth={1.75} />}
        hint="Separate with commas."
        problem={check.problems.find(({ field }) => field === 'tags')?.message}
        onChange={(tagsText) => onChange({ tagsText })}
      />
    </section>
  );
}
