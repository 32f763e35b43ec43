import { useMemo, useState } from 'react';
import type { EnvEntry } from '../../src-preload/template.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { UnsavedNotice } from '../design/form/form-parts.tsx';
import { commonText } from '../messages/common.ts';
import { envPasteText } from '../messages/templates/env.ts';
import { mergeEnv, parseEnvFile } from './env-file.ts';
import styles from './form.module.css';

interface EnvPasteProps {
  entries: readonly EnvEntry[];
  text: string;
  onChange: (text: string) => void;
  onTake: (entries: EnvEntry[]) => void;
  onClose: () => void;
}

/**
 * A field for the text of a .env file. It shows what would be added and changed before that is applied. The text is
 * part of the template's draft, and sealed with it: it is full of secrets.
 */
export function EnvPaste({ entries, text, onChange, onTake, onClose }: EnvPasteProps) {
  const [isBack] = useState(text !== '');
  const end = (): void => {
    onChange('');
    onClose();
  };
  const file = useMemo(() => parseEnvFile(text), [text]);
  const merge = useMemo(() => mergeEnv(entries, file.variables), [entries, file]);
  const count = file.variables.length;
  return (
    <Dialog
      title={envPasteText.title}
      isOpen
      onClose={onClose}
      width={560}
      actions={
        <>
          <Button onClick={end}>{commonText.cancel}</Button>
          <Button
            variant="primary"
            disabledReason={count === 0 ? envPasteText.nothingFound : undefined}
            onClick={() => {
              onTake(merge.entries);
              end();
            }}
          >
            {envPasteText.import(count)}
          </Button>
        </>
      }
    >
      {isBack && <UnsavedNotice className={styles.none} />}
      <textarea
        className={styles.paste}
        aria-label={envPasteText.field}
        spellCheck={false}
        autoFocus
        placeholder={envPasteText.example}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      <dl className={styles.pasted}>
        {merge.added.length > 0 && (
          <div>
            <dt>{envPasteText.adds}</dt>
            <dd>
              {merge.added.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </dd>
          </div>
        )}
        {merge.changed.length > 0 && (
          <div>
            <dt>{envPasteText.changes}</dt>
            <dd>
              {merge.changed.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </dd>
          </div>
        )}
        {file.problems.length > 0 && (
          <div>
            <dt>{envPasteText.notRead}</dt>
            <dd className={styles.unread}>
              {file.problems.slice(0, 6).map(({ line, message }) => (
                <span key={`${line}-${message}`}>{envPasteText.problem(line, message)}</span>
              ))}
              {file.problems.length > 6 && <span>{envPasteText.more(file.problems.length - 6)}</span>}
            </dd>
          </div>
        )}
      </dl>
      {count > 0 && <p className={styles.none}>{envPasteText.othersStay}</p>}
    </Dialog>
  );
}
