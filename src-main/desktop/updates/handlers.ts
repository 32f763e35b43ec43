import type { Handlers } from '../../../src-preload/contract.ts';
import { ok } from '../../../src-preload/failure.ts';
import type { Updates } from './updates.ts';

/** Handlers of the calls about updates. */
export function updateHandlers(updates: Updates): Pick<Handlers, Extract<keyof Handlers, `update:${string}`>> {
  return {
    'update:state': () => ok(updates.state()),
    'update:check': async () => ok(await updates.check()),
    'update:download': () => updates.download(),
    'update:restart': () => updates.restart(),
  };
}
