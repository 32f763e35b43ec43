import type { QueueOperation } from '../../../src-main/service/reply.ts';
import { RateGovernor, type Lane, type RateShare } from '../../../src-main/service/rate-governor.ts';

export const lane = (operation: QueueOperation, endpointId = 'text'): Lane => ({
  connectionId: 'main',
  endpointId,
  operation,
});
export const governorAt = (share: RateShare): RateGovernor =>
  new RateGovernor({ share: () => share, random: () => 0.5 });
export const defaults: RateShare = { rateShare: 0.25, concurrencyShare: 0.5 };

/** More than any limit: a governor that lets everything through fails a test soon. */
export const endless = 5_000;

/** How many requests may be sent and answered one after another at `nowMs`. */
export function drain(governor: RateGovernor, on: Lane, nowMs: number): number {
  let begun = 0;
  while (begun < endless && governor.begin(on, nowMs)) {
    governor.end(on, { kind: 'answered' }, nowMs);
    begun += 1;
  }
  return begun;
}
