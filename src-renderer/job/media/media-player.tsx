import { Pause, Play } from 'lucide-react';
import { useEffect, useImperativeHandle, useRef, useState, type Ref, type SyntheticEvent } from 'react';
import { IconButton } from '../../design/icon-button.tsx';
import { formatPosition } from '../../messages/job/formats.ts';
import { playerText } from '../../messages/job/media.ts';
import { inSlices } from '../../design/in-slices.ts';
import { blobOf, type FoundFile } from './find-images.ts';
import { barCount, isDrawn, readPeaks } from './sound-peaks.ts';
import styles from './media-player.module.css';

/** Controls a player from another component. */
export interface MediaHandle {
  /** Plays from this position, in seconds. */
  playFrom: (seconds: number) => void;
}

interface MediaPlayerProps {
  file: FoundFile;
  name: string;
  /** Called with the position in seconds while it plays and after a jump. */
  onPlace?: ((seconds: number) => void) | undefined;
  /** Called when it begins to play. */
  onPlay?: (() => void) | undefined;
  handle?: Ref<MediaHandle> | undefined;
}

/** Plays a sound or a video from its saved bytes. Their memory is freed when it is unmounted. */
export function MediaPlayer(props: MediaPlayerProps) {
  const { media, isBroken, setBroken } = useBytes(props.file);
  if (isBroken) return <p className={styles.note}>{playerText.cannotPlay}</p>;
  if (media === null) return <p className={styles.note}>{playerText.reading}</p>;
  const Part = props.file.kind === 'video' ? Video : Sound;
  return <Part {...props} media={media} onBroken={() => setBroken(true)} />;
}

interface Media {
  url: string;
  blob: Blob;
}

type PartProps = MediaPlayerProps & { media: Media; onBroken: () => void };

function playFrom(media: HTMLMediaElement | null, seconds: number): void {
  if (media === null) return;
  media.currentTime = seconds;
  play(media);
}

/** The promise rejects if a pause comes first, and for a damaged file, which `onError` reports. */
function play(media: HTMLMediaElement | null): void {
  media?.play().catch(() => undefined);
}

function Video({ name, media, onPlace, onPlay, onBroken, handle }: PartProps) {
  const element = useRef<HTMLVideoElement>(null);
  useImperativeHandle(handle, () => ({ playFrom: (seconds) => playFrom(element.current, seconds) }), []);
  return (
    <video
      ref={element}
      src={media.url}
      controls
      className={styles.video}
      aria-label={name}
      onError={onBroken}
      onPlay={onPlay}
      onTimeUpdate={(event) => onPlace?.(event.currentTarget.currentTime)}
    />
  );
}

/** A sound with its waveform, or with the browser's controls if it is too large to decode. */
function Sound({ file, name, media, onPlace, onPlay, onBroken, handle }: PartProps) {
  const element = useRef<HTMLAudioElement>(null);
  useImperativeHandle(handle, () => ({ playFrom: (seconds) => playFrom(element.current, seconds) }), []);
  const peaks = usePeaks(file, media.blob);
  const [place, setPlace] = useState({ seconds: 0, lengthSeconds: 0, isPlaying: false });
  const read = ({ currentTarget: { currentTime, duration, paused } }: SyntheticEvent<HTMLAudioElement>): void => {
    setPlace({ seconds: currentTime, lengthSeconds: Number.isFinite(duration) ? duration : 0, isPlaying: !paused });
    onPlace?.(currentTime);
  };
  return (
    <div className={styles.sound}>
      <audio
        ref={element}
        src={media.url}
        controls={peaks === null}
        aria-label={name}
        onError={onBroken}
        onTimeUpdate={read}
        onDurationChange={read}
        onPlay={(event) => {
          read(event);
          onPlay?.();
        }}
        onPause={read}
        onSeeked={read}
      />
      {peaks !== null && (
        <>
          <IconButton
            label={place.isPlaying ? playerText.pause(name) : playerText.play(name)}
            icon={place.isPlaying ? <Pause /> : <Play />}
            onClick={() => (place.isPlaying ? element.current?.pause() : play(element.current))}
          />
          <Waveform
            peaks={peaks}
            place={place}
            onSeek={(seconds) => {
              if (element.current !== null) element.current.currentTime = seconds;
            }}
          />
          <span className={styles.time}>
            {formatPosition(place.seconds)} / {formatPosition(place.lengthSeconds)}
          </span>
        </>
      )}
    </div>
  );
}

/** The waveform of a sound. Null until it is known, and if the sound is too large or cannot be decoded. */
function usePeaks(file: FoundFile, blob: Blob): readonly number[] | null {
  const [peaks, setPeaks] = useState<readonly number[] | null>(null);
  useEffect(() => {
    let isLeft = false;
    if (isDrawn(file))
      void readPeaks(blob).then((read) => {
        if (!isLeft) setPeaks(read);
      });
    return () => {
      isLeft = true;
    };
  }, [file, blob]);
  return peaks;
}

interface WaveformProps {
  peaks: readonly number[];
  place: { seconds: number; lengthSeconds: number };
  onSeek: (seconds: number) => void;
}

/** The steps of the slider. */
const seekSteps = 1_000;
const halfHeight = 50;
/** Silence is drawn as a thin line. */
const minHeight = 2;

/** The waveform of a sound, with a slider for the position. */
function Waveform({ peaks, place: { seconds, lengthSeconds }, onSeek }: WaveformProps) {
  const played = lengthSeconds === 0 ? 0 : Math.min(1, seconds / lengthSeconds);
  const path = peaks
    .map((peak, bar) => {
      const half = Math.max(minHeight, peak * halfHeight);
      return `M${bar + 0.5} ${halfHeight - half}V${halfHeight + half}`;
    })
    .join('');
  return (
    <div className={styles.waveform}>
      <svg viewBox={`0 0 ${barCount} ${halfHeight * 2}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} className={styles.rest} />
        <path d={path} className={styles.played} style={{ clipPath: `inset(0 ${(1 - played) * 100}% 0 0)` }} />
      </svg>
      <input
        type="range"
        aria-label={playerText.position}
        aria-valuetext={playerText.positionOf(seconds, lengthSeconds)}
        min={0}
        max={seekSteps}
        value={Math.round(played * seekSteps)}
        onChange={(event) => onSeek((Number(event.target.value) / seekSteps) * lengthSeconds)}
      />
    </div>
  );
}

/** The bytes of a file, decoded in small steps, and a URL to play them. */
function useBytes(file: FoundFile) {
  const [media, setMedia] = useState<Media | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let made: string | null = null;
    const stop = decodeFile(file, (blob) => {
      if (blob === null) {
        setBroken(true);
        return;
      }
      made = URL.createObjectURL(blob);
      setMedia({ url: made, blob });
    });
    return () => {
      stop();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [file]);
  return { media, isBroken, setBroken };
}

/** Decodes a file in small steps. Returns a function that stops it. */
function decodeFile({ base64, type }: FoundFile, onDone: (blob: Blob | null) => void): () => void {
  const steps = blobOf(base64, type);
  let next = steps.next();
  return inSlices(
    () => {
      next = steps.next();
    },
    () => next.done === true,
    () => {
      if (next.done === true) onDone(next.value);
    },
  );
}
