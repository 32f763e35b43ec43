import type { FoundFile } from './find-images.ts';

/** Bars of a waveform. */
export const barCount = 240;
/** The sample rate for finding peaks, which is enough for the waveform and takes a sixth of the memory. */
const sampleRate = 8_000;
/** Larger files get the browser's own controls, because decoded they take many times their size. */
const maxBytes = { wav: 24_000_000, other: 6_000_000 } as const;

/** Whether a sound is small enough to be decoded. Pure. */
export function isDrawn({ kind, extension, bytes }: Pick<FoundFile, 'kind' | 'extension' | 'bytes'>): boolean {
  return kind === 'audio' && bytes <= (extension === 'wav' ? maxBytes.wav : maxBytes.other);
}

/** The peak of each of `bars` equal parts of a sound, from 0 (silence) to 1 (the loudest part). Pure. */
export function peaksOf(channels: readonly Float32Array[], bars = barCount): number[] {
  const length = Math.max(0, ...channels.map((channel) => channel.length));
  const peaks = Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * length) / bars));
    let peak = 0;
    for (const channel of channels)
      for (let at = from; at < to; at += 1) peak = Math.max(peak, Math.abs(channel[at] ?? 0));
    return peak;
  });
  const loudest = Math.max(...peaks);
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest);
}

/** Decodes a sound and reads its peaks. Null if the browser cannot decode it. */
export async function readPeaks(sound: Blob): Promise<number[] | null> {
  try {
    const decoder = new OfflineAudioContext(1, 1, sampleRate);
    const buffer = await decoder.decodeAudioData(await sound.arrayBuffer());
    return peaksOf(Array.from({ length: buffer.numberOfChannels }, (_, at) => buffer.getChannelData(at)));
  } catch {
    return null;
  }
}
