import { ChevronLeft, ChevronRight, Maximize2 } from 'lucide-react';
import {
  memo,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { Job } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { ContextMenu, type MenuEntry } from '../design/menu.tsx';
import { imageActionsText, imagesText } from '../messages/job/media.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import { imageBlob, type FoundImage, type Images } from './find-images.ts';
import { imageMenu } from './image-tools.tsx';
import { ImageZoom } from './image-zoom.tsx';
import { OutputLinks } from './output-links.tsx';
import type { Steps } from '../stream/use-steps.ts';
import styles from './images-view.module.css';

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

interface ImagesViewProps {
  job: Job;
  /** Whether there is a list around it: else it is in a window of its own already. */
  images: Images;
  urls: readonly (string | null)[];
  at: number;
  onMove: (at: number) => void;
}

/** The images of an output: one is large, the others are beside it, with the facts of each below. */
export function ImagesView({ job, images, urls, at, onMove }: ImagesViewProps) {
  const { found, links } = images;
  const [isZoomed, setZoomed] = useState(false);
  const image = found[at];
  const url = urls[at] ?? null;
  const step = (by: number): void => onMove((at + by + found.length) % found.length);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    event.stopPropagation();
    step(event.key === 'ArrowRight' ? 1 : -1);
  };
  const film = useShownThumb(at);
  const facts = useMemo(() => image?.facts ?? [], [image]);
  if (image === undefined) return <OutputLinks links={links} kind="images" />;
  const name = image.filename ?? image.path;
  const menuOf = (target: Element): readonly MenuEntry[] => {
    const index = Number(target.closest<HTMLElement>('[data-image]')?.dataset['image'] ?? -1);
    return imageMenu({ job, images: found, at: index }, () => {
      onMove(index);
      setZoomed(true);
    });
  };
  return (
    <div className={styles.images} onKeyDown={onKeyDown}>
      <ContextMenu items={menuOf}>
        <div className={classes(styles.gallery, found.length === 1 && styles.single)}>
          <div className={styles.stage}>
            <figure
              className={styles.large}
              style={frameOf(image)}
              tabIndex={0}
              data-image={at}
              aria-label={imagesText.imageOf(at + 1, found.length)}
            >
              <Picture url={url} name={name} onClick={() => setZoomed(true)} />
              <figcaption className={styles.caption}>{name}</figcaption>
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
              {found.length > 1 && (
                <>
                  <button
                    type="button"
                    className={classes(styles.step, styles.back)}
                    aria-label={imagesText.previous}
                    onClick={() => step(-1)}
                  >
                    <ChevronLeft size={20} />
                  </button>
                  <button
                    type="button"
                    className={classes(styles.step, styles.forward)}
                    aria-label={imagesText.next}
                    onClick={() => step(1)}
                  >
                    <ChevronRight size={20} />
                  </button>
                </>
              )}
            </figure>
          </div>
          {found.length > 1 && (
            <div ref={film} className={styles.film} role="listbox" aria-label={imagesText.images}>
              {found.map((each, index) => (
                <Thumb
                  key={index}
                  image={each}
                  index={index}
                  url={urls[index] ?? null}
                  isOn={index === at}
                  onMove={onMove}
                />
              ))}
            </div>
          )}
        </div>
      </ContextMenu>
      <div className={styles.facts}>
        {facts.map(([name, value]) => (
          <span key={name} className="trunc">
            <b>{name}</b>
            {value}
          </span>
        ))}
        {images.isCapped && <span className="t3">{imagesText.onlyFirst(found.length)}</span>}
      </div>
      <OutputLinks links={links} kind="images" />
      {url !== null && (
        <ImageZoom
          isOpen={isZoomed}
          onClose={() => setZoomed(false)}
          url={url}
          name={name}
          at={at}
          count={found.length}
          onStep={step}
        />
      )}
    </div>
  );
}

/** The frame has the size of the image, so that corners and caption fit. */
function frameOf({ width, height }: FoundImage): CSSProperties {
  if (width === null || height === null || width === 0 || height === 0) return { width: '100%', height: '100%' };
  return { aspectRatio: `${width} / ${height}`, width: `min(100cqw, calc(100cqh * ${width / height}))` };
}

/** For the list of small images: the one at `at` is scrolled into its view, and nothing around it moves. */
function useShownThumb(at: number): RefObject<HTMLDivElement | null> {
  const film = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = film.current;
    const thumb = list?.children[at];
    if (list === null || thumb === undefined) return;
    const [around, own] = [list.getBoundingClientRect(), thumb.getBoundingClientRect()];
    if (own.top < around.top) list.scrollTop -= around.top - own.top;
    else if (own.bottom > around.bottom) list.scrollTop += own.bottom - around.bottom;
  }, [at]);
  return film;
}

interface ThumbProps {
  image: FoundImage;
  index: number;
  url: string | null;
  isOn: boolean;
  onMove: (at: number) => void;
}

/** Of hundreds, only those whose address has just been made are drawn again. */
const Thumb = memo(function Thumb({ image, index, url, isOn, onMove }: ThumbProps) {
  return (
    <button
      type="button"
      role="option"
      data-image={index}
      aria-selected={isOn}
      aria-label={imagesText.image(index + 1)}
      className={classes(styles.thumb, isOn && styles.on)}
      onClick={() => onMove(index)}
    >
      <Picture url={url} name="" />
      <span className={styles.label}>{shortLabel(image, index)}</span>
    </button>
  );
});

function shortLabel(image: FoundImage, index: number): string {
  const seed = image.facts.find(([name]) => name === 'seed')?.[1];
  return seed ?? String(index + 1);
}

function Picture({ url, name, onClick }: { url: string | null; name: string; onClick?: () => void }) {
  const [brokenUrl, setBroken] = useState<string | null>(null);
  if (url === null) return <span className={styles.blank} />;
  if (brokenUrl === url) return <span className={styles.broken}>{name === '' ? '' : imagesText.damaged}</span>;
  return <img src={url} alt={name} draggable={false} onError={() => setBroken(url)} onClick={onClick} />;
}
