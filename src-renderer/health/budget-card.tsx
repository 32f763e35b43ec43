import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { Meter } from '../design/meter.tsx';
import { useClosures, useNow, useSession } from '../data/session-store.ts';
import { budgetRows } from './budget-rows.ts';
import { refusedFigures } from '../data/budget.ts';
import card from './card.module.css';
import styles from './budget-card.module.css';

/** How much of the endpoint's rate limits Jobdeck uses (spec: Limits; ruling 21). */
export function BudgetCard({ connectionId, endpointId }: { connectionId: string; endpointId: string }) {
  const budgets = useSession((state) => state.tracker?.budgets);
  const share = useSession((state) => state.settings.rateShare);
  const readAtMs = useSession((state) => state.trackerReadAtMs);
  const isHeld = budgets?.some((budget) => budget.heldUntilMs !== null) === true;
  const nowMs = useNow(isHeld ? 1_000 : 5_000);
  const closures = useClosures(connectionId);
  const rows = budgetRows(budgets ?? [], closures, { connectionId, endpointId }, share, nowMs, readAtMs);
  return (
    <section className={card.block} aria-label="Request budget">
      <div className={card.head}>
        <h3>Request budget</h3>
      </div>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.operation} className={styles.row}>
            <span className="t2">{row.operation}</span>
            <Meter
              label={
                `${row.operation}: ${row.spent} of ${row.allowed} used per 10 s, ${row.limit} allowed by the ` +
                'service'
              }
              value={row.spent}
              max={row.allowed}
              width={64}
            />
            {row.closure !== null ? (
              <span className={classes(styles.figures, styles.held)} title={row.closure.said ?? undefined}>
                {refusedFigures(row.closure, nowMs)}
              </span>
            ) : row.heldForS === null ? (
              <span className={styles.figures}>
                <b>{formatCount(row.spent)}</b> / {formatCount(row.allowed)} of {formatCount(row.limit)}
              </span>
            ) : (
              <span className={classes(styles.figures, styles.held)}>next in {row.heldForS} s</span>
            )}
          </li>
        ))}
      </ul>
      <p className={card.note}>
        {`Used / our share of the limit per 10 s. Our share is ${Math.round(share * 100)}\u00a0% (1 purge). ` +
          'After a 429 the wait doubles.'}
      </p>
    </section>
  );
}
