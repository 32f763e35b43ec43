import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import { classes } from '../design/class-names.ts';
import { Meter } from '../design/meter.tsx';
import { useClosures, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { budgetRows } from './budget-rows.ts';
import { refusedFigures } from '../messages/data/closures.ts';
import { budgetText } from '../messages/health/endpoint.tsx';
import card from './card.module.css';
import styles from './budget-card.module.css';

/** How much of the endpoint's rate limits Jobdeck uses (spec: Limits; ruling 21). */
export function BudgetCard({ connectionId, endpointId }: EndpointRef) {
  const budgets = useSession((state) => state.tracker?.budgets);
  const share = useSession((state) => state.settings.rateShare);
  const readAtMs = useSession((state) => state.trackerReadAtMs);
  const isHeld = budgets?.some((budget) => budget.heldUntilMs !== null) === true;
  const nowMs = useNow(isHeld ? 1_000 : 5_000);
  const closures = useClosures(connectionId);
  const rows = budgetRows(budgets ?? [], { connectionId, endpointId }, { share, nowMs, readAtMs, closures });
  return (
    <section className={card.block} aria-label={budgetText.title}>
      <div className={card.head}>
        <h3>{budgetText.title}</h3>
      </div>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.operation} className={styles.row}>
            <span className="t2">{row.operation}</span>
            <Meter
              label={budgetText.meter(row.operation, row.spent, row.allowed, row.limit)}
              value={row.spent}
              max={row.allowed}
              width={64}
            />
            {row.closure !== null ? (
              <span className={classes(styles.figures, styles.held)} title={row.closure.serviceSaid ?? undefined}>
                {refusedFigures(row.closure, nowMs)}
              </span>
            ) : row.heldForS === null ? (
              <span className={styles.figures}>{budgetText.figures(row.spent, row.allowed, row.limit)}</span>
            ) : (
              <span className={classes(styles.figures, styles.held)}>{budgetText.nextIn(row.heldForS)}</span>
            )}
          </li>
        ))}
      </ul>
      <p className={card.note}>{budgetText.note(share)}</p>
    </section>
  );
}
