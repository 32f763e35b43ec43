import { hourMs } from '../../../src-preload/durations.ts';
import type { Closure } from '../../../src-preload/app.ts';
import { formatCount, formatIn, formatMinute } from '../../../src-preload/format.ts';
import { closedOperations, closedStatuses, type EndpointNameOf } from '../../../src-preload/messages/closure.ts';

/** The banner about refused operations. */
export const closuresText = {
  title: (closures: readonly Closure[], nameOf: EndpointNameOf): string =>
    `${manyRefused(closures.length)}: ${closedOperations(closures, nameOf)} (${closedStatuses(closures)})`,
  since: (sinceMs: number): string => `Since ${formatMinute(sinceMs)}.`,
};

function manyRefused(count: number): string {
  return count === 1 ? 'One operation is refused' : `${formatCount(count)} operations are refused`;
}

/**
 * `Next try in 2:10.` `nextTryMs` is null while a try is in progress. `later`: what the next try waits for, or null if
 * it waits for its time alone.
 */
export function triedText(nextTryMs: number | null, nowMs: number, later: string | null): string {
  if (later !== null) return `Next try ${later}.`;
  return nextTryMs === null || nextTryMs <= nowMs ? 'Trying now.' : `Next try ${formatIn(nextTryMs - nowMs)}.`;
}

/** `next try in 2:10`, within a sentence. `nextTryMs` is null while a try is in progress. */
export function nextTryText(nextTryMs: number | null, nowMs: number): string {
  return nextTryMs === null || nextTryMs <= nowMs ? 'trying now' : `next try ${formatIn(nextTryMs - nowMs)}`;
}

/** `refused (403), next try in 2:10`. */
export function refusedFigures(
  { httpStatus, nextTryMs }: Pick<Closure, 'httpStatus' | 'nextTryMs'>,
  nowMs: number,
): string {
  return `refused (${httpStatus}), ${nextTryText(nextTryMs, nowMs)}`;
}

/** A loss further away than this is not mentioned. */
const nearMs = hourMs;

/** What may be lost meanwhile. Empty if nothing may be lost soon. */
export function lossText(lossMs: number | null, nowMs: number): string {
  if (lossMs === null || lossMs - nowMs > nearMs) return '';
  return lossMs > nowMs
    ? `A result may expire on the service from ${formatMinute(lossMs)}.`
    : `Results may have expired on the service since ${formatMinute(lossMs)}.`;
}
