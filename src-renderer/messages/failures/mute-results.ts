import { formatCountOf } from '../../../src-preload/format.ts';

const periods: Readonly<Record<'1' | '7' | '30', string>> = { '1': 'today', '7': 'in 7 days', '30': 'in 30 days' };

/** `83 jobs, 7 causes in 7 days`. */
export function failureSum(jobs: number, causes: number, days: '1' | '7' | '30'): string {
  return `${formatCountOf(jobs, 'job')}, ${formatCountOf(causes, 'cause')} ${periods[days]}`;
}

/** What became of a request to mute a cause, or to unmute it. */
export const muteResultText = {
  muted: (message: string): string => `Muted: ${message}`,
  unmuted: (message: string): string => `No longer muted: ${message}`,
  couldNotMute: (reason: string): string => `Could not mute the cause. ${reason}`,
  couldNotUnmute: (reason: string): string => `Could not unmute the cause. ${reason}`,
};
