import type { RequestLogEntry } from '../../src-main/sandbox/server/request-log.ts';

/** A read of a stream, from the sandbox's request log. */
export type StreamRead = Pick<RequestLogEntry, 'fault' | 'status' | 'sentChunks' | 'replyBytes'>;

/**
 * The chunks, counted from 0 and in order, that a client could read in the answer to one read of a draining stream: all
 * of the answer's chunks, except those that a fault destroyed on the way. `outputs`: the run's chunks as JSON texts, in
 * ASCII. An answer that was cut in the middle has its first chunks whole. An answer that is too long to be read to its
 * end has all chunks except the last one of a bare list, which includes the padding. An answer that is only compressed
 * too much is read to its end.
 */
export function arrivedChunks(read: StreamRead, outputs: readonly string[], isWrapped: boolean): number[] {
  const { fault, status, sentChunks, replyBytes } = read;
  if (sentChunks === null || status !== 200) return [];
  const { from, to, times } = sentChunks;
  const chunks = Array.from({ length: (to - from) * times }, (_, at) => from + Math.floor(at / times));
  switch (fault) {
    case 'status':
    case 'html':
    case 'reset':
    case 'hang':
    case 'drop-after-accept':
    case 'invalid-json':
      return [];
    case 'truncated-json':
      return wholeIn(chunks, outputs, replyBytes, isWrapped);
    case 'huge':
      return isWrapped ? chunks : chunks.filter((_, at) => at < chunks.length - 1);
    case null:
    case 'delay':
    case 'deep':
    case 'large':
    case 'compressed':
    case 'late-in-progress':
    case 'unknown-status':
    case 'duplicate-chunks':
    case 'replay-chunks':
    case 'drop-webhook':
    case 'clock-skew':
      return chunks;
  }
}

/** The chunks of an answer that are, with the comma after them, in the half that was sent. */
function wholeIn(
  chunks: readonly number[],
  outputs: readonly string[],
  sentBytes: number,
  isWrapped: boolean,
): number[] {
  const lengths = chunks.map((chunk) => `{"output":${outputs[chunk] ?? ''}},`.length);
  const listLength = lengths.reduce((sum, length) => sum + length, 0) + (chunks.length === 0 ? 2 : 1);
  // `{"status":"…","stream":[…]}`: the text before the list is the rest of the whole answer.
  let end = isWrapped ? 2 * sentBytes - listLength : 1;
  return chunks.filter((_, at) => {
    end += lengths[at] ?? 0;
    return end <= sentBytes;
  });
}
