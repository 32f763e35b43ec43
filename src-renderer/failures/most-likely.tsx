import { Lightbulb, Pencil } from 'lucide-react';
import type { CommonFact, FailureDetail } from '../../src-preload/failure-cause.ts';
import type { Job } from '../../src-preload/job.ts';
import { openWithInput } from '../composer/open-with-input.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { mostLikelyText } from '../messages/failures/cause.tsx';
import { mostLikely } from './cause-signs.ts';
import { changeValue } from './change-value.ts';
import styles from './failures.module.css';

/**
 * The probable reason of the failures, and a button that opens the newest job's input in the composer with that one
 * value changed.
 */
export function MostLikely({ detail }: { detail: FailureDetail }) {
  const nowMs = useNow(60_000);
  const fact = mostLikely(detail);
  if (fact === null) return null;
  const { name, value, instead } = fact;
  const job = detail.jobs.find((each) => allowedNow(each, nowMs).edit.isAllowed);
  return (
    <div className={styles.likely}>
      <Lightbulb />
      <p>
        {mostLikelyText.reason(<code>{`${name} ${value}`}</code>)}
        {instead !== null && <> {mostLikelyText.instead(<code>{instead.json}</code>, instead.completed)}</>}
      </p>
      {instead !== null && job !== undefined && (
        <Button size="sm" icon={<Pencil />} onClick={() => void editWith(job, fact, instead.json)}>
          {mostLikelyText.resubmitWith(instead.json.length > 24 ? null : instead.json)}
        </Button>
      )}
    </div>
  );
}

function editWith(job: Pick<Job, 'key'>, { name }: CommonFact, json: string): Promise<void> {
  return openWithInput(job.key, {
    change: (inputText) => changeValue(inputText, name, json),
    offer: mostLikelyText.change(name),
    problem: mostLikelyText.couldNotChange(name),
  });
}
