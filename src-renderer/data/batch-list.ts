import type { Batch } from '../../src-preload/batch.ts';
import { answerOf, changeAnswers } from './calls.ts';
import { useJobs } from './jobs-store.ts';
import { currentConnection, useSession } from './session-store.ts';

/** Applies changed batches, from an event or from the answer to a change. */
export function takeBatches(changed: readonly Batch[]): void {
  for (const [connectionId, batches] of Map.groupBy(changed, (batch) => batch.connectionId)) {
    const known = answerOf('batch:list', { connectionId });
    const isNew =
      known !== undefined && batches.some(({ id, total }) => total > 0 && !known.some((one) => one.id === id));
    changeAnswers('batch:list', { connectionId }, (before) => {
      const byId = new Map([...before, ...batches].map((batch) => [batch.id, batch]));
      // A batch whose last row was deleted is no longer listed.
      return [...byId.values()].filter(({ total }) => total > 0).toSorted((a, b) => (a.id < b.id ? 1 : -1));
    });
    // The rows of a new batch are in the history. Only the newest come with an event.
    if (isNew && connectionId === currentConnection(useSession.getState())?.id) void useJobs.getState().reload();
  }
}
