import { formatCount } from '../../src-preload/format.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Segmented } from '../design/segmented.tsx';
import { centreKindNames, centreText } from '../messages/notifications/centre.ts';
import { centreKinds, type CentreFilter, type FilteredCentre } from './notification-rows.ts';
import styles from './notification-centre.module.css';

export interface CentreFilterBarProps {
  filter: CentreFilter;
  /** False until the counts are known. The bar then appears as it stays. */
  isRead: boolean;
  /** What is listed with it. */
  listed: Pick<FilteredCentre, 'counts' | 'unseen'>;
  onChange: (filter: CentreFilter) => void;
}

/** Which kinds of notifications the centre lists, and how many there are of each. */
export function CentreFilterBar({ filter, isRead, listed: { counts, unseen }, onChange }: CentreFilterBarProps) {
  return (
    <div className={classes(styles.filter, !isRead && styles.unread)}>
      <Segmented
        label={centreText.show}
        size="sm"
        value={filter.kind}
        options={centreKinds.map((kind) => ({
          value: kind,
          label: <Counted name={centreKindNames[kind]} count={counts[kind]} />,
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
        <Counted name={centreText.unseenOnly} count={unseen} />
      </Button>
    </div>
  );
}

/** A name with its number. What has none keeps no room for one. */
function Counted({ name, count }: { name: string; count: number }) {
  if (count === 0) return <span>{name}</span>;
  return (
    <span>
      {name} <span className={styles.count}>{formatCount(count)}</span>
    </span>
  );
}
