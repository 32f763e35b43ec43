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
  /** The one that was wanted longest ago comes first. */
  const kept = new Map<string | FoundImage, ShownImage>();
  let wanted: readonly MediaPlace[] = [];
  let isLoading = false;
  /** Rises when all is dropped, so that an image that was being read then is not kept. */
  let turn = 0;

  const drop = (key: string | FoundImage): void => {
    const url = kept.get(key)?.url ?? null;
    if (url !== null) release(url);
    kept.delete(key);
  };

  const letGo = (): void => {
    const needed = new Set(wanted.map(placeKey));
    let bytes = 0;
    for (const { image } of kept.values()) bytes += image?.bytes ?? 0;
    for (const [key, { image }] of kept) {
      if (kept.size <= maxKept && bytes <= maxKeptBytes) return;
      if (needed.has(key)) continue;
      bytes -= image?.bytes ?? 0;
      drop(key);
    }
  };

  const loadWanted = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    const turnBefore = turn;
    for (;;) {
      const place = wanted.find((each) => !kept.has(placeKey(each)));
      if (place === undefined) break;
      const shown = await load(place);
      if (turn !== turnBefore) {
        if (shown.url !== null) release(shown.url);
        return;
      }
      kept.set(placeKey(place), shown);
      letGo();
      onChange();
    }
    isLoading = false;
  };

  return {
    want(places) {
      wanted = places;
      for (const place of places) {
        const key = placeKey(place);
        const shown = kept.get(key);
        if (shown === undefined) continue;
        kept.delete(key);
        kept.set(key, shown);
      }
      letGo();
      void loadWanted();
    },
    get: (place) => kept.get(placeKey(place)),
    clear() {
      turn += 1;
      isLoading = false;
      wanted = [];
      for (const key of kept.keys()) drop(key);
    },
  };
}
