import { Tag } from 'lucide-react';
import type { ReactElement } from 'react';
import { TextField } from '../design/form/text-field.tsx';
import { tagsText } from '../messages/composer/options.ts';
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
        <h3>{tagsText.title}</h3>
      </div>
      <TextField
        aria-label={tagsText.label}
        size="sm"
        value={draft.tagsText}
        placeholder={tagsText.placeholder}
        icon={<Tag size={14} strokeWidth={1.75} />}
        hint={tagsText.hint}
        problem={check.problems.find(({ field }) => field === 'tags')?.message}
        onChange={(text) => onChange({ tagsText: text })}
      />
    </section>
  );
}
