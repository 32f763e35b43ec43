import { AppWindow, Columns2, Copy, Download, Images, Maximize2 } from 'lucide-react';
import { failed, type Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import type { MenuEntry } from '../design/menu.tsx';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { imageActionsText } from '../messages/job/media.ts';
import { compareSides } from '../navigation/go.ts';
import { isMainWindow } from '../navigation/route.ts';
import { saveFile, saveFiles } from '../stream/save-file.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import { imageBlob, saveName, type FoundImage } from './find-images.ts';

interface ImageToolsProps {
  job: Job;
  /** Null for the newest. */
  attempt: number | null;
  images: readonly FoundImage[];
  at: number;
}

/** The actions on the image in view and on all of them. */
export function ImageTools({ job, attempt, images, at }: ImageToolsProps) {
  const image = images[at];
  const jobName = jobNameOf(job);
  if (image === undefined) return null;
  return (
    <>
      <IconButton
        label={imageActionsText.compare}
        size="sm"
        hasSmallGlyph
        icon={<Columns2 />}
        onClick={() => compareSides([{ key: job.key, attempt }])}
      />
      <CopyButton label={imageActionsText.copy} copy={() => copyImage(image)} />
      <IconButton
        label={imageActionsText.save}
        size="sm"
        hasSmallGlyph
        icon={<Download />}
        onClick={() => void saveImage(image, saveName(image, at, jobName))}
      />
      {images.length > 1 && (
        <Button variant="ghost" size="sm" onClick={() => void saveAll(images, jobName)}>
          {imageActionsText.saveAll}
        </Button>
      )}
    </>
  );
}

/** What the right button offers on the image at `at`. */
export function imageMenu({ job, images, at }: Omit<ImageToolsProps, 'attempt'>, onEnlarge: () => void) {
  const image = images[at];
  if (image === undefined) return [];
  const jobName = jobNameOf(job);
  const copy = async (): Promise<void> => {
    const result = await copyImage(image);
    toast(result.ok ? imageActionsText.copied : result.failure.message, { glyph: <Copy size={16} /> });
  };
  const items: MenuEntry[] = [
    { kind: 'item', label: imageActionsText.enlarge, icon: <Maximize2 />, onSelect: onEnlarge },
    { kind: 'item', label: imageActionsText.copy, icon: <Copy />, onSelect: () => void copy() },
    {
      kind: 'item',
      label: imageActionsText.save,
      icon: <Download />,
      onSelect: () => void saveImage(image, saveName(image, at, jobName)),
    },
  ];
  if (images.length > 1)
    items.push({
      kind: 'item',
      label: imageActionsText.saveAllOf(images.length),
      icon: <Images />,
      onSelect: () => void saveAll(images, jobName),
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

/** What files of it are named after. */
function jobNameOf(job: Job): string {
  return job.jobId?.slice(0, 8) ?? job.key;
}

async function saveImage(image: FoundImage, name: string): Promise<void> {
  const blob = await decoded(image);
  if (blob === null) toast(imageActionsText.notSaved);
  else saveFile(name, blob);
}

/** Damaged images are left out and counted. */
async function saveAll(images: readonly FoundImage[], jobName: string): Promise<void> {
  const files: { name: string; content: Blob }[] = [];
  for (const [index, image] of images.entries()) {
    const content = await decoded(image);
    if (content !== null) files.push({ name: saveName(image, index, jobName), content });
  }
  const lost = images.length - files.length;
  if (lost > 0) toast(imageActionsText.someNotSaved(lost, images.length));
  if (files.length > 0) await saveFiles(files);
}

/** A PNG is copied unchanged. Other formats are converted, because not every program accepts them. */
async function copyImage(image: FoundImage): Promise<Result<null>> {
  const blob = await decoded(image);
  const png = blob === null || image.format === 'png' ? blob : await drawnAsPng(blob);
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

/** Its bytes, decoded in small steps. Null if its text is not base64. */
function decoded(image: FoundImage): Promise<Blob | null> {
  return new Promise((resolve) => {
    const steps = imageBlob(image);
    let next = steps.next();
    inSlices(
      () => {
        next = steps.next();
      },
      () => next.done === true,
      () => {
        if (next.done === true) resolve(next.value);
      },
    );
  });
}
