import { useMemo, useState } from 'react';
import type { EnvEntry } from '../../src-preload/template.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { formatCountOf } from '../../src-preload/format.ts';
import { mergeEnv, parseEnvFile } from './env-file.ts';
import styles from './form.module.css';

interface EnvPasteProps {
  entries: readonly EnvEntry[];
  onTake: (entries: EnvEntry[]) => void;
  onClose: () => void;
}

/** A field for the text of a .env file. It shows what would be added and changed before that is applied. */
export function EnvPaste({ entries, onTake, onClose }: EnvPasteProps) {
  const [text, setText] = useState('');
  const file = useMemo(() => parseEnvFile(text), [text]);
  const merge = useMemo(() => mergeEnv(entries, file.variables), [entries, file]);
  const count = file.variables.length;
  return (
    <Dialog
      title="Paste a .env file"
      isOpen
      onClose={onClose}
      width={560}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={count === 0 ? 'No variables found yet' : undefined}
            onClick={() => {
              onTake(merge.entries);
              onClose();
            }}
          >
            {count === 0 ? 'Import' : `Import ${formatCountOf(count, 'variable')}`}
          </Button>
        </>
      }
    >
      <textarea
        className={styles.paste}
        aria-label="Text of the .env file"
        spellCheck={false}
        autoFocus
        placeholder={'# comments, export and quotes are read\nMODEL_ID=atlas/whisper-large-v3\nHF_TOKEN="hf_…"'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <dl className={styles.pasted}>
        {merge.added.length > 0 && (
          <div>
            <dt>Adds</dt>
            <dd>
              {merge.added.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </dd>
          </div>
        )}
        {merge.changed.length > 0 && (
          <div>
            <dt>Changes</dt>
            <dd>
              {merge.changed.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </dd>
          </div>
        )}
        {file.problems.length > 0 && (
          <div>
            <dt>Not read</dt>
            <dd className={styles.unread}>
              {file.problems.slice(0, 6).map(({ line, message }) => (
                <span key={`${line}-${message}`}>
                  Line {line}: {message}.
                </span>
              ))}
              {file.problems.length > 6 && <span>And {file.problems.length - 6} more.</span>}
            </dd>
          </div>
        )}
      </dl>
      {count > 0 && <p className={styles.none}>Variables not in the file stay unchanged.</p>}
    </Dialog>
  );
}
