import { useCallback, useEffect, useMemo, useReducer, useState, useEffectEvent } from 'react';
import type { MediaKind } from '../../../src-preload/base64-media.ts';
import { finished } from '../../stream/use-steps.ts';
import type { StreamLog } from '../../stream/stream-log.ts';
import { imageBlob, type FoundFile, type FoundImage } from './find-images.ts';
import { createImageStore, type ShownImage } from './image-store.ts';
import { isImage, isStreamed, type MediaPlace, type OutputMedia } from './output-media.ts';
import { readStreamed, type StreamOf } from './stream-media.ts';

/** The images, sounds and videos of an output as they are shown. */
export interface Gallery {
  readonly count: number;
  /** Whether there are sounds or videos among them. */
  readonly hasPlayed: boolean;
  /** The one in view. */
  at: number;
  kindOf: (index: number) => MediaKind;
  /** Its place in the output, as long as that is the same object. */
  placeOf: (index: number) => MediaPlace | undefined;
  /** An image that was read, by its place in the list. Undefined while it is read, and for a sound or a video. */
  shown: (index: number) => ShownImage | undefined;
  /** The index of its chunk, or null for an image of the body. */
  seqOf: (index: number) => number | null;
  /** Reads one with its data. Null if that is damaged. */
  read: (index: number) => Promise<FoundImage | FoundFile | null>;
  show: (index: number) => void;
  /** Keeps the one in view there, whatever comes. */
  stay: () => void;
  /** Called with the small images that are in view, from the first to the one after the last. */
  onThumbnails: (from: number, to: number) => void;
}

interface GalleryParts {
  jobKey: string;
  attempt: number;
  log: StreamLog;
  media: OutputMedia;
  /** False while another view is shown: nothing is read then. */
  isShown: boolean;
  isLive: boolean;
  isFollowing: boolean;
  follow: (isFollowing: boolean) => void;
}

/**
 * Which one is in view: the newest of a followed stream, as soon as it was read. Reads it and the small images in
 * view, and no others. A sound or a video is read by its player.
 */
export function useGallery(parts: GalleryParts): Gallery {
  const { jobKey, attempt, log, media, isShown, isLive, isFollowing, follow } = parts;
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [chosen, choose] = useState<{ log: StreamLog; at: number } | null>(null);
  const [visibleThumbnails, setVisibleThumbnails] = useState({ from: 0, to: 0 });
  const store = useMemo(
    () =>
      createImageStore({
        load: async (place) => await shownOf(await readPlace(place, { jobKey, attempt, log })),
        release: (url) => URL.revokeObjectURL(url),
        onChange: redraw,
      }),
    [jobKey, attempt, log],
  );
  useEffect(() => () => store.clear(), [store]);
  const onThumbnails = useCallback(
    (from: number, to: number) =>
      setVisibleThumbnails((before) => (before.from === from && before.to === to ? before : { from, to })),
    [],
  );

  const newest = media.count - 1;
  const follows = isLive && isFollowing;
  // A player that is replaced with every chunk would never play.
  const paced = usePaced(newest, log, playerMs);
  const newestPlayed = paced < 0 ? newest : Math.min(newest, paced);
  const chosenAt = chosen !== null && chosen.log === log && chosen.at <= newest ? chosen.at : null;
  // The image stays where following was turned off, and is left behind when it is turned on.
  if (follows && chosenAt !== null) choose(null);
  else if (isLive && !follows && chosenAt === null && newest >= 0) choose({ log, at: newest });
  const shown = (index: number): ShownImage | undefined => {
    const place = media.at(index);
    return place === undefined ? undefined : store.get(place);
  };
  const kindOf = (index: number): MediaKind => {
    const place = media.at(index);
    return place !== undefined && isStreamed(place) ? place.kind : 'image';
  };
  const isReady = (index: number): boolean => kindOf(index) !== 'image' || shown(index) !== undefined;
  // While the newest one is read, the one before it stays.
  const followed = kindOf(newest) === 'image' ? newest : newestPlayed;
  let at = follows ? followed : Math.max(0, chosenAt ?? media.first);
  const wantedAt = at;
  if (follows) while (at > 0 && followed - at < lookedBack && !isReady(at)) at -= 1;
  if (follows && !isReady(at)) at = followed;

  useEffect(() => {
    if (!isShown) return;
    const indices = [wantedAt, at];
    for (let index = Math.min(visibleThumbnails.to, media.count) - 1; index >= visibleThumbnails.from; index -= 1)
      indices.push(index);
    store.want(indices.flatMap((index) => media.at(index) ?? []).filter(isImage));
  });
  return {
    count: media.count,
    hasPlayed: log.hasPlayed,
    at,
    kindOf,
    placeOf: media.at,
    shown,
    seqOf: (index) => {
      const place = media.at(index);
      return place !== undefined && isStreamed(place) ? place.seq : null;
    },
    read: async (index) => {
      const place = media.at(index);
      return place === undefined ? null : await readPlace(place, { jobKey, attempt, log });
    },
    show: (index) => {
      choose({ log, at: index });
      if (isLive && follows !== (index === newest)) follow(index === newest);
    },
    stay: () => {
      choose({ log, at });
      if (follows) follow(false);
    },
    onThumbnails,
  };
}

/** The minimum time that a player of a followed stream stays, in milliseconds. */
const playerMs = 250;
/** How far back to look for one that has been read, while the newest has not. */
const lookedBack = 30;

async function readPlace(place: MediaPlace, stream: StreamOf): Promise<FoundImage | FoundFile | null> {
  return isStreamed(place) ? await readStreamed(place, stream) : place;
}

/** Whether what was read is an image, and not a sound or a video. */
export function isFoundImage(found: FoundImage | FoundFile): found is FoundImage {
  return 'format' in found;
}

/** Makes a local address of an image's own bytes. Nothing is loaded from elsewhere. */
async function shownOf(found: FoundImage | FoundFile | null): Promise<ShownImage> {
  if (found === null || !isFoundImage(found)) return { image: null, url: null };
  const { base64: _, ...image } = found;
  const blob = await finished(imageBlob(found));
  return { image, url: blob === null ? null : URL.createObjectURL(blob) };
}

/**
 * A number that grows, at most every `everyMs`. The first one, and the first one after another `subject`, is returned
 * immediately.
 */
function usePaced(value: number, subject: object, everyMs: number): number {
  const [shown, setShown] = useState({ value, subject });
  const isBehind = shown.subject === subject && shown.value !== value;
  const show = useEffectEvent(() => setShown({ value, subject }));
  if (shown.subject !== subject) setShown({ value, subject });
  useEffect(() => {
    if (!isBehind) return undefined;
    const timer = setTimeout(show, everyMs);
    return () => clearTimeout(timer);
  }, [isBehind, shown, everyMs]);
  return shown.subject === subject ? shown.value : value;
}
