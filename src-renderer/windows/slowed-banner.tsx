import { Gauge } from 'lucide-react';
import { useState } from 'react';
import type { Budget } from '../../src-preload/app.ts';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { formatRoundDuration } from '../../src-preload/format.ts';
import { slowedText } from '../messages/windows/states.tsx';
import { backoffLadder, slowedLane, stillWorks } from './backoff-ladder.ts';
import styles from './slowed-banner.module.css';

/** Shows that the service limits the rate of an operation (429), when it is tried again, and what still works. */
export function SlowedBanner({ connection }: { connection: Connection }) {
  const budgets = useSession((state) => state.tracker?.budgets) ?? [];
  const lane = slowedLane(budgets, connection.id);
  return lane === null ? null : (
    <Slowed lane={lane} connection={connection} rest={stillWorks(budgets, connection.id)} />
  );
}

function Slowed({ lane, connection, rest }: { lane: Budget; connection: Connection; rest: string }) {
  const [isOpen, setOpen] = useState(false);
  const nowMs = useNow(isOpen ? 250 : 1_000);
  const seconds = Math.max(0, Math.ceil(((lane.heldUntilMs ?? 0) - nowMs) / 1_000));
  return (
    <Banner
      tone="warning"
      isOpen={isOpen}
      icon={<Gauge />}
      title={slowedText.title}
      text={
        <>
          {seconds > 0 ? slowedText.nextIn(lane.operation, seconds) : slowedText.tryingAgain(lane.operation)} {rest}
          {isOpen && <Ladder lane={lane} connection={connection} nowMs={nowMs} />}
        </>
      }
      actions={
        <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? slowedText.hideDetails : slowedText.details}
        </Button>
      }
    />
  );
}

/** The waits so far, and how much of the current one is over. */
function Ladder({ lane, connection, nowMs }: { lane: Budget; connection: Connection; nowMs: number }) {
  const { steps, done } = backoffLadder(lane, nowMs);
  const endpoint = endpointName(findEndpoint([connection], connection.id, lane.endpointId));
  return (
    <span className={styles.ladder}>
      <span className={styles.head}>
        <span>{slowedText.backOff(lane.operation, endpoint)}</span>
        <span className="num">{slowedText.inARow(lane.backoffStep)}</span>
      </span>
      <span className={styles.steps}>
        {steps.map(({ step, waitMs, isCurrent }) => (
          <span
            key={step}
            className={isCurrent ? styles.current : styles.step}
            style={{ flexGrow: Math.max(1, Math.sqrt(waitMs)) }}
          >
            {isCurrent && <span className={styles.done} style={{ width: `${Math.round(done * 100)}%` }} />}
            <span className={styles.label}>{isCurrent ? tenths(waitMs) : slowedText.upTo(tenths(waitMs))}</span>
          </span>
        ))}
      </span>
    </span>
  );
}

/** A wait in tenths of a second. */
function tenths(ms: number): string {
  return formatRoundDuration(Math.round(ms / 100) * 100);
}
