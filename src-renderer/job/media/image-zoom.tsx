import { ChevronLeft, ChevronRight, Minus, Plus, X } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { Sheet } from '../../design/dialog.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { commonText } from '../../messages/common.ts';
import { imagesText, imageZoomText } from '../../messages/job/media.ts';
import styles from './image-zoom.module.css';

/** The size of an image: fitted into the window but not enlarged, or a share of its own size. */
type ImageScale = 'fit' | number;

const smallest = 0.05;
const largest = 16;
/** The factor of one press of + or -. */
const stepFactor = 1.25;
/** A notch of a wheel, 100 pixels, is about one step. */
const factorPerPx = 1.0022;

/** The scale after some steps (negative ones make it smaller), within useful limits. */
export function scaledBySteps(scale: number, steps: number): number {
  return within(scale * stepFactor ** steps);
}

/** The scale after a wheel has turned by some pixels. Turning it towards the user makes the image smaller. */
export function scaledByWheel(scale: number, deltaPx: number): number {
  return within(scale * factorPerPx ** -deltaPx);
}

function within(scale: number): number {
  return Math.min(largest, Math.max(smallest, scale));
}

interface ImageZoomProps {
  isOpen: boolean;
  onClose: () => void;
  url: string;
  name: string;
  at: number;
  count: number;
  onStep: (by: number) => void;
}

/** An image that covers the window. Escape closes it, arrows move to the others, + and - or the wheel scale it. */
export function ImageZoom(props: ImageZoomProps) {
  const { isOpen, onClose, name } = props;
  return (
    <Sheet label={name} isOpen={isOpen} onClose={onClose} width={6_000} height={6_000}>
      {isOpen && <Zoomed key={props.url} {...props} />}
    </Sheet>
  );
}

/** A point of the image, as shares of its sides, and where it must stay in the window. */
interface Anchor {
  x: number;
  y: number;
  leftPx: number;
  topPx: number;
}

function Zoomed({ onClose, url, name, at, count, onStep }: ImageZoomProps) {
  const [scale, setScale] = useState<ImageScale>('fit');
  const [naturalPx, setNaturalPx] = useState(0);
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const anchor = useRef<Anchor | null>(null);
  useLayoutEffect(() => stage.current?.focus(), []);
  useLayoutEffect(() => keepInPlace(stage.current, picture.current, anchor.current), [scale]);

  /** Around a point of the window, or else around the middle. */
  const rescale = (next: (now: number) => ImageScale, leftPx?: number, topPx?: number): void => {
    if (picture.current === null || stage.current === null || picture.current.naturalWidth === 0) return;
    const around = stage.current.getBoundingClientRect();
    const box = picture.current.getBoundingClientRect();
    const left = leftPx ?? around.left + around.width / 2;
    const top = topPx ?? around.top + around.height / 2;
    anchor.current = {
      x: (left - box.left) / box.width,
      y: (top - box.top) / box.height,
      leftPx: left,
      topPx: top,
    };
    setScale(next(box.width / picture.current.naturalWidth));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowLeft') onStep(-1);
    else if (event.key === 'ArrowRight') onStep(1);
    else if (event.key === '+' || event.key === '=') rescale((now) => scaledBySteps(now, 1));
    else if (event.key === '-') rescale((now) => scaledBySteps(now, -1));
    else if (event.key === '0') rescale(() => 'fit');
    else if (event.key === '1') rescale(() => 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onWheel = useEffectEvent((event: WheelEvent): void => {
    event.preventDefault();
    rescale((now) => scaledByWheel(now, event.deltaY), event.clientX, event.clientY);
  });
  useEffect(() => {
    const listen = (event: WheelEvent): void => onWheel(event);
    const element = stage.current;
    // React's listener is passive, so the stage would scroll.
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);
  return (
    <div className={styles.zoom} onKeyDown={onKeyDown}>
      <div className={styles.bar}>
        <span className="trunc">{name}</span>
        {count > 1 && <span className={styles.place}>{imageZoomText.place(at + 1, count)}</span>}
        <span className={styles.gap} />
        {count > 1 && (
          <>
            <IconButton label={imagesText.previous} keys={['←']} icon={<ChevronLeft />} onClick={() => onStep(-1)} />
            <IconButton label={imagesText.next} keys={['→']} icon={<ChevronRight />} onClick={() => onStep(1)} />
          </>
        )}
        <IconButton
          label={imageZoomText.smaller}
          keys={['-']}
          icon={<Minus />}
          onClick={() => rescale((now) => scaledBySteps(now, -1))}
        />
        <span className={styles.scale} role="status">
          {scale === 'fit' ? imageZoomText.fit : imageZoomText.scale(scale)}
        </span>
        <IconButton
          label={imageZoomText.larger}
          keys={['+']}
          icon={<Plus />}
          onClick={() => rescale((now) => scaledBySteps(now, 1))}
        />
        <Button size="sm" variant="ghost" keys={['0']} onClick={() => rescale(() => 'fit')}>
          {imageZoomText.fit}
        </Button>
        <Button size="sm" variant="ghost" keys={['1']} onClick={() => rescale(() => 1)}>
          {imageZoomText.fullSize}
        </Button>
        <IconButton label={commonText.close} keys={['Esc']} icon={<X />} onClick={onClose} />
      </div>
      <div ref={stage} className={styles.stage} tabIndex={0} role="region" aria-label={imageZoomText.image}>
        <img
          ref={picture}
          src={url}
          alt={name}
          draggable={false}
          onLoad={({ currentTarget }) => setNaturalPx(currentTarget.naturalWidth)}
          className={scale === 'fit' ? styles.fit : styles.scaled}
          style={scale === 'fit' ? undefined : { width: naturalPx * scale }}
          onDoubleClick={({ clientX, clientY }) => rescale(() => (scale === 'fit' ? 1 : 'fit'), clientX, clientY)}
          onPointerMove={({ buttons, movementX, movementY }) => {
            if (buttons === 1) stage.current?.scrollBy(-movementX, -movementY);
          }}
        />
      </div>
    </div>
  );
}

/** Scrolls so that the point of the image under the pointer stays there. */
function keepInPlace(stage: HTMLElement | null, picture: HTMLElement | null, anchor: Anchor | null): void {
  if (stage === null || picture === null || anchor === null) return;
  const box = picture.getBoundingClientRect();
  stage.scrollBy(box.left + anchor.x * box.width - anchor.leftPx, box.top + anchor.y * box.height - anchor.topPx);
}
