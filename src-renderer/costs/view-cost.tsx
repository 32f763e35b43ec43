import { useEffect, useState } from 'react';
import type { ViewCost as Cost } from '../../src-preload/cost.ts';
import type { JobFilter } from '../../src-preload/history.ts';
import { call, on } from '../bridge.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { unpricedWords, viewCostWords } from './cost-words.ts';
import { useCosts, useRates } from './costs-store.ts';

/** Jobs that end change the sum; it is added up again at most this often. */
const againMs = 5_000;
/** Over a million jobs it takes a while, in the thread that also saves: it rests so many times as long. */
const restPerWork = 20;

/** What the jobs of a list cost together, in the status bar; nothing while no endpoint of its connection has a rate. */
export function ViewCost({
  filter,
  className,
  valueClass,
}: {
  filter: JobFilter;
  className?: string | undefined;
  valueClass?: string | undefined;
}) {
  useRates();
  const hasRates = useCosts((state) =>
    Object.values(state.costs).some(
      (cost) => cost.rates.length > 0 && (filter.connectionId === null || cost.connectionId === filter.connectionId),
    ),
  );
  const [cost, setCost] = useState<{ of: JobFilter; cost: Cost } | null>(null);
  useEffect(() => {
    if (!hasRates) return undefined;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let tookMs = 0;
    const read = async (): Promise<void> => {
      const startedMs = performance.now();
      const result = await call('cost:ofFilter', { filter });
      tookMs = performance.now() - startedMs;
      if (isCurrent && result.ok) setCost({ of: filter, cost: result.value });
    };
    const readSoon = (): void => {
      timer ??= setTimeout(
        () => {
          timer = null;
          void read();
        },
        Math.max(againMs, tookMs * restPerWork),
      );
    };
    void read();
    const ends = [
      on('job:changed', ({ jobs }) => {
        if (jobs.some((job) => job.finishedSeenAtMs !== null || job.startedSeenAtMs !== null)) readSoon();
      }),
      on('cost:changed', () => void read()),
    ];
    return () => {
      isCurrent = false;
      if (timer !== null) clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [filter, hasRates]);
  const shown = hasRates && cost !== null && cost.of === filter ? cost.cost : null;
  const words = shown === null ? null : viewCostWords(shown);
  if (shown === null || words === null) return null;
  const rest = unpricedWords(shown);
  return (
    <Tooltip
      text={
        'Execution time of the jobs in this list by the rate of their endpoints. An estimate.' +
        (rest === '' ? '' : ` Not counted: ${rest}.`)
      }
      side="top"
    >
      <button type="button" className={className} aria-label={`Cost of this list: ${words}`}>
        Cost of this list <span className={valueClass}>{words}</span>
      </button>
    </Tooltip>
  );
}
