import { ChevronLeft, ChevronRight, Maximize2 } from 'lucide-react';
import { useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { Job } from '../../../src-preload/job.ts';
import { classes } from '../../design/class-names.ts';
import { useOnce } from '../../design/lazy-part.ts';
import { ContextMenu, type MenuEntry } from '../../design/menu/menu.tsx';
import { imageActionsText, imagesText } from '../../messages/job/media.ts';
import type { OutputLink } from './find-images.ts';
import { ImageFilm, Picture } from './image-film.tsx';
import type { ShownImage } from './image-store.ts';
import { imageMenu } from './image-tools.tsx';
import { ImageZoom } from './image-zoom.tsx';
import { OutputLinks } from './output-links.tsx';
import { isImage, isStreamed, type MediaPlace } from './output-media.ts';
import { StreamedPlayer } from './streamed-player.tsx';
import type { Gallery } from './use-gallery.ts';
import styles from './images-view.module.css';

/** Elements that need the arrow keys themselves: the slider of a sound, and the players of the browser. */
const movedByArrows: ReadonlySet<string> = new Set(['input', 'audio', 'video']);

/**
 * Which image the pressed key leads to: 1 for the next one, -1 for the previous one, 0 if it is no key of the gallery.
 * `focused`: the name of the element that has the focus.
 */
export function galleryStepOf(
  press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  focused: string,
): -1 | 0 | 1 {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey || movedByArrows.has(focused)) return 0;
  if (press.key === 'ArrowRight') return 1;
  return press.key === 'ArrowLeft' ? -1 : 0;
}

interface ImagesViewProps {
  job: Job;
  images: Gallery;
  links: readonly OutputLink[];
  /** True if the output has more than are shown. */
  isCapped: boolean;
}

/** The images of an output: one is large, the others are beside it, with the facts of each below. */
export function ImagesView({ job, images, links, isCapped }: ImagesViewProps) {
  const { count, at, show } = images;
  const [isZoomed, setZoomed] = useState(false);
  const shown = images.shown(at);
  // Until the first image is read, the frame has no size: what lies on it would move when it has.
  const isSized = useOnce(count > 0 && (shown !== undefined || images.kindOf(at) !== 'image'));
  const step = (by: number): void => show((at + by + count) % count);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = galleryStepOf(event, event.target instanceof Element ? event.target.localName : '');
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    step(by);
  };
  if (count === 0) return <OutputLinks links={links} kind="images" />;
  const url = shown?.url ?? null;
  const name = nameOf(images, at);
  const kind = images.kindOf(at);
  const place = images.placeOf(at);
  const menuOf = (target: Element): readonly MenuEntry[] => {
    const index = Number(target.closest<HTMLElement>('[data-image]')?.dataset['image'] ?? -1);
    return imageMenu({ job, images, at: index }, () => {
      show(index);
      setZoomed(true);
    });
  };
  return (
    <div className={styles.images} onKeyDown={onKeyDown}>
      <ContextMenu items={menuOf}>
        <div className={classes(styles.gallery, count === 1 && styles.single)}>
          <div className={styles.stage}>
            <figure
              className={styles.large}
              style={frameOf(shown?.image ?? null)}
              tabIndex={0}
              data-image={at}
              aria-label={imagesText.oneOf(kind, at + 1, count)}
            >
              {place === undefined || isImage(place) ? (
                <Picture shown={shown} name={name} onClick={() => setZoomed(true)} />
              ) : (
                <StreamedPlayer key={playerKey(place)} gallery={images} at={at} name={name} />
              )}
              {isSized && <figcaption className={styles.caption}>{name}</figcaption>}
              {url !== null && (
                <button
                  type="button"
                  className={classes(styles.step, styles.enlarge)}
                  aria-label={imageActionsText.enlarge}
                  onClick={() => setZoomed(true)}
                >
                  <Maximize2 size={16} />
                </button>
              )}
              {isSized && count > 1 && <Steps hasPlayed={images.hasPlayed} onStep={step} />}
            </figure>
          </div>
          {count > 1 && <ImageFilm images={images} />}
        </div>
      </ContextMenu>
      <div className={styles.facts}>
        {(shown?.image?.facts ?? []).map(([name, value]) => (
          <span key={name} className="trunc">
            <b>{name}</b>
            {value}
          </span>
        ))}
        {isCapped && <span className="t3">{imagesText.onlyFirst(count)}</span>}
      </div>
      <OutputLinks links={links} kind="images" />
      {url !== null && (
        <ImageZoom
          isOpen={isZoomed}
          onClose={() => setZoomed(false)}
          url={url}
          name={name}
          at={at}
          count={count}
          onStep={step}
        />
      )}
    </div>
  );
}

function Steps({ hasPlayed, onStep }: { hasPlayed: boolean; onStep: (by: number) => void }) {
  return (
    <>
      <button
        type="button"
        className={classes(styles.step, styles.back)}
        aria-label={hasPlayed ? imagesText.previousOne : imagesText.previous}
        onClick={() => onStep(-1)}
      >
        <ChevronLeft size={20} />
      </button>
      <button
        type="button"
        className={classes(styles.step, styles.forward)}
        aria-label={hasPlayed ? imagesText.nextOne : imagesText.next}
        onClick={() => onStep(1)}
      >
        <ChevronRight size={20} />
      </button>
    </>
  );
}

/** Its file name, the chunks it came in, or its place in the body. */
function nameOf({ shown, placeOf }: Gallery, at: number): string {
  const image = shown(at)?.image ?? null;
  const place = placeOf(at);
  if (image !== null && image.filename !== null) return image.filename;
  if (place === undefined || !isStreamed(place)) return image?.path ?? '';
  const { seq, chunks } = place;
  return chunks === 1 ? imagesText.inChunk(seq + 1) : imagesText.inChunks(seq + 1, seq + chunks);
}

/** Another sound has another player. */
function playerKey(place: MediaPlace): string {
  return isStreamed(place) ? `${place.seq} ${place.index}` : '';
}

/** The frame has the size of the image, so that corners and caption fit. */
function frameOf(image: ShownImage['image']): CSSProperties {
  if (image === null || image.width === null || image.height === null) return { width: '100%', height: '100%' };
  const { width, height } = image;
  return { aspectRatio: `${width} / ${height}`, width: `min(100cqw, calc(100cqh * ${width / height}))` };
}
