import { ChevronLeft } from 'lucide-react';
import type { BatchPair } from '../../src-preload/batch.ts';
import { useCall } from '../data/calls.ts';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { isOnButton } from '../design/keyboard/key-target.ts';
import { usePlainKeys } from '../design/keyboard/use-keys.ts';
import { comparePair } from '../navigation/go.ts';
import type { ComparedPairs } from '../navigation/shell-store.ts';
import { pairTally, pairText } from '../messages/compare/pane.ts';
import styles from './compare.module.css';

/** How far the pairs of two batches are judged, and the way to the next and the previous one. */
export function PairSteps({ pairs }: { pairs: ComparedPairs }) {
  const { data } = useCall('batch:pair', pairs, { isKeptByEvents: true });
  const next = data === undefined ? null : pairAfter(data);
  const goTo = (at: number | null): void => {
    if (at !== null) void comparePair(pairs, at);
  };
  const previous = pairs.at === 0 ? null : pairs.at - 1;
  usePlainKeys((event) => {
    if (event.key !== 'Enter' || isOnButton(event)) return false;
    goTo(event.shiftKey ? previous : next);
    return true;
  });
  return (
    <div className={styles.pairSteps}>
      {data !== undefined && <span role="status">{pairTally(data)}</span>}
      <IconButton
        label={pairText.previous}
        size="sm"
        keys={['Shift', '↵']}
        icon={<ChevronLeft />}
        disabled={previous === null}
        onClick={() => goTo(previous)}
      />
      <Button
        size="sm"
        keys={['↵']}
        disabledReason={next === null ? pairText.isLast : undefined}
        onClick={() => goTo(next)}
      >
        {pairText.next}
      </Button>
    </div>
  );
}

/** The pair after this one; after the last, the first that is not judged. Null if there is none. Pure. */
export function pairAfter({
  at,
  total,
  firstUnjudged,
}: Pick<BatchPair, 'at' | 'total' | 'firstUnjudged'>): number | null {
  if (at + 1 < total) return at + 1;
  return firstUnjudged === at ? null : firstUnjudged;
}
