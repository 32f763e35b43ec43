import { maxBatchRows } from '../../src-preload/batch.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok, type Failure } from '../../src-preload/failure.ts';
import { foundInHistory, fromHistory, type History } from '../history/history.ts';
import type { Jobs } from '../job/jobs.ts';
import { historyText } from '../messages/history.ts';
import { requestText } from '../messages/engine.ts';

type BatchCall = Extract<keyof Handlers, `batch:${string}`>;

const tooManyRows: Failure = { kind: 'refused', field: 'inputs', message: requestText.tooManyRows };

/** Handlers of the calls about batches. */
export interface BatchCalls {
  handlers: Pick<Handlers, BatchCall>;
  /** Drops the inputs that the window sent but never submitted. */
  windowClosed: (windowId: number) => void;
}

/** Creates the handlers. Inputs that a window sends in parts are collected until the last one. */
export function createBatchCalls(
  { batches }: Pick<Jobs, 'batches'>,
  history: Pick<History, 'batchPair' | 'jobCells' | 'jobImage'>,
): BatchCalls {
  const staged = new Map<number, string[]>();

  return {
    handlers: {
      'batch:stage': ({ isFirst, inputs }, { windowId }) => {
        const all = isFirst ? [] : (staged.get(windowId) ?? []);
        if (all.length + inputs.length > maxBatchRows) {
          staged.delete(windowId);
          return failed(tooManyRows);
        }
        for (const input of inputs) all.push(input);
        staged.set(windowId, all);
        return ok(null);
      },
      'batch:submit': (request, { windowId }) => {
        const before = request.isStaged === true ? (staged.get(windowId) ?? []) : [];
        staged.delete(windowId);
        const inputs = [...before, ...request.inputs];
        if (inputs.length === 0) return failed({ kind: 'refused', field: 'inputs', message: requestText.noRows });
        if (inputs.length > maxBatchRows) return failed(tooManyRows);
        return batches.submit({ ...request, inputs });
      },
      'batch:list': ({ connectionId }) => batches.list(connectionId),
      'batch:pair': ({ batchId, withId, at }) =>
        foundInHistory(history.batchPair(batchId, withId, at), historyText.noCommonRows),
      'batch:cells': ({ keys }) => fromHistory(history.jobCells(keys)),
      'batch:image': ({ key }) => fromHistory(history.jobImage(key)),
      'batch:rename': ({ id, name }) => batches.rename(id, name),
      'batch:pause': ({ id }) => batches.setPaused(id, true),
      'batch:resume': ({ id, isUndo }) => batches.setPaused(id, false, isUndo),
      'batch:withdraw': ({ id }) => batches.withdraw(id),
      'batch:submitFailed': ({ id }) => batches.submitFailed(id),
    },
    windowClosed: (windowId) => void staged.delete(windowId),
  };
}
