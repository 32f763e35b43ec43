import { useEffect, useState } from 'react';
import type { Steps } from '../../stream/use-steps.ts';
import { inSlices } from '../../design/in-slices.ts';
import { imageBlob, type FoundImage } from './find-images.ts';

/**
 * Local addresses of the images, made from the saved bytes and released when they leave the screen. Nothing is loaded
 * from elsewhere.
 */
export function useImageUrls(images: readonly FoundImage[]): readonly (string | null)[] {
  const [urls, setUrls] = useState<readonly (string | null)[]>([]);
  useEffect(() => {
    const made: (string | null)[] = [];
    let steps: Steps<Blob | null> | null = null;
    const step = (): void => {
      const image = images[made.length];
      if (image === undefined) return;
      steps ??= imageBlob(image);
      const next = steps.next();
      if (next.done !== true) return;
      steps = null;
      made.push(next.value === null ? null : URL.createObjectURL(next.value));
    };
    const isShown = (shown: readonly (string | null)[]): boolean =>
      shown.length === made.length && shown.every((url, at) => url === made[at]);
    const show = (): void => setUrls((shown) => (isShown(shown) ? shown : [...made]));
    const stop = inSlices(step, () => made.length === images.length, show);
    return () => {
      stop();
      for (const url of made) if (url !== null) URL.revokeObjectURL(url);
    };
  }, [images]);
  return urls;
}
