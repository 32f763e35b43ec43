import type { JobFilter } from '../../src-preload/history.ts';
import { useCall } from '../data/calls.ts';
import { Tooltip } from '../design/tooltip.tsx';
import { unpricedText, viewCostText } from './cost-messages.ts';
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
        <button type="button" className={className} aria-label={`Cost of this list: not known. ${error.message}`}>
          Cost of this list <span className={valueClass}>not known</span>
        </button>
      </Tooltip>
    );
  const cost = shown === null ? null : viewCostText(shown);
  if (shown === null || cost === null) return null;
  const rest = unpricedText(shown);
  return (
    <Tooltip
      text={
        'Execution time of the jobs in this list by the rate of their endpoints. An estimate.' +
        (rest === '' ? '' : ` Not counted: ${rest}.`)
      }
      side="top"
    >
      <button type="button" className={className} aria-label={`Cost of this list: ${cost}`}>
        Cost of this list <span className={valueClass}>{cost}</span>
      </button>
    </Tooltip>
  );
}
