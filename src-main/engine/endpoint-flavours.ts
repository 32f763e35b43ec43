import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import { guessFlavour, guessedFromBytes } from '../connection/guess-flavour.ts';
import type { Connections } from '../connection/connections.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';

export interface FlavourParts {
  connections: Pick<Connections, 'isFlavourUnknown' | 'learnFlavour'>;
  history: Pick<History, 'body'>;
  log: Log;
}

/** Guesses the kind of an endpoint from its first outputs, unless the user chose one. Only the icon depends on it. */
export async function learnFlavour({ connections, history, log }: FlavourParts, job: Job): Promise<void> {
  const { key, connectionId, endpointId, status } = job;
  try {
    if (status !== 'COMPLETED' || !(await connections.isFlavourUnknown(connectionId, endpointId))) return;
    const output = await history.body(key, 'output', null, guessedFromBytes);
    const flavour = output === null ? null : guessFlavour(output.text, job.chunkCount > 0);
    if (flavour !== null) await connections.learnFlavour(connectionId, endpointId, flavour);
  } catch (error) {
    log.warn('what an endpoint does was not learned', { endpointId, detail: errorText(error) });
  }
}
