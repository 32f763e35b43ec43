import type { StreamedMedia } from '../../../src-preload/stream-digest.ts';
import type { StreamLog } from '../../stream/stream-log.ts';
import type { FoundImage, Images } from './find-images.ts';

/** A place in the gallery: an image that was found in a body, or what is in chunks of the stream. */
export type MediaPlace = FoundImage | StreamedMedia;

/** The images, sounds and videos of an output in order: those of its stream as they came, then images of its body. */
export interface OutputMedia {
  readonly count: number;
  at(index: number): MediaPlace | undefined;
  /** The one to show first: the first of the body, or else the newest of the stream. -1 if there are none. */
  readonly first: number;
}

/** Whether it is read from its chunks when it is shown. */
export function isStreamed(place: MediaPlace): place is StreamedMedia {
  return 'seq' in place;
}

/** Whether it is shown as an image, and not played. */
export function isImage(place: MediaPlace): boolean {
  return !isStreamed(place) || place.kind === 'image';
}

/** Its identity, as long as its stream has these chunks. */
export function placeKey(place: MediaPlace): string | FoundImage {
  return isStreamed(place) ? `${isImage(place) ? 'image' : 'file'} ${place.seq} ${place.index}` : place;
}

/** Joins what is in a stream, and the images found in texts. */
export function outputMedia(streamed: readonly StreamedMedia[], found: readonly FoundImage[]): OutputMedia {
  const { length } = streamed;
  return {
    count: length + found.length,
    first: found.length > 0 ? length : length - 1,
    at: (index) => streamed[index] ?? found[index - length],
  };
}

interface ReadBody {
  images: Pick<Images, 'found' | 'files' | 'isCapped'>;
  /** How many entries the body has, if it is a list. Null for any other. */
  listLength: number | null;
}

type StreamFacts = Pick<StreamLog, 'chunkCount' | 'media'>;

/**
 * Whether a body is the stream again: the service returns it as the list of its outputs. It then has as many entries as
 * the stream has chunks, and as many images, sounds and videos. One that came in several chunks has its beginning in
 * one entry.
 */
export function isStreamAgain({ chunkCount, media }: StreamFacts, read: ReadBody | null): boolean {
  if (read === null || read.listLength !== chunkCount || media.length === 0) return false;
  const { found, files, isCapped } = read.images;
  const played = files.filter(({ kind }) => kind !== 'file').length;
  return isCapped || found.length + played === media.length;
}

/**
 * Whether a body of which only the beginning was read is the stream again, by its length: the outputs of all chunks
 * with brackets and commas, and perhaps a blank after each comma. Reading it all would only repeat what is known.
 */
export function isLongAsStream(
  { text, bytes }: { text: string; bytes: number },
  { chunkCount, jsonChars, media }: StreamFacts & Pick<StreamLog, 'jsonChars'>,
): boolean {
  const min = jsonChars + chunkCount + 1;
  return media.length > 0 && text.startsWith('[') && bytes >= min && bytes <= min + chunkCount + 1;
}
