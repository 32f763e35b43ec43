import type { EndpointFlavour } from '../../src-preload/connection.ts';
import { looksLikeImage, mayHaveImage } from '../../src-preload/base64-images.ts';
import { beginRun } from '../../src-preload/media-run.ts';
import { textOfOutput } from '../../src-preload/stream-text.ts';
import { findImages, type Images } from './media/find-images.ts';
import { readJson } from './media/json-reading.ts';
import { transcriptIn, type TranscriptSegment } from './transcript/transcript.ts';
import type { Steps } from '../stream/use-steps.ts';

export type OutputView = 'text' | 'chunks' | 'images' | 'files' | 'transcript' | 'raw';

/** A saved output, with what can be shown of it. */
export interface ReadOutput {
  /** Text that is worth a view of its own, or null. */
  text: string | null;
  images: Images;
  /** The spoken text with its times, or null. */
  transcript: TranscriptSegment[] | null;
  /** It has addresses of images or files and no other value. */
  isOnlyLinks: boolean;
  /** How many entries the output has, if it is a list. Null for any other. */
  listLength: number | null;
}

const noImages: Images = { found: [], links: [], fileLinks: [], files: [], isCapped: false };

const nothingRead: ReadOutput = {
  text: null,
  images: noImages,
  transcript: null,
  isOnlyLinks: false,
  listLength: null,
};

/** Reads an output's JSON text. A text that is not JSON is shown as text; a cut one only as raw output. */
export function* readOutput(json: string, isCut: boolean): Steps<ReadOutput> {
  if (isCut) return nothingRead;
  const { value: output, isWhole } = yield* readJson(json);
  if (output === undefined) return { ...nothingRead, text: json };
  const images = yield* findImages(output);
  const transcript = transcriptIn(output);
  const listLength = Array.isArray(output) ? output.length : null;
  if (!isWhole) return { ...nothingRead, images: { ...images, isCapped: true }, transcript, listLength };
  const text = textOfOutput(output);
  const isFile = text === null || looksLikeImage(text) || isOneFile(images) || beginRun(text) !== null;
  const links = images.links.length + images.fileLinks.length;
  const isOnlyLinks = links > 0 && hasOnly(output, links);
  return { text: isFile || text.trim() === '' ? null : text, images, transcript, isOnlyLinks, listLength };
}

/** Whether a value has exactly this many values without parts, an empty list being one. It stops at one more. */
function hasOnly(output: unknown, wanted: number): boolean {
  const open = [output];
  let count = 0;
  for (let value = open.pop(); value !== undefined && count <= wanted; value = open.pop()) {
    const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
    if (parts.length === 0) count += 1;
    else open.push(...parts.slice(0, wanted + 1));
  }
  return count === wanted;
}

/** True if the output itself, and not a value in it, is an image or a file. */
function isOneFile({ found, files }: Images): boolean {
  return [...found, ...files].some(({ path }) => path === '');
}

/** Beginnings of sounds and videos. The others share their beginnings with images, or are data URLs. */
const fileBeginnings = ['"ZkxhQ', '"T2dnU', '"SUQz', '"//uQ', '"//vQ', '"GkXfo'] as const;

/** True if a cut output has the beginning of an image, a sound or a video, so that it should be read completely. */
export function promisesImages(beginning: string, flavour: EndpointFlavour): boolean {
  return flavour === 'image' || mayHaveImage(beginning) || fileBeginnings.some((needle) => beginning.includes(needle));
}

/**
 * The views that apply, in the order of the choice. `imageLinks`, `fileLinks`: only addresses of them in an output that
 * has more to show, so they come last.
 */
export function outputViews(has: {
  streamText: boolean;
  chunks: boolean;
  bodyText: boolean;
  images: boolean;
  files: boolean;
  transcript: boolean;
  body: boolean;
  imageLinks: boolean;
  fileLinks: boolean;
}): OutputView[] {
  const views: OutputView[] = [];
  if (has.images) views.push('images');
  if (has.files) views.push('files');
  if (has.transcript) views.push('transcript');
  if (has.streamText || has.bodyText) views.push('text');
  if (has.chunks) views.push('chunks');
  if (has.body || has.chunks) views.push('raw');
  if (has.imageLinks && !has.images) views.push('images');
  if (has.fileLinks && !has.files) views.push('files');
  return views;
}

/** The view to show: the chosen one if it applies, or else the first. */
export function viewToShow(views: readonly OutputView[], chosen: OutputView | null): OutputView | null {
  return chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? null);
}
