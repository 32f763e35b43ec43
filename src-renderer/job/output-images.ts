import { dataUrlPrefix, imageOf, isWhole, looksLikeImage, bytesIn } from '../../src-preload/base64-images.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import type { FoundImage, Images } from './find-images.ts';

/** An image of an output: one that was found in a text, or one in a chunk of the stream, by the chunk's index. */
export type ImagePlace = FoundImage | StreamedImage;

export interface StreamedImage {
  seq: number;
  /** Which of the chunk's images it is. */
  index: number;
}

/** The images of an output in order: those of its stream as they came, then those of its body. */
export interface OutputImages {
  readonly count: number;
  at(index: number): ImagePlace | undefined;
  /** The one to show first: the first of the body, or else the newest of the stream. -1 if there are none. */
  readonly first: number;
}

/** Whether an image is read from its chunk when it is shown. */
export function isStreamed(place: ImagePlace): place is StreamedImage {
  return 'seq' in place;
}

/** The identity of an image, as long as its stream has these chunks. */
export function placeKey(place: ImagePlace): string | FoundImage {
  return isStreamed(place) ? `${place.seq} ${place.index}` : place;
}

/** Joins the images of a stream, by their chunks, and those found in texts. */
export function outputImages(imageSeqs: readonly number[], found: readonly FoundImage[]): OutputImages {
  const streamed = imageSeqs.length;
  return {
    count: streamed + found.length,
    first: found.length > 0 ? streamed : streamed - 1,
    at(index) {
      const seq = imageSeqs[index];
      if (seq === undefined) return found[index - streamed];
      let before = 0;
      while (imageSeqs[index - before - 1] === seq) before += 1;
      return { seq, index: before };
    },
  };
}

interface ReadBody {
  images: Pick<Images, 'found' | 'isCapped'>;
  /** How many entries the body has, if it is a list. Null for any other. */
  listLength: number | null;
}

/**
 * The images of a body that are not in the stream, too. The service returns a stream as the list of its outputs, which
 * has the same images again.
 */
export function ownImages(
  log: Pick<StreamLog, 'chunkCount' | 'imageSeqs'>,
  read: ReadBody | null,
  joined: FoundImage | null,
): readonly FoundImage[] {
  if (read !== null && read.images.found.length > 0 && !isStreamAgain(log, read, joined)) return read.images.found;
  return joined === null ? noneFound : [joined];
}

/** Whether a body has as many entries as the stream has chunks, and as many images. */
function isStreamAgain(
  { chunkCount, imageSeqs }: Pick<StreamLog, 'chunkCount' | 'imageSeqs'>,
  { images, listLength }: ReadBody,
  joined: FoundImage | null,
): boolean {
  if (listLength !== chunkCount) return false;
  return joined !== null || (imageSeqs.length > 0 && (images.isCapped || images.found.length === imageSeqs.length));
}

const noneFound: readonly FoundImage[] = [];
/** A character that no base64 has, or its end before the end. Searched in one pass, whatever a worker sends. */
const notBase64 = /[^A-Za-z0-9+/=\s]|=\s*[^=\s]/;

/**
 * The image that the text of an ended stream is as a whole: a large one comes in several chunks. Null if the text is
 * anything else, or not whole.
 */
export function joinedImage(log: Pick<StreamLog, 'ended' | 'hasText' | 'length' | 'slice'>): FoundImage | null {
  if (log.ended === null || !log.hasText || !looksLikeImage(log.slice(0, 200))) return null;
  const text = log.slice(0, log.length);
  const base64 = text.slice(dataUrlPrefix(text)?.length ?? 0);
  const facts = imageOf(base64);
  if (facts === null || notBase64.test(base64) || !isWhole(base64, facts)) return null;
  return { path: '', filename: null, base64, bytes: bytesIn(base64), facts: [], ...facts };
}
