import { formatCount } from '../../src-preload/format.ts';
import { Button } from '../design/button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { centreKindNames, centreText } from '../messages/notifications/centre.ts';
import { centreKinds, type CentreFilter, type FilteredCentre } from './notification-rows.ts';
import styles from './notification-centre.module.css';

export interface CentreFilterBarProps {
  filter: CentreFilter;
  /** What is listed with it. */
  listed: Pick<FilteredCentre, 'counts' | 'unseen'>;
  onChange: (filter: CentreFilter) => void;
}

/** Which kinds of notifications the centre lists, and how many there are of each. */
export function CentreFilterBar({ filter, listed: { counts, unseen }, onChange }: CentreFilterBarProps) {
  return (
    <div className={styles.filter}>
      <Segmented
        label={centreText.show}
        size="sm"
        value={filter.kind}
        options={centreKinds.map((kind) => ({
          value: kind,
          label: (
            <>
              {centreKindNames[kind]}
              {counts[kind] > 0 && <span className={styles.count}> {formatCount(counts[kind])}</span>}
            </>
          ),
        }))}
        onChange={(kind) => onChange({ ...filter, kind })}
      />
      <span className="grow" />
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={filter.isUnseenOnly}
        onClick={() => onChange({ ...filter, isUnseenOnly: !filter.isUnseenOnly })}
      >
        {centreText.unseenOnly}
        {unseen > 0 && <span className={styles.count}> {formatCount(unseen)}</span>}
      </Button>
    </div>
  );
}
