import { useEffect, useId, useState } from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Slider } from '../design/form/slider.tsx';
import { formatBytes } from '../../src-preload/format.ts';
import type { FoundImage } from '../job/media/find-images.ts';
import { imageText } from '../messages/compare/differences.ts';
import styles from './compare.module.css';

interface ImagesOfRow {
  images: readonly (FoundImage | null)[];
  urls: readonly (string | null)[];
}

/** The images of a row, drawn from their bytes. */
export function ImageCells({ images, urls }: ImagesOfRow) {
  return images.map((image, side) => (
    <div key={side} className={styles.cell}>
      {image === null ? (
        <span className={styles.missing}>{imageText.none}</span>
      ) : (
        <figure className={styles.image}>
          {urls[side] != null && <img src={urls[side]} alt={image.filename ?? image.path} draggable={false} />}
          <figcaption>
            {image.width !== null && image.height !== null && <span>{`${image.width} × ${image.height}`}</span>}
            <span>{imageKind(image)}</span>
            {image.facts.slice(0, 3).map(([name, value]) => (
              <span key={name}>{`${name} ${value}`}</span>
            ))}
          </figcaption>
        </figure>
      )}
    </div>
  ));
}

/** `PNG, 192 KB`. */
export function imageKind({ format, bytes }: Pick<FoundImage, 'format' | 'bytes'>): string {
  return `${format.toUpperCase()}, ${formatBytes(bytes)}`;
}

const blinkMs = 700;

/** Two images in the same place: B is drawn over A up to the position of the slider, or they alternate. */
export function ImageOverlay({ urls: [first, second] }: Pick<ImagesOfRow, 'urls'>) {
  const [percent, setPercent] = useState(50);
  const [isBlinking, setBlinking] = useState(false);
  const [isSecond, setSecond] = useState(false);
  const sliderId = useId();
  useEffect(() => {
    if (!isBlinking) return undefined;
    const timer = setInterval(() => setSecond((was) => !was), blinkMs);
    return () => clearInterval(timer);
  }, [isBlinking]);
  const shown = isBlinking ? (isSecond ? 100 : 0) : percent;
  return (
    <div className={classes(styles.cell, styles.wide)}>
      <div className={styles.overlay} role="img" aria-label={imageText.overlaid(shown)}>
        {first != null && <img src={first} alt="" draggable={false} />}
        {second != null && (
          <img
            src={second}
            alt=""
            draggable={false}
            className={styles.over}
            style={{ clipPath: `inset(0 ${100 - shown}% 0 0)` }}
          />
        )}
      </div>
      <div className={styles.overlayBar}>
        <label htmlFor={sliderId}>{imageText.slider}</label>
        <Slider id={sliderId} min={0} max={100} value={percent} disabled={isBlinking} onChange={setPercent} />
        <Button size="sm" aria-pressed={isBlinking} variant="ghost" onClick={() => setBlinking(!isBlinking)}>
          {imageText.blink}
        </Button>
      </div>
    </div>
  );
}
