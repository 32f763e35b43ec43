import { maxImages } from '../../../src-preload/base64-images.ts';
import { saveFile, saveFiles } from '../../data/save-file.ts';
import { toast } from '../../design/toast.tsx';
import { filesText, imageActionsText } from '../../messages/job/media.ts';
import { finished } from '../../stream/use-steps.ts';
import { blobOf, fileSaveName, imageBlob, saveName, type FoundFile } from './find-images.ts';
import { isFoundImage, type Gallery } from './use-gallery.ts';

interface NamedFile {
  name: string;
  content: Blob;
}

/** Reads one and names it. Null if its text is damaged. */
async function fileOf(images: Gallery, at: number, jobName: string): Promise<NamedFile | null> {
  const found = await images.read(at);
  if (found === null) return null;
  const isImage = isFoundImage(found);
  const content = await finished(isImage ? imageBlob(found) : blobOf(found.base64, found.type));
  const name = isImage ? saveName(found, at, jobName) : fileSaveName(found, at, jobName);
  return content === null ? null : { name, content };
}

/** Saves one image where the user chooses. */
export async function saveImage(images: Gallery, at: number, jobName: string): Promise<void> {
  const file = await fileOf(images, at, jobName);
  if (file === null) toast(imageActionsText.notSaved);
  else saveFile(file.name, file.content);
}

/** Saves all images in one folder; of very many the newest ones. Damaged images are left out and counted. */
export async function saveAllImages(images: Gallery, jobName: string): Promise<void> {
  const files: NamedFile[] = [];
  const { count } = images;
  const first = Math.max(0, count - maxImages);
  for (let at = first; at < count; at += 1) {
    const file = await fileOf(images, at, jobName);
    if (file !== null) files.push(file);
  }
  const lost = count - first - files.length;
  if (lost > 0) toast(imageActionsText.someNotSaved(lost, count - first));
  if (files.length > 0) await saveFiles(files);
}

/** Saves a found file's bytes where the user chooses. */
export async function saveFound({ base64, type }: FoundFile, name: string): Promise<void> {
  const blob = await finished(blobOf(base64, type));
  if (blob === null) toast(filesText.notSaved);
  else saveFile(name, blob);
}
