import { Columns2, Download } from 'lucide-react';
import { failed, type Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { toast } from '../design/toast.tsx';
import { compareSides } from '../navigation/go.ts';
import { saveFile, saveFiles } from '../stream/save-file.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import { imageBlob, saveName, type FoundImage } from './find-images.ts';

interface ImageToolsProps {
  job: Job;
  /** Null for the newest. */
  attempt: number | null;
  images: readonly FoundImage[];
  at: number;
  /** Whether there is a list, which the comparison can replace. */
  hasList: boolean;
}

/** The actions on the image in view and on all of them. */
export function ImageTools({ job, attempt, images, at, hasList }: ImageToolsProps) {
  const image = images[at];
  const jobName = job.jobId?.slice(0, 8) ?? job.key;
  if (image === undefined) return null;
  return (
    <>
      {hasList && (
        <IconButton
          label="Compare with…"
          size="sm"
          hasSmallGlyph
          icon={<Columns2 />}
          onClick={() => compareSides([{ key: job.key, attempt }])}
        />
      )}
      <CopyButton label="Copy image" copy={() => copyImage(image)} />
      <IconButton
        label="Save image"
        size="sm"
        hasSmallGlyph
        icon={<Download />}
        onClick={() => void saveImage(image, saveName(image, at, jobName))}
      />
      {images.length > 1 && (
        <Button variant="ghost" size="sm" onClick={() => void saveAll(images, jobName)}>
          Save all
        </Button>
      )}
    </>
  );
}

const damaged = 'its text is damaged. The JSON view has it as it came.';

async function saveImage(image: FoundImage, name: string): Promise<void> {
  const blob = await decoded(image);
  if (blob === null) toast(`Could not save the image: ${damaged}`);
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
  if (lost > 0) toast(`${lost} of ${images.length} images are damaged and are not saved. The JSON view has them.`);
  if (files.length > 0) await saveFiles(files);
}

/** A PNG is copied unchanged. Other formats are converted, because not every program accepts them. */
async function copyImage(image: FoundImage): Promise<Result<null>> {
  const blob = await decoded(image);
  const png = blob === null || image.format === 'png' ? blob : await drawnAsPng(blob);
  if (png === null) return failed({ kind: 'refused', message: `Could not copy the image: ${damaged}` });
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
