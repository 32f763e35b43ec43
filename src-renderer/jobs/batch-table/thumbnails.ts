import type { JobImage } from '../../../src-preload/batch-table.ts';
import { call } from '../../bridge.ts';
import { createWantedCache } from '../../design/wanted-cache.ts';
import { imageBlob } from '../../job/media/find-images.ts';
import { finished } from '../../stream/use-steps.ts';

/** A small picture of a job's first image. */
export interface Thumbnail {
  /** Null: there is no image in the output itself, only an address, or it is damaged. */
  url: string | null;
  isDamaged: boolean;
  width: number | null;
  height: number | null;
  /** How many images the output has. */
  count: number;
}

interface ThumbnailsParts {
  /** Makes a small picture. It must not fail. */
  load: (key: string) => Promise<Thumbnail>;
  /** Frees the memory of an address. */
  release: (url: string) => void;
  onChange: () => void;
}

/** The small pictures on screen, and those that were lately. */
export interface Thumbnails {
  /** Loads these, by their jobs and the bodies they were made of, one after another. */
  want: (wanted: readonly { key: string; bodies: string }[]) => void;
  get: (key: string) => Thumbnail | undefined;
  clear: () => void;
}

/** How many pictures are kept in all, if fewer are on screen: those of a few screens. */
export const maxKept = 240;

/** Keeps small pictures only, so that a batch of ten thousand images needs the memory of some screens. */
export function createThumbnails({ load, release, onChange }: ThumbnailsParts): Thumbnails {
  const cache = createWantedCache({
    keyOf: ({ key }: { key: string; bodies: string }) => key,
    load: async ({ key, bodies }) => ({ bodies, shown: await load(key) }),
    release: ({ shown: { url } }) => {
      if (url !== null) release(url);
    },
    isCurrent: (kept, { bodies }) => kept.bodies === bodies,
    maxKept,
    onChange,
  });
  return { want: cache.want, get: (key) => cache.get(key)?.shown, clear: cache.clear };
}

/** The longer side of a small picture, in pixels: twice the size of a tile, for screens of double density. */
const sidePx = 640;
const none: Thumbnail = { url: null, isDamaged: false, width: null, height: null, count: 0 };

/** Reads the first image of a job and makes a small picture of it. The whole image is not kept. */
export async function loadThumbnail(key: string): Promise<Thumbnail> {
  const read = await call('batch:image', { key });
  if (!read.ok || read.value === null) return none;
  const { width, height, count } = read.value;
  const facts = { width, height, count };
  try {
    const blob = await smallPicture(read.value);
    return { ...facts, url: blob === null ? null : URL.createObjectURL(blob), isDamaged: blob === null };
  } catch {
    // The bytes begin like an image and are none.
    return { ...facts, url: null, isDamaged: true };
  }
}

async function smallPicture({ base64, format, width, height }: JobImage): Promise<Blob | null> {
  const whole = await finished(imageBlob({ base64, format }));
  if (whole === null) return null;
  const scale = Math.min(1, sidePx / Math.max(width ?? sidePx, height ?? sidePx));
  const size =
    width === null || height === null || scale === 1
      ? {}
      : { resizeWidth: Math.max(1, Math.round(width * scale)), resizeHeight: Math.max(1, Math.round(height * scale)) };
  const bitmap = await createImageBitmap(whole, { ...size, resizeQuality: 'medium' });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
}
