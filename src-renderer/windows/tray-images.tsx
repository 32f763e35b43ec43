import { useCallback, useMemo } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { imagesBySide } from '../compare/side-images.ts';
import { useCall } from '../data/calls.ts';
import { useImageUrls } from '../job/media/use-image-urls.ts';
import { useSteps } from '../stream/use-steps.ts';
import styles from './tray-window.module.css';

const shown = 4;
/** A larger output is not read for a few small pictures. */
const maxBytes = 12_000_000;

/** The first images in a saved output, from its own bytes. Addresses in it are never loaded. */
export function TrayImages({ job }: { job: Job }) {
  const isWanted = job.isResultSaved && job.outputBytes > 0 && job.outputBytes <= maxBytes;
  const output = useCall('job:body', isWanted ? { key: job.key, part: 'output', attempt: null, isWhole: true } : null, {
    unusedMs: 0,
  }).data?.text;
  const search = useCallback(() => imagesBySide(output === undefined ? [] : [output]), [output]);
  const found = useSteps(search)?.result;
  const images = useMemo(
    () =>
      [...(found?.values() ?? [])]
        .flat()
        .filter((image) => image !== null)
        .slice(0, shown),
    [found],
  );
  const urls = useImageUrls(images);
  if (images.length === 0) return null;
  return (
    <span className={styles.images}>
      {images.map(({ path }, at) => {
        const url = urls[at] ?? null;
        return <span key={path}>{url !== null && <img src={url} alt="" draggable={false} />}</span>;
      })}
    </span>
  );
}
