import { useState } from 'react';
import type { Attempt, Job } from '../../../src-preload/job.ts';
import { FindButton } from '../../design/find-button.tsx';
import { useCommandKey } from '../../design/keyboard/use-keys.ts';
import { JsonView } from '../../json/json-view.tsx';
import { rawReplyText } from '../../messages/job/output.ts';
import { NoOutput } from './no-output.tsx';
import { PartProblem } from '../part-problem.tsx';
import { useBody } from '../use-body.ts';
import styles from './output-tab.module.css';

/** What was saved of a reply that is larger than is ever read (ruling 43), unchanged. */
export function RawReply({ job, attempt }: { job: Job; attempt: Attempt | null }) {
  const [isFinding, setFinding] = useState(false);
  const [choiceAt, setChoiceAt] = useState<HTMLElement | null>(null);
  useCommandKey('f', true, () => setFinding(true));
  const { current, retry } = useBody({
    key: job.key,
    part: 'reply',
    attempt: attempt?.number ?? job.attempt,
    isWanted: true,
  });
  switch (current.state) {
    case 'loading':
      return null;
    case 'absent':
      return <NoOutput job={job} attempt={attempt} />;
    case 'failed':
      return <PartProblem title={rawReplyText.notRead} failure={current.failure} onRetry={retry} />;
    case 'ready':
      return (
        <>
          <div className={styles.toolbar}>
            <span className={styles.caption}>{rawReplyText.caption(current.body.bytes)}</span>
            <div className={styles.choice} ref={setChoiceAt} />
            <span className={styles.gap} />
            <FindButton label={rawReplyText.find} isOn={isFinding} onChange={setFinding} />
          </div>
          <JsonView
            text={current.body.text}
            label={rawReplyText.reply}
            isFinding={isFinding}
            onFindEnd={() => setFinding(false)}
            choiceAt={choiceAt}
          />
        </>
      );
  }
}
