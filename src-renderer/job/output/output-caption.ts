import type { BodyText } from '../../../src-preload/history.ts';
import { formatBytes } from '../../../src-preload/format.ts';
import { captionText } from '../../messages/job/output.ts';
import type { StreamLog } from '../../stream/stream-log.ts';
import type { Images } from '../media/find-images.ts';
import type { OutputView } from '../output-views.ts';
import type { Gallery } from '../media/use-gallery.ts';

interface CaptionedOutput {
  kept: Pick<BodyText, 'bytes'> | null;
  read: { images: Pick<Images, 'files'>; transcript: readonly unknown[] | null } | null;
  gallery: Pick<Gallery, 'count' | 'at' | 'shown'>;
  /** How many chunks are saved, as shown everywhere. */
  chunkCount: number;
}

/**
 * The toolbar's text about the output in this view, in parts such as `1,200 tokens` and ` in 93 chunks`. Where there is
 * little room, the last parts are left out. Saved chunks are counted.
 */
export function outputCaption(
  view: OutputView,
  log: Pick<StreamLog, 'chunkCount' | 'hasText' | 'outputTokens'>,
  output: CaptionedOutput,
): string[] {
  const { outputTokens } = log;
  if (view === 'images' && output.gallery.count > 0) return imageCaption(output.gallery);
  const text = captionOf(view, log, output);
  return view === 'text' && log.hasText && outputTokens !== null
    ? [captionText.tokens(outputTokens), captionText.inChunks(text)]
    : [text];
}

function imageCaption({ count, at, shown }: CaptionedOutput['gallery']): string[] {
  const image = shown(at)?.image ?? null;
  const facts = [
    ...(count > 1 ? [captionText.imageOf(at + 1, count)] : []),
    ...(image === null ? [] : captionText.image(image)),
  ];
  return facts.map((fact, place) => (place === 0 ? fact : captionText.next(fact)));
}

function captionOf(
  view: OutputView,
  log: Pick<StreamLog, 'chunkCount' | 'hasText'>,
  { kept, read, chunkCount }: CaptionedOutput,
): string {
  const keptBytes = kept?.bytes ?? 0;
  // While a stream is running, the shown text is a few chunks behind what is saved. Both places show the same number.
  const chunks = captionText.chunks(chunkCount === 0 ? log.chunkCount : chunkCount);
  switch (view) {
    case 'text':
      return log.hasText ? chunks : formatBytes(keptBytes);
    case 'chunks':
      return chunks;
    case 'images':
      return captionText.addressesOnly;
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
