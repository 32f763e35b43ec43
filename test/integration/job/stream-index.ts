import type { StreamChunk } from '../../../src-preload/job.ts';

/** The place a text chunk of the sandbox has in its stream, by its own metrics. */
export function streamIndexOf({ metricsJson }: Pick<StreamChunk, 'metricsJson'>): number {
  const metrics: unknown = JSON.parse(metricsJson ?? 'null');
  if (
    typeof metrics === 'object' &&
    metrics !== null &&
    'stream_index' in metrics &&
    typeof metrics.stream_index === 'number'
  )
    return metrics.stream_index;
  throw new Error(`This chunk has no stream_index: ${metricsJson}`);
}
