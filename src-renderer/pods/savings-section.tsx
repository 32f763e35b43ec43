import { BadgePercent } from 'lucide-react';
import { type Pod, type SavingsPlan, readTimestamp } from '../../src-preload/pod.ts';
import { useNow } from '../data/use-now.ts';
import { savingsText } from '../messages/pods/cost.ts';
import { formatPrice } from '../messages/pods/values.ts';
import { FieldNote, FieldShell, FieldValue } from './field.tsx';
import { useShownPod } from './pod-context.ts';
import { podFields, savingsPlanFields } from './pod-fields.ts';
import { Section } from './section.tsx';
import styles from './savings-section.module.css';

/** How much of a savings plan has passed. */
interface PlanProgress {
  startMs: number | null;
  endMs: number | null;
  /** From 0 to 1. Null if a time is missing or cannot be read. */
  fraction: number | null;
  usedMs: number | null;
  leftMs: number | null;
}

/** How much of a savings plan had passed at `atMs`, when the pod was read: since then it may have ended or changed. */
export function planProgress(plan: Pick<SavingsPlan, 'startTime' | 'endTime'>, atMs: number): PlanProgress {
  const startMs = plan.startTime == null ? null : readTimestamp(plan.startTime);
  const endMs = plan.endTime == null ? null : readTimestamp(plan.endTime);
  const isSpan = startMs !== null && endMs !== null && endMs > startMs;
  return {
    startMs,
    endMs,
    fraction: isSpan ? Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs))) : null,
    usedMs: startMs === null ? null : Math.max(0, atMs - startMs),
    leftMs: endMs === null ? null : Math.max(0, endMs - atMs),
  };
}

/** The savings plans, each with its progress and its last day. */
export function SavingsSection() {
  const { reply, readAtMs } = useShownPod();
  const plans = reply.pod.savingsPlans ?? [];
  const note = (
    <FieldNote info={podFields.savingsPlans} path="savingsPlans">
      {savingsText.active(plans.length)}
    </FieldNote>
  );
  return (
    <Section title={savingsText.title} icon={<BadgePercent />} note={note}>
      {plans.map((plan, index) => (
        <Plan key={index} plan={plan} pod={reply.pod} readAtMs={readAtMs} path={`savingsPlans.${index}`} />
      ))}
    </Section>
  );
}

interface PlanProps {
  plan: SavingsPlan;
  pod: Pod;
  readAtMs: number;
  path: string;
}

function Plan({ plan, pod, readAtMs, path }: PlanProps) {
  const nowMs = useNow(30_000);
  const { startMs, endMs, fraction, usedMs, leftMs } = planProgress(plan, readAtMs);
  const gpu = pod.gpu?.id === plan.gpuTypeId ? (pod.gpu?.displayName ?? plan.gpuTypeId) : plan.gpuTypeId;
  const isOver = leftMs === 0;
  return (
    <div className={styles.plan} role="group" aria-label={savingsText.plan(plan.id ?? '')}>
      <div className={styles.head}>
        <FieldNote info={savingsPlanFields.gpuTypeId} path={`${path}.gpuTypeId`}>
          <span className="m">{gpu}</span>
        </FieldNote>
        <FieldNote info={savingsPlanFields.costPerHr} path={`${path}.costPerHr`}>
          <span className="m">{formatPrice(plan.costPerHr ?? 0)}</span>{' '}
          <span className="t3">{savingsText.creditsPerHour}</span>
        </FieldNote>
      </div>
      {fraction !== null && (
        <div
          className={styles.bar}
          role="progressbar"
          aria-label={savingsText.usedPart}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(fraction * 100)}
        >
          <span className={styles.fill} style={{ width: `${(fraction * 100).toFixed(1)}%` }} />
          <span className={styles.mark} style={{ left: `${(fraction * 100).toFixed(1)}%` }} />
        </div>
      )}
      <div className={styles.foot}>
        <FieldNote info={savingsPlanFields.startTime} path={`${path}.startTime`}>
          <span title={plan.startTime ?? undefined}>
            {startMs === null ? savingsText.from(String(plan.startTime)) : savingsText.began(startMs, nowMs)}
          </span>
        </FieldNote>
        <span className="t2">
          {usedMs === null || leftMs === null
            ? ''
            : isOver
              ? savingsText.over
              : savingsText.usedAndLeft(usedMs, leftMs, nowMs - readAtMs)}
        </span>
        <FieldNote info={savingsPlanFields.endTime} path={`${path}.endTime`}>
          <span title={plan.endTime ?? undefined}>
            {endMs === null
              ? savingsText.until(String(plan.endTime))
              : savingsText.ends(endMs, nowMs, isOver, pod.costPerHr ?? null)}
          </span>
        </FieldNote>
      </div>
      <div className={styles.ids}>
        <FieldShell info={savingsPlanFields.id} path={`${path}.id`} className={styles.id}>
          <span className="t3">{savingsText.id}</span>
          <FieldValue info={savingsPlanFields.id} path={`${path}.id`} />
        </FieldShell>
        <FieldShell info={savingsPlanFields.podId} path={`${path}.podId`} className={styles.id}>
          <span className="t3">{savingsText.forPod}</span>
          <FieldValue info={savingsPlanFields.podId} path={`${path}.podId`} />
        </FieldShell>
      </div>
    </div>
  );
}
