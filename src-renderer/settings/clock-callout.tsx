import type { RetentionRule } from '../../src-preload/settings.ts';
import { deletesSomething } from '../../src-preload/storage.ts';
import { useCall } from '../data/calls.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { clockDoubtText, clockDoubtWords } from '../messages/settings/storage.tsx';

/** The answer of a service can end the doubt at any time while the page is open. */
const readEveryMs = 5_000;

/** Says that nothing is deleted because of the clock, if so. `onReview` shows what would be deleted now. */
export function ClockCallout({ rule, onReview }: { rule: RetentionRule; onReview: (() => void) | null }) {
  const { data: doubt } = useCall('storage:clockDoubt', undefined, { everyMs: readEveryMs });
  if (doubt === undefined || doubt === null || !deletesSomething(rule)) return null;
  const { title, text } = clockDoubtWords(doubt);
  return (
    <Callout
      tone="warning"
      title={title}
      actions={onReview === null ? undefined : <Button onClick={onReview}>{clockDoubtText.deleteNow}</Button>}
    >
      {text}
    </Callout>
  );
}
