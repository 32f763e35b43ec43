import { Diff, Lightbulb, Pencil } from 'lucide-react';
import type { CommonFact, FailureDetail } from '../../src-preload/failure-cause.ts';
import type { Job } from '../../src-preload/job.ts';
import { openWithInput } from '../composer/open-with-input.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { differenceText } from '../messages/failures/cause.tsx';
import { differenceIn } from './cause-signs.ts';
import { decodeString } from '../../src-preload/json-spans.ts';
import { childrenOf, indexJson, keyToken, kindOf, type JsonIndex } from '../json/json-index.ts';
import styles from './difference-note.module.css';

/**
 * Replaces one value in the objects of a JSON text and leaves everything else unchanged. `path` is the keys joined by
 * dots (`sampling.top_p`), `json` the new value's text. Null if the text has no value there.
 */
export function changeValue(text: string, path: string, json: string): string | null {
  const index = wholeIndex(text);
  const node = find(index, 0, path);
  return node === null ? null : text.slice(0, index.valueStart[node]) + json + text.slice(index.end[node]);
}

function wholeIndex(text: string): JsonIndex {
  const steps = indexJson(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A key may contain dots, so every key that the path begins with is tried. */
function find(index: JsonIndex, holder: number, path: string): number | null {
  if (index.count === 0 || kindOf(index, holder) !== 'object') return null;
  for (const child of childrenOf(index, holder)) {
    const key = decodeString(keyToken(index, child) ?? '""');
    if (key === path) return child;
    const found = path.startsWith(`${key}.`) ? find(index, child, path.slice(key.length + 1)) : null;
    if (found !== null) return found;
  }
  return null;
}

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
