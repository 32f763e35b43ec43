import type { EndpointFlavour } from '../../src-preload/connection.ts';

/** How much of an output is checked. */
export const guessedFromBytes = 64 * 1024;

/** Files in base64, by their first bytes, and data URLs. */
const image = /data:image\/|"(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR.{7}RUJQ)/;
const audio = /data:audio\/|"(?:SUQz|T2dnU|ZkxhQ|UklGR.{7}QVZF|\/\/[a-zA-Z0-9+/]{2})[A-Za-z0-9+/]{40}/;
/** Numbers enough for a vector, one behind the other. */
const vector = /\[\s*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*,\s*){31}/;
/** What the usual text workers call what they wrote. */
const textKey = /"(?:text|content|generated_text|completion|tokens|message|choices|response|answer)"\s*:/;

/**
 * What an endpoint mostly does, by the beginning of one output as JSON text. `isStreamed`: it came in chunks. Null
 * where the output shows nothing: a number, a short word, an object of the worker's own.
 */
export function guessFlavour(beginning: string, isStreamed: boolean): EndpointFlavour | null {
  if (image.test(beginning)) return 'image';
  if (audio.test(beginning)) return 'audio';
  if (vector.test(beginning)) return 'embedding';
  if (textKey.test(beginning)) return 'text';
  const isStrings = /^\s*(?:\[\s*)?"/.test(beginning);
  return isStrings && (isStreamed || beginning.length > 80) ? 'text' : null;
}
