import { AppWindow, Columns2, Copy, Download, Images, Maximize2 } from 'lucide-react';
import { maxImages } from '../../../src-preload/base64-images.ts';
import { failed, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { call } from '../../bridge.ts';
import { callOrReport } from '../../call-or-report.ts';
import { Button } from '../../design/button.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import type { MenuEntry } from '../../design/menu/menu.tsx';
import { toast } from '../../design/toast.tsx';
import { commonText } from '../../messages/common.ts';
import { imageActionsText } from '../../messages/job/media.ts';
import { compareSides } from '../../navigation/go.ts';
import { isMainWindow } from '../../navigation/route.ts';
import { finished } from '../../stream/use-steps.ts';
import { imageBlob } from './find-images.ts';
import { saveAllImages, saveImage } from './save-media.ts';
import { isFoundImage, type Gallery } from './use-gallery.ts';

interface ImageToolsProps {
  job: Job;
  /** Null for the newest. */
  attempt: number | null;
  images: Gallery;
}

/** The actions on the image in view and on all of them. */
export function ImageTools({ job, attempt, images }: ImageToolsProps) {
  const { at, count } = images;
  const isImage = images.kindOf(at) === 'image';
  const jobName = jobNameOf(job);
  return (
    <>
      <IconButton
        label={imageActionsText.compare}
        size="sm"
        hasSmallGlyph
        icon={<Columns2 />}
        onClick={() => compareSides([{ key: job.key, attempt }])}
      />
      {isImage && <CopyButton label={imageActionsText.copy} copy={() => copyImage(images, at)} />}
      <IconButton
        label={isImage ? imageActionsText.save : imageActionsText.saveFile}
        size="sm"
        hasSmallGlyph
        icon={<Download />}
        onClick={() => void saveImage(images, at, jobName)}
      />
      {count > 1 && (
        <Button variant="ghost" size="sm" onClick={() => void saveAllImages(images, jobName)}>
          {count > maxImages ? imageActionsText.saveNewest(maxImages) : imageActionsText.saveAll}
        </Button>
      )}
    </>
  );
}

interface ImageMenuParts {
  job: Job;
  images: Gallery;
  at: number;
}

/** What the right button offers on the image at `at`. */
export function imageMenu({ job, images, at }: ImageMenuParts, onEnlarge: () => void): MenuEntry[] {
  const { count } = images;
  if (at < 0 || at >= count) return [];
  const jobName = jobNameOf(job);
  const copy = async (): Promise<void> => {
    const result = await copyImage(images, at);
    toast(result.ok ? imageActionsText.copied : result.failure.message, { glyph: <Copy size={16} /> });
  };
  const isImage = images.kindOf(at) === 'image';
  const items: MenuEntry[] = isImage
    ? [
        { kind: 'item', label: imageActionsText.enlarge, icon: <Maximize2 />, onSelect: onEnlarge },
        { kind: 'item', label: imageActionsText.copy, icon: <Copy />, onSelect: () => void copy() },
      ]
    : [];
  items.push({
    kind: 'item',
    label: isImage ? imageActionsText.save : imageActionsText.saveFile,
    icon: <Download />,
    onSelect: () => void saveImage(images, at, jobName),
  });
  if (count > 1)
    items.push({
      kind: 'item',
      label: saveAllName(images),
      icon: <Images />,
      onSelect: () => void saveAllImages(images, jobName),
    });
  if (isMainWindow())
    items.push(
      { kind: 'separator' },
      {
        kind: 'item',
        label: commonText.openInOwnWindow,
        icon: <AppWindow />,
        keys: ['Shift', '↵'],
        onSelect: () => callOrReport('window:openJob', { key: job.key }),
      },
    );
  return items;
}

function saveAllName({ count, hasPlayed }: Gallery): string {
  if (count > maxImages) return imageActionsText.saveNewest(maxImages);
  return hasPlayed ? imageActionsText.saveAllFiles(count) : imageActionsText.saveAllOf(count);
}

/** What files of it are named after. */
function jobNameOf(job: Job): string {
  return job.jobId?.slice(0, 8) ?? job.key;
}

/** A PNG is copied unchanged. Other formats are converted, because not every program accepts them. */
async function copyImage(images: Gallery, at: number): Promise<Result<null>> {
  const found = await images.read(at);
  const image = found === null || !isFoundImage(found) ? null : found;
  const blob = image === null ? null : await finished(imageBlob(image));
  const png = blob === null || image?.format === 'png' ? blob : await drawnAsPng(blob);
  if (png === null) return failed({ kind: 'refused', message: imageActionsText.notCopied });
  return await call('app:copyImage', { png: new Uint8Array(await png.arrayBuffer()) });
}

/** Null if the bytes are not an image. */
async function drawnAsPng(blob: Blob): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return await canvas.convertToBlob({ type: 'image/png' });
  } catch {
    return null;
  }
}
