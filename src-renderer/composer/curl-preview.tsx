import { useEffect, useState, type ReactElement } from 'react';
import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { toSubmission, type DraftCheck } from './draft-check.ts';
import type { ComposerDraft } from './composer-draft.ts';
import styles from './curl-preview.module.css';

const settleMs = 250;
/** Long bodies are cut in view; copying always takes the whole command. */
const shownChars = 600;

/** The same request as a curl command; the key stands as $JOBDECK_KEY. */
export function CurlPreview({ draft, check }: { draft: ComposerDraft; check: DraftCheck }): ReactElement {
  const [made, setMade] = useState<Result<{ command: string }> | null>(null);
  const command = made?.ok === true ? made.value.command : '';
  const isReady = check.problems.length === 0;
  useEffect(() => {
    if (!isReady) return;
    let isStale = false;
    const timer = setTimeout(async () => {
      // Not kept under its input, which may be megabytes.
      const answer = await call('job:curl', { draft: toSubmission(draft, check) });
      if (!isStale) setMade(answer);
    }, settleMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [draft, check, isReady]);
  return (
    <section className={styles.box} aria-label="cURL">
      <div className={styles.head}>
        <span className={styles.label}>cURL</span>
        <span className={styles.quiet}>key not included</span>
        <span className={styles.grow} />
        <CopyButton
          label="Copy cURL"
          text={() => command}
          disabledReason={made?.ok === false ? made.failure.message : isReady ? undefined : 'Fix the errors first'}
        />
      </div>
      <pre tabIndex={0} className={classes(styles.code, !isReady && styles.waiting)}>
        {isReady
          ? made?.ok === false
            ? made.failure.message
            : command.length > shownChars
              ? `${command.slice(0, shownChars)} …`
              : command
          : 'Fix the errors above to see the command'}
      </pre>
    </section>
  );
}
