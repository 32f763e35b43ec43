import { Lightbulb, Pencil } from 'lucide-react';
import type { CommonFact, FailureDetail } from '../../src-preload/failure-cause.ts';
import type { Job } from '../../src-preload/job.ts';
import { openWithInput } from '../composer/open-with-input.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { formatCount } from '../../src-preload/format.ts';
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
        Most likely <code>{`${name} ${value}`}</code>.
        {instead !== null && (
          <>
            {' '}
            With <code>{instead.json}</code>, {completedText(instead.completed)}.
          </>
        )}
      </p>
      {instead !== null && job !== undefined && (
        <Button size="sm" icon={<Pencil />} onClick={() => void editWith(job, fact, instead.json)}>
          Resubmit with {instead.json.length > 24 ? 'that' : instead.json}
        </Button>
      )}
    </div>
  );
}

/** Of the compared jobs only: others may have failed for another reason. */
function completedText(completed: number): string {
  return completed === 1 ? 'the one compared here completed' : `all ${formatCount(completed)} compared here completed`;
}

function editWith(job: Pick<Job, 'key'>, { name }: CommonFact, json: string): Promise<void> {
  return openWithInput(job.key, {
    change: (inputText) => changeValue(inputText, name, json),
    offer: `Change ${name}`,
    problem: `Could not find ${name} in this input. Change it here.`,
  });
}
