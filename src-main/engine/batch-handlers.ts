import type { Handlers } from '../../src-preload/contract.ts';
import type { Jobs } from '../job/engine.ts';

type BatchCall = Exclude<Extract<keyof Handlers, `batch:${string}`>, 'batch:export'>;

/** The contract's calls about batches, but for the one that needs a dialog. */
export function batchHandlers({ batches }: Pick<Jobs, 'batches'>): Pick<Handlers, BatchCall> {
  return {
    'batch:submit': (request) => batches.submit(request),
    'batch:list': ({ connectionId }) => batches.list(connectionId),
    'batch:pause': ({ id }) => batches.setPaused(id, true),
    'batch:resume': ({ id }) => batches.setPaused(id, false),
    'batch:withdraw': ({ id }) => batches.withdraw(id),
    'batch:submitFailed': ({ id }) => batches.submitFailed(id),
  };
}
