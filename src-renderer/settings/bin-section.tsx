import { useState } from 'react';
import { deleteForGood } from '../bin/bin-actions.ts';
import { useCall } from '../data/calls.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { binQuestionText, binSectionText, binText } from '../messages/bin.ts';
import { commonText } from '../messages/common.ts';
import { showPane } from '../navigation/go.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import styles from './storage-page.module.css';

/** How much the bin of deleted jobs holds, the way to it, and to empty it. */
export function BinSection() {
  const { data: use, error, refetch } = useCall('bin:use', undefined);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const empty = async (): Promise<void> => {
    setAsking(false);
    if (use !== undefined) setProblem(await deleteForGood({ kind: 'all', use }));
    void refetch();
  };
  const show = (): void => {
    useSettingsDialog.getState().close();
    showPane({ kind: 'bin' });
  };
  const failure = problem ?? error?.message ?? null;
  return (
    <section className={styles.section} aria-label={binSectionText.title}>
      <h4 className={styles.heading}>{binSectionText.title}</h4>
      <p className={styles.quiet}>{binSectionText.about}</p>
      {failure !== null && (
        <Callout tone="error" title={binText.couldNotRead}>
          {failure}
        </Callout>
      )}
      <div className={styles.under}>
        <span className={styles.holds} role="status">
          {use === undefined ? '\u00a0' : use.jobs === 0 ? binSectionText.none : binText.holds(use)}
        </span>
        <Button onClick={show}>{binSectionText.show}</Button>
        <Button
          variant="danger"
          disabledReason={use?.jobs === 0 ? binSectionText.none : undefined}
          onClick={() => setAsking(true)}
        >
          {binText.empty}
        </Button>
      </div>
      {isAsking && use !== undefined && (
        <div className={styles.confirm} role="group" aria-label={binQuestionText.all(use.jobs)}>
          <p>
            {binQuestionText.all(use.jobs)} {binQuestionText.allHint(use)}
          </p>
          <div className={styles.actions}>
            <Button autoFocus onClick={() => setAsking(false)}>
              {commonText.cancel}
            </Button>
            <Button variant="danger-solid" onClick={() => void empty()}>
              {binQuestionText.empty}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
