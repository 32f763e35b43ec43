import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import type { Connections } from '../connection/connections.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { EndpointFlavour } from '../../src-preload/connection.ts';

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

/** How much of an output is checked. */
const guessedFromBytes = 64 * 1024;

/** Files in base64, recognised by their first bytes, and data URLs. */
const image = /data:image\/|"(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR.{7}RUJQ)/;
const audio = /data:audio\/|"(?:SUQz|T2dnU|ZkxhQ|UklGR.{7}QVZF|\/\/[a-zA-Z0-9+/]{2})[A-Za-z0-9+/]{40}/;
/** A series of numbers long enough for a vector. */
const vector = /\[\s*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*,\s*){31}/;
/** The field names that text workers usually use. */
const textKey = /"(?:text|content|generated_text|completion|tokens|message|choices|response|answer)"\s*:/;

/**
 * The kind of an endpoint, guessed from the beginning of one output as JSON text. `isStreamed`: it came in chunks. Null
 * if the output does not show it: a number, a short word, a custom object.
 */
export function guessFlavour(beginning: string, isStreamed: boolean): EndpointFlavour | null {
  if (image.test(beginning)) return 'image';
  if (audio.test(beginning)) return 'audio';
  if (vector.test(beginning)) return 'embedding';
  if (textKey.test(beginning)) return 'text';
  const isStrings = /^\s*(?:\[\s*)?"/.test(beginning);
  return isStrings && (isStreamed || beginning.length > 80) ? 'text' : null;
}
