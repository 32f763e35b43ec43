import { useState } from 'react';
import { imagesText } from '../../messages/job/media.ts';
import type { ShownImage } from './image-store.ts';
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
