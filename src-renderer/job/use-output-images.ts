import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { call } from '../bridge.ts';
import { finished } from '../stream/use-steps.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import { findImages, imageBlob, type FoundImage } from './find-images.ts';
import { createImageStore, type ShownImage } from './image-store.ts';
import { readJson } from './json-reading.ts';
import { isStreamed, type ImagePlace, type OutputImages } from './output-images.ts';

/** The images of an output as they are shown. */
export interface GalleryImages {
  readonly count: number;
  /** The one in view. */
  at: number;
  /** An image that was read, by its place in the list. Undefined while it is read. */
  shown: (index: number) => ShownImage | undefined;
  /** The index of its chunk, or null for an image of the body. */
  seqOf: (index: number) => number | null;
  /** Reads an image with its data. Null if that is damaged. */
  read: (index: number) => Promise<FoundImage | null>;
  show: (index: number) => void;
  /** Called with the small images that are in view, from the first to the one after the last. */
  onFilm: (from: number, to: number) => void;
}

interface GalleryParts {
  jobKey: string;
  attempt: number;
  log: StreamLog;
  images: OutputImages;
  /** False while another view is shown: nothing is read then. */
  isShown: boolean;
  isLive: boolean;
  isFollowing: boolean;
  follow: (isFollowing: boolean) => void;
}

/**
 * Which image is in view: of a stream that is followed the newest one, as soon as it was read. Reads it and the small
 * ones in view, and no others.
 */
export function useOutputImages(parts: GalleryParts): GalleryImages {
  const { jobKey, attempt, log, images, isShown, isLive, isFollowing, follow } = parts;
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [chosen, choose] = useState<{ log: StreamLog; at: number } | null>(null);
  const [film, setFilm] = useState({ from: 0, to: 0 });
  const store = useMemo(
    () =>
      createImageStore({
        load: async (place) => await shownOf(await readImage(place, { jobKey, attempt, log })),
        release: (url) => URL.revokeObjectURL(url),
        onChange: redraw,
      }),
    [jobKey, attempt, log],
  );
  useEffect(() => () => store.clear(), [store]);
  const onFilm = useCallback(
    (from: number, to: number) =>
      setFilm((before) => (before.from === from && before.to === to ? before : { from, to })),
    [],
  );

  const newest = images.count - 1;
  const follows = isLive && isFollowing;
  const chosenAt = chosen !== null && chosen.log === log && chosen.at <= newest ? chosen.at : null;
  // The image stays where following was turned off, and is left behind when it is turned on.
  if (follows && chosenAt !== null) choose(null);
  else if (isLive && !follows && chosenAt === null && newest >= 0) choose({ log, at: newest });
  const shown = (index: number): ShownImage | undefined => {
    const place = images.at(index);
    return place === undefined ? undefined : store.get(place);
  };
  // While the newest one is read, the one before it stays.
  let at = follows ? newest : Math.max(0, chosenAt ?? images.first);
  const wantedAt = at;
  if (follows) while (at > 0 && newest - at < lookedBack && shown(at) === undefined) at -= 1;
  if (follows && shown(at) === undefined) at = newest;

  useEffect(() => {
    if (!isShown) return;
    const indices = [wantedAt, at];
    for (let index = Math.min(film.to, images.count) - 1; index >= film.from; index -= 1) indices.push(index);
    store.want(indices.flatMap((index) => images.at(index) ?? []));
  });
  return {
    count: images.count,
    at,
    shown,
    seqOf: (index) => {
      const place = images.at(index);
      return place !== undefined && isStreamed(place) ? place.seq : null;
    },
    read: async (index) => {
      const place = images.at(index);
      return place === undefined ? null : await readImage(place, { jobKey, attempt, log });
    },
    show: (index) => {
      choose({ log, at: index });
      if (isLive && follows !== (index === newest)) follow(index === newest);
    },
    onFilm,
  };
}

/** How many images back one that was read is looked for, while the newest is not. */
const lookedBack = 30;

type StreamOf = Pick<GalleryParts, 'jobKey' | 'attempt' | 'log'>;

/** An image with its data, from its chunk if it is in one. Null if it cannot be read. */
async function readImage(place: ImagePlace, { jobKey, attempt, log }: StreamOf): Promise<FoundImage | null> {
  if (!isStreamed(place)) return place;
  const { seq, index } = place;
  const held = log.chunkAt(seq);
  const read = held === undefined ? await call('job:chunks', { key: jobKey, attempt, fromSeq: seq, limit: 1 }) : null;
  const chunk = held ?? (read?.ok === true ? read.value[0] : undefined);
  if (chunk === undefined) return null;
  const { value } = await finished(readJson(chunk.outputJson));
  const { found } = await finished(findImages(value));
  return found[index] ?? null;
}

/** Makes a local address of an image's own bytes. Nothing is loaded from elsewhere. */
async function shownOf(found: FoundImage | null): Promise<ShownImage> {
  if (found === null) return { image: null, url: null };
  const { base64: _, ...image } = found;
  const blob = await finished(imageBlob(found));
  return { image, url: blob === null ? null : URL.createObjectURL(blob) };
}
