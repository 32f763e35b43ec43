import { FileVideo, Volume2 } from 'lucide-react';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MediaKind } from '../../../src-preload/base64-media.ts';
import { classes } from '../../design/class-names.ts';
import { imagesText } from '../../messages/job/media.ts';
import { useFixedRows } from '../../stream/use-fixed-rows.ts';
import type { ShownImage } from './image-store.ts';
import type { Gallery } from './use-gallery.ts';
import styles from './images-view.module.css';

interface PictureProps {
  /** Undefined while it is read. */
  shown: ShownImage | undefined;
  /** Empty for one without a text of its own. */
  name: string;
  onClick?: () => void;
}

/** An image of an output, from its own bytes. */
export function Picture({ shown, name, onClick }: PictureProps) {
  const [brokenUrl, setBroken] = useState<string | null>(null);
  if (shown === undefined) return <span className={styles.blank} />;
  const { url } = shown;
  if (url === null || brokenUrl === url)
    return <span className={styles.broken}>{name === '' ? '' : imagesText.damaged}</span>;
  return <img src={url} alt={name} draggable={false} onError={() => setBroken(url)} onClick={onClick} />;
}

/** Up to this many fill the height together. More have a fixed size, and only those in view are drawn. */
const maxFitted = 12;
/** A small image with the gap below it. The same as in the style sheet. */
const rowPx = 80;
/** The ring around the one in view. */
const ringPx = 4;

interface FilmProps {
  images: Gallery;
}

/** The list of small images. The one in view is scrolled into its view, and nothing around it moves. */
export function ImageFilm({ images }: FilmProps) {
  return images.count <= maxFitted ? <FittedFilm images={images} /> : <LongFilm images={images} />;
}

function FittedFilm({ images }: FilmProps) {
  const { count, at, onThumbnails } = images;
  const film = useRef<HTMLDivElement>(null);
  useEffect(() => onThumbnails(0, count), [count, onThumbnails]);
  useLayoutEffect(
    () =>
      keepInView(film.current, () => {
        const thumb = film.current?.children[at];
        return thumb instanceof HTMLElement ? [thumb.offsetTop - ringPx, thumb.offsetHeight + 2 * ringPx] : [0, 0];
      }),
    [at, count],
  );
  return (
    <div ref={film} className={styles.film} role="listbox" aria-label={listName(images)}>
      {Array.from({ length: count }, (_, index) => thumbOf(images, index))}
    </div>
  );
}

function LongFilm({ images }: FilmProps) {
  const { count, at, onThumbnails } = images;
  const film = useRef<HTMLDivElement>(null);
  const { from, to, heightPx, skipped, onScroll } = useFixedRows(film, count, rowPx);
  useEffect(() => onThumbnails(from + skipped, to + skipped), [from, to, skipped, onThumbnails]);
  useLayoutEffect(() => keepInView(film.current, () => [(at - skipped) * rowPx, rowPx]), [at, skipped]);
  return (
    <div ref={film} className={styles.longFilm} role="listbox" aria-label={listName(images)} onScroll={onScroll}>
      <div role="presentation" className={styles.rows} style={{ height: heightPx }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, row) => (
          <div
            key={from + row + skipped}
            role="presentation"
            className={styles.row}
            style={{ transform: `translateY(${(from + row) * rowPx}px)` }}
          >
            {thumbOf(images, from + row + skipped)}
          </div>
        ))}
      </div>
    </div>
  );
}

function listName({ hasPlayed }: Gallery): string {
  return hasPlayed ? imagesText.media : imagesText.images;
}

function thumbOf(images: Gallery, index: number) {
  return (
    <Thumb
      key={index}
      kind={images.kindOf(index)}
      shown={images.shown(index)}
      isOfStream={images.seqOf(index) !== null}
      index={index}
      count={images.count}
      isOn={index === images.at}
      onMove={images.show}
    />
  );
}

/**
 * Scrolls a list so that a part of it is in its view, also when its size changes. `place` is where the part begins and
 * its height, in pixels. Returns the function that ends this.
 */
function keepInView(list: HTMLElement | null, place: () => readonly [number, number]): (() => void) | undefined {
  if (list === null) return undefined;
  const show = (): void => {
    const [top, height] = place();
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
  };
  show();
  const observer = new ResizeObserver(show);
  observer.observe(list);
  return () => observer.disconnect();
}

interface ThumbProps {
  kind: MediaKind;
  shown: ShownImage | undefined;
  isOfStream: boolean;
  index: number;
  count: number;
  isOn: boolean;
  onMove: (at: number) => void;
}

/** Only those that have just been read are drawn again. */
const Thumb = memo(function Thumb({ kind, shown, isOfStream, index, count, isOn, onMove }: ThumbProps) {
  return (
    <button
      type="button"
      role="option"
      data-image={index}
      aria-selected={isOn}
      aria-label={imagesText.one(kind, index + 1)}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={classes(styles.thumb, isOn && styles.on)}
      onClick={() => onMove(index)}
    >
      {kind === 'image' ? (
        <Picture shown={shown} name="" />
      ) : (
        <span className={styles.glyph}>{kind === 'audio' ? <Volume2 size={20} /> : <FileVideo size={20} />}</span>
      )}
      <span className={styles.label}>{isOfStream ? index + 1 : shortLabel(shown, index)}</span>
    </button>
  );
});

function shortLabel(shown: ShownImage | undefined, index: number): string {
  const seed = shown?.image?.facts.find(([name]) => name === 'seed')?.[1];
  return seed ?? String(index + 1);
}
