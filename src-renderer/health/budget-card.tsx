import { classes } from '../design/class-names.ts';
import { formatCount } from '../design/format.ts';
import { Meter } from '../design/meter.tsx';
import { useNow, useSession } from '../session/session-store.ts';
import { budgetRows } from './budget-rows.ts';
import card from './card.module.css';
import styles from './budget-card.module.css';

/** What Jobdeck spends of the endpoint's rate limits (spec: Limits; ruling 21). */
export function BudgetCard({ connectionId, endpointId }: { connectionId: string; endpointId: string }) {
  const budgets = useSession((state) => state.tracker?.budgets);
  const share = useSession((state) => state.settings.rateShare);
  const readAtMs = useSession((state) => state.trackerReadAtMs);
  const isHeld = budgets?.some((budget) => budget.heldUntilMs !== null) === true;
  const nowMs = useNow(isHeld ? 1_000 : 5_000);
  const rows = budgetRows(budgets ?? [], { connectionId, endpointId }, share, nowMs, readAtMs);
  return (
    <section className={card.block} aria-label="Request budget">
      <div className={card.head}><h3>Request budget</h3></div>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.operation} className={styles.row}>
            <span className="t2">{row.operation}</span>
            <Meter label={`${row.operation}: ${row.spent} of ${row.allowed} per 10 s`} value={row.spent} max={row.allowed} width={84} />
            {row.heldForS === null
              ? <span className={styles.figures}><b>{formatCount(row.spent)}</b> / {formatCount(row.allowed)}</span>
              : <span className={classes(styles.figures, styles.held)}>next in {row.heldForS} s</span>}
          </li>
        ))}
      </ul>
      <p className={card.note}>{`Per 10 s, ${Math.round(share * 100)} % of the service's limits. A 429 starts a back-off, doubling.`}</p>
    </section>
  );
}
