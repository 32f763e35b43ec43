import type { Segment } from './timeline.ts';

/** No phase is narrower (design language: Timeline strip). */
export const minSegmentPx = 22;
/** Between two segments. */
const gapPx = 2;

/**
 * Widths in px of the segments on a lane of `lanePx` and the gaps between them. Phases do not share a scale: a wait
 * grows with the logarithm of its time up to a quarter of the lane, a run up to two fifths, fixed ones shrink if the
 * lane is narrow, and the rest gets what is left. The sum is the lane; no segment is below `minSegmentPx` if the lane
 * has that much room.
 */
export function laneWidths(segments: readonly Segment[], lanePx: number): number[] {
  if (segments.length === 0) return [];
  const available = Math.max(0, lanePx - gapPx * (segments.length - 1));
  const min = Math.min(minSegmentPx, available / segments.length);
  const widths = segments.map(({ wants }) => {
    switch (wants.kind) {
      case 'rest':
        return min;
      case 'fixed':
        return Math.max(min, Math.min(wants.px, available * 0.24));
      case 'duration': {
        const decades = Math.log10(1 + Math.max(0, wants.ms) / 1000);
        const [perDecade, share] = wants.scale === 'wait' ? [34, 0.25] : [140, 0.4];
        return Math.max(min, Math.min(min + perDecade * decades, available * share));
      }
    }
  });
  const spare = available - widths.reduce((sum, width) => sum + width, 0);
  const rests = segments.flatMap(({ wants }, index) => (wants.kind === 'rest' ? [index] : []));
  const takers = rests.length > 0 ? rests : [segments.length - 1];
  if (spare > 0) for (const index of takers) widths[index] = (widths[index] ?? 0) + spare / takers.length;
  return widths;
}
