import { mayHaveImage } from '../../src-preload/base64-images.ts';
import { findImages, type FoundImage } from '../job/media/find-images.ts';
import { readJson } from '../job/media/json-reading.ts';
import type { Steps } from '../stream/use-steps.ts';

/** The images of some outputs by their paths, with one entry for each output. */
export type SideImages = ReadonlyMap<string, readonly (FoundImage | null)[]>;

/** Finds the images in outputs by their bytes, in small steps. */
export function* imagesBySide(outputs: readonly (string | null)[]): Steps<SideImages> {
  const found = new Map<string, (FoundImage | null)[]>();
  for (const [side, output] of outputs.entries()) {
    if (output === null || !mayHaveImage(output)) continue;
    const { value } = yield* readJson(output);
    for (const image of (yield* findImages(value)).found) {
      const path = image.path === '' || image.path.startsWith('[') ? `$${image.path}` : `$.${image.path}`;
      const places = found.get(path) ?? outputs.map(() => null);
      places[side] = image;
      found.set(path, places);
    }
  }
  return found;
}
