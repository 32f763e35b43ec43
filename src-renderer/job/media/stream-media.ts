import { dataUrlPrefix } from '../../../src-preload/base64.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import type { StreamedMedia } from '../../../src-preload/stream-digest.ts';
import { textOfOutput } from '../../../src-preload/stream-text.ts';
import { call } from '../../bridge.ts';
import { finished } from '../../stream/use-steps.ts';
import type { StreamLog } from '../../stream/stream-log.ts';
import { findImages, type FoundFile, type FoundImage } from './find-images.ts';
import { readJson } from './json-reading.ts';

export interface StreamOf {
  jobKey: string;
  attempt: number;
  log: Pick<StreamLog, 'chunkAt'>;
}

/** How many chunks of one image are read in one call. */
const readAtOnce = 200;

/** An image, a sound or a video with its data, from its chunks. Null if it cannot be read. */
export async function readStreamed(place: StreamedMedia, stream: StreamOf): Promise<FoundImage | FoundFile | null> {
  const value = place.chunks === 1 ? await outputAt(place.seq, stream) : await joinedText(place, stream);
  if (value === undefined) return null;
  const { found, files } = await finished(findImages(value));
  const played = files.filter(({ kind }) => kind !== 'file');
  return (place.kind === 'image' ? found : played)[place.index] ?? null;
}

async function outputAt(seq: number, { jobKey, attempt, log }: StreamOf): Promise<unknown> {
  const held = log.chunkAt(seq)?.outputJson;
  if (held !== undefined) return (await finished(readJson(held))).value;
  const read = await call('job:chunks', { key: jobKey, attempt, fromSeq: seq, limit: 1 });
  const stored = read.ok ? read.value[0]?.outputJson : undefined;
  return stored === undefined ? undefined : (await finished(readJson(stored))).value;
}

/** The texts of consecutive chunks, joined. Undefined if one of them is missing. */
async function joinedText({ seq, chunks }: StreamedMedia, { jobKey, attempt }: StreamOf): Promise<string | undefined> {
  const texts: string[] = [];
  while (texts.length < chunks) {
    const limit = Math.min(readAtOnce, chunks - texts.length);
    const read = await call('job:chunks', { key: jobKey, attempt, fromSeq: seq + texts.length, limit });
    if (!read.ok || read.value.length === 0) return undefined;
    for (const { outputJson } of read.value) texts.push(textOfOutput(parseJson(outputJson)) ?? '');
  }
  const text = texts.join('');
  // Line ends are between the chunks of some services.
  return (dataUrlPrefix(text) ?? '') + text.slice(dataUrlPrefix(text)?.length ?? 0).replaceAll(/\s+/g, '');
}
