/** What arrived of a reply, and how its arriving ended. */
export interface ReplyBody {
  text: string;
  end: { kind: 'whole' } | { kind: 'cut' } | { kind: 'broken'; error: unknown };
}

/**
 * Reads a reply's body as UTF-8, up to `limitBytes` (counted after decompression, so that a small reply cannot become
 * a huge one). What had arrived is answered also when the rest does not come. `onBytes` is told the count so far.
 */
export async function readReplyBody(response: Response, limitBytes: number, onBytes: (bytes: number) => void): Promise<ReplyBody> {
  if (response.body === null) return { text: '', end: { kind: 'whole' } };
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let end: ReplyBody['end'] = { kind: 'whole' };
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const room = limitBytes - bytes;
      bytes += part.value.byteLength;
      onBytes(bytes);
      pieces.push(part.value.byteLength > room ? part.value.subarray(0, room) : part.value);
      if (bytes <= limitBytes) continue;
      end = { kind: 'cut' };
      // Not awaited: the rest is dropped with its connection, and nothing waits for that.
      reader.cancel().catch(() => undefined);
      break;
    }
  } catch (error) {
    end = { kind: 'broken', error };
  }
  return { text: new TextDecoder().decode(Buffer.concat(pieces)), end };
}
