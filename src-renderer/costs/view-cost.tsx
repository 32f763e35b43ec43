import type { JobFilter } from '../../src-preload/history.ts';
import { useCall } from '../data/calls.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { listCostText, unpricedText, viewCostText } from '../messages/costs/list-cost.ts';
import { useRates } from './rates.ts';

interface ViewCostProps {
  filter: JobFilter;
  className?: string | undefined;
  valueClass?: string | undefined;
}

/** The cost of a list's jobs, in the status bar. Nothing while no endpoint of the connection has a rate. */
export function ViewCost({ filter, className, valueClass }: ViewCostProps) {
  const hasRates =
    useRates().data?.some(
      (cost) => cost.rates.length > 0 && (filter.connectionId === null || cost.connectionId === filter.connectionId),
    ) === true;
  const { data: shown = null, error } = useCall('cost:ofFilter', hasRates ? { filter } : null);
  if (error !== null && shown === null)
    return (
      <Tooltip text={error.message} side="top">
        <button type="button" className={className} aria-label={listCostText.notKnownBecause(error.message)}>
          {listCostText.title} <span className={valueClass}>{listCostText.notKnown}</span>
        </button>
      </Tooltip>
    );
  const cost = shown === null ? null : viewCostText(shown);
  if (shown === null || cost === null) return null;
  const rest = unpricedText(shown);
  return (
    <Tooltip
      text={rest === '' ? listCostText.hint : `${listCostText.hint} ${listCostText.notCounted(rest)}`}
      side="top"
    >
      <button type="button" className={className} aria-label={listCostText.titleOf(cost)}>
        {listCostText.title} <span className={valueClass}>{cost}</span>
      </button>
    </Tooltip>
  );
}
