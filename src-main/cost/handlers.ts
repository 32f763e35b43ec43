import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import type { Costs } from './costs.ts';

type CostCall = Extract<keyof Handlers, `cost:${string}`>;

/** The contract's calls about rates and costs. */
export function costHandlers(costs: Costs): Pick<Handlers, CostCall> {
  return {
    'cost:list': ({ connectionId }) => ok(costs.list(connectionId)),
    'cost:setRate': (change) => costs.setRate(change),
    'cost:setLimits': (change) => costs.setLimits(change),
    'cost:ofFilter': ({ filter }) => costs.ofFilter(filter),
    'cost:ofEndpoint': (of) => costs.ofEndpoint(of),
  };
}
