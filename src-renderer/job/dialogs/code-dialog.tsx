import { useState } from 'react';
import type { CodeLanguage } from '../../../src-preload/request-code.ts';
import { useCall } from '../../data/calls.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { languageNames, requestCodeText } from '../../messages/job/dialogs.ts';
import { useCodeDialog } from './dialog-stores.ts';
import styles from './code-dialog.module.css';

const languages: readonly CodeLanguage[] = ['curl', 'powershell', 'fetch', 'sdk-js', 'sdk-python'];

/** A long body is cut in the dialog. Copying always takes all of it. */
const shownChars = 6_000;

/** Code that submits a job's input again. The key is a variable. */
export function CodeDialog() {
  const jobKey = useCodeDialog((state) => state.jobKey);
  const close = useCodeDialog((state) => state.close);
  return (
    <Dialog title={requestCodeText.title} isOpen={jobKey !== null} onClose={close} width={680}>
      {jobKey !== null && <Code jobKey={jobKey} />}
    </Dialog>
  );
}

function Code({ jobKey }: { jobKey: string }) {
  const [language, setLanguage] = useState<CodeLanguage>('fetch');
  // Not cached, because its body may have megabytes.
  const { data, error } = useCall('job:code', { key: jobKey, language }, { unusedMs: 0 });
  const code = data?.code ?? '';
  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <Segmented
          label={requestCodeText.language}
          size="sm"
          value={language}
          onChange={setLanguage}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
        />
        <span className={styles.gap} />
        <CopyButton
          label={requestCodeText.copy}
          text={() => code}
          disabledReason={error?.message ?? (data === undefined ? requestCodeText.pending : undefined)}
        />
      </div>
      <pre
        className={styles.text}
        tabIndex={0}
        role="region"
        aria-label={requestCodeText.code}
        aria-busy={data === undefined}
      >
        {error?.message ?? (code.length > shownChars ? `${code.slice(0, shownChars)} …` : code)}
      </pre>
      <p className={styles.note}>{requestCodeText.keyNotIncluded}</p>
    </div>
  );
}
