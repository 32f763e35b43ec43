import { Diff, Lightbulb, Pencil } from 'lucide-react';
import type { CommonFact, FailureDetail } from '../../src-preload/failure-cause.ts';
import type { Job } from '../../src-preload/job.ts';
import { openWithInput } from '../composer/open-with-input.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { differenceText } from '../messages/failures/cause.tsx';
import { differenceIn } from './cause-signs.ts';
import { changeValue } from './change-value.ts';
import styles from './difference-note.module.css';

/**
 * What separates failed from completed jobs. If that is likely the reason, a button opens the newest job's input in the
 * composer with that one value changed.
 */
export function DifferenceNote({ detail }: { detail: FailureDetail }) {
  const nowMs = useNow(60_000);
  const difference = differenceIn(detail);
  if (difference === null) return null;
  const { fact, isLikely } = difference;
  if (!isLikely)
    return (
      <div className={styles.likely}>
        <Diff />
        <p>{differenceText.differs(fact, detail)}</p>
      </div>
    );
  const { instead } = fact;
  const job = detail.jobs.find((each) => allowedNow(each, nowMs).edit.isAllowed);
  return (
    <div className={styles.likely}>
      <Lightbulb />
      <p>
        {differenceText.reason(fact)}
        {instead !== null && <> {differenceText.instead(<code>{instead.json}</code>, instead.completed)}</>}
      </p>
      {instead !== null && job !== undefined && (
        <Button size="sm" icon={<Pencil />} onClick={() => void editWith(job, fact, instead.json)}>
          {differenceText.resubmitWith(instead.json.length > 24 ? null : instead.json)}
        </Button>
      )}
    </div>
  );
}

function editWith(job: Pick<Job, 'key'>, { name }: CommonFact, json: string): Promise<void> {
  return openWithInput(job.key, {
    change: (inputText) => changeValue(inputText, name, json),
    offer: differenceText.change(name),
    problem: differenceText.couldNotChange(name),
  });
}
