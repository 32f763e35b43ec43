/** A place to cut a text, at most `at`, that is not inside a surrogate pair. */
function cutPoint(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const isInsidePair = at < text.length && unit >= 0xd800 && unit <= 0xdbff;
  return isInsidePair && at > 1 ? at - 1 : at;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Cuts a text so that each piece, as a JSON string, has at most `maxBytes` (14 or more: one escaped pair). */
function cutText(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > 0) {
    let length = cutPoint(rest, Math.min(rest.length, maxBytes));
    for (let bytes = jsonBytes(rest.slice(0, length)); bytes > maxBytes; bytes = jsonBytes(rest.slice(0, length))) {
      // Escapes make the bytes per character uneven: shrink in proportion, a little further than needed.
      length = Math.max(1, cutPoint(rest, Math.floor((length * maxBytes * 0.98) / bytes)));
    }
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}

function isTextOutput(output: unknown): output is { text: string[] } {
  return (
    typeof output === 'object' &&
    output !== null &&
    'text' in output &&
    Array.isArray(output.text) &&
    output.text.every((entry) => typeof entry === 'string')
  );
}

/**
 * One streamed output as JSON texts of at most `maxBytes` each (spec: Queue operations, stream; larger output is
 * split). A string is cut into strings, a text generator's `{text: [...]}` into several of the same form; anything else
 * into pieces of its JSON text. `undefined` becomes null.
 */
export function splitOutput(output: unknown, maxBytes: number): string[] {
  const json = JSON.stringify(output) ?? 'null';
  // A JSON text has at most 3 bytes per UTF-16 unit; most outputs are small and need no counting.
  if (json.length * 3 <= maxBytes || Buffer.byteLength(json) <= maxBytes) return [json];
  if (typeof output === 'string') return cutText(output, maxBytes).map((piece) => JSON.stringify(piece));
  if (isTextOutput(output)) {
    const room = maxBytes - jsonBytes({ ...output, text: [''] });
    if (room > maxBytes / 2) {
      return output.text
        .flatMap((entry) => cutText(entry, room))
        .map((piece) => JSON.stringify({ ...output, text: [piece] }));
    }
  }
  return cutText(json, maxBytes).map((piece) => JSON.stringify(piece));
}
