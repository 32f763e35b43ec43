import { ChevronDown } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { Menu } from '../design/menu.tsx';
import { Segmented } from '../design/segmented.tsx';
import { rangeText } from '../messages/health/pane.ts';
import { useHealth } from './health-store.ts';
import { rangeOf, ranges } from './range.ts';
import styles from './range-choice.module.css';

const shortCount = 5;

/**
 * The choice of a range: the usual ones side by side, a month and a year in a menu. A chosen long one is shown beside
 * the others.
 */
export function RangeChoice() {
  const rangeId = useHealth((state) => state.rangeId);
  const setRange = useHealth((state) => state.setRange);
  const short = ranges.slice(0, shortCount);
  const shown = short.some((range) => range.id === rangeId) ? short : [...short, rangeOf(rangeId)];
  return (
    <div className={styles.choice}>
      <Segmented
        label={rangeText.range}
        value={rangeId}
        options={shown.map(({ id, label }) => ({ value: id, label }))}
        onChange={setRange}
      />
      <Menu
        align="end"
        minWidth={140}
        trigger={
          <Button variant="ghost" size="sm" className={styles.more} aria-label={rangeText.longer}>
            <ChevronDown />
          </Button>
        }
        items={ranges.slice(shortCount).map((range) => ({
          kind: 'item',
          label: range.label,
          isChosen: range.id === rangeId,
          onSelect: () => setRange(range.id),
        }))}
      />
    </div>
  );
}
