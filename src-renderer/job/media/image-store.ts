import { createWantedCache } from '../../design/wanted-cache.ts';
import type { FoundImage } from './find-images.ts';
import { placeKey, type MediaPlace } from './output-media.ts';

/** An image without its data, and its local address. */
export interface ShownImage {
  /** Null if it could not be read. */
  image: Omit<FoundImage, 'base64'> | null;
  /** Null if its data is damaged. */
  url: string | null;
}

interface ImageStoreParts {
  /** Reads an image and makes its address. It must not fail. */
  load: (place: MediaPlace) => Promise<ShownImage>;
  /** Frees the memory of an address. */
  release: (url: string) => void;
  onChange: () => void;
}

/**
 * The images on screen, and a few that were. Hundreds of a stream need the memory of these only: the others are read
 * when they are shown.
 */
export interface ImageStore {
  /** Reads these one after another, the most important first. What is no longer wanted is not read. */
  want(places: readonly MediaPlace[]): void;
  get(place: MediaPlace): ShownImage | undefined;
  /** Frees the memory of all. */
  clear(): void;
}

/** At most this many are kept, and this many bytes, of those that are no longer wanted. */
export const maxKept = 32;
export const maxKeptBytes = 64_000_000;

/** An empty store. */
export function createImageStore({ load, release, onChange }: ImageStoreParts): ImageStore {
  const cache = createWantedCache({
    keyOf: placeKey,
    load,
    release: ({ url }) => {
      if (url !== null) release(url);
    },
    maxKept,
    bytes: { of: ({ image }) => image?.bytes ?? 0, max: maxKeptBytes },
    onChange,
  });
  return { want: cache.want, get: (place) => cache.get(placeKey(place)), clear: cache.clear };
}
