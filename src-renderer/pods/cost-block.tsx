import { ChevronDown } from 'lucide-react';
import { endpointName, type Endpoint } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Menu } from '../design/menu/menu.tsx';
import { toast } from '../design/toast.tsx';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { costRateText, costText } from '../messages/pods/cost.ts';
import { formatPrice } from '../messages/pods/values.ts';
import { FieldShell, FieldValue } from './field.tsx';
import { podFields } from './pod-fields.ts';
import { podCost } from './pod-cost.ts';
import { useShownPod } from './pod-context.ts';
import styles from './cost-block.module.css';

/** Credits per hour (list and adjusted price), and what the pod has cost since its last start. */
export function CostBlock() {
  const { reply, readAtMs } = useShownPod();
  const { pod } = reply;
  const nowMs = useNow(30_000);
  const cost = podCost(pod, readAtMs);
  const max = Math.max(cost.listPerHr ?? 0, cost.adjustedPerHr ?? 0);
  const plans = pod.savingsPlans?.length ?? null;
  return (
    <section className={styles.block} aria-label={costText.title}>
      <div className={styles.head}>
        {cost.paid === null ? (
          <span className={styles.unknown}>{costText.notReported}</span>
        ) : (
          <>
            <span className={styles.figure}>{formatPrice(cost.paid.perHr)}</span>
            <span className={styles.unit}>{costText.creditsPerHour}</span>
          </>
        )}
      </div>
      <div className={styles.bars}>
        <PriceBar name="costPerHr" max={max} isList />
        <PriceBar name="adjustedCostPerHr" max={max} />
      </div>
      {cost.savedPerHr !== null && cost.savedPerHr !== 0 && (
        <p className={styles.line}>
          <span>{cost.savedPerHr < 0 ? costText.aboveList : costText.savedByPlans(plans)}</span>
          <span className={styles.sum}>{costText.saved(Math.abs(cost.savedPerHr), cost.listPerHr)}</span>
        </p>
      )}
      {cost.sinceStart.kind === 'known' ? (
        <p className={styles.line}>
          <span>{costText.sinceStartFor(cost.sinceStart.elapsedMs, nowMs - readAtMs)}</span>
          <span className={styles.sum}>
            {costText.sum(cost.sinceStart.credits)}
            <span className="visually-hidden"> {costText.credits}</span>
          </span>
        </p>
      ) : (
        <p className={styles.line}>
          <span>{costText.sinceStart}</span>
          <span className={styles.why}>{costText.unknown(cost.sinceStart.why)}</span>
        </p>
      )}
      {cost.paid !== null && cost.paid.perHr > 0 && (
        <UseAsRate creditsPerHour={cost.paid.perHr} field={cost.paid.field} />
      )}
    </section>
  );
}

/** Saves the pod's price as the rate of an endpoint's workers. The endpoint the pod works for is offered first. */
function UseAsRate({ creditsPerHour, field }: { creditsPerHour: number; field: 'adjustedCostPerHr' | 'costPerHr' }) {
  const { reply, connectionId, podId, readAtMs } = useShownPod();
  const endpoints = useSession((state) => state.connections.find((one) => one.id === connectionId)?.endpoints ?? none);
  if (endpoints.length === 0) return null;
  const own = reply.pod.endpointId;
  const setRate = async (endpointId: string, name: string): Promise<void> => {
    const result = await call('cost:setRate', {
      connectionId,
      endpointId,
      creditsPerHour,
      source: { kind: 'pod', podId, readAtMs, field },
    });
    toast(result.ok ? costRateText.saved(name, creditsPerHour) : result.failure.message);
  };
  return (
    <Menu
      trigger={
        <Button size="sm" className={styles.use} icon={<ChevronDown />}>
          {costRateText.use}
        </Button>
      }
      items={[...endpoints]
        .sort((a, b) => Number(b.id === own) - Number(a.id === own))
        .map((endpoint) => ({
          kind: 'item',
          label: endpointName(endpoint),
          note: endpoint.id === own ? costRateText.itsEndpoint : undefined,
          onSelect: () => void setRate(endpoint.id, endpointName(endpoint)),
        }))}
    />
  );
}

const none: readonly Endpoint[] = [];

function PriceBar({ name, max, isList }: { name: 'costPerHr' | 'adjustedCostPerHr'; max: number; isList?: boolean }) {
  const { reply } = useShownPod();
  const price = reply.pod[name] ?? null;
  const info = podFields[name];
  return (
    <FieldShell info={info} path={name} className={styles.bar}>
      <span className={styles.label}>{info.label}</span>
      {price === null ? (
        <span className={styles.missing}>
          <FieldValue info={info} path={name} />
        </span>
      ) : (
        <>
          <span className={styles.track} aria-hidden="true">
            <span
              className={classes(styles.fill, isList === true && styles.list)}
              style={{ width: `${max > 0 ? Math.max(0, (price / max) * 100) : 0}%` }}
            />
          </span>
          <span className={styles.price}>{formatPrice(price)}</span>
        </>
      )}
    </FieldShell>
  );
}
