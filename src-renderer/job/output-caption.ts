import type { BodyText } from '../../src-preload/history.ts';
import { formatBytes } from '../../src-preload/format.ts';
import { captionText } from '../messages/job/output.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import type { Images } from './find-images.ts';
import type { OutputView } from './output-views.ts';
import type { GalleryImages } from './use-output-images.ts';

interface CaptionedOutput {
  kept: Pick<BodyText, 'bytes'> | null;
  read: { images: Pick<Images, 'files'>; transcript: readonly unknown[] | null } | null;
  gallery: Pick<GalleryImages, 'count' | 'at' | 'shown'>;
  /** How many chunks are saved, as shown everywhere. */
  chunkCount: number;
}

/** A text such as `1,200 tokens` and `in 93 chunks`. A narrow pane leaves out the second part. */
export interface OutputCaption {
  text: string;
  more: string;
}

/** The toolbar's text about the output in this view. Saved chunks are counted. */
export function outputCaption(
  view: OutputView,
  log: Pick<StreamLog, 'chunkCount' | 'hasText' | 'outputTokens'>,
  output: CaptionedOutput,
): OutputCaption {
  const { outputTokens } = log;
  const text = captionOf(view, log, output);
  return view === 'text' && log.hasText && outputTokens !== null
    ? { text: captionText.tokens(outputTokens), more: captionText.inChunks(text) }
    : { text, more: '' };
}

function captionOf(
  view: OutputView,
  log: Pick<StreamLog, 'chunkCount' | 'hasText'>,
  { kept, read, gallery, chunkCount }: CaptionedOutput,
): string {
  const keptBytes = kept?.bytes ?? 0;
  // While a stream is running, the shown text is a few chunks behind what is saved. Both places show the same number.
  const chunks = captionText.chunks(chunkCount === 0 ? log.chunkCount : chunkCount);
  switch (view) {
    case 'text':
      return log.hasText ? chunks : formatBytes(keptBytes);
    case 'chunks':
      return chunks;
    case 'images': {
      const { count, at } = gallery;
      if (count === 0) return captionText.addressesOnly;
      const image = gallery.shown(at)?.image ?? null;
      const caption = image === null ? '' : captionText.image(image);
      return count > 1 ? captionText.imageOf(at + 1, count, caption) : caption;
    }
    case 'files':
      return read === null || read.images.files.length === 0
        ? captionText.addressesOnly
        : captionText.files(read.images.files.length);
    case 'transcript':
      return captionText.segments(read?.transcript?.length ?? 0);
    case 'raw':
      return keptBytes > 0 ? formatBytes(keptBytes) : chunks;
  }
}
