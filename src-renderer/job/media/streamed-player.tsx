import { useEffect, useEffectEvent, useState } from 'react';
import { filesText, imagesText, playerText } from '../../messages/job/media.ts';
import type { FoundFile } from './find-images.ts';
import { MediaPlayer } from './media-player.tsx';
import { isFoundImage, type Gallery } from './use-gallery.ts';
import styles from './images-view.module.css';

interface StreamedPlayerProps {
  gallery: Gallery;
  /** Which of the gallery. Another one needs another `key`. */
  at: number;
  name: string;
}

/** Plays a sound or a video of a stream. It is read from its chunks when it is shown, and stays in view once played. */
export function StreamedPlayer({ gallery, at, name }: StreamedPlayerProps) {
  const [file, setFile] = useState<FoundFile | null | undefined>(undefined);
  const read = useEffectEvent(() => gallery.read(at));
  useEffect(() => {
    let isGone = false;
    void read().then((found) => {
      if (!isGone) setFile(found === null || isFoundImage(found) ? null : found);
    });
    return () => {
      isGone = true;
    };
  }, []);
  if (file === undefined) return <p className={styles.note}>{playerText.reading}</p>;
  if (file === null) return <p className={styles.note}>{imagesText.damagedFile}</p>;
  return (
    <div className={styles.player}>
      <span className={styles.playerFacts}>{filesText.facts(file.extension, file.bytes)}</span>
      <MediaPlayer file={file} name={name} onPlay={gallery.stay} />
    </div>
  );
}
