import type { TranscriptSegment } from './transcript.ts';

/** A transcript as a file that players show as subtitles. */

/** How long the last segment is shown if its end is not known, in seconds. */
const shownSeconds = 3;

interface Cue {
  startSeconds: number;
  endSeconds: number;
  speaker: string | null;
  /** Lines without an empty one, because that would end the cue. */
  text: string;
}

/** SubRip: numbered, with a comma in the times, and the speaker before the text. Pure. */
export function subRipOf(segments: readonly TranscriptSegment[]): string {
  return cuesOf(segments)
    .map(({ startSeconds, endSeconds, speaker, text }, at) => {
      const spoken = (speaker === null ? text : `${speaker}: ${text}`).replaceAll('-->', '->');
      return `${at + 1}\n${time(startSeconds, ',')} --> ${time(endSeconds, ',')}\n${spoken}\n`;
    })
    .join('\n');
}

/** WebVTT: the speaker is a voice. Pure. */
export function webVttOf(segments: readonly TranscriptSegment[]): string {
  const cues = cuesOf(segments).map(({ startSeconds, endSeconds, speaker, text }) => {
    const voice = speaker === null ? '' : `<v ${escaped(speaker)}>`;
    return `${time(startSeconds, '.')} --> ${time(endSeconds, '.')}\n${voice}${escaped(text)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Segments with a text. One without an end is shown until the next one begins. */
function cuesOf(segments: readonly TranscriptSegment[]): Cue[] {
  return segments.flatMap(({ startSeconds, endSeconds, speaker, text }, at) => {
    const spoken = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n');
    if (spoken === '') return [];
    const next = segments[at + 1]?.startSeconds ?? startSeconds + shownSeconds;
    return { startSeconds, endSeconds: Math.max(startSeconds, endSeconds ?? next), speaker, text: spoken };
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `00:01:02.345`, with `point` before the milliseconds. */
function time(seconds: number, point: string): string {
  const ms = Math.max(0, Math.round(seconds * 1_000));
  const pad = (count: number, digits = 2): string => String(Math.floor(count)).padStart(digits, '0');
  const [hours, minutes, rest] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  return `${pad(hours)}:${pad(minutes)}:${pad(rest)}${point}${pad(ms % 1_000, 3)}`;
}
